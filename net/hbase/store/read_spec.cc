#include "net/hbase/store/read_spec.h"

#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/store/column_matcher.h"

namespace widerow::hbase {

namespace {

// Returns which cells of a family a read needs. With a filter, the read needs all versions, because the filter sees and
// counts them.
ReadFamily NeedOf(const HFamily& family, const FamilyColumns* columns, const ReadSpec& spec) {
  ReadFamily need{.family = &family, .columns = columns};
  if (spec.filter != nullptr) return need;
  need.versions = std::max(1, std::min(spec.max_versions, family.options.max_versions));
  const auto own_range = spec.family_time_ranges.find(family.name);
  need.times = own_range != spec.family_time_ranges.end() ? own_range->second : spec.time_range;
  return need;
}

}  // namespace

Result<std::vector<ReadFamily>> FamiliesOf(const HTable& table, const ReadSpec& spec) {
  std::vector<ReadFamily> families;
  if (spec.families.empty()) {
    for (const HFamily& family : table.families) families.push_back(NeedOf(family, nullptr, spec));
    return families;
  }
  for (const FamilyColumns& columns : spec.families) {
    const HFamily* family = table.Find(columns.family);
    if (family == nullptr) {
      return MakeJavaError(kNoSuchFamily,
                           StrCat("Column family ", columns.family, " does not exist in table ", table.id.Text()));
    }
    families.push_back(NeedOf(*family, &columns, spec));
  }
  std::ranges::sort(families, {}, [](const ReadFamily& each) { return each.family->name; });
  return families;
}

bool StoredRow::empty() const {
  return std::ranges::all_of(families, [](const std::vector<Cell>& cells) { return cells.empty(); });
}

size_t StoredRow::bytes() const {
  size_t bytes = sizeof(StoredRow) + row.size();
  for (const std::vector<Cell>& cells : families) {
    for (const Cell& cell : cells) bytes += cell.bytes();
  }
  return bytes;
}

bool RowMatcher::ended() const {
  if (spec_.filter == nullptr) return false;
  if (spec_.filter->AllRemaining()) return true;
  for (size_t i = 0; i < families_.size(); ++i) {
    if (!positions_[i].closed && IsEssential(i)) return false;
  }
  return true;
}

bool RowMatcher::IsEssential(size_t family) const {
  return spec_.filter == nullptr || !spec_.families_on_demand ||
         spec_.filter->IsFamilyEssential(families_[family].family->name);
}

std::optional<Bytes> RowMatcher::seek_row() const {
  const FilterHint* nearest = nullptr;
  for (size_t i = 0; i < families_.size(); ++i) {
    const Position& position = positions_[i];
    if (position.closed || !IsEssential(i)) continue;
    if (!position.seek) return std::nullopt;
    if (nearest == nullptr || CompareBytes(position.seek->row, nearest->row) < 0) nearest = &*position.seek;
  }
  return nearest == nullptr ? std::nullopt : std::optional(nearest->row);
}

void RowMatcher::RemovePassed(StoredRow& stored) {
  for (size_t i = 0; i < families_.size(); ++i) {
    std::vector<Cell>& cells = stored.families[i];
    std::optional<FilterHint>& seek = positions_[i].seek;
    if (positions_[i].closed) cells.clear();
    if (!seek || cells.empty()) continue;
    const int order = CompareBytes(seek->row, stored.row);
    if (spec_.reversed ? order < 0 : order > 0) {
      cells.clear();
      continue;
    }
    if (order == 0) std::erase_if(cells, [&](const Cell& cell) { return CompareHint(*seek, stored.row, cell) > 0; });
    if (order != 0 || !cells.empty()) seek.reset();
  }
}

Error FilterTooSlow(const ReadSpec& spec) {
  return MakeJavaError(kDoNotRetry, StrCat("The filter has taken more than ", spec.filter_time.count(),
                                           " ms for one row. Its regular expressions may be slow"));
}

bool RowMatcher::MatchFamilies(StoredRow& stored, bool essential, int64_t now_ms, std::vector<Cell>& cells) {
  for (size_t i = 0; i < families_.size(); ++i) {
    if (IsEssential(i) != essential || stored.families[i].empty()) continue;
    ColumnMatcher matcher(families_[i], spec_, now_ms, deadline_);
    positions_[i].closed = !matcher.Match(stored.row, stored.families[i], cells);
    positions_[i].seek = matcher.seek();
    if (matcher.too_slow()) return false;
  }
  return true;
}

RowVerdict RowMatcher::Match(StoredRow& stored, int64_t now_ms, std::vector<Cell>& cells) {
  cells.clear();
  Filter* const filter = spec_.filter.get();
  if (filter == nullptr) {
    MatchFamilies(stored, true, now_ms, cells);
    return cells.empty() ? RowVerdict::kExcluded : RowVerdict::kShown;
  }
  deadline_ = std::chrono::steady_clock::now() + spec_.filter_time;
  RemovePassed(stored);
  const Cell* first = nullptr;
  for (size_t i = 0; i < families_.size() && first == nullptr; ++i) {
    if (IsEssential(i) && !stored.families[i].empty()) first = &stored.families[i].front();
  }
  if (first == nullptr) return RowVerdict::kExcluded;  // The families that the filter needs have no cell in this row.
  if (filter->AllRemaining() || filter->FilterRowKey(stored.row, *first)) {
    if (filter->AllRemaining()) return RowVerdict::kEndOfRead;
    if (!spec_.reversed) {
      // HBase passes over the row's cells one by one, so the filter sees them.
      if (!MatchFamilies(stored, true, now_ms, cells)) return RowVerdict::kFilterTooSlow;
      cells.clear();
    }
    filter->Reset();
    return RowVerdict::kExcluded;
  }
  if (!MatchFamilies(stored, true, now_ms, cells)) return RowVerdict::kFilterTooSlow;
  bool excluded = cells.empty();
  if (filter->HasFilterRow()) {
    filter->FilterRowCells(cells);
    excluded = excluded || (!cells.empty() && filter->FilterRow());
  } else if (!excluded) {
    excluded = filter->FilterRow();
  }
  if (!excluded) {
    const size_t essential = cells.size();
    if (!MatchFamilies(stored, false, now_ms, cells)) return RowVerdict::kFilterTooSlow;
    if (cells.size() > essential) {
      std::ranges::stable_sort(cells, {}, [](const Cell& cell) -> const Bytes& { return cell.family; });
    }
  }
  filter->Reset();
  return excluded || cells.empty() ? RowVerdict::kExcluded : RowVerdict::kShown;
}

}  // namespace widerow::hbase
