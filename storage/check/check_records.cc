// RecordChecker gets the records in the order of their whole keys. It remembers some facts about the current partition:
// its deletion, its range tombstones, and the spilled columns of its rows. The spilled records come after all rows of
// the partition.
#include "storage/check/check_records.h"

#include <map>
#include <set>

#include "base/text.h"
#include "storage/format/key_codec.h"
#include "storage/format/row_codec.h"
#include "storage/large_object.h"
#include "storage/lmdb/long_keys.h"
#include "storage/reconcile/range_tombstones.h"
#include "types/order_codec.h"
#include "types/schema_difference.h"

namespace widerow {
namespace {

constexpr uint64_t kProgressEvery = 65'536;
constexpr size_t kChunkNumberBytes = 4;

class RecordChecker {
 public:
  RecordChecker(const StoredMeta& meta, bool log_follows, CheckReport& report)
      : meta_(meta), tables_(LiveTablesOf(*meta.schema)), log_follows_(log_follows), report_(report) {
    retired_.insert(meta.retired.begin(), meta.retired.end());
    for (const PendingDeletionPtr& pending : meta.pending_deletions) pending_.insert(pending->partition_prefix);
    for (const LargeObjects::Loose& loose : meta.loose_objects) loose_.insert(loose.object);
    ForEachStoredTable(*meta.schema, [&](const TablePtr& table) {
      for (const IndexSchema& index : table->indexes) bases_[index.entries.get()] = table;
    });
  }

  void Record(ByteView key, ByteView value) {
    ++report_.records;
    const size_t prefix_size = key.size() > kKeyHeadBytes ? PartitionPrefixSize(key) : 0;
    if (prefix_size == 0) return Unreadable(key, "the key is not one");
    if (key.substr(0, prefix_size) != prefix_) BeginPartition(key, prefix_size);
    if (columns_ == nullptr) return;
    const ByteView rest = key.substr(prefix_size + 1);
    switch (static_cast<RecordKind>(key[prefix_size])) {
      case RecordKind::kHeader: return Header(key, rest, value);
      case RecordKind::kStatic: return Row(key, rest, true, value);
      case RecordKind::kRangeTombstone: return Range(key, rest, value);
      case RecordKind::kRow: return Row(key, rest, false, value);
      case RecordKind::kSpill: return Spill(key, rest, value);
      case RecordKind::kPiece: return Piece(key, rest, value);
    }
    Unreadable(key, "the record has an unknown kind");
  }

  void End() { EndPartition(); }

 private:
  struct Announced {
    bool multi_cell = false;
    uint64_t value_bytes = 0;
    bool met = false;
    Bytes row_key;
  };

  void Fault(ByteView key, const std::string& what, bool unreadable = false) {
    report_.Add(StrCat(TableName(), "key 0x", ToHex(key)), what, Bytes(key), unreadable);
  }
  void Unreadable(ByteView key, const std::string& what) { Fault(key, what, true); }
  std::string TableName() const {
    return columns_ == nullptr ? "" : StrCat(columns_->table()->keyspace, ".", columns_->table()->name, ", ");
  }

  void BeginPartition(ByteView key, size_t prefix_size) {
    EndPartition();
    prefix_.assign(key.substr(0, prefix_size));
    columns_ = FindLive(tables_, prefix_);
    if (columns_ == nullptr) {
      const StorageId id = StorageIdOf(key);
      // Rows without a table are no fault in two cases. Either the table or partition was dropped, and the sweeper has
      // not removed the rows yet. Or the log creates the table: its rows may be in the data file before its schema.
      const bool known = retired_.contains(id) || tables_.contains(id) || (log_follows_ && id >= meta_.next_storage_id);
      if (!known && orphans_.insert(id).second) {
        report_.Add(StrCat("storage id ", id, ", key 0x", ToHex(key)), "the rows belong to no table");
      }
      return;
    }
    Bytes partition_key, again;
    const bool whole = PartitionKeyOfPrefix(prefix_, partition_key);
    if (whole) AppendPartitionPrefix(*columns_->table(), partition_key, again);
    if (again != prefix_) Fault(key, "the partition is not at the place of its key");
  }

  void EndPartition() {
    CheckSpilledEnd();
    for (const auto& [place, announced] : announced_) {
      if (!announced.met && !announced.multi_cell)
        Unreadable(announced.row_key, "a spilled value of the row is missing");
    }
    announced_.clear();
    CheckObjects();
    header_ = {};
    ranges_.clear();
    next_range_ = 0;
    prefix_.clear();
    columns_ = nullptr;
  }

  void Header(ByteView key, ByteView rest, ByteView value) {
    if (!rest.empty() || !DecodeHeader(value, header_)) Unreadable(key, "the deletion of the partition is damaged");
  }

  void Range(ByteView key, ByteView rest, ByteView value) {
    RangeTombstone range;
    range.begin = Bytes(rest);
    if (!DecodeRangeTombstone(value, range)) return Unreadable(key, "the range tombstone is damaged");
    const bool overlaps = !ranges_.empty() && (!ranges_.back().end || *ranges_.back().end > range.begin);
    if (overlaps) Fault(key, "the range tombstone overlaps the one before it");
    ranges_.push_back(std::move(range));
  }

  void Row(ByteView key, ByteView rest, bool is_static, ByteView value) {
    ++report_.rows;
    StoredRow row;
    if (!DecodeRow(value, row)) return Unreadable(key, "the row does not match its checksum or format");
    const TableSchema& table = *columns_->table();
    if (is_static ? !rest.empty() : !IsClusteringOf(table, rest)) {
      Unreadable(key, "the clustering is not one of the table");
    }
    for (const SpilledColumn& spilled : row.spilled) {
      Announced& announced = announced_[{Bytes(rest), is_static, spilled.column}];
      announced = {spilled.multi_cell, spilled.value_bytes, false, Bytes(key)};
    }
    for (const Cell& cell : row.content.cells) {
      LargeReference reference;
      if (!cell.large) continue;
      if (!DecodeLargeReference(cell.value, reference))
        return Unreadable(key, "the reference to a large value is damaged");
      objects_[reference.object].wanted = reference.bytes;
      objects_[reference.object].row_key.assign(key);
    }
    if (!pending_.contains(prefix_)) CheckDeleted(key, rest, is_static, row.content);
  }

  // Reports a row with content that a stored tombstone deletes. Such content must not be stored.
  void CheckDeleted(ByteView key, ByteView rest, bool is_static, const RowFragment& content) {
    DeletionTime covering = header_;
    if (!is_static) {
      while (next_range_ < ranges_.size() && ranges_[next_range_].end && *ranges_[next_range_].end <= rest) {
        ++next_range_;
      }
      if (next_range_ >= ranges_.size() || ranges_[next_range_].begin > rest) {
        next_range_ = std::min(next_range_, ranges_.size());
      } else if (ranges_[next_range_].deletion.timestamp > covering.timestamp) {
        covering = ranges_[next_range_].deletion;
      }
    }
    if (!covering.present()) return;
    const bool lives = std::any_of(content.cells.begin(), content.cells.end(),
                                   [&](const Cell& cell) { return covering.Deletes(cell.timestamp); });
    if (lives || (content.marker.present() && covering.Deletes(content.marker.timestamp))) {
      Fault(key, "the row has content that a stored tombstone deletes");
    }
  }

  bool IsClusteringOf(const TableSchema& table, ByteView rest) const {
    const auto base = bases_.find(&table);
    return base == bases_.end() ? IsClustering(table, rest) : IsPlaceIn(*base->second, rest);
  }

  // The clustering of an index entry is the key of the base row, without the storage id at its beginning. This
  // clustering is called the place of the row.
  static bool IsPlaceIn(const TableSchema& base, ByteView place) {
    const Bytes key = Bytes(sizeof(StorageId), '\0') + Bytes(place);
    const size_t prefix_size = PartitionPrefixSize(key);
    if (prefix_size == 0) return false;
    const ByteView rest = ByteView(key).substr(prefix_size + 1);
    if (static_cast<RecordKind>(key[prefix_size]) == RecordKind::kStatic) return rest.empty();
    return static_cast<RecordKind>(key[prefix_size]) == RecordKind::kRow && IsClustering(base, rest);
  }

  static bool IsClustering(const TableSchema& table, ByteView rest) {
    for (uint32_t i = 0; i < table.clustering_size; ++i) {
      const ColumnSchema& column = table.clustering(i);
      if (!TakeComparable(*column.type, column.descending, rest).ok()) return false;
    }
    return rest.empty();
  }

  void Spill(ByteView key, ByteView rest, ByteView value) {
    const size_t clustering_size = DelimitedSize(rest);
    const size_t fixed = clustering_size + sizeof(ColumnId);
    if (clustering_size == 0 || rest.size() < fixed + 1 + kChunkNumberBytes) {
      return Unreadable(key, "the key of the spilled value is not one");
    }
    const auto column = ReadBigEndian<ColumnId>(rest.data() + clustering_size);
    const auto chunk = ReadBigEndian<uint32_t>(rest.data() + rest.size() - kChunkNumberBytes);
    const ByteView element = key.substr(0, key.size() - kChunkNumberBytes);
    if (element != element_) {
      CheckSpilledEnd();
      BeginElement(key, rest.substr(0, clustering_size), column, element);
    }
    if (chunk != next_chunk_++) Unreadable(key, "a part of the spilled value before this one is missing");
    if (chunk == 0) {
      SpilledCell cell;
      if (!DecodeSpilledCell(value, cell))
        return Unreadable(key, "the spilled value does not match its checksum or format");
      wanted_ = cell.value_bytes;
      have_ = cell.cell.value.size();
      ++report_.spilled_values;
      return;
    }
    ByteView part = value;
    if (!Unseal(part)) return Unreadable(key, "a part of a spilled value does not match its checksum");
    have_ += part.size();
  }

  void BeginElement(ByteView key, ByteView delimited_clustering, ColumnId column, ByteView element) {
    element_.assign(element);
    next_chunk_ = 0;
    wanted_ = have_ = 0;
    Bytes clustering;
    ByteView rest = delimited_clustering;
    if (!TakeDelimited(rest, clustering)) return Unreadable(key, "the key of the spilled value is not one");
    auto found = announced_.find({clustering, false, column});
    if (found == announced_.end() && clustering.empty()) found = announced_.find({clustering, true, column});
    if (found == announced_.end()) return Unreadable(key, "the spilled value belongs to no row");
    found->second.met = true;
    expected_ = found->second.multi_cell ? std::nullopt : std::optional(found->second.value_bytes);
  }

  void Piece(ByteView key, ByteView rest, ByteView value) {
    if (rest.size() != sizeof(uint64_t) + kChunkNumberBytes) return Unreadable(key, "the key of the piece is not one");
    Object& object = objects_[ReadBigEndian<uint64_t>(rest.data())];
    if (object.first_piece.empty()) object.first_piece.assign(key);
    if (ReadBigEndian<uint32_t>(rest.data() + sizeof(uint64_t)) != object.pieces++) object.whole = false;
    ByteView bytes = value;
    if (!Unseal(bytes)) {
      object.whole = false;
      return Unreadable(key, "the piece does not match its checksum");
    }
    object.have += bytes.size();
  }

  void CheckObjects() {
    for (const auto& [number, object] : objects_) {
      if (object.row_key.empty()) {
        if (!loose_.contains(number)) Fault(object.first_piece, "the pieces of a large value belong to no row");
      } else if (!object.whole || object.have != object.wanted) {
        Unreadable(object.row_key, StrCat("the large value of the row has ", object.have,
                                          " bytes in pieces instead of ", object.wanted));
      }
    }
    objects_.clear();
  }

  void CheckSpilledEnd() {
    if (element_.empty()) return;
    if (have_ != wanted_) Unreadable(element_, StrCat("the spilled value has ", have_, " bytes instead of ", wanted_));
    if (expected_ && *expected_ != wanted_) Unreadable(element_, "the spilled value is not as long as its row says");
    element_.clear();
    expected_.reset();
  }

  // A large value: its pieces, and the row that refers to it.
  struct Object {
    Bytes row_key, first_piece;
    uint64_t wanted = 0, have = 0;
    uint32_t pieces = 0;
    bool whole = true;
  };

  const StoredMeta& meta_;
  const LiveTables tables_;
  std::map<const TableSchema*, TablePtr> bases_;  // Key: the table of an index's entries. Value: the indexed table.
  const bool log_follows_;
  CheckReport& report_;
  std::set<StorageId> retired_, orphans_;
  std::set<uint64_t> loose_;  // Large objects to which no row refers.
  std::map<uint64_t, Object> objects_;
  std::set<Bytes> pending_;  // Partitions with a deletion that has not been applied to all of their rows yet.

  Bytes prefix_;
  const TableColumns* columns_ = nullptr;  // Null: the records of the partition are not checked.
  DeletionTime header_;
  std::vector<RangeTombstone> ranges_;
  size_t next_range_ = 0;
  // The spilled columns of the rows. Key: the clustering, whether the row is static, and the column.
  std::map<std::tuple<Bytes, bool, ColumnId>, Announced> announced_;
  // The spilled value that is being read.
  Bytes element_;
  uint32_t next_chunk_ = 0;
  uint64_t wanted_ = 0, have_ = 0;
  std::optional<uint64_t> expected_;
};

// Checks that each link of a long key has its child space, and each child space its link (long_keys.h).
void CheckLongKeys(lmdb::TxnRef txn, CheckReport& report) {
  constexpr size_t kLinkBytes = 511;
  Result<lmdb::Cursor> opened = lmdb::Cursor::Open(txn, lmdb::Db::kData);
  if (!opened.ok()) return report.Add("the data file", opened.error().message);
  std::map<uint64_t, Bytes> linked;  // The ids of the child spaces that links name, with the keys of the links.
  std::set<uint64_t> spaces;
  ByteView key, value;
  lmdb::Rc rc = opened->SeekAtOrAfter(ByteView("\0", 1), key, value);
  for (; rc.ok(); rc = opened->Next(key, value)) {
    const bool in_space = key.starts_with("\xFF\xFF\xFF\xFF");
    if (in_space && key.size() >= kChildPrefixBytes) spaces.insert(ReadBigEndian<uint64_t>(key.data() + 4));
    if (key.size() != kLinkBytes) continue;
    if (value.size() != sizeof(uint64_t) || !linked.emplace(ReadBigEndian<uint64_t>(value.data()), key).second) {
      report.Add("key 0x" + ToHex(key), "the link of a long key is damaged", Bytes(key), true);
    }
  }
  for (const auto& [id, link] : linked) {
    if (!spaces.contains(id)) report.Add(StrCat("child space ", id), "a long key leads to nothing", link, true);
  }
  for (const uint64_t id : spaces) {
    if (linked.contains(id)) continue;
    Bytes beginning = "\xFF\xFF\xFF\xFF";
    AppendBigEndian(beginning, id);
    report.Add(StrCat("child space ", id), "the rests of long keys belong to no key", beginning, true);
  }
}

}  // namespace

void CheckRecords(lmdb::TxnRef txn, const StoredMeta& meta, bool log_follows,
                  const std::function<void(uint64_t)>& progress, CheckReport& report) {
  CheckLongKeys(txn, report);
  Result<lmdb::Cursor> opened = lmdb::Cursor::Open(txn, lmdb::Db::kData);
  if (!opened.ok()) return report.Add("the data file", opened.error().message);
  LongKeyCursor cursor(std::move(*opened));
  RecordChecker checker(meta, log_follows, report);
  lmdb::Rc rc = cursor.SeekAtOrAfter(ByteView("\0", 1));
  for (; rc.ok(); rc = cursor.Next()) {
    checker.Record(cursor.key(), cursor.value());
    if (report.records % kProgressEvery == 0) progress(report.records);
  }
  checker.End();
  if (rc.failed()) report.Add("the records after the last readable one", lmdb::ToError(rc, "reading").message);
}

}  // namespace widerow
