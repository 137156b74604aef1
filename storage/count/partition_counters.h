// Counters for each entry of the tables' partition maps (types/schema.h):
// - the rows and bytes in the data file, which are estimates and are kept in the data file;
// - the *fresh* rows and bytes in memtables, where every row counts as a new one;
// - the reads and writes since the engine was opened.
//
// The engine owns this object. It is thread-safe: a schema change replaces the set of tables as a whole, and tables
// that stay keep their counters.
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
  // Sets the tables of `schema`. `stored` has the counters that the data file keeps.
  void Reset(const SchemaSnapshot& schema, const PartitionDeltas& stored);
  // Follows a schema change. Storage ids and entries that are still in use keep their counters. The counters of a
  // removed entry are shared in equal parts by the entries that replace it. The counters of partitions that were
  // emptied are dropped. `unfolded` has the fresh counters of the active memtable and is changed in the same way.
  // Called on the writer's thread, or before it starts.
  void Change(const SchemaSnapshot& before, const SchemaSnapshot& after, PartitionDeltas& unfolded);
  // LastRead keeps what one reader found at its last read, so that counting the next read takes no lock.
  class LastRead {
    friend class PartitionCounters;
    std::shared_ptr<const Tables> tables_;
    uint64_t version_ = 0;  // The version of tables_.
    StorageId storage_id_ = 0;
    const Table* table_ = nullptr;  // In tables_; null if tables_ has no such table.
    // If the table is stored by token: the token at which each entry begins. The first entry is left out.
    std::vector<uint64_t> firsts_;
  };

  // Counts a write to the partition that `position` begins with. `fresh` has the rows and bytes that the write has
  // added to the memtable; they are added to `unfolded`. Called on the writer's thread.
  void CountWrite(const TableSchema& table, ByteView position, uint64_t micros, const StoredCounters& fresh,
                  PartitionDeltas& unfolded);
  // Subtracts `unfolded` from the fresh counters. Called at the end of the fold of these rows, when the counters of the
  // data file already include them.
  void Folded(const PartitionDeltas& unfolded);
  // Counts a read of the partition that `position` begins with. Safe on any thread.
  void CountRead(const TableSchema& table, ByteView position, uint64_t micros, LastRead& last);
  std::vector<PartitionStats> Stats(const TableSchema& table) const;

  // The folder calls these two functions. Before its commit, After() returns the counters with `delta` added, to be
  // stored. After its commit, Add() adds `delta`.
  StoredCounters After(const std::pair<StorageId, uint32_t>& entry, const StoredCounters& delta) const;
  void Add(const std::pair<StorageId, uint32_t>& entry, const StoredCounters& delta);

 private:
  struct Entry {
    PartitionRange range;
    // The counters are atomic, because any thread may read them. The folder's thread changes `rows` and `bytes`. The
    // writer's thread changes the fresh counters and those of writes. Readers change those of reads. Besides, a schema
    // change on the writer's thread sets `rows` and `bytes`, and the end of a fold changes the fresh counters.
    std::atomic<int64_t> rows{0}, bytes{0}, fresh_rows{0}, fresh_bytes{0};
    std::atomic<uint64_t> reads{0}, writes{0}, read_micros{0}, write_micros{0};
  };

  // Makes the entries of a table. Entries of `before` that have not changed are kept.
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
