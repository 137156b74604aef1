#include "storage/partition_counters.h"

#include "storage/key_codec.h"
#include "types/token.h"

namespace widerow {
namespace {

size_t IndexOf(const std::vector<PartitionRange>& map, ByteView position) {
  const auto after = std::upper_bound(
      map.begin(), map.end(), position,
      [](ByteView wanted, const PartitionRange& range) { return wanted < ByteView(range.first_position); });
  return after == map.begin() ? 0 : static_cast<size_t>(after - map.begin()) - 1;
}

}  // namespace

uint32_t PartitionIdOf(const TableSchema& table, ByteView position) {
  return table.partition_map.empty() ? 0 : table.partition_map[IndexOf(table.partition_map, position)].id;
}

void PartitionCounters::Reset(const SchemaSnapshot& schema,
                              const std::map<std::pair<StorageId, uint32_t>, StoredCounters>& stored) {
  auto next = std::make_shared<Tables>();
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      Table& entries = (*next)[table->storage_id];
      for (const PartitionRange& range : table->partition_map) {
        const std::pair key(table->storage_id, range.id);
        std::shared_ptr<Entry> entry = Find(key);
        if (entry == nullptr || entry->range != range) {
          entry = std::make_shared<Entry>();
          entry->range = range;
          if (const auto at = stored.find(key); at != stored.end()) {
            entry->rows = at->second.rows;
            entry->bytes = at->second.bytes;
          }
        }
        entries.push_back(std::move(entry));
      }
    }
  }
  tables_.Store(std::move(next));
}

std::shared_ptr<PartitionCounters::Entry> PartitionCounters::Find(const std::pair<StorageId, uint32_t>& wanted) const {
  const std::shared_ptr<const Tables> tables = tables_.Load();
  const auto table = tables->find(wanted.first);
  if (table == tables->end()) return nullptr;
  for (const std::shared_ptr<Entry>& entry : table->second) {
    if (entry->range.id == wanted.second) return entry;
  }
  return nullptr;
}

void PartitionCounters::CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros) {
  const std::shared_ptr<const Tables> tables = tables_.Load();
  const auto found = tables->find(table.storage_id);
  if (found == tables->end() || found->second.empty()) return;
  size_t index = 0;
  if (found->second.size() > 1) {
    index =
        std::min(IndexOf(table.partition_map, PositionOfToken(Murmur3Token(partition_key))), found->second.size() - 1);
  }
  Entry& entry = *found->second[index];
  entry.reads.fetch_add(1, std::memory_order_relaxed);
  entry.read_micros.fetch_add(micros, std::memory_order_relaxed);
}

std::vector<PartitionStats> PartitionCounters::Stats(const TableSchema& table) const {
  std::vector<PartitionStats> out;
  const std::shared_ptr<const Tables> tables = tables_.Load();
  const auto found = tables->find(table.storage_id);
  if (found == tables->end()) return out;
  for (const std::shared_ptr<Entry>& entry : found->second) {
    out.push_back({entry->range.id, entry->range.first_position, entry->rows, entry->bytes, entry->reads, entry->writes,
                   entry->read_micros, entry->write_micros});
  }
  return out;
}

StoredCounters PartitionCounters::After(const std::pair<StorageId, uint32_t>& wanted,
                                        const GroupState::Delta& delta) const {
  const std::shared_ptr<Entry> entry = Find(wanted);
  if (entry == nullptr) return {delta.rows, delta.bytes};
  return {entry->rows + delta.rows, entry->bytes + delta.bytes};
}

void PartitionCounters::Add(const std::pair<StorageId, uint32_t>& wanted, const GroupState::Delta& delta) {
  const std::shared_ptr<Entry> entry = Find(wanted);
  if (entry == nullptr) return;
  entry->rows += delta.rows;
  entry->bytes += delta.bytes;
  entry->writes += delta.writes;
  entry->write_micros += delta.micros;
}

}  // namespace widerow
