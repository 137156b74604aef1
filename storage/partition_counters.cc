#include "storage/partition_counters.h"

#include "storage/key_codec.h"
#include "storage/schema_difference.h"

namespace widerow {
namespace {

// The last range that begins at or before `position`. Positions are eight bytes; what is shorter (the beginning) is compared as
// bytes.
size_t IndexOf(const std::vector<PartitionRange>& map, ByteView position) {
  const auto after = std::upper_bound(
      map.begin(), map.end(), position,
      [](ByteView wanted, const PartitionRange& range) {
        const Bytes& first = range.first_position;
        if (wanted.size() != sizeof(uint64_t) || first.size() != sizeof(uint64_t)) return wanted < ByteView(first);
        return ReadBigEndian<uint64_t>(wanted.data()) < ReadBigEndian<uint64_t>(first.data());
      });
  return after == map.begin() ? 0 : static_cast<size_t>(after - map.begin()) - 1;
}

}  // namespace

uint32_t PartitionIdOf(const TableSchema& table, ByteView position) {
  return table.partition_map.empty() ? 0 : table.partition_map[IndexOf(table.partition_map, position)].id;
}

std::shared_ptr<const PartitionCounters::Table> PartitionCounters::EntriesOf(const TableSchema& table, const Table& before,
                                                                             const PartitionDeltas& stored) {
  auto entries = std::make_shared<Table>();
  for (const PartitionRange& range : table.partition_map) {
    const auto same = [&](const std::shared_ptr<Entry>& known) { return known->range == range; };
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
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) (*next)[table->storage_id] = EntriesOf(*table, {}, stored);
  }
  tables_.Store(std::move(next));
}

void PartitionCounters::Change(const SchemaSnapshot& before, const SchemaSnapshot& after) {
  const std::shared_ptr<const Tables> known = tables_.Load();
  auto next = std::make_shared<Tables>(*known);
  ForEachChangedTable(before, after, [&](const TablePtr& was, const TablePtr& is) {
    if (was != nullptr) next->erase(was->storage_id);
    if (is == nullptr) return;
    const Table* const entries = Lookup(*known, is->storage_id);
    (*next)[is->storage_id] = EntriesOf(*is, entries == nullptr ? Table() : *entries, {});
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
  return (*entries)[std::min(IndexOf(table.partition_map, position), entries->size() - 1)];
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
    for (size_t i = 1; last.table_ != nullptr && i < last.table_->size(); ++i) {
      Bytes first = (*last.table_)[i]->range.first_position;
      first.resize(sizeof(uint64_t));
      last.firsts_.push_back(ReadBigEndian<uint64_t>(first.data()));
    }
    last.version_ = version;
    last.storage_id_ = table.storage_id;
  }
  if (last.table_ == nullptr) return;
  const auto wanted = ReadBigEndian<uint64_t>(position.data());
  size_t at = 0;  // They are few: comparing with all of them is quicker than guessing wrong half of the time.
  for (const uint64_t first : last.firsts_) at += first <= wanted ? 1 : 0;
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
