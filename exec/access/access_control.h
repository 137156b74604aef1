// An engine's gate, where logging in is required: who a request comes from, and whether he may have what it asks for.
// Thread-safe.
#pragma once

#include "exec/access/access_options.h"
#include "exec/access/actor.h"
#include "exec/access/logins.h"
#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

class AccessControl {
 public:
  // `schema` gives the newest schema, `version` another number with each; what is loaded after it was asked for is as new.
  AccessControl(const AccessOptions& options, std::function<SchemaPtr()> schema, std::function<uint64_t()> version)
      : mode_(options.mode), schema_(std::move(schema)), version_(std::move(version)), logins_(schema_, options.limits) {}

  // kUnauthorized "You have not logged in".
  Result<Actor> ActorOf(const RequestParameters& parameters) const;
  // kUnauthorized, in Cassandra's words.
  Status Check(const Plan& plan, const RequestParameters& parameters) const;
  // Before `after` can be seen. What is made later under a dropped table's name is another table, with owners of its own: rights
  // on it say nothing about the rows that a snapshot still has. (Ids would not tell: who creates a table may choose its id.)
  void NoteDropped(const SchemaSnapshot& before, const SchemaSnapshot& after) WR_EXCLUDES(mutex_);
  bool logins_required() const { return mode_ == AccessMode::kLogins; }
  Logins& logins() { return logins_; }

 private:
  struct Dropped {
    StorageId storage_id = 0;  // They ascend: a table made under the name since has a greater one.
    std::chrono::steady_clock::time_point at;
  };
  // Of a table as `parameters.snapshot` has it, which may be another than the one that the rights are about.
  Status CheckOnSnapshot(const TableSchema& table, const Rights& rights) const WR_EXCLUDES(mutex_);

  const AccessMode mode_;
  const std::function<SchemaPtr()> schema_;
  const std::function<uint64_t()> version_;
  Logins logins_;
  mutable Mutex mutex_;
  // By keyspace and name; as long as a snapshot may have it.
  std::map<std::pair<std::string, std::string>, Dropped> dropped_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
