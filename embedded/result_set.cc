#include <algorithm>

#include "embedded/failure.h"
#include "embedded/result_set_state.h"

namespace widerow {

std::vector<Column> ToColumns(const ResultColumns& columns) {
  std::vector<Column> out;
  out.reserve(columns.size());
  for (const ResultColumn& column : columns) {
    out.push_back({column.keyspace, column.table, column.name, TypeText(*column.type)});
  }
  return out;
}

bool ResultSet::State::Take(Outcome outcome) {
  for (std::string& warning : outcome.warnings) {
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(std::move(warning));
  }
  auto* rows = std::get_if<RowsPage>(&outcome.result);
  if (rows == nullptr) return false;
  page = std::move(*rows);
  at = page.body.data();
  rows_left = page.row_count;
  return true;
}

bool ResultSet::State::FetchNext() {
  if (page.paging_state.empty()) return false;
  parameters.paging_state = std::move(page.paging_state);
  page.paging_state.clear();
  Result<Outcome> outcome =
      prepared ? engine->ExecutePrepared(*prepared, parameters) : engine->Execute(text, parameters);
  if (outcome.ok()) return Take(std::move(*outcome));
  failure = ToFailure(outcome.error(), text);
  return false;
}

ResultSet::ResultSet(std::unique_ptr<State> state) : state_(std::move(state)) { state_->row = Row(this); }
ResultSet::ResultSet(ResultSet&& other) noexcept : state_(std::move(other.state_)) {
  if (state_) state_->row = Row(this);
}
ResultSet& ResultSet::operator=(ResultSet&& other) noexcept {
  state_ = std::move(other.state_);
  if (state_) state_->row = Row(this);
  return *this;
}
ResultSet::~ResultSet() = default;

const std::vector<Column>& ResultSet::columns() const {
  if (!std::exchange(state_->has_columns, true) && state_->page.columns) {
    state_->columns = ToColumns(*state_->page.columns);
  }
  return state_->columns;
}
const std::vector<std::string>& ResultSet::warnings() const { return state_->warnings; }
const Row& ResultSet::row() const { return state_->row; }
const std::optional<Failure>& ResultSet::failure() const { return state_->failure; }

bool ResultSet::Next() {
  State& state = *state_;
  while (state.rows_left == 0) {
    if (!state.FetchNext()) {
      state.cells.clear();
      return false;
    }
  }
  --state.rows_left;
  state.cells.resize(state.page.columns->size());
  const char* at = state.at;
  for (const char*& cell : state.cells) {
    cell = at;
    at += sizeof(int32_t) + std::max(ReadBigEndian<int32_t>(at), 0);
  }
  state.at = at;
  return true;
}

namespace {
[[noreturn]] void Throw(const Failure& failure) { throw std::runtime_error(failure.message); }
}  // namespace

ResultSet::Iterator ResultSet::begin() {
  if (Next()) return Iterator(this);
  if (failure()) Throw(*failure());
  return end();
}

ResultSet::Iterator& ResultSet::Iterator::operator++() {
  if (!set_->Next()) {
    if (set_->failure()) Throw(*set_->failure());
    set_ = nullptr;
  }
  return *this;
}

}  // namespace widerow
