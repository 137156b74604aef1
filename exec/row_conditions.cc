#include "exec/row_conditions.h"

#include <algorithm>

#include "exec/rows_writer.h"
#include "exec/scanned_row.h"

namespace widerow {
namespace {

bool NamesSeveral(const KeyValues& values) {
  return values.is_in && (values.list_valued || values.values.size() != 1);
}

// IN of one value is as good as =, as in Cassandra.
bool NamesSeveral(const ClusteringSelection& selection) {
  return std::any_of(selection.prefix.begin(), selection.prefix.end(), [](const auto& part) {
    if (const auto* single = std::get_if<KeyValues>(&part)) return NamesSeveral(*single);
    const auto& tuples = std::get<ClusteringTuplesIn>(part);
    return tuples.list_valued || tuples.tuples.size() != 1;
  });
}

Error NotSupported(const char* where, const ModifyPlan& plan) {
  const char* what = plan.kind == ModifyPlan::Kind::kDelete ? "deletions" : "updates";
  return InvalidError(std::string("IN on the ") + where + " is not supported with conditional " + what,
                      "write one statement a key; a batch of them over one partition is atomic");
}

ResultColumn AppliedColumn(const TableSchema& table) {
  return {table.keyspace, table.name, "[applied]", ScalarType(TypeKind::kBoolean)};
}

}  // namespace

Status RowConditions::AddStatement(const ModifyPlan& plan, const std::vector<Bytes>& partition_keys) {
  for (const KeyValues& values : plan.partition_key) {
    if (NamesSeveral(values)) return NotSupported("partition key", plan);
  }
  if (NamesSeveral(plan.clustering)) return NotSupported("clustering key columns", plan);
  WR_CHECK(partition_keys.size() == 1);
  if (table_ == nullptr) {
    table_ = plan.table;
    partition_key_ = partition_keys[0];
  } else if (partition_keys[0] != partition_key_) {
    return InvalidAt(plan.partition_key[0].values[0].range, "Batch with conditions cannot span multiple partitions",
                     "send one batch a partition");
  }
  reads_regulars_ = reads_regulars_ || plan.names_rows();
  reads_statics_ = reads_statics_ || (plan.condition != RowCondition::kNone && plan.sets_statics());
  return OkStatus();
}

Status RowConditions::Add(const ModifyPlan& plan, RowCondition known) {
  if (plan.condition == known) return OkStatus();
  return InvalidAt(plan.partition_key[0].values[0].range,
                   "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row");
}

Status RowConditions::AddStatic(const ModifyPlan& plan) {
  if (!static_row_) static_row_ = plan.condition;
  return Add(plan, *static_row_);
}

// What is there now of the rows that the conditions name.
class RowConditions::Found {
 public:
  Found(const RowConditions& conditions, ReadView& view)
      : conditions_(conditions), view_(view), layout_(*conditions.table_), row_(layout_, conditions.now_seconds_) {}

  Result<bool> Read() {
    bool hold = true;
    const TableSchema& table = *conditions_.table_;
    if (conditions_.reads_statics_) {
      WR_ASSIGN_OR_RETURN(const bool found, view_.GetStaticRow(table, conditions_.partition_key_, static_row_));
      if (found) statics_ = &static_row_;
    }
    if (conditions_.static_row_) {
      row_.Reset(conditions_.partition_key_, nullptr, statics_);
      hold = row_.StaticsLive() == (*conditions_.static_row_ == RowCondition::kExists);
    }
    for (const auto& [clustering, condition] : conditions_.rows_) {
      RowView row;
      WR_ASSIGN_OR_RETURN(const bool found, view_.GetRow(table, conditions_.partition_key_, clustering, row));
      row_.Reset(conditions_.partition_key_, found ? &row : nullptr, nullptr);
      const bool live = row_.RowLive();
      if (live) rows_.push_back(std::move(row));
      hold = hold && live == (condition == RowCondition::kExists);
    }
    return hold;
  }

  Result<RowsPage> Answer() {
    auto columns = std::make_shared<ResultColumns>();
    const TableSchema& table = *conditions_.table_;
    columns->push_back(AppliedColumn(table));
    for (const ColumnSchema& column : table.columns) {
      columns->push_back({table.keyspace, table.name, column.name, column.type});
    }
    RowsWriter out;
    for (const RowView& row : rows_) WR_RETURN_IF_ERROR(Append(&row, out));
    if (conditions_.rows_.empty()) WR_RETURN_IF_ERROR(AppendFirstOfPartition(out));
    row_.Reset(conditions_.partition_key_, nullptr, statics_);
    if (out.rows() == 0 && row_.StaticsLive()) WR_RETURN_IF_ERROR(Append(nullptr, out));
    if (out.rows() == 0) {
      columns->resize(1);
      out.Append(ByteView("\0", 1));
      out.EndRow();
    }
    return std::move(out).Finish(std::move(columns));
  }

 private:
  // With conditions on the static row alone Cassandra shows the first row of the partition beside it: the first that has
  // anything in the columns that are read.
  Status AppendFirstOfPartition(RowsWriter& out) {
    Slice slice;
    slice.table = conditions_.table_;
    slice.partitions = Slice::OnePartition{conditions_.partition_key_};
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(slice));
    RowView row;
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) return OkStatus();
      row_.Reset(conditions_.partition_key_, &row, statics_);
      if (conditions_.reads_regulars_ ? row_.RowLive() : row.marker.LiveAt(conditions_.now_seconds_)) {
        return Append(&row, out);
      }
    }
  }

  Status Append(const RowView* row, RowsWriter& out) {
    row_.Reset(conditions_.partition_key_, row, statics_);
    out.Append(ByteView("\0", 1));
    const std::vector<ColumnSchema>& columns = conditions_.table_->columns;
    for (uint32_t i = 0; i < columns.size(); ++i) {
      ValueView value;
      if (columns[i].kind != ColumnKind::kRegular || conditions_.reads_regulars_) {
        WR_ASSIGN_OR_RETURN(value, row_.Column(i));
      }
      out.Append(value);
    }
    out.EndRow();
    return OkStatus();
  }

  const RowConditions& conditions_;
  ReadView& view_;
  const RowLayout layout_;
  ScannedRow row_;
  RowView static_row_;
  const RowView* statics_ = nullptr;  // Null also if the conditions do not read it.
  std::vector<RowView> rows_;
};

Result<bool> RowConditions::Hold(ReadView& view, RowsPage& answer) const {
  Found found(*this, view);
  WR_ASSIGN_OR_RETURN(const bool hold, found.Read());
  if (!hold) {
    WR_ASSIGN_OR_RETURN(answer, found.Answer());
    return false;
  }
  RowsWriter out;
  out.Append(ByteView("\1", 1));
  out.EndRow();
  answer = std::move(out).Finish(std::make_shared<const ResultColumns>(ResultColumns{AppliedColumn(*table_)}));
  return true;
}

Result<int64_t> RowConditions::NewestTimestamp(ReadView& view) const {
  int64_t newest = kNoTimestamp;
  if (static_row_) {
    WR_ASSIGN_OR_RETURN(newest, view.NewestTimestamp(*table_, partition_key_, true, {}));
  }
  for (const auto& [clustering, condition] : rows_) {
    WR_ASSIGN_OR_RETURN(const int64_t of_row, view.NewestTimestamp(*table_, partition_key_, false, clustering));
    newest = std::max(newest, of_row);
  }
  return newest;
}

}  // namespace widerow
