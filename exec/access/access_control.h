// An engine's gate, where logging in is required: who a request comes from, and whether he may have what it asks for.
// Thread-safe.
#pragma once

#include "exec/access/access_options.h"
#include "exec/access/actor.h"
#include "exec/access/logins.h"
#include "exec/outcome.h"
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
  bool logins_required() const { return mode_ == AccessMode::kLogins; }
  Logins& logins() { return logins_; }

 private:
  const AccessMode mode_;
  const std::function<SchemaPtr()> schema_;
  const std::function<uint64_t()> version_;
  Logins logins_;
};

}  // namespace widerow
