// Runs the engine's SELECTs: one page, one row by its key, or all rows one by one. Thread-safe.
#pragma once

#include "exec/engine/admitted_request.h"
#include "exec/engine/engine_state.h"
#include "exec/engine/read_account.h"
#include "exec/select/select.h"

namespace widerow {

class DerivedBuilder;
class RowViewer;

// True if the SELECT reads one row by its key and its answer has no paging state. A row that fills its page has one, as
// in Cassandra.
inline bool AnswersPoint(const PreparedStatement& statement, const RequestParameters& parameters) {
  return statement.point != nullptr && parameters.page_rows != 1 && parameters.paging_state.empty() &&
         parameters.snapshot == nullptr;
}

// Errors of each function: those of BindMarkers, kOverloaded if the table has no units left, and those of the read.
class SelectRunner {
 public:
  SelectRunner(EngineState& state, const DerivedBuilder& builds) : state_(state), builds_(builds) {}

  // Returns one page. The request's plan is a SelectPlan.
  Result<Outcome> Page(AdmittedRequest& request) const;
  // Reads one row by its key and appends it to `page`. The statement must have a point read. False if the row is too
  // large for one page. The page's body is then as it was, and the caller must use Page.
  Result<bool> Point(AdmittedRequest& request, RowsPage& page) const;
  // Shows all rows to `viewer`. Page size and paging state are ignored. The viewer may call the engine.
  Status Show(AdmittedRequest& request, RowViewer& viewer) const;
  // Returns one page without an account: EXPLAIN ANALYZE keeps one account of all pages.
  Result<RowsPage> MeasuredPage(AdmittedRequest& request, ScanMeter& meter) const;

 private:
  using Values = std::span<const BoundValue>;

  Result<bool> AppendPoint(const AdmittedRequest& request, Values values, ReadAccount& account, RowsPage& page) const;
  // Calls `use` with the SelectRequest and the ViewOpener of the SELECT. If `kept` is not null, views of a stored table
  // are views of `*kept`, which this function fills.
  template <typename Use>
  auto WithSelect(const AdmittedRequest& request, Values values, struct KeptMoment* kept, const Use& use) const;

  EngineState& state_;
  const DerivedBuilder& builds_;
};

}  // namespace widerow
