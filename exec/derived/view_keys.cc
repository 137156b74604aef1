// ViewDerivation (first part) joins a base row's key columns and the added column to the view's key, and checks the
// view's WHERE against the base row's key. The derived row expires with the cell of the added column or, without such a
// column, with the base row. ViewKeys (second part) maps a view's key back to the base row's key with `places_`.

#include "exec/derived/view_keys.h"

#include "base/limits.h"
#include "exec/bind/bind.h"
#include "planner/access/partition_key.h"
#include "planner/where/view_where.h"
#include "types/order_codec.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

Status SplitKey(const TableSchema& table, ByteView key, std::vector<Bytes>& values) {
  return SplitStoredKey(table, key, values) ? OkStatus() : Status(DamagedKey(table, key));
}

template <typename Kept>
Status SplitClustering(const TableSchema& table, ByteView clustering, const Kept& kept, std::vector<Bytes>& values) {
  values.resize(table.clustering_size);
  for (uint32_t i = 0; i < table.clustering_size; ++i) {
    const ColumnSchema& column = table.clustering(i);
    WR_ASSIGN_OR_RETURN(Value value, TakeComparable(*column.type, column.descending, clustering));
    values[i] = value ? std::move(*value) : Bytes();
  }
  for (const auto& [position, bytes] : kept) {
    if (position < values.size()) values[position] = Bytes(bytes);
  }
  return OkStatus();
}

Status JoinKey(const TableSchema& table, const std::vector<Bytes>& values, Bytes& key) {
  std::vector<ByteView> components(values.begin(), values.end());
  return AppendStoredKey(table, components, key);
}

// The key columns of one base row, for the view's WHERE.
class KeyValuesOfRow final : public RowValues {
 public:
  Status Read(const BaseRow& row) {
    WR_RETURN_IF_ERROR(SplitKey(row.table, row.partition_key, partition));
    return SplitClustering(row.table, row.clustering, row.row->kept_clustering, clustering);
  }
  Result<ValueView> Column(uint32_t column) override {
    if (column < partition.size()) return ValueView(partition[column]);
    column -= static_cast<uint32_t>(partition.size());
    return column < clustering.size() ? ValueView(clustering[column]) : ValueView();
  }
  Result<Value> CellTime(CellTimeExpression::Kind, uint32_t, const CellPart&) override { return Value(); }
  int64_t Token() override { return 0; }

  std::vector<Bytes> partition, clustering;
};

class ViewDerivation final : public TableDerivation {
 public:
  ViewDerivation(TablePtr base, TablePtr view, const SchemaSnapshot& schema)
      : base_(std::move(base)), view_(std::move(view)), key_size_(view_->partition_key_size + view_->clustering_size) {
    const auto plan = [&]() -> Status {
      WR_ASSIGN_OR_RETURN(const std::vector<Condition> where, ParseViewWhere(view_->view->where_clause));
      WR_ASSIGN_OR_RETURN(where_, PlanViewWhere(view_->name, where, base_, schema));
      return OkStatus();
    };
    if (Status planned = plan(); !planned.ok()) unusable_ = std::move(planned).error();
  }

  const TablePtr& table() const override { return view_; }
  const std::string& name() const override { return view_->name; }
  bool built() const override { return view_->view->built; }

  Status KeysOf(const BaseRow& row, DerivedRows& keys) const override {
    if (unusable_) return *unusable_;
    if (row.is_static) return OkStatus();
    KeyValuesOfRow values;
    WR_RETURN_IF_ERROR(values.Read(row));
    const CellView* added = nullptr;
    std::vector<Bytes> key;
    for (uint32_t i = 0; i < key_size_; ++i) {
      const ColumnSchema& of_base = *base_->FindId(view_->columns[i].id);
      if (of_base.kind == ColumnKind::kPartitionKey) {
        key.push_back(values.partition[of_base.position]);
      } else if (of_base.kind == ColumnKind::kClustering) {
        key.push_back(values.clustering[of_base.position]);
      } else {
        added = FindCell(*row.row, of_base.id);
        if (added == nullptr) return OkStatus();
        key.emplace_back(added->value);
      }
    }
    DerivedRow derived;
    if (added != nullptr) {
      derived.ttl = added->ttl;
      derived.expires_at = added->expires_at;
    } else if (!LifeOf(row, derived)) {
      return OkStatus();
    }
    WR_ASSIGN_OR_RETURN(const bool shown, Shows(values));
    if (!shown) return OkStatus();
    WR_ASSIGN_OR_RETURN(const size_t longest, Encode(std::move(key), derived));
    if (longest <= limits::kKeyBytesMax) {
      keys.rows.push_back(std::move(derived));
    } else {
      keys.left_out = InvalidError("Key length of " + std::to_string(longest) + " is longer than maximum of 65535",
                                   "that would be its key in materialized view " + view_->name);
    }
    return OkStatus();
  }

 private:
  static const CellView* FindCell(const RowView& row, ColumnId column) {
    for (const CellView& cell : row.cells) {
      if (cell.column == column) return cell.tombstone ? nullptr : &cell;
    }
    return nullptr;
  }

  Result<bool> Shows(KeyValuesOfRow& values) const {
    EvaluationContext context;
    context.row = &values;
    for (const Predicate& condition : where_.conditions) {
      WR_ASSIGN_OR_RETURN(const bool matches, Matches(condition, context));
      if (!matches) return false;
    }
    return true;
  }

  // Encodes the view's key. Returns the size in bytes of its partition key or of its clustering, whichever is greater.
  Result<size_t> Encode(std::vector<Bytes> key, DerivedRow& derived) const {
    const auto first_of_clustering = key.begin() + view_->partition_key_size;
    const std::vector<Bytes> clustering(std::make_move_iterator(first_of_clustering),
                                        std::make_move_iterator(key.end()));
    key.erase(first_of_clustering, key.end());
    WR_RETURN_IF_ERROR(JoinKey(*view_, key, derived.partition_key));
    derived.clustering = EncodeClustering(*view_, clustering);
    size_t clustering_bytes = 0;
    for (uint32_t i = 0; i < clustering.size(); ++i) {
      clustering_bytes += clustering[i].size();
      if (!KeepsBytes(*view_->clustering(i).type)) derived.kept_clustering.emplace_back(i, clustering[i]);
    }
    return std::max(derived.partition_key.size(), clustering_bytes);
  }

  const TablePtr base_, view_;
  const uint32_t key_size_;
  ViewWhere where_;
  std::optional<Error> unusable_;  // Set if WHERE can no longer be planned.
};

}  // namespace

DerivationPtr MakeViewDerivation(const TablePtr& base, const TablePtr& view, const SchemaSnapshot& schema) {
  return std::make_shared<const ViewDerivation>(base, view, schema);
}

ViewKeys::ViewKeys(const TableSchema& base, const TableSchema& view) : base_(base), view_(view) {
  const uint32_t key_size = view.partition_key_size + view.clustering_size;
  for (uint32_t i = 0; i < key_size; ++i) {
    const ColumnSchema& of_base = *base.FindId(view.columns[i].id);
    switch (of_base.kind) {
      case ColumnKind::kPartitionKey: places_.push_back({Part::kPartitionKey, of_base.position}); break;
      case ColumnKind::kClustering: places_.push_back({Part::kClustering, of_base.position}); break;
      case ColumnKind::kStatic:
      case ColumnKind::kRegular:
        places_.push_back({Part::kAdded, 0});
        added_ = static_cast<uint32_t>(&of_base - base.columns.data());
        break;
    }
  }
}

Status ViewKeys::BaseKeyOf(const RowView& entry, BaseKey& key) const {
  std::vector<Bytes> values, clustering;
  WR_RETURN_IF_ERROR(SplitKey(view_, entry.partition_key, values));
  WR_RETURN_IF_ERROR(SplitClustering(view_, entry.clustering, entry.kept_clustering, clustering));
  std::move(clustering.begin(), clustering.end(), std::back_inserter(values));
  std::vector<Bytes> of_partition(base_.partition_key_size), of_row(base_.clustering_size);
  for (size_t i = 0; i < places_.size(); ++i) {
    switch (places_[i].part) {
      case Part::kPartitionKey: of_partition[places_[i].position] = std::move(values[i]); break;
      case Part::kClustering: of_row[places_[i].position] = std::move(values[i]); break;
      case Part::kAdded: key.added = std::move(values[i]); break;
    }
  }
  key.partition_key.clear();
  WR_RETURN_IF_ERROR(JoinKey(base_, of_partition, key.partition_key));
  key.clustering = EncodeClustering(base_, of_row);
  return OkStatus();
}

}  // namespace widerow
