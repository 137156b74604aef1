// Lists of filters. With AND, a cell must pass all filters; with OR, it must pass one. The code that a list returns
// decides which cells its filters see next. So that these are the same cells as in HBase, the code is merged from the
// codes of the filters as in FilterListWithAND and FilterListWithOR.
#include <algorithm>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

using enum FilterCode;

bool Includes(FilterCode code) {
  return code == kInclude || code == kIncludeAndNextColumn || code == kIncludeAndNextRow;
}

// A code says whether the cell is included, and how far the read skips: to the next cell, column or row. kSeekUsingHint
// counts as kCell here, because the hint says where to go on.
enum class Step : uint8_t { kCell, kColumn, kRow };
Step StepOf(FilterCode code) {
  switch (code) {
    case kIncludeAndNextColumn:
    case kNextColumn: return Step::kColumn;
    case kIncludeAndNextRow:
    case kNextRow: return Step::kRow;
    case kInclude:
    case kSkip:
    case kSeekUsingHint: break;
  }
  return Step::kCell;
}
FilterCode MakeCode(bool include, Step step) {
  switch (step) {
    case Step::kCell: return include ? kInclude : kSkip;
    case Step::kColumn: return include ? kIncludeAndNextColumn : kNextColumn;
    case Step::kRow: return include ? kIncludeAndNextRow : kNextRow;
  }
  return kSkip;
}

class ListBase : public Filter {
 public:
  explicit ListBase(std::vector<FilterPtr> filters) : filters_(std::move(filters)) {}
  void FilterRowCells(std::vector<Cell>& cells) override {
    for (const FilterPtr& filter : filters_) filter->FilterRowCells(cells);
  }
  bool HasFilterRow() const override {
    return std::ranges::any_of(filters_, [](const FilterPtr& filter) { return filter->HasFilterRow(); });
  }
  bool IsFamilyEssential(const Bytes& family) override {
    return filters_.empty() ||
           std::ranges::any_of(filters_, [&](const FilterPtr& filter) { return filter->IsFamilyEssential(family); });
  }
  void SetReversed(bool reversed) override {
    reversed_ = reversed;
    for (const FilterPtr& filter : filters_) filter->SetReversed(reversed);
  }

 protected:
  // Compares two hints. The hint that the read meets first is the smaller one.
  int Order(const FilterHint& a, const FilterHint& b) const {
    const int order = CompareHints(a, b);
    return reversed_ ? -order : order;
  }

  const std::vector<FilterPtr> filters_;
};

class AndList final : public ListBase {
 public:
  using ListBase::ListBase;
  void Reset() override {
    for (const FilterPtr& filter : filters_) filter->Reset();
    hinting_.clear();
  }
  bool AllRemaining() override {
    return std::ranges::any_of(filters_, [](const FilterPtr& filter) { return filter->AllRemaining(); });
  }
  bool FilterRowKey(const Bytes& row, const Cell& first) override {
    bool filtered = false, hinting_passed = false;
    for (const FilterPtr& filter : filters_) {
      if (filter->AllRemaining()) return true;
      // Every filter is asked, even after one has excluded the row, because some filters remember the row.
      if (filter->FilterRowKey(row, first)) {
        filtered = true;
      } else if (filter->is_hinting()) {
        hinting_passed = true;
      }
    }
    return filtered && !hinting_passed;
  }
  FilterCode FilterCell(const Bytes& row, const Cell& cell) override;
  void Transform(Cell& cell) override {
    for (const FilterPtr& filter : filters_) filter->Transform(cell);
  }
  bool FilterRow() override {
    return std::ranges::any_of(filters_, [](const FilterPtr& filter) { return filter->FilterRow(); });
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override {
    std::optional<FilterHint> farthest;
    for (Filter* filter : hinting_) {
      if (filter->AllRemaining()) continue;
      std::optional<FilterHint> hint = filter->NextHint(row, cell);
      if (hint && (!farthest || Order(*farthest, *hint) < 0)) farthest = std::move(hint);
    }
    return farthest;
  }

 private:
  std::vector<Filter*> hinting_;  // The filters that have a hint for this cell.
};

FilterCode AndList::FilterCell(const Bytes& row, const Cell& cell) {
  FilterCode merged = kInclude;
  hinting_.clear();
  size_t i = 0;
  for (; i < filters_.size(); ++i) {
    Filter& filter = *filters_[i];
    if (filter.AllRemaining()) {
      merged = kNextRow;
      break;
    }
    const FilterCode code = filter.FilterCell(row, cell);
    if (code == kSeekUsingHint) {
      hinting_.push_back(&filter);
      break;
    }
    merged = MakeCode(Includes(merged) && Includes(code), std::max(StepOf(merged), StepOf(code)));
    // Filters may count cells. So, as in HBase, of the later filters only those with is_hinting() see a cell that this
    // filter has excluded.
    if (!Includes(merged)) break;
  }
  for (++i; i < filters_.size(); ++i) {
    if (filters_[i]->is_hinting() && filters_[i]->FilterCell(row, cell) == kSeekUsingHint) {
      hinting_.push_back(filters_[i].get());
    }
  }
  return hinting_.empty() ? merged : kSeekUsingHint;
}

class OrList final : public ListBase {
 public:
  explicit OrList(std::vector<FilterPtr> filters) : ListBase(std::move(filters)), states_(filters_.size()) {}
  void Reset() override {
    for (const FilterPtr& filter : filters_) filter->Reset();
    for (State& state : states_) state = State();
  }
  bool AllRemaining() override {
    return !filters_.empty() &&
           std::ranges::all_of(filters_, [](const FilterPtr& filter) { return filter->AllRemaining(); });
  }
  bool FilterRowKey(const Bytes& row, const Cell& first) override {
    bool filtered = !filters_.empty();
    for (const FilterPtr& filter : filters_) {
      if (!filter->AllRemaining() && !filter->FilterRowKey(row, first)) filtered = false;
    }
    return filtered;
  }
  FilterCode FilterCell(const Bytes& row, const Cell& cell) override;
  void Transform(Cell& cell) override {
    for (size_t i = 0; i < filters_.size(); ++i) {
      if (states_[i].included) filters_[i]->Transform(cell);
    }
  }
  bool FilterRow() override {
    return !filters_.empty() &&
           std::ranges::all_of(filters_, [](const FilterPtr& filter) { return filter->FilterRow(); });
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override {
    std::optional<FilterHint> nearest;
    for (const FilterPtr& filter : filters_) {
      if (filter->AllRemaining()) continue;
      std::optional<FilterHint> hint = filter->NextHint(row, cell);
      if (!hint) return std::nullopt;
      if (!nearest || Order(*nearest, *hint) > 0) nearest = std::move(hint);
    }
    return nearest;
  }

 private:
  // The last code of a filter in this row, and the cell for which the filter returned it. The code may hold for later
  // cells too.
  struct State {
    std::optional<FilterCode> code;
    std::optional<Cell> cell;
    bool included = false;
  };

  std::optional<FilterCode> FromEarlier(Filter& filter, const State& state, const Bytes& row, const Cell& cell);
  static FilterCode Merge(FilterCode merged, FilterCode code);

  std::vector<State> states_;
};

std::optional<FilterCode> OrList::FromEarlier(Filter& filter, const State& state, const Bytes& row, const Cell& cell) {
  if (!state.cell || !state.code) return std::nullopt;
  switch (*state.code) {
    case kInclude:
    case kSkip: return std::nullopt;
    case kSeekUsingHint: {
      const std::optional<FilterHint> hint = filter.NextHint(row, *state.cell);
      if (!hint) return std::nullopt;
      const int order = CompareHint(*hint, row, cell);
      return (reversed_ ? order < 0 : order > 0) ? std::optional(kSeekUsingHint) : std::nullopt;
    }
    case kNextColumn:
    case kIncludeAndNextColumn:
      return state.cell->family == cell.family && state.cell->qualifier == cell.qualifier ? std::optional(kNextColumn)
                                                                                          : std::nullopt;
    case kNextRow:
    case kIncludeAndNextRow: return state.cell->family == cell.family ? std::optional(kNextRow) : std::nullopt;
  }
  return std::nullopt;
}

FilterCode OrList::Merge(FilterCode merged, FilterCode code) {
  if (merged == kSeekUsingHint && code == kSeekUsingHint) return kSeekUsingHint;
  // A hint of one filter says nothing about the other filters. So a hint counts as a step to the next cell.
  const auto step = [](FilterCode of) { return of == kSeekUsingHint ? Step::kCell : StepOf(of); };
  return MakeCode(Includes(merged) || Includes(code), std::min(step(merged), step(code)));
}

FilterCode OrList::FilterCell(const Bytes& row, const Cell& cell) {
  if (filters_.empty()) return kInclude;
  std::optional<FilterCode> merged;
  for (size_t i = 0; i < filters_.size(); ++i) {
    State& state = states_[i];
    state.included = false;
    if (filters_[i]->AllRemaining()) continue;
    std::optional<FilterCode> code = FromEarlier(*filters_[i], state, row, cell);
    if (!code) code = filters_[i]->FilterCell(row, cell);
    state.code = code;
    state.cell.reset();
    if (*code != kInclude && *code != kSkip) state.cell = cell;
    state.included = Includes(*code);
    merged = merged ? Merge(*merged, *code) : *code;
  }
  return merged.value_or(kSkip);
}

}  // namespace

FilterPtr MakeAndList(std::vector<FilterPtr> filters) { return std::make_unique<AndList>(std::move(filters)); }
FilterPtr MakeOrList(std::vector<FilterPtr> filters) { return std::make_unique<OrList>(std::move(filters)); }

}  // namespace widerow::hbase
