#include "exec/derived/unique_check.h"

#include <algorithm>

#include "base/text.h"
#include "exec/derived/index_entries.h"
#include "exec/rows/row_text.h"

namespace widerow {
namespace {

bool SameRow(const RowPlace& a, const RowPlace& b) {
  return a.is_static == b.is_static && a.partition_key == b.partition_key && a.clustering == b.clustering;
}

// True if the row had the entry before, with the same expiry.
bool HadEntry(const std::vector<DerivedRow>& before, const DerivedRow& entry) {
  const auto place = [](const DerivedRow& row) { return std::tie(row.partition_key, row.clustering); };
  const auto found = std::lower_bound(before.begin(), before.end(), entry,
                                      [&](const DerivedRow& a, const DerivedRow& b) { return place(a) < place(b); });
  return found != before.end() && place(*found) == place(entry) && found->ttl == entry.ttl &&
         (entry.ttl == 0 || found->expires_at == entry.expires_at);
}

std::string NameOf(const SharedValue& shared) { return shared.taker.table->keyspace + "." + shared.index->name(); }

std::string RowText(const RowPlace& row) {
  return (row.is_static ? "the partition " : "the row ") +
         KeyConditionText(*row.table, row.partition_key, row.clustering);
}

}  // namespace

void UniqueCheck::Add(const DerivationPtr& index, const RowPlace& row, const std::vector<DerivedRow>& before,
                      const std::vector<DerivedRow>& after) {
  const Uniqueness uniqueness = index->uniqueness();
  if (uniqueness == Uniqueness::kNone) return;
  for (const DerivedRow& entry : after) {
    if (!IsLive(entry) || HadEntry(before, entry)) continue;
    const Bytes& partition = uniqueness == Uniqueness::kInPartition ? row.partition_key : Bytes();
    Taken taken{index, entry, row};
    const auto [at, added] = taken_.try_emplace(Key(index.get(), partition, entry.partition_key), taken);
    if (!added && !twice_) twice_ = SharedValue{index, entry, row, at->second.row, true};
  }
}

Result<bool> UniqueCheck::Holds(ReadView& view, const Taken& taken, const RowPlace& place) const {
  Arena room;
  RowView row;
  WR_ASSIGN_OR_RETURN(const bool found,
                      place.is_static
                          ? view.GetStaticRowInto(room, *place.table, place.partition_key, row)
                          : view.GetRowInto(room, *place.table, place.partition_key, place.clustering, row));
  if (!found) return false;
  row.ExpandUniform();
  const BaseRow base{*place.table, place.partition_key, place.is_static, place.clustering, &row};
  WR_ASSIGN_OR_RETURN(const DerivedRows derived, SortedKeysOf(*taken.index, base));
  return std::ranges::any_of(derived.rows, [&](const DerivedRow& entry) {
    return entry.partition_key == taken.entry.partition_key && IsLive(entry);
  });
}

Result<std::optional<RowPlace>> UniqueCheck::FindHolder(ReadView& view, const Taken& taken) const {
  const TablePtr& base = taken.row.table;
  Slice slice;
  slice.table = taken.index->table();
  slice.partitions = Slice::OnePartition{taken.entry.partition_key};
  if (taken.index->uniqueness() == Uniqueness::kInPartition)
    slice.clustering = {EntriesOfPartition(*base, taken.row.partition_key)};
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view.OpenSlice(slice));
  RowView row;
  while (true) {
    WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
    if (!more) return std::optional<RowPlace>();
    if (!row.marker.LiveAt(now_seconds_)) continue;
    EntryPlace entry;
    if (!TakeEntryPlace(row.clustering, entry))
      return ServerError("Damaged index of " + base->keyspace + "." + base->name);
    RowPlace place{base, std::move(entry.partition_key), entry.is_static, std::move(entry.clustering)};
    if (SameRow(place, taken.row)) continue;
    WR_ASSIGN_OR_RETURN(const bool holds, Holds(view, taken, place));
    if (holds) return std::optional(std::move(place));
  }
}

Result<std::optional<SharedValue>> UniqueCheck::Find(ReadView& view) const {
  if (twice_) return twice_;
  for (const auto& [key, taken] : taken_) {
    WR_ASSIGN_OR_RETURN(std::optional<RowPlace> holder, FindHolder(view, taken));
    if (holder) return std::optional(SharedValue{taken.index, taken.entry, taken.row, std::move(*holder), false});
  }
  return std::optional<SharedValue>();
}

UniqueConflict ConflictOf(const SharedValue& shared) {
  const std::string value = shared.index->ValueText(shared.entry), index = "Unique index " + NameOf(shared) + ": ";
  UniqueConflict conflict;
  if (shared.both_taken) {
    conflict.error =
        InvalidError(StrCat(index, RowText(shared.holder), " and ", RowText(shared.taker), " would both have ", value),
                     "nothing of the write is applied");
  } else {
    conflict.error = InvalidError(StrCat(index, RowText(shared.holder), " already has ", value),
                                  "change or delete that row first; nothing of the write is applied");
    conflict.holder = shared.holder;
  }
  return conflict;
}

Error DuplicateInBuild(const SharedValue& shared) {
  return InvalidError(StrCat("Cannot create unique index ", NameOf(shared), ": ", RowText(shared.holder), " and ",
                             RowText(shared.taker), " both have ", shared.index->ValueText(shared.entry)),
                      "change or delete one of them and create the index again");
}

}  // namespace widerow
