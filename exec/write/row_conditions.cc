#include "exec/write/row_conditions.h"

#include <algorithm>

#include "exec/meter/scan_meter.h"
#include "exec/rows/rows_writer.h"
#include "exec/rows/scanned_row.h"
#include "storage/arena.h"

namespace widerow {
namespace {

bool NamesSeveral(const KeyValues& values) { return values.is_in && (values.list_valued || values.values.size() != 1); }

// True for IN with a bound list, and for IN with any other number of values than one. As in Cassandra, IN with one
// written value is the same as =.
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

size_t BytesOf(const BoundCondition& bound) {
  size_t bytes = sizeof bound + (bound.element.has_value() ? bound.element->size() : 0);
  for (const Value& value : bound.values) bytes += sizeof value + (value.has_value() ? value->size() : 0);
  return bytes;
}

ResultColumn AppliedColumn(const TableSchema& table) {
  return {table.keyspace, table.name, "[applied]", ScalarType(TypeKind::kBoolean)};
}

Status AppendValue(ValueView value, RowsWriter& out) {
  WR_RETURN_IF_ERROR(out.MakeRoomForValue(value.value_or(ByteView()).size()));
  out.Append(value);
  return OkStatus();
}

ScannedRow::AskForRoom RoomOf(const AnswerLimits& limits) {
  if (limits.room == nullptr) return nullptr;
  return [room = limits.room](size_t bytes) { return room->GrowWhole(bytes); };
}

// Returns [applied] = false and all columns of the row.
Result<RowsPage> ShowHolder(ReadView& view, const RowPlace& holder, int64_t now_seconds, const AnswerLimits& limits) {
  const TableSchema& table = *holder.table;
  RowView statics, regular;
  bool has_statics = false, has_row = false;
  if (table.has_statics()) {
    WR_ASSIGN_OR_RETURN(has_statics, view.GetStaticRow(table, holder.partition_key, statics));
  }
  if (!holder.is_static) {
    WR_ASSIGN_OR_RETURN(has_row, view.GetRow(table, holder.partition_key, holder.clustering, regular));
  }
  const RowLayout layout(table);
  ScannedRow row(layout, now_seconds);
  row.SetRoom(RoomOf(limits));
  row.Reset(holder.partition_key, has_row ? &regular : nullptr, has_statics ? &statics : nullptr);
  auto columns = std::make_shared<ResultColumns>();
  columns->push_back(AppliedColumn(table));
  RowsWriter out;
  out.SetLimits(limits);
  out.Append(ByteView("\0", 1));
  for (uint32_t i = 0; i < table.columns.size(); ++i) {
    columns->push_back({table.keyspace, table.name, table.columns[i].name, table.columns[i].type});
    WR_ASSIGN_OR_RETURN(const ValueView value, row.Column(i));
    WR_RETURN_IF_ERROR(AppendValue(value, out));
  }
  out.EndRow();
  return std::move(out).Finish(std::move(columns));
}

}  // namespace

Status RowConditions::AddStatement(const ModifyPlan& plan, const std::vector<Bytes>& partition_keys) {
  for (const KeyValues& values : plan.partition_key) {
    if (NamesSeveral(values)) return NotSupported("partition key", plan);
  }
  WR_CHECK(partition_keys.size() == 1);
  if (table_ == nullptr) {
    table_ = plan.table;
    partition_key_ = partition_keys[0];
  } else if (partition_keys[0] != partition_key_) {
    return InvalidAt(plan.partition_key[0].values[0].range, "Batch with conditions cannot span multiple partitions",
                     "send one batch a partition");
  }
  if (NamesSeveral(plan.clustering)) return NotSupported("clustering key columns", plan);
  read_.resize(table_->columns.size(), false);
  if (plan.names_rows()) Read(ColumnKind::kRegular);
  if (plan.condition != RowCondition::kNone && plan.sets_statics()) Read(ColumnKind::kStatic);
  return OkStatus();
}

void RowConditions::Read(ColumnKind kind) {
  for (uint32_t i = 0; i < read_.size(); ++i) read_[i] = read_[i] || table_->columns[i].kind == kind;
}

// Returns `asked`, the conditions collected so far for one row, so that the caller can add those of `plan`. Fails if
// the conditions of `plan` are of another kind.
Result<RowConditions::Asked*> RowConditions::Join(const ModifyPlan& plan, std::optional<Asked>& asked) {
  if (!asked) asked = Asked{.kind = plan.condition, .columns = {}};
  if (asked->kind == plan.condition) return &*asked;
  const bool of_columns = asked->kind == RowCondition::kColumns || plan.condition == RowCondition::kColumns;
  // As in Cassandra, the message says "NOT EXISTS" for every later condition that is not IF EXISTS.
  const char* exists = plan.condition == RowCondition::kExists ? "EXISTS" : "NOT EXISTS";
  return InvalidAt(plan.partition_key[0].values[0].range,
                   of_columns ? std::string("Cannot mix IF conditions and IF ") + exists + " for the same row"
                              : "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row");
}

Status RowConditions::AddCondition(const ModifyPlan& plan, const Bytes& clustering, const EvaluationContext& context) {
  Show(plan);
  held_bytes_ += sizeof(Asked) + clustering.size();
  if (plan.condition == RowCondition::kColumns) return AddColumns(plan, clustering, context);
  Result<Asked*> joined = Join(plan, plan.names_rows() ? rows_[clustering] : static_row_);
  return joined.ok() ? OkStatus() : Status(joined.error());
}

Status RowConditions::AddColumns(const ModifyPlan& plan, const Bytes& clustering, const EvaluationContext& context) {
  for (const ColumnCondition& condition : plan.conditions) {
    const bool is_static = table_->columns[condition.column].kind == ColumnKind::kStatic;
    WR_ASSIGN_OR_RETURN(Asked* const asked, Join(plan, is_static ? static_row_ : rows_[clustering]));
    WR_ASSIGN_OR_RETURN(asked->columns.emplace_back(), BindCondition(condition, *table_, context));
    held_bytes_ += BytesOf(asked->columns.back());
    read_[condition.column] = true;
  }
  return OkStatus();
}

void RowConditions::Show(const ModifyPlan& plan) {
  shows_all_ = shows_all_ || plan.condition != RowCondition::kColumns;
  const auto add = [&](uint32_t column) {
    if (std::find(shown_.begin(), shown_.end(), column) == shown_.end()) shown_.push_back(column);
  };
  for (uint32_t i = 0; batch_ && i < table_->partition_key_size + table_->clustering_size; ++i) add(i);
  for (const ColumnKind kind : {ColumnKind::kRegular, ColumnKind::kStatic}) {
    for (const ColumnCondition& condition : plan.conditions) {
      if (table_->columns[condition.column].kind == kind) add(condition.column);
    }
  }
}

// Reads the rows of the conditions and checks them.
class RowConditions::Found {
 public:
  Found(const RowConditions& conditions, ReadView& view)
      : conditions_(conditions), view_(view), layout_(*conditions.table_), row_(layout_, conditions.now_seconds_) {
    row_.SetRoom(RoomOf(conditions.limits_));
  }

  Result<bool> Read() {
    bool hold = true;
    const TableSchema& table = *conditions_.table_;
    if (ReadsAny(ColumnKind::kStatic)) {
      WR_ASSIGN_OR_RETURN(const bool found, view_.GetStaticRow(table, conditions_.partition_key_, static_row_));
      if (found) statics_ = &static_row_;
    }
    if (conditions_.static_row_) {
      row_.Reset(conditions_.partition_key_, nullptr, statics_);
      WR_ASSIGN_OR_RETURN(hold, HoldsOn(*conditions_.static_row_, row_.StaticsLive()));
    }
    for (const auto& [clustering, asked] : conditions_.rows_) {
      RowView row;
      WR_ASSIGN_OR_RETURN(const bool found, ReadRow(clustering, row));
      row_.Reset(conditions_.partition_key_, found ? &row : nullptr, nullptr);
      const bool live = row_.RowLive();
      WR_ASSIGN_OR_RETURN(const bool holds, HoldsOn(*asked, live));
      hold = hold && holds;
      if (!live) continue;
      found_.push_back({.clustering = clustering, .row = {}});
      if (!keeps_rows()) continue;
      kept_bytes_ += BytesOf(row);
      found_.back().row = std::move(row);
    }
    return hold;
  }

  Result<RowsPage> Answer() {
    const TableSchema& table = *conditions_.table_;
    if (conditions_.shows_all_) {
      for (uint32_t i = 0; i < table.columns.size(); ++i) shown_.push_back(i);
    } else {
      shown_ = conditions_.shown_;
    }
    auto columns = std::make_shared<ResultColumns>();
    columns->push_back(AppliedColumn(table));
    for (const uint32_t i : shown_) {
      columns->push_back({table.keyspace, table.name, table.columns[i].name, table.columns[i].type});
    }
    RowsWriter out;
    out.SetLimits(conditions_.limits_);
    for (const FoundRow& found : found_) {
      if (found.row) {
        WR_RETURN_IF_ERROR(Append(&*found.row, out));
        continue;
      }
      RowView row;
      WR_ASSIGN_OR_RETURN(const bool still_there, ReadRow(found.clustering, row));
      WR_CHECK(still_there);
      WR_RETURN_IF_ERROR(Append(&row, out));
    }
    if (conditions_.rows_.empty()) WR_RETURN_IF_ERROR(AppendFirstOfPartition(out));
    if (out.rows() == 0) {
      WR_ASSIGN_OR_RETURN(const bool statics_live, AnyReadStaticLive());
      if (statics_live) WR_RETURN_IF_ERROR(Append(nullptr, out));
    }
    if (out.rows() == 0) {
      columns->resize(1);
      out.Append(ByteView("\0", 1));
      out.EndRow();
    }
    return std::move(out).Finish(std::move(columns));
  }

 private:
  // The rows that are read are kept for the answer until they have this size together. Later rows are read a second
  // time for the answer.
  static constexpr size_t kKeptBytesMax = 1u << 20;
  // The search for the first live row of the partition ends after this number of rows, because other writes wait.
  static constexpr size_t kRowsSearchedMax = 10'000;

  // A live row of a condition.
  struct FoundRow {
    ByteView clustering;
    std::optional<RowView> row;  // Set if it is kept.
  };

  bool keeps_rows() const { return kept_bytes_ < kKeptBytesMax; }
  // Reads a row of a condition. If keeps_rows() is true at the call, the row stays valid; otherwise it is valid until
  // the next call.
  Result<bool> ReadRow(ByteView clustering, RowView& row) {
    if (keeps_rows()) return view_.GetRowInto(room_, *conditions_.table_, conditions_.partition_key_, clustering, row);
    room_of_row_.Clear();
    return view_.GetRowInto(room_of_row_, *conditions_.table_, conditions_.partition_key_, clustering, row);
  }
  bool ReadsAny(ColumnKind kind) const {
    const std::vector<ColumnSchema>& columns = conditions_.table_->columns;
    for (uint32_t i = 0; i < columns.size(); ++i) {
      if (conditions_.read_[i] && columns[i].kind == kind) return true;
    }
    return false;
  }

  // True if the conditions hold on the row in row_.
  Result<bool> HoldsOn(const Asked& asked, bool live) {
    if (asked.kind != RowCondition::kColumns) return live == (asked.kind == RowCondition::kExists);
    for (const BoundCondition& condition : asked.columns) {
      WR_ASSIGN_OR_RETURN(const bool holds, Holds(condition, *conditions_.table_, row_));
      if (!holds) return false;
    }
    return true;
  }

  Result<bool> AnyReadStaticLive() {
    row_.Reset(conditions_.partition_key_, nullptr, statics_);
    if (!row_.StaticsLive()) return false;
    const std::vector<ColumnSchema>& columns = conditions_.table_->columns;
    for (uint32_t i = 0; i < columns.size(); ++i) {
      if (!conditions_.read_[i] || columns[i].kind != ColumnKind::kStatic) continue;
      WR_ASSIGN_OR_RETURN(const ValueView value, row_.Column(i));
      if (value) return true;
    }
    return false;
  }

  // Appends the first live row of the partition. Cassandra shows this row if conditions are on the static row alone. If
  // no regular column is read, a row is live only if its marker is live. Appends nothing if the search takes too long.
  Status AppendFirstOfPartition(RowsWriter& out) {
    Slice slice;
    slice.table = conditions_.table_;
    slice.partitions = Slice::OnePartition{conditions_.partition_key_};
    slice.shows_dead = true;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(slice));
    const bool reads_regulars = ReadsAny(ColumnKind::kRegular);
    RowView row;
    for (size_t searched = 0; searched < kRowsSearchedMax;) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) return OkStatus();
      searched += row.empty() ? Slice::kDeadRowsStep : 1;
      row_.Reset(conditions_.partition_key_, &row, statics_);
      if (reads_regulars ? row_.RowLive() : row.marker.LiveAt(conditions_.now_seconds_)) return Append(&row, out);
    }
    return OkStatus();
  }

  Status Append(const RowView* row, RowsWriter& out) {
    row_.Reset(conditions_.partition_key_, row, statics_);
    out.Append(ByteView("\0", 1));
    for (const uint32_t i : shown_) {
      ValueView value;
      if (conditions_.table_->columns[i].is_key() || conditions_.read_[i]) {
        WR_ASSIGN_OR_RETURN(value, row_.Column(i));
      }
      WR_RETURN_IF_ERROR(AppendValue(value, out));
    }
    out.EndRow();
    return OkStatus();
  }

  const RowConditions& conditions_;
  ReadView& view_;
  const RowLayout layout_;
  ScannedRow row_;
  RowView static_row_;
  const RowView* statics_ = nullptr;  // Null if there is no static row, or if none of its columns is read.
  Arena room_, room_of_row_;          // Own the bytes of the kept rows, and of the last row that is not kept.
  std::vector<FoundRow> found_;
  size_t kept_bytes_ = 0;
  std::vector<uint32_t> shown_;
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
  if (static_row_) { WR_ASSIGN_OR_RETURN(newest, view.NewestTimestamp(*table_, partition_key_, true, {})); }
  for (const auto& [clustering, asked] : rows_) {
    WR_ASSIGN_OR_RETURN(const int64_t of_row, view.NewestTimestamp(*table_, partition_key_, false, clustering));
    newest = std::max(newest, of_row);
  }
  return newest;
}

ConflictStep AnswerConflicts(std::shared_ptr<RowsPage> answer, int64_t now_seconds, const AnswerLimits& limits) {
  return [answer = std::move(answer), now_seconds, limits](ReadView& view, const RowPlace& holder) -> Status {
    WR_ASSIGN_OR_RETURN(*answer, ShowHolder(view, holder, now_seconds, limits));
    return OkStatus();
  };
}

}  // namespace widerow
