// Runs the engine's SELECTs: one page, one row by its key, or all rows one by one. Thread-safe.
#pragma once

#include "exec/engine/admitted_request.h"
#include "exec/engine/blob_read.h"
#include "exec/engine/engine_state.h"
#include "exec/engine/read_account.h"
#include "exec/select/select.h"

namespace widerow {

class DerivedBuilder;
class RowViewer;

// True if the SELECT reads one row by its key and its answer has no paging state. Here, as in Cassandra, the answer has
// a paging state if the page size is one row.
inline bool AnswersPoint(const PreparedStatement& statement, const RequestParameters& parameters) {
  return statement.point != nullptr && parameters.page_rows != 1 && parameters.paging_state.empty() &&
         parameters.snapshot == nullptr;
}

// Errors of each function: those of BindMarkers, kOverloaded if the table has no units left
// (exec/guardrails/throughput.h), and those of the read.
class SelectRunner {
 public:
  SelectRunner(EngineState& state, const DerivedBuilder& builds) : state_(state), builds_(builds) {}

  // Returns one page. The request's plan is a SelectPlan.
  Result<Outcome> Page(AdmittedRequest& request) const;
  // Reads one row by its key and appends it to `page`. The statement must have a point read (PreparedStatement::point).
  // Returns false if the row is too large for one page. The body of `page` is then unchanged, and the caller must call
  // Page() instead.
  Result<bool> Point(AdmittedRequest& request, RowsPage& page) const;
  // Shows all rows to `viewer`, and returns their number. Page size and paging state are ignored. The viewer may call
  // the engine.
  Result<uint64_t> Show(AdmittedRequest& request, RowViewer& viewer) const;
  // Opens the value that the SELECT names. Null if there is no such row, or its value is null. The SELECT must read one
  // row by its key, and one column, of type blob.
  Result<std::unique_ptr<BlobRead>> OpenBlob(AdmittedRequest& request) const;
  // Returns one page without a ReadAccount, because EXPLAIN ANALYZE has one ReadAccount for all its pages.
  Result<RowsPage> MeasuredPage(AdmittedRequest& request, ScanMeter& meter) const;

 private:
  using Values = std::span<const BoundValue>;

  Result<bool> AppendPoint(const AdmittedRequest& request, Values values, ReadAccount& account, RowsPage& page) const;
  // Calls `use` with the SelectRequest and the ViewOpener of the SELECT. If `kept` is not null, the views of a stored
  // table show the snapshot in `*kept`. The first of them opens that snapshot.
  template <typename Use>
  auto WithSelect(const AdmittedRequest& request, Values values, KeptMoment* kept, const Use& use) const;

  EngineState& state_;
  const DerivedBuilder& builds_;
};

}  // namespace widerow
