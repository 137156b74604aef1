// The client for which HBase's interface runs statements. The engine checks each statement by the client's role, as it
// does for CQL. HBase's operations need two exceptions, because one operation is several statements:
//
// - The tables of the keyspace `hbase`, which have delete markers and attributes, belong to the server. A client cannot
//   name them. A role needs no permissions on them.
// - A Delete reads the row before it writes. The client does not see what is read, so its role needs no SELECT.
//
// Immutable; copies share the client.
#pragma once

#include <memory>

#include "exec/rows/outcome.h"

namespace widerow::hbase {

class Caller {
 public:
  using Client = std::shared_ptr<const ConnectionFacts>;

  // Nobody. If logins are required, the engine refuses every statement.
  Caller() = default;
  // A client. `client` contains the client's role; it is null if nobody has to log in.
  explicit Caller(const Client& client);
  // The server itself. It may create and drop in all keyspaces, but it may read and write its own tables only.
  static Caller Server();

  // Returns the ConnectionFacts for statements whose results the client sees.
  const Client& client() const { return client_; }
  // Returns the ConnectionFacts for reads whose results the client does not see.
  const Client& unseen() const { return unseen_; }
  // True if both callers have logged in as the same role, or if neither has logged in.
  bool IsSameRole(const Caller& other) const;

 private:
  Client client_, unseen_;
};

}  // namespace widerow::hbase
