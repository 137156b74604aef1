#include <algorithm>

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

ResultSet::ResultSet(std::unique_ptr<ResultSetState> state) : state_(std::move(state)) {}
ResultSet::ResultSet(ResultSet&& other) noexcept = default;
ResultSet& ResultSet::operator=(ResultSet&& other) noexcept = default;
ResultSet::~ResultSet() {
  if (state_ != nullptr) ResultSetState::GiveBack(std::move(state_));
}

const std::vector<Column>& ResultSet::columns() const {
  std::vector<Column>& columns = state_->rare().columns;
  if (columns.empty() && state_->page.columns) columns = ToColumns(*state_->page.columns);
  return columns;
}

const std::vector<std::string>& ResultSet::warnings() const {
  static const std::vector<std::string> kNone;
  return state_->find_rare() == nullptr ? kNone : state_->find_rare()->warnings;
}

const std::optional<Failure>& ResultSet::failure() const {
  static const std::optional<Failure> kNone;
  return state_->find_rare() == nullptr ? kNone : state_->find_rare()->failure;
}

const Row& ResultSet::row() const { return state_->row; }

bool ResultSet::Next() {
  ResultSetState& state = *state_;
  while (state.rows_left == 0) {
    if (!state.FetchNext()) {
      state.columns = 0;
      return false;
    }
  }
  const RowsPage& page = state.page;
  state.BeginRow(state.at);
  if (!page.row_ends.empty()) {
    state.at = page.body.data() + page.row_ends[page.row_count - state.rows_left];
  } else {
    while (state.known < state.columns) state.TakeValue();
    state.at = state.rest;
  }
  --state.rows_left;
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
