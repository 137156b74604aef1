// Counters for each entry of the tables' partition maps: the stored rows and bytes (estimates, kept in the data file),
// the rows and bytes in memtables (counted as if all rows were new), and the reads and writes since the start. The
// engine owns them. Thread-safe: the set of tables is replaced as a whole when the schema changes; the counters of a
// table that stays are kept.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <map>

#include "base/published.h"
#include "storage/storage_engine.h"

namespace widerow {

struct StoredCounters {
  int64_t rows = 0, bytes = 0;
};

// Changes of these counters, by table and partition-map entry.
using PartitionDeltas = std::map<std::pair<StorageId, uint32_t>, StoredCounters>;

class PartitionCounters {
 private:
  struct Entry;
  using Table = std::vector<std::shared_ptr<Entry>>;
  using Tables = absl::flat_hash_map<StorageId, std::shared_ptr<const Table>>;

 public:
  // Sets the tables of `schema`, with the counters that are stored.
  void Reset(const SchemaSnapshot& schema, const PartitionDeltas& stored);
  // Follows a schema change. Storage ids and partition-map entries that are still in use keep their counters. The
  // counters of an entry that is gone are shared in equal parts by the entries that replace it; those of emptied
  // partitions are dropped. `unfolded` belongs to the active memtable. Called on the writer's thread, or before it
  // starts.
  void Change(const SchemaSnapshot& before, const SchemaSnapshot& after, PartitionDeltas& unfolded);
  // The memory of one reader between its reads, so that counting the next read takes no lock.
  class LastRead {
    friend class PartitionCounters;
    std::shared_ptr<const Tables> tables_;
    uint64_t version_ = 0;  // The version of tables_.
    StorageId storage_id_ = 0;
    const Table* table_ = nullptr;  // In tables_; null if tables_ has no such table.
    // If the table is stored by token: the first tokens of its entries, except the first entry.
    std::vector<uint64_t> firsts_;
  };

  // Counts a write to the partition that contains `position`; more bytes may follow the position. `fresh`: rows that
  // were not in the memtable before; they are added to `unfolded`. Called on the writer's thread.
  void CountWrite(const TableSchema& table, ByteView position, uint64_t micros, const StoredCounters& fresh,
                  PartitionDeltas& unfolded);
  // Subtracts `unfolded` from the fresh counters: the rows have been folded and are counted as stored.
  void Folded(const PartitionDeltas& unfolded);
  // Counts a read of the partition that contains `position`. Any thread.
  void CountRead(const TableSchema& table, ByteView position, uint64_t micros, LastRead& last);
  std::vector<PartitionStats> Stats(const TableSchema& table) const;

  // Called by the folder. Before the commit, After() returns the counters with `delta` added. After the commit, Add()
  // adds `delta`.
  StoredCounters After(const std::pair<StorageId, uint32_t>& entry, const StoredCounters& delta) const;
  void Add(const std::pair<StorageId, uint32_t>& entry, const StoredCounters& delta);

 private:
  struct Entry {
    PartitionRange range;
    // Atomic, because many threads read them. The folder's thread changes rows and bytes, the writer's thread the fresh
    // counters and the writes, readers the reads. A schema change, on the writer's thread, also sets rows and bytes.
    // The end of a fold also changes the fresh counters.
    std::atomic<int64_t> rows{0}, bytes{0}, fresh_rows{0}, fresh_bytes{0};
    std::atomic<uint64_t> reads{0}, writes{0}, read_micros{0}, write_micros{0};
  };

  // Makes the entries of a table. `before`: the table's entries so far; unchanged entries are kept.
  static std::shared_ptr<const Table> EntriesOf(const TableSchema& table, const Table& before,
                                                const PartitionDeltas& stored);
  // Returns the entries of a table; null if there are none.
  static const Table* Lookup(const Tables& tables, StorageId id);

  static void TakeOver(const TableSchema& was, const Table& before, const TableSchema& is, const Table& after,
                       PartitionDeltas& unfolded);
  std::shared_ptr<Entry> EntryAt(const TableSchema& table, ByteView position) const;
  std::shared_ptr<Entry> Find(const std::pair<StorageId, uint32_t>& entry) const;

  Published<Tables> tables_{std::make_shared<const Tables>()};
};

}  // namespace widerow
