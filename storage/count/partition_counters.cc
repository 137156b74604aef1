// Each table has a vector of entries in the order of its partition map. The map from storage ids to these vectors is
// published as one immutable value. After a schema change, Change() makes a new map: entries that stay are shared with
// the old map, and the counters of removed entries go to the entries that replace them (TakeOver). Each reader keeps
// the map and the table that it used last in a LastRead, and so finds the entry without a lock.
#include "storage/count/partition_counters.h"

#include "storage/format/key_codec.h"
#include "types/schema_difference.h"

namespace widerow {

std::shared_ptr<const PartitionCounters::Table> PartitionCounters::EntriesOf(const TableSchema& table,
                                                                             const Table& before,
                                                                             const PartitionDeltas& stored) {
  auto entries = std::make_shared<Table>();
  for (const PartitionRange& range : table.partition_map) {
    const auto same = [&](const std::shared_ptr<Entry>& known) {
      return known->range.id == range.id && known->range.first_position == range.first_position;
    };
    if (const auto known = std::find_if(before.begin(), before.end(), same); known != before.end()) {
      entries->push_back(*known);
      continue;
    }
    auto entry = std::make_shared<Entry>();
    entry->range = range;
    if (const auto at = stored.find({table.storage_id, range.id}); at != stored.end()) {
      entry->rows = at->second.rows;
      entry->bytes = at->second.bytes;
    }
    entries->push_back(std::move(entry));
  }
  return entries;
}

const PartitionCounters::Table* PartitionCounters::Lookup(const Tables& tables, StorageId id) {
  const auto found = tables.find(id);
  return found == tables.end() || found->second->empty() ? nullptr : found->second.get();
}

void PartitionCounters::Reset(const SchemaSnapshot& schema, const PartitionDeltas& stored) {
  auto next = std::make_shared<Tables>();
  ForEachStoredTable(schema,
                     [&](const TablePtr& table) { (*next)[table->storage_id] = EntriesOf(*table, {}, stored); });
  tables_.Store(std::move(next));
}

namespace {

// Returns the position at which entry i of the partition map ends. Empty for the last entry, which has no end.
ByteView EndOf(const TableSchema& table, size_t i) {
  return i + 1 == table.partition_map.size() ? ByteView() : ByteView(table.partition_map[i + 1].first_position);
}

}  // namespace

void PartitionCounters::TakeOver(const TableSchema& was, const Table& before, const TableSchema& is, const Table& after,
                                 PartitionDeltas& unfolded) {
  const auto remains = [&](const Entry& entry) {
    return std::any_of(after.begin(), after.end(), [&](const auto& other) { return other.get() == &entry; });
  };
  for (size_t i = 0; i < before.size(); ++i) {
    if (remains(*before[i])) continue;
    const Bytes& first = was.partition_map[i].first_position;
    const ByteView end = EndOf(was, i);
    std::vector<Entry*> heirs;
    for (size_t n = 0; n < after.size(); ++n) {
      const Bytes& heir_first = is.partition_map[n].first_position;
      const ByteView heir_end = EndOf(is, n);
      const bool overlaps =
          (end.empty() || ByteView(heir_first) < end) && (heir_end.empty() || ByteView(first) < heir_end);
      const Bytes& common = std::max(first, heir_first);
      const bool kept = overlaps && StorageIdAt(was, common) == StorageIdAt(is, common);
      const bool is_new = std::find(before.begin(), before.end(), after[n]) == before.end();
      if (kept && is_new) heirs.push_back(after[n].get());
    }
    const auto old_deltas = unfolded.find({was.storage_id, before[i]->range.id});
    const StoredCounters fresh = old_deltas == unfolded.end() ? StoredCounters() : old_deltas->second;
    if (old_deltas != unfolded.end()) unfolded.erase(old_deltas);
    const auto share = [&](int64_t sum, size_t n) {
      const auto count = static_cast<int64_t>(heirs.size()), before_it = static_cast<int64_t>(n);
      return sum * (before_it + 1) / count - sum * before_it / count;
    };
    const int64_t rows = before[i]->rows, bytes = before[i]->bytes;
    for (size_t n = 0; n < heirs.size(); ++n) {
      heirs[n]->rows += share(rows, n);
      heirs[n]->bytes += share(bytes, n);
      heirs[n]->fresh_rows += share(fresh.rows, n);
      heirs[n]->fresh_bytes += share(fresh.bytes, n);
      StoredCounters& delta = unfolded[{is.storage_id, heirs[n]->range.id}];
      delta.rows += share(fresh.rows, n);
      delta.bytes += share(fresh.bytes, n);
    }
  }
}

void PartitionCounters::Change(const SchemaSnapshot& before, const SchemaSnapshot& after, PartitionDeltas& unfolded) {
  const std::shared_ptr<const Tables> known = tables_.Load();
  auto next = std::make_shared<Tables>(*known);
  ForEachChangedTable(before, after, [&](const TablePtr& was, const TablePtr& is) {
    if (was != nullptr) next->erase(was->storage_id);
    if (is == nullptr) return;
    const Table* const entries = Lookup(*known, is->storage_id);
    const std::shared_ptr<const Table> changed = EntriesOf(*is, entries == nullptr ? Table() : *entries, {});
    const bool other_map = was != nullptr && entries != nullptr && was->storage_id == is->storage_id &&
                           was->partition_map != is->partition_map && entries->size() == was->partition_map.size();
    if (other_map) TakeOver(*was, *entries, *is, *changed, unfolded);
    (*next)[is->storage_id] = changed;
  });
  tables_.Store(std::move(next));
}

std::shared_ptr<PartitionCounters::Entry> PartitionCounters::Find(const std::pair<StorageId, uint32_t>& wanted) const {
  const std::shared_ptr<const Tables> tables = tables_.Load();
  const Table* const table = Lookup(*tables, wanted.first);
  if (table == nullptr) return nullptr;
  for (const std::shared_ptr<Entry>& entry : *table) {
    if (entry->range.id == wanted.second) return entry;
  }
  return nullptr;
}

std::shared_ptr<PartitionCounters::Entry> PartitionCounters::EntryAt(const TableSchema& table,
                                                                     ByteView position) const {
  const std::shared_ptr<const Tables> tables = tables_.Load();
  const Table* const entries = Lookup(*tables, table.storage_id);
  if (entries == nullptr) return nullptr;
  if (entries->size() == 1) return entries->front();
  return (*entries)[std::min(PartitionIndexAt(table, position), entries->size() - 1)];
}

void PartitionCounters::CountWrite(const TableSchema& table, ByteView position, uint64_t micros,
                                   const StoredCounters& fresh, PartitionDeltas& unfolded) {
  const std::shared_ptr<Entry> entry = EntryAt(table, position);
  if (entry == nullptr) return;
  entry->writes.fetch_add(1, std::memory_order_relaxed);
  entry->write_micros.fetch_add(micros, std::memory_order_relaxed);
  if (fresh.rows == 0 && fresh.bytes == 0) return;
  entry->fresh_rows.fetch_add(fresh.rows, std::memory_order_relaxed);
  entry->fresh_bytes.fetch_add(fresh.bytes, std::memory_order_relaxed);
  StoredCounters& sum = unfolded[{table.storage_id, entry->range.id}];
  sum.rows += fresh.rows;
  sum.bytes += fresh.bytes;
}

void PartitionCounters::Folded(const PartitionDeltas& unfolded) {
  for (const auto& [key, sum] : unfolded) {
    const std::shared_ptr<Entry> entry = Find(key);
    if (entry == nullptr) continue;
    entry->fresh_rows.fetch_sub(sum.rows, std::memory_order_relaxed);
    entry->fresh_bytes.fetch_sub(sum.bytes, std::memory_order_relaxed);
  }
}

void PartitionCounters::CountRead(const TableSchema& table, ByteView position, uint64_t micros, LastRead& last) {
  if (const uint64_t version = tables_.version(); version != last.version_ || table.storage_id != last.storage_id_) {
    last.tables_ = tables_.Load();
    last.table_ = Lookup(*last.tables_, table.storage_id);
    last.firsts_.clear();
    const bool by_token = table.partitioning.by_token();
    for (size_t i = 1; by_token && last.table_ != nullptr && i < last.table_->size(); ++i) {
      last.firsts_.push_back(ReadBigEndian<uint64_t>((*last.table_)[i]->range.first_position.data()));
    }
    last.version_ = version;
    last.storage_id_ = table.storage_id;
  }
  if (last.table_ == nullptr) return;
  size_t at = 0;
  if (table.partitioning.by_token()) [[likely]] {
    const auto wanted = ReadBigEndian<uint64_t>(position.data());
    // Compares with all entries, because there are few. This is quicker than a binary search with branches that are
    // often mispredicted.
    for (const uint64_t first : last.firsts_) at += first <= wanted ? 1 : 0;
  } else {
    const auto after = std::upper_bound(
        last.table_->begin(), last.table_->end(), position,
        [](ByteView wanted, const auto& entry) { return wanted < ByteView(entry->range.first_position); });
    at = after == last.table_->begin() ? 0 : static_cast<size_t>(after - last.table_->begin()) - 1;
  }
  Entry& entry = *(*last.table_)[at];
  entry.reads.fetch_add(1, std::memory_order_relaxed);
  if (micros != 0) entry.read_micros.fetch_add(micros, std::memory_order_relaxed);
}

std::vector<PartitionStats> PartitionCounters::Stats(const TableSchema& table) const {
  std::vector<PartitionStats> out;
  const std::shared_ptr<const Tables> tables = tables_.Load();
  const Table* const entries = Lookup(*tables, table.storage_id);
  if (entries == nullptr) return out;
  for (const std::shared_ptr<Entry>& entry : *entries) {
    out.push_back({entry->range.id, entry->range.first_position, entry->rows + entry->fresh_rows,
                   entry->bytes + entry->fresh_bytes, entry->reads, entry->writes, entry->read_micros,
                   entry->write_micros});
  }
  return out;
}

StoredCounters PartitionCounters::After(const std::pair<StorageId, uint32_t>& wanted,
                                        const StoredCounters& delta) const {
  const std::shared_ptr<Entry> entry = Find(wanted);
  if (entry == nullptr) return {delta.rows, delta.bytes};
  return {entry->rows + delta.rows, entry->bytes + delta.bytes};
}

void PartitionCounters::Add(const std::pair<StorageId, uint32_t>& wanted, const StoredCounters& delta) {
  const std::shared_ptr<Entry> entry = Find(wanted);
  if (entry == nullptr) return;
  entry->rows += delta.rows;
  entry->bytes += delta.bytes;
}

}  // namespace widerow
