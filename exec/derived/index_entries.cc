#include "exec/derived/index_entries.h"

#include "exec/derived/index_terms.h"
#include "exec/rows/row_text.h"
#include "planner/access/partition_key.h"
#include "planner/analyzed.h"
#include "storage/format/key_codec.h"
#include "types/index_words.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"
#include "types/vector_code.h"
#include "types/vint.h"

namespace widerow {
namespace {

Result<Value> ClusteringValue(const ColumnSchema& column, const BaseRow& row) {
  ByteView in = row.clustering;
  for (uint32_t i = 0; i < column.position; ++i) {
    const ColumnSchema& before = row.table.clustering(i);
    WR_RETURN_IF_ERROR(SkipComparable(*before.type, before.descending, in));
  }
  return TakeComparable(*column.type, column.descending, in);
}

Result<Bytes> PartitionKeyValue(const ColumnSchema& column, const BaseRow& row) {
  std::vector<Bytes> components;
  if (!SplitStoredKey(row.table, row.partition_key, components)) return DamagedKey(row.table, row.partition_key);
  return std::move(components[column.position]);
}

class IndexDerivation final : public TableDerivation {
 public:
  IndexDerivation(TablePtr table, const IndexSchema& index)
      : base_(std::move(table)), index_(index), column_(*base_->FindId(index.column)), terms_(column_, index) {
    if (IsVectorIndex(index_, column_)) similarity_ = SimilarityOf(index_);
    if (IsUnique(index_)) uniqueness_ = IsLocal(index_) ? Uniqueness::kInPartition : Uniqueness::kInTable;
  }

  const TablePtr& table() const override { return index_.entries; }
  const std::string& name() const override { return index_.name; }
  bool built() const override { return index_.built; }
  Uniqueness uniqueness() const override { return uniqueness_; }

  std::string ValueText(const DerivedRow& entry) const override {
    const bool part = column_.type->is_collection() && column_.type->is_multi_cell();
    return ColumnText(column_, terms_.TextOf(entry.partition_key), part);
  }

  Status KeysOf(const BaseRow& row, DerivedRows& derived) const override {
    std::vector<DerivedRow>& keys = derived.rows;
    switch (column_.kind) {
      case ColumnKind::kStatic:
        if (row.is_static) AddCells(row, keys);
        return OkStatus();
      case ColumnKind::kRegular:
        if (!row.is_static) AddCells(row, keys);
        return OkStatus();
      case ColumnKind::kClustering: return row.is_static ? OkStatus() : AddClustering(row, keys);
      case ColumnKind::kPartitionKey: return AddPartitionKey(row, keys);
    }
    return OkStatus();
  }

 private:
  DerivedRow& Add(const BaseRow& row, Bytes term, int32_t ttl, int64_t expires_at,
                  std::vector<DerivedRow>& keys) const {
    DerivedRow& key = keys.emplace_back();
    key.partition_key = std::move(term);
    key.clustering = EntryClustering(*base_, row.partition_key, row.is_static, row.clustering);
    key.ttl = ttl;
    key.expires_at = expires_at;
    return key;
  }

  // Adds the entry of a vector. Adds nothing for a vector that cannot be compared. A row that is older than the index
  // may have such a vector.
  void AddVector(const BaseRow& row, ByteView value, int32_t ttl, int64_t expires_at,
                 std::vector<DerivedRow>& keys) const {
    const std::vector<float> vector = ToFloats(value);
    if (!CheckIndexable(*similarity_, vector).ok()) return;
    Add(row, Bytes(kVectorTerm), ttl, expires_at, keys).values = EncodeVector(*similarity_, vector);
  }

  // Adds the entries of the words of a text, and the entry of its length if the index has text lengths.
  void AddWords(const BaseRow& row, ByteView text, int32_t ttl, int64_t expires_at,
                std::vector<DerivedRow>& keys) const {
    std::vector<Bytes> terms;
    const size_t length = terms_.OfText(text, terms);
    for (Bytes& term : terms) Add(row, std::move(term), ttl, expires_at, keys);
    if (terms.empty() || !HasTextLengths(index_)) return;
    Bytes encoded;
    AppendUnsignedVint(encoded, length);
    Add(row, terms_.OfLengths(), ttl, expires_at, keys).values = {std::move(encoded)};
  }

  void AddCells(const BaseRow& row, std::vector<DerivedRow>& keys) const {
    std::vector<Bytes> terms;
    for (const CellView& cell : row.row->cells) {
      if (cell.column != column_.id || cell.tombstone) continue;
      if (similarity_) {
        AddVector(row, cell.value, cell.ttl, cell.expires_at, keys);
        continue;
      }
      if (terms_.analyzer() != nullptr) {
        AddWords(row, cell.value, cell.ttl, cell.expires_at, keys);
        continue;
      }
      terms.clear();
      terms_.OfCell(cell, terms);
      for (Bytes& term : terms) Add(row, std::move(term), cell.ttl, cell.expires_at, keys);
    }
  }

  Status AddValue(const BaseRow& row, ByteView value, std::vector<DerivedRow>& keys) const {
    DerivedRow life;
    if (!LifeOf(row, life)) return OkStatus();
    if (similarity_) {
      AddVector(row, value, life.ttl, life.expires_at, keys);
      return OkStatus();
    }
    if (terms_.analyzer() != nullptr) {
      AddWords(row, value, life.ttl, life.expires_at, keys);
      return OkStatus();
    }
    std::vector<Bytes> terms;
    terms_.OfValue(value, terms);
    for (Bytes& term : terms) Add(row, std::move(term), life.ttl, life.expires_at, keys);
    return OkStatus();
  }

  Status AddClustering(const BaseRow& row, std::vector<DerivedRow>& keys) const {
    WR_ASSIGN_OR_RETURN(const Value value, ClusteringValue(column_, row));
    return value ? AddValue(row, *value, keys) : OkStatus();
  }

  Status AddPartitionKey(const BaseRow& row, std::vector<DerivedRow>& keys) const {
    WR_ASSIGN_OR_RETURN(const Bytes value, PartitionKeyValue(column_, row));
    return AddValue(row, value, keys);
  }

  const TablePtr base_;
  const IndexSchema index_;
  const ColumnSchema& column_;
  const IndexTerms terms_;
  std::optional<Similarity> similarity_;  // Set for an index on vectors.
  Uniqueness uniqueness_ = Uniqueness::kNone;
};

}  // namespace

DerivationPtr MakeIndexDerivation(const TablePtr& table, const IndexSchema& index) {
  return std::make_shared<const IndexDerivation>(table, index);
}

Result<Value> LiveValueOf(const ColumnSchema& column, const BaseRow& row, int64_t now_seconds) {
  if (column.kind == ColumnKind::kPartitionKey) {
    WR_ASSIGN_OR_RETURN(Bytes value, PartitionKeyValue(column, row));
    return Value(std::move(value));
  }
  if (column.kind == ColumnKind::kClustering) return row.is_static ? Value() : ClusteringValue(column, row);
  for (const CellView& cell : row.row->cells) {
    if (cell.column == column.id) return cell.LiveAt(now_seconds) ? Value(cell.value) : Value();
  }
  return Value();
}

Bytes EntryClustering(const TableSchema& base, ByteView partition_key, bool is_static, ByteView clustering) {
  Bytes key;
  AppendPartitionPrefix(base, partition_key, key);
  key.erase(0, sizeof(StorageId));
  AppendKind(is_static ? RecordKind::kStatic : RecordKind::kRow, key);
  key.append(clustering);
  return key;
}

bool TakeEntryPlace(ByteView entry, EntryPlace& place) {
  Bytes key(sizeof(StorageId), '\0');
  key.append(entry);
  const size_t size = ReadPartitionPrefix(key, place.partition_key);
  if (size == 0) return false;
  const auto kind = static_cast<RecordKind>(key[size]);
  if (kind != RecordKind::kStatic && kind != RecordKind::kRow) return false;
  place.is_static = kind == RecordKind::kStatic;
  place.clustering.assign(key, size + 1);
  return true;
}

ClusteringRange EntriesOfPartition(const TableSchema& base, ByteView partition_key) {
  Bytes key;
  AppendPartitionPrefix(base, partition_key, key);
  key.erase(0, sizeof(StorageId));
  Bytes end = SuccessorOfPrefix(key);
  return {.begin = std::move(key), .end = end.empty() ? std::nullopt : std::optional(std::move(end))};
}

}  // namespace widerow
