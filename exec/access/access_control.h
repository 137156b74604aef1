// Access control of an engine: finds the role of a request and checks that it may run the statement. Used if login is
// required. Thread-safe.
#pragma once

#include "exec/access/access_options.h"
#include "exec/access/actor.h"
#include "exec/access/logins.h"
#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

class AccessControl {
 public:
  // `schema` returns the newest schema. `version` returns a number that changes whenever the schema changes. A caller
  // that calls `version` first and `schema` second gets the schema of that version or a newer one.
  AccessControl(const AccessOptions& options, std::function<SchemaPtr()> schema, std::function<uint64_t()> version)
      : mode_(options.mode),
        schema_(std::move(schema)),
        version_(std::move(version)),
        logins_(schema_, options.limits) {}

  // Returns who runs the request: the role that has logged in or, in the mode kProcess, the process itself. Fails with
  // kUnauthorized ("You have not logged in") for all other requests.
  Result<Actor> ActorOf(const RequestParameters& parameters) const;
  // Fails with kUnauthorized, in Cassandra's words, if the request may not run the plan.
  Status Check(const Plan& plan, const RequestParameters& parameters) const;
  // Records the tables that are in `before` but not in `after`. Must be called before `after` is published. If a new
  // table gets the name of a dropped one, rights on the new table must not give access to the dropped table, which a
  // snapshot may still show. (Table ids cannot tell the two apart: CREATE TABLE may choose the id.)
  void NoteDropped(const SchemaSnapshot& before, const SchemaSnapshot& after) WR_EXCLUDES(mutex_);
  bool logins_required() const { return mode_ == AccessMode::kLogins; }
  Logins& logins() { return logins_; }

 private:
  struct Dropped {
    StorageId storage_id = 0;  // Ascending: a later table of the same name has a greater id.
    std::chrono::steady_clock::time_point at;
  };
  // Checks a read of `table` on the request's snapshot. If `table` was dropped, `rights` are about a later table of the
  // same name, and only superusers may read.
  Status CheckOnSnapshot(const TableSchema& table, const Rights& rights) const WR_EXCLUDES(mutex_);

  const AccessMode mode_;
  const std::function<SchemaPtr()> schema_;
  const std::function<uint64_t()> version_;
  Logins logins_;
  mutable Mutex mutex_;
  // The dropped tables by keyspace and name, kept as long as a snapshot may contain them.
  std::map<std::pair<std::string, std::string>, Dropped> dropped_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
