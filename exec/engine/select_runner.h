// The engine's SELECTs: a page, one row by its key, rows shown one by one. Thread-safe.
#pragma once

#include "exec/engine/admitted_request.h"
#include "exec/engine/engine_state.h"
#include "exec/engine/read_account.h"
#include "exec/select/select.h"

namespace widerow {

class DerivedBuilder;
class RowViewer;

// Each function fails as BindMarkers does, with kOverloaded if the table has no units left, and with what the read
// meets.
class SelectRunner {
 public:
  SelectRunner(EngineState& state, const DerivedBuilder& builds) : state_(state), builds_(builds) {}

  // Returns one page. The request's plan is a SelectPlan.
  Result<Outcome> Page(AdmittedRequest& request) const;
  // Reads one row by its key and appends it to `page`. The statement has a point read. False: the row is too large for
  // one page, and `page` is as it was; Page reads it.
  Result<bool> Point(AdmittedRequest& request, RowsPage& page) const;
  // Shows all rows to `viewer`; page size and paging state do not count. The viewer may use the engine.
  Status Show(AdmittedRequest& request, RowViewer& viewer) const;
  // Returns one page for EXPLAIN ANALYZE, which keeps the account of all pages itself.
  Result<RowsPage> MeasuredPage(AdmittedRequest& request, ScanMeter& meter) const;

 private:
  using Values = std::span<const BoundValue>;

  Result<bool> AppendPoint(const AdmittedRequest& request, Values values, ReadAccount& account, RowsPage& page) const;
  // Calls `use` with what the SELECT is run with: a SelectRequest and a ViewOpener. Views of a stored table are of
  // `*kept`, which this function fills, unless `kept` is null.
  template <typename Use>
  auto WithSelect(const AdmittedRequest& request, Values values, struct KeptMoment* kept, const Use& use) const;

  EngineState& state_;
  const DerivedBuilder& builds_;
};

}  // namespace widerow
