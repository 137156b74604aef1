#include "exec/scan/choose_index.h"

#include "exec/derived/choose_lookup.h"
#include "exec/meter/table_size.h"

namespace widerow {
namespace {

// Tests the filter on a few rows with these tokens. True if the result suggests that more than `most` of `table_rows`
// rows pass.
Result<bool> ManyPass(const TablePtr& table, const Slice::TokenRange& tokens, ReadView& view, ScanFilter& filter,
                      uint64_t table_rows, uint64_t most) {
  constexpr uint64_t kPlaces = 8, kRowsOfPlace = 32, kEnoughToTell = 8;
  if (!table->partitioning.by_token()) return false;  // Neighbors in key order may be alike, so a sample says little.
  uint64_t seen = 0, passed = 0;
  RowView row;
  for (uint64_t place = 0; place < kPlaces; ++place) {
    Slice slice;
    slice.table = table;
    const uint64_t span = static_cast<uint64_t>(tokens.last) - static_cast<uint64_t>(tokens.first);
    const auto first = static_cast<int64_t>(static_cast<uint64_t>(tokens.first) + span / kPlaces * place);
    slice.partitions = Slice::TokenRange{.first = first, .last = tokens.last};
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view.OpenSlice(slice));
    for (uint64_t i = 0; i < kRowsOfPlace; ++i) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) break;
      ++seen;
      filter.row().Reset(row.partition_key, &row, nullptr);
      if (!filter.row().RowLive()) continue;
      WR_ASSIGN_OR_RETURN(const bool passes, filter.Passes());
      passed += passes ? 1 : 0;
    }
  }
  return passed >= kEnoughToTell && table_rows / seen * passed > most;
}

}  // namespace

Status ChooseIndex(const TablePtr& table, StorageEngine& storage, ReadView& view, ScanFilter& filter,
                   uint64_t rows_wanted, BoundAccess& access) {
  auto* const rows = std::get_if<RowsByIndex>(&access.rows);
  if (rows == nullptr) return OkStatus();
  if (rows->order || rows->nearest) {
    // If every condition is a range with this many entries or more, only the filter checks the conditions.
    constexpr uint64_t kRangeMax = 1'024;
    if (rows->conditions.empty()) return OkStatus();
    const auto few = [] { return Result<uint64_t>(kRangeMax); };
    WR_ASSIGN_OR_RETURN(auto chosen, ChooseCondition(view, rows->conditions, rows->entries, few));
    rows->conditions.clear();
    if (chosen) rows->conditions.push_back(std::move(*chosen));
    return OkStatus();
  }
  const auto worth = [&]() -> Result<uint64_t> {
    const TableSize size = rows->partition ? SizeOfPartition(*table, *rows->partition, storage)
                                           : SizeOfTokens(*table, rows->tokens, storage);
    const uint64_t most = EntriesWorthGathering(size, rows_wanted);
    if (rows->partition) return most;
    // If many rows pass, counting entries would take longer than reading the table.
    WR_ASSIGN_OR_RETURN(const bool many, ManyPass(table, rows->tokens, view, filter, size.rows, most));
    return many ? 0 : most;
  };
  WR_ASSIGN_OR_RETURN(auto chosen, ChooseCondition(view, rows->conditions, rows->entries, worth));
  if (chosen) {
    rows->conditions.assign(1, std::move(*chosen));
  } else if (rows->partition) {
    access.rows = PartitionsByKey{.keys = {*std::move(rows->partition)}, .ranges = std::nullopt};
  } else {
    access.rows = PartitionsByToken{.tokens = rows->tokens};
  }
  return OkStatus();
}

}  // namespace widerow
