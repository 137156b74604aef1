// Writes as the commit log keeps them (docs/internals/storage-format.md, "Commit log"): keys and records, no names and no operations.
//   write     = partitions, varint; then each partition
//   partition = prefix (key_codec.h), sized; entries, varint; then each entry
//   entry     = kind (1); rest of the key, sized; record, sized
// Records are those of row_codec.h: fragments of rows with nothing spilled, headers, range tombstones. Deletions come before
// the rows of their partition.
#pragma once

#include <map>

#include "storage/key_codec.h"
#include "storage/mutation.h"
#include "storage/row_codec.h"

namespace widerow {

// The tables of a schema by storage id, each under all that it uses. Immutable.
using LiveTables = std::map<StorageId, std::shared_ptr<const TableColumns>>;
void AddLiveTable(const TablePtr& table, LiveTables& tables);
void RemoveLiveTable(const TableSchema& table, LiveTables& tables);
// The table that a key, or its partition's prefix, belongs to; null if that is gone.
const TableColumns* FindLive(const LiveTables& tables, ByteView key);
LiveTables LiveTablesOf(const SchemaSnapshot& schema);

// Fails for keys that are too long. Partitions whose table is not among `tables` are encoded by the mutation's own.
Result<Bytes> EncodeWrite(const Mutation& mutation, const LiveTables& tables);

// kInvalid if the partition key is longer than keys may be.
Status CheckKey(const PartitionMutation& mutation);
// A row's record as writes have it: cells in order, nothing that the fragment's own deletions delete, nothing spilled.
Bytes EncodeFragment(const RowFragment& content, const TableColumns& columns);

struct WriteEntry {
  RecordKind kind = RecordKind::kRow;
  ByteView rest, record;
};

// Walks an encoded write. Anything that is not one ends the walk with ok() false.
class WriteReader {
 public:
  explicit WriteReader(ByteView write) : in_(write), partitions_(in_.Varint()) {}

  // Leaves the current partition's entries behind, which must have been read.
  bool NextPartition(ByteView& prefix);
  bool NextEntry(WriteEntry& entry);
  bool ok() const { return in_.ok; }
  // What comes after the write.
  ByteView rest() const { return {in_.at, static_cast<size_t>(in_.end - in_.at)}; }

 private:
  row_decode::Reader in_;
  uint64_t partitions_, entries_ = 0;
};

// Puts a write together from what a WriteReader gives.
class WriteBuilder {
 public:
  void BeginPartition(ByteView prefix);
  void Add(const WriteEntry& entry);
  bool empty() const { return partitions_ == 0 && entry_count_ == 0; }
  Bytes Finish() &&;

 private:
  void EndPartition();

  Bytes out_, prefix_, entries_;
  uint64_t partitions_ = 0, entry_count_ = 0;
};

// A change of the meta database (catalog_store.h). Without a value: the record goes.
struct MetaChange {
  Bytes key;
  std::optional<Bytes> value;
};
void AppendMetaChanges(const std::vector<MetaChange>& changes, Bytes& out);
bool TakeMetaChanges(ByteView in, std::vector<MetaChange>& changes);

// What a group of the log begins with. Stored: never renumber.
enum class GroupKind : char {
  kWrites = 1,  // Writes to its end; the last has the group's sequence number, the one before it the number before it…
  kMeta = 2,    // Meta changes: a schema change has a group of its own.
};

}  // namespace widerow
