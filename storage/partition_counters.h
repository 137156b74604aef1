// Counters per entry of the tables' partition maps: what is stored (kept with the data, estimates) and what has been
// asked since start. Thread-safe; the set of tables is replaced whole when the schema changes.
#pragma once

#include <atomic>
#include <unordered_map>

#include "base/published.h"
#include "storage/catalog_store.h"
#include "storage/engine.h"

namespace widerow {

class PartitionCounters {
 public:
  // Takes over what is known of storage ids that `schema` still uses; `stored` is for those not known yet.
  void Reset(const SchemaSnapshot& schema, const std::map<std::pair<StorageId, uint32_t>, StoredCounters>& stored);

  void CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros);
  std::vector<PartitionStats> Stats(const TableSchema& table) const;

  // Writer thread: what the counters will be once `deltas` are committed; then, after the commit, the change itself.
  StoredCounters After(const std::pair<StorageId, uint32_t>& entry, const GroupState::Delta& delta) const;
  void Add(const std::pair<StorageId, uint32_t>& entry, const GroupState::Delta& delta);

 private:
  struct Entry {
    PartitionRange range;
    std::atomic<int64_t> rows{0}, bytes{0};
    std::atomic<uint64_t> reads{0}, writes{0}, read_micros{0}, write_micros{0};
  };
  using Table = std::vector<std::shared_ptr<Entry>>;
  using Tables = std::unordered_map<StorageId, Table>;

  std::shared_ptr<Entry> Find(const std::pair<StorageId, uint32_t>& entry) const;

  Published<Tables> tables_{std::make_shared<const Tables>()};
};

// The entry of the table's partition map that holds `position` (eight bytes).
uint32_t PartitionIdOf(const TableSchema& table, ByteView position);

}  // namespace widerow
