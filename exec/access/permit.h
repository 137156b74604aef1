// A permit stands for "this request may run its plan": a gate has checked the permissions of the request's role and the
// consistency level of the request. Everything in exec/ that reads rows, writes rows or changes the schema or roles for
// a client takes a permit, and only a Gate makes one. tests/unit/exec/permit_test.cc lists the ways into the engine.
// tests/tree/permit_test.py lists the functions that reach the storage without a permit, and why.
#pragma once

#include "exec/rows/outcome.h"
#include "planner/plan.h"

namespace widerow {

class AccessControl;

// Borrows the plan.
class Permit {
 public:
  const Plan& plan() const { return *plan_; }

 private:
  friend class Gate;
  explicit Permit(const Plan& plan) : plan_(&plan) {}

  const Plan* plan_;
};

// Thread-safe.
class Gate {
 public:
  // `access` must outlive the gate; null: nobody has to log in, and everybody may do everything.
  explicit Gate(const AccessControl* access) : access_(access) {}

  // Returns the permit for the plan of a whole request. kUnauthorized if the role may not run the plan; kInvalid for a
  // consistency level that Cassandra refuses for the plan. The plan must outlive the permit.
  Result<Permit> Admit(const Plan& plan, const RequestParameters& parameters) const {
    if (access_ != nullptr) WR_RETURN_IF_ERROR(CheckAccess(plan, parameters));
    WR_RETURN_IF_ERROR(CheckConsistency(plan, parameters.consistency));
    return Permit(plan);
  }
  // Returns the permit for a plan that is a part of a client's batch. Differs from Admit in one point: NODE_LOCAL is
  // the only consistency level that is refused.
  Result<Permit> AdmitPart(const Plan& plan, const RequestParameters& parameters) const;

 private:
  Status CheckAccess(const Plan& plan, const RequestParameters& parameters) const;

  const AccessControl* const access_;
};

}  // namespace widerow
