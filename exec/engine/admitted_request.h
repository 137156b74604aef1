// A request that a gate has admitted: the statement, the values and options that came with it, and the permit. The
// parts of an engine run admitted requests only.
#pragma once

#include <atomic>

#include "exec/access/permit.h"
#include "exec/bind/bind.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

// Borrows the statement and the parameters. Used by one thread.
class AdmittedRequest {
 public:
  // `permit` is for the statement's plan. Scans add the rows that they examine to `examined`, which may be null.
  AdmittedRequest(const Permit& permit, const PreparedStatement& statement, const RequestParameters& parameters,
                  std::atomic<uint64_t>* examined = nullptr)
      : permit_(permit), statement_(statement), parameters_(parameters), examined_(examined) {}

  const Permit& permit() const { return permit_; }
  const PreparedStatement& statement() const { return statement_; }
  const RequestParameters& parameters() const { return parameters_; }
  std::atomic<uint64_t>* examined() const { return examined_; }
  const Plan& plan() const { return permit_.plan(); }
  template <typename OnePlan>  // The type of the plan: SelectPlan, ModifyPlan, …
  const OnePlan& plan_as() const {
    return std::get<OnePlan>(plan().node);
  }

  // Checks the values against the plan's markers (BindMarkers). Returns one value per marker; the values live as long
  // as the request.
  Result<std::span<const BoundValue>> Bind() {
    // A text that is run without PREPARE has no id.
    const SentAs sent_as = statement_.id.empty() ? SentAs::kQuery : SentAs::kPrepared;
    return BindMarkers(plan().markers, parameters_.values, parameters_.names, sent_as, named_);
  }

 private:
  const Permit permit_;
  const PreparedStatement& statement_;
  const RequestParameters& parameters_;
  std::atomic<uint64_t>* const examined_;
  std::vector<BoundValue> named_;
};

}  // namespace widerow
