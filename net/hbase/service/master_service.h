// HBase's MasterService: tables, families and namespaces. In HBase, a change returns the id of a procedure, and the
// client asks until the procedure has finished. Here, a change has been made when it is answered, so every procedure
// has finished. Thread-safe.
#pragma once

#include "net/hbase/service/call.h"
#include "net/hbase/store/admin.h"

namespace hbase::pb {
class TableSchema;
class ColumnFamilySchema;
}  // namespace hbase::pb

namespace widerow::hbase {

class MasterService {
 public:
  // Borrows all arguments.
  MasterService(Catalog& catalog, const std::string& cluster_id, const ServerAddress& address)
      : catalog_(catalog), admin_(catalog), cluster_id_(cluster_id), address_(address) {}

  Result<Answer> Run(const Call& call);

 private:
  // Runs a request that changes something. Returns nullopt for other methods.
  std::optional<Result<Answer>> Change(const Call& call);
  std::optional<Result<Answer>> ChangeFamily(const Call& call);
  std::optional<Result<Answer>> Namespaces(const Call& call);
  std::optional<Result<Answer>> Tables(const Call& call);
  Result<Answer> ClusterStatus() const;

  Result<Answer> Create(const Call& call);
  Result<Answer> Modify(const Call& call);
  Result<Answer> Descriptors(const Call& call);
  Result<Answer> Names(const Call& call);

  Catalog& catalog_;
  Admin admin_;
  const std::string& cluster_id_;
  const ServerAddress& address_;
};

}  // namespace widerow::hbase
