// Counters per entry of the tables' partition maps: what is stored (kept with the data, estimates), what is in memtables
// (counted as if it were all new), and what has been asked since start. Thread-safe; the set of tables is replaced whole when
// the schema changes, what is known of a table stays.
#pragma once

#include <atomic>
#include <unordered_map>

#include "base/published.h"
#include "storage/engine.h"

namespace widerow {

struct StoredCounters {
  int64_t rows = 0, bytes = 0;
};

// A change of them, by table and partition-map entry.
using PartitionDeltas = std::map<std::pair<StorageId, uint32_t>, StoredCounters>;

class PartitionCounters {
 private:
  struct Entry;
  using Table = std::vector<std::shared_ptr<Entry>>;
  using Tables = std::unordered_map<StorageId, std::shared_ptr<const Table>>;

 public:
  // The tables of `schema`, with what is stored of them.
  void Reset(const SchemaSnapshot& schema, const PartitionDeltas& stored);
  // After a schema change. Takes over what is known of storage ids and partition-map entries that are still in use; what is
  // known of others is shared by the entries that have taken their place, in equal parts, but for partitions that have been
  // emptied. `unfolded` is that of the memtable being written.
  void Change(const SchemaSnapshot& before, const SchemaSnapshot& after, PartitionDeltas& unfolded);
  // What one reader remembers between its reads, so that counting the next one takes no lock.
  class LastRead {
    friend class PartitionCounters;
    std::shared_ptr<const Tables> tables_;
    uint64_t version_ = 0;  // Of tables_.
    StorageId storage_id_ = 0;
    const Table* table_ = nullptr;  // In tables_; null if it is not there.
    std::vector<uint64_t> firsts_;  // Of its entries but the first: where they begin, if the table is stored by token.
  };


  // A write to the partition that holds `position`, behind which anything may follow; `fresh` are rows that its memtable had nothing of, which is
  // added to `unfolded`.
  void CountWrite(const TableSchema& table, ByteView position, uint64_t micros, const StoredCounters& fresh,
                  PartitionDeltas& unfolded);
  // They are counted as stored now.
  void Folded(const PartitionDeltas& unfolded);
  // By the partition's position, as above.
  void CountRead(const TableSchema& table, ByteView position, uint64_t micros, LastRead& last);
  std::vector<PartitionStats> Stats(const TableSchema& table) const;

  // The folder: what the counters will be once `deltas` are committed; then, after the commit, the change itself.
  StoredCounters After(const std::pair<StorageId, uint32_t>& entry, const StoredCounters& delta) const;
  void Add(const std::pair<StorageId, uint32_t>& entry, const StoredCounters& delta);

 private:
  struct Entry {
    PartitionRange range;
    // Atomic: read by many, changed by the writer's thread (fresh) and the folder's (the others).
    std::atomic<int64_t> rows{0}, bytes{0}, fresh_rows{0}, fresh_bytes{0};
    std::atomic<uint64_t> reads{0}, writes{0}, read_micros{0}, write_micros{0};
  };

  // `before`: the entries of the table's storage id so far.
  static std::shared_ptr<const Table> EntriesOf(const TableSchema& table, const Table& before, const PartitionDeltas& stored);
  // The entries of a table; null if there are none.
  static const Table* Lookup(const Tables& tables, StorageId id);

  static void TakeOver(const TableSchema& was, const Table& before, const TableSchema& is, const Table& after,
                       PartitionDeltas& unfolded);
  std::shared_ptr<Entry> EntryAt(const TableSchema& table, ByteView position) const;
  std::shared_ptr<Entry> Find(const std::pair<StorageId, uint32_t>& entry) const;

  Published<Tables> tables_{std::make_shared<const Tables>()};
};

// The entry of the table's partition map that holds `position` (types/schema.h), behind which anything may follow.
uint32_t PartitionIdOf(const TableSchema& table, ByteView position);

}  // namespace widerow
