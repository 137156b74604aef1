#include "embedded/result_set_state.h"

#include <algorithm>

#include "embedded/failure.h"
#include "exec/prepared/prepared_description.h"

namespace widerow {

namespace {

constexpr size_t kKeptBytesMax = 64u << 10;
constexpr size_t kKeptValuesMax = 256;

// The state that a thread keeps for its next statement. A ResultSet in a static variable may be destroyed later than
// this state; spare_gone is then true.
thread_local bool spare_gone = false;
struct Spare {
  std::unique_ptr<ResultSetState> state;
  ~Spare() { spare_gone = true; }
};
thread_local Spare spare;

}  // namespace

std::unique_ptr<ResultSetState> ResultSetState::Take() {
  if (!spare_gone && spare.state != nullptr) return std::move(spare.state);
  return std::make_unique<ResultSetState>();
}

void ResultSetState::GiveBack(std::unique_ptr<ResultSetState> state) {
  if (spare_gone || spare.state != nullptr || state->large()) return;
  state->Clear();
  spare.state = std::move(state);
}

bool ResultSetState::large() const {
  if (page.body.capacity() > kKeptBytesMax || taken.capacity() > kKeptValuesMax) return true;
  if (parameters.values.capacity() > kKeptValuesMax) return true;
  size_t bytes = 0;
  for (const BoundValue& value : parameters.values) bytes += value.bytes.capacity();
  return bytes > kKeptBytesMax;
}

void ResultSetState::Clear() {
  page.columns.reset();
  page.body.clear();
  page.row_ends.clear();
  page.paging_state.clear();
  page.row_count = rows_left = 0;
  columns = 0;
  parameters.keyspace.clear();
  parameters.paging_state.clear();
  parameters.snapshot.reset();
  rare_.reset();
}

bool ResultSetState::TakeOutcome(Outcome outcome) {
  for (std::string& warning : outcome.warnings) {
    std::vector<std::string>& warnings = rare().warnings;
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(std::move(warning));
  }
  auto* rows = std::get_if<RowsPage>(&outcome.result);
  if (rows == nullptr) return false;
  page = std::move(*rows);
  BeginPage();
  return true;
}

bool ResultSetState::FetchNext() {
  if (page.paging_state.empty()) return false;
  parameters.paging_state = std::move(page.paging_state);
  page.paging_state.clear();
  Rare& more = rare();
  Result<Outcome> outcome = more.prepared ? more.engine->ExecutePrepared(*more.prepared, parameters)
                                          : more.engine->Execute(more.text, parameters);
  Status fetched = outcome.ok() ? OkStatus() : Status(outcome.error());
  if (const auto* rows = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr) {
    fetched = CheckSameColumns(page.columns, rows->columns);
  }
  if (fetched.ok()) return TakeOutcome(std::move(*outcome));
  more.failure = ToFailure(fetched.error(), more.text);
  return false;
}

}  // namespace widerow
