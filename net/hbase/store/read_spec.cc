#include "net/hbase/store/read_spec.h"

#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/store/column_matcher.h"

namespace widerow::hbase {

Result<std::vector<ReadFamily>> FamiliesOf(const HTable& table, const ReadSpec& spec) {
  std::vector<ReadFamily> families;
  if (spec.families.empty()) {
    for (const HFamily& family : table.families) families.push_back({.family = &family, .columns = nullptr});
    return families;
  }
  for (const FamilyColumns& columns : spec.families) {
    const HFamily* family = table.Find(columns.family);
    if (family == nullptr) {
      return MakeJavaError(kNoSuchFamily,
                           StrCat("Column family ", columns.family, " does not exist in table ", table.id.Text()));
    }
    families.push_back({.family = family, .columns = &columns});
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
    if (!closed_[i] && IsEssential(i)) return false;
  }
  return true;
}

bool RowMatcher::IsEssential(size_t family) const {
  return spec_.filter == nullptr || !spec_.families_on_demand ||
         spec_.filter->IsFamilyEssential(families_[family].family->name);
}

void RowMatcher::MatchFamilies(StoredRow& stored, bool essential, int64_t now_ms, std::vector<Cell>& cells) {
  bool any = false;  // A family has cells in this row.
  for (size_t i = 0; i < families_.size(); ++i) {
    if (IsEssential(i) != essential || closed_[i]) continue;
    const bool has_cells = !stored.families[i].empty();
    ColumnMatcher matcher(families_[i], spec_, now_ms);
    closed_[i] = !matcher.Match(stored.row, stored.families[i], cells);
    if (!has_cells) continue;
    // All families must agree to skip rows.
    const std::optional<Bytes>& seek = matcher.seek_row();
    if (!seek || (any && !seek_row_)) {
      seek_row_.reset();
    } else if (!any || *seek < *seek_row_) {
      seek_row_ = seek;
    }
    any = true;
  }
}

RowVerdict RowMatcher::Match(StoredRow& stored, int64_t now_ms, std::vector<Cell>& cells) {
  cells.clear();
  seek_row_.reset();
  Filter* const filter = spec_.filter.get();
  if (filter == nullptr) {
    MatchFamilies(stored, true, now_ms, cells);
    return cells.empty() ? RowVerdict::kExcluded : RowVerdict::kShown;
  }
  const Cell* first = nullptr;
  for (size_t i = 0; i < families_.size() && first == nullptr; ++i) {
    if (IsEssential(i) && !closed_[i] && !stored.families[i].empty()) first = &stored.families[i].front();
  }
  if (first == nullptr) return RowVerdict::kExcluded;  // The filter's families have nothing in this row.
  if (filter->AllRemaining() || filter->FilterRowKey(stored.row, *first)) {
    if (filter->AllRemaining()) return RowVerdict::kEndOfRead;
    filter->Reset();
    return RowVerdict::kExcluded;
  }
  MatchFamilies(stored, true, now_ms, cells);
  bool excluded = cells.empty();
  if (filter->HasFilterRow()) {
    filter->FilterRowCells(cells);
    excluded = excluded || (!cells.empty() && filter->FilterRow());
  } else if (!excluded) {
    excluded = filter->FilterRow();
  }
  if (!excluded) {
    const size_t essential = cells.size();
    MatchFamilies(stored, false, now_ms, cells);
    if (cells.size() > essential) {
      std::ranges::stable_sort(cells, {}, [](const Cell& cell) -> const Bytes& { return cell.family; });
    }
  }
  filter->Reset();
  return excluded || cells.empty() ? RowVerdict::kExcluded : RowVerdict::kShown;
}

}  // namespace widerow::hbase
