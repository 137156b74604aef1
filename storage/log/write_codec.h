// Encodes writes as the commit log stores them: as keys and records, without names (docs/internals/storage-format.md,
// "Commit log").
//     write     = number of partitions, varint; then each partition
//     partition = prefix (key_codec.h), sized; number of entries, varint; then each entry
//     entry     = kind (1); rest of the key, sized; record, sized
// "Sized" means that the length comes first, as a varint. The records are those of row_codec.h: fragments of rows with
// nothing spilled, headers, and range tombstones. The deletions of a partition come before its rows. Pure functions;
// one thread at a time may use a reader or a builder.
#pragma once

#include <map>

#include "storage/format/key_codec.h"
#include "storage/format/row_codec.h"
#include "storage/mutation.h"

namespace widerow {

// The tables of a schema, by storage id. A table that uses several storage ids has an entry for each. Immutable once
// other threads can see it.
using LiveTables = std::map<StorageId, std::shared_ptr<const TableColumns>>;
void AddLiveTable(const TablePtr& table, LiveTables& tables);
void RemoveLiveTable(const TableSchema& table, LiveTables& tables);
// Returns the table to which a key or a partition prefix belongs. Returns null if the table or the partition is gone.
const TableColumns* FindLive(const LiveTables& tables, ByteView key);
LiveTables LiveTablesOf(const SchemaSnapshot& schema);

// Encodes a mutation. For each partition, uses the TableColumns in `tables` if they were made from the same TablePtr as
// the partition has, and otherwise makes new ones. kInvalid if a key is too long.
Result<Bytes> EncodeWrite(const Mutation& mutation, const LiveTables& tables);

// Returns kInvalid if the table is stored by token and the partition key is longer than Cassandra's limit.
Status CheckKey(const PartitionMutation& mutation);
// Encodes a row for a write: with its cells in order and nothing spilled. Leaves out cells that the deletions in the
// fragment delete.
Bytes EncodeFragment(const RowFragment& content, const TableColumns& columns);

struct WriteEntry {
  RecordKind kind = RecordKind::kRow;
  ByteView rest, record;
};

// Reads an encoded write. If the bytes are not a write, the functions Next… return false, and ok() is false. The
// results borrow from `write`.
class WriteReader {
 public:
  explicit WriteReader(ByteView write) : in_(write), partitions_(in_.Varint()) {}

  // Moves to the next partition. All entries of the current one must have been read.
  bool NextPartition(ByteView& prefix);
  bool NextEntry(WriteEntry& entry);
  bool ok() const { return in_.ok; }
  // Returns the bytes that follow the write.
  ByteView rest() const { return {in_.at, static_cast<size_t>(in_.end - in_.at)}; }

 private:
  row_decode::Reader in_;
  uint64_t partitions_, entries_ = 0;
};

// Builds encoded writes, one after another, from their entries. Its buffers stay allocated for the next write, unless
// they have become large.
class WriteBuilder {
 public:
  void BeginPartition(ByteView prefix);
  void Add(const WriteEntry& entry);
  bool empty() const { return partitions_ == 0 && entry_count_ == 0; }
  // Returns the bytes of the write so far, without its number of partitions.
  size_t bytes() const { return out_.size() + prefix_.size() + entries_.size(); }
  // Appends the write to `out`, and begins another one.
  void Finish(Bytes& out);
  // Forgets the write so far, and begins another one.
  void Clear();

 private:
  void EndPartition();

  Bytes out_, prefix_, entries_;
  uint64_t partitions_ = 0, entry_count_ = 0;
};

// A change of a record of the meta database (catalog_store.h). Without a value the record is removed.
struct MetaChange {
  Bytes key;
  std::optional<Bytes> value;
};
void AppendMetaChanges(const std::vector<MetaChange>& changes, Bytes& out);
bool TakeMetaChanges(ByteView in, std::vector<MetaChange>& changes);

// The first byte of a group in the log. The numbers are stored and never change.
enum class GroupKind : char {
  // The group has writes, up to the end of the body. Their sequence numbers are consecutive. The last one is
  // LogGroup::last_sequence.
  kWrites = 1,
  // The group has changes of `meta`. Each schema change is a group of its own.
  kMeta = 2,
  // The next three are *direct groups*. They describe changes that are made to the data file without a memtable. They
  // are written only while the log is kept for backups (storage/fold/direct_log.h).
  kBulk = 3,    // Rows of a bulk load: for each, the key and the record, both sized.
  kPurge = 4,   // Records that the sweeper purges.
  kPieces = 5,  // Pieces of a large object.
};

}  // namespace widerow
