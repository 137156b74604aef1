#include "exec/rows/scanned_row.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "planner/access/partition_key.h"
#include "planner/generated/generated_columns.h"
#include "planner/walk.h"
#include "storage/large_object.h"
#include "types/compare.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {

RowLayout::RowLayout(const TableSchema& table) : table_(table), column_of_id_(table.next_column_id, -1) {
  places_.reserve(table.columns.size());
  for (const ColumnSchema& column : table.columns) {
    column_of_id_[column.id] = static_cast<int32_t>(places_.size());
    places_.push_back({.id = column.id,
                       .single_cell = !column.is_key() && !column.type->is_multi_cell() && !column.is_generated(),
                       .is_static = column.kind == ColumnKind::kStatic});
  }
}

RowLayout::RowLayout(const SelectPlan& plan) : RowLayout(*plan.table) {
  for (Place& place : places_) place.asked = false;
  const auto ask = [&](uint32_t column) { places_[column].asked = true; };
  for (const OutputColumn& column : plan.output) VisitColumns(column.expression, ask);
  for (const Expression& value : plan.group_values) VisitColumns(value, ask);
  for (const Predicate& predicate : plan.filter) VisitColumns(predicate, ask);
  bool only_keys = true;
  for (size_t i = 0; i < places_.size(); ++i)
    only_keys = only_keys && (!places_[i].asked || table_.columns[i].is_key());
  for (Place& place : places_) place.asked = place.asked || only_keys;
}

Error DamagedCells() { return ServerError("Damaged row in the data file: its values are not whole"); }

void StaticRow::Assign(const RowView& row) {
  view_ = row;
  view_.ExpandUniform();
  size_t bytes = row.partition_key.size();
  for (const CellView& cell : view_.cells) bytes += cell.path.size() + cell.value.size();
  storage_.clear();
  storage_.reserve(bytes);  // Appending below moves nothing, so views into it stay valid.
  const auto keep = [&](ByteView view) {
    const size_t at = storage_.size();
    storage_.append(view);
    return ByteView(storage_).substr(at, view.size());
  };
  view_.clustering = {};
  view_.kept_clustering.clear();
  view_.partition_key = keep(row.partition_key);
  for (CellView& cell : view_.cells) {
    cell.path = keep(cell.path);
    cell.value = keep(cell.value);
  }
  present_ = true;
}

void StaticRow::Clear() { present_ = false; }

ScannedRow::ScannedRow(const RowLayout& layout, int64_t now_seconds) : layout_(layout), now_seconds_(now_seconds) {}

void ScannedRow::IndexAllCells() {
  spans_.assign(layout_.table().columns.size(), CellSpan{});
  any_large_ = false;
  if (row_ != nullptr && !row_->uniform) IndexCells(*row_);
  if (statics_ != nullptr) IndexCells(*statics_);
}

void ScannedRow::IndexCells(const RowView& row) {
  for (uint32_t i = 0; i < row.cells.size();) {
    const ColumnId id = row.cells[i].column;
    any_large_ = any_large_ || row.cells[i].large;
    uint32_t end = i + 1;
    while (end < row.cells.size() && row.cells[end].column == id) ++end;
    const int32_t column = layout_.ColumnOf(id);
    if (column >= 0) spans_[static_cast<size_t>(column)] = {i, end};
    i = end;
  }
}

bool ScannedRow::AnyLive(const RowView& row) const {
  const auto counts = [&](ColumnId id, int64_t timestamp) {
    const int32_t column = layout_.ColumnOf(id);
    return column >= 0 && (timestamp >= row.marker.timestamp || layout_.place(static_cast<uint32_t>(column)).asked);
  };
  if (row.uniform) {
    if (!row.times.LiveAt(now_seconds_)) return false;
    UniformCells cells = row.packed;
    ColumnId id = 0;
    ByteView value;
    while (cells.Next(id, value)) {
      if (counts(id, row.times.timestamp)) return true;
    }
    return false;
  }
  return std::any_of(row.cells.begin(), row.cells.end(), [&](const CellView& cell) {
    return cell.LiveAt(now_seconds_) && counts(cell.column, cell.timestamp);
  });
}

bool ScannedRow::StaticsLive() const { return statics_ != nullptr && AnyLive(*statics_); }

Status ScannedRow::DecodePartitionKey() {
  partition_decoded_ = true;
  const TableSchema& table = layout_.table();
  bool whole = false;
  if (table.partitioning.by_token()) {
    whole = SplitPartitionKey(partition_key_, table.partition_key_size, partition_components_);
  } else {
    whole = SplitStoredKey(table, partition_key_, partition_values_);
    partition_components_.assign(partition_values_.begin(), partition_values_.end());
  }
  return whole ? OkStatus() : Status(DamagedKey(table, partition_key_));
}

Status ScannedRow::DecodeClustering() {
  clustering_decoded_ = true;
  const TableSchema& table = layout_.table();
  clustering_values_.resize(table.clustering_size);
  ByteView in = row_->clustering;
  for (uint32_t i = 0; i < table.clustering_size; ++i) {
    const ColumnSchema& column = table.clustering(i);
    WR_RETURN_IF_ERROR(TakeComparableInto(*column.type, column.descending, in, clustering_values_[i]));
  }
  for (const auto& [position, bytes] : row_->kept_clustering) clustering_values_[position].assign(bytes);
  return OkStatus();
}

const Bytes* ScannedRow::FindMade(uint32_t column) const {
  return column < made_.size() && made_[column].row_number == row_number_ ? &made_[column].bytes : nullptr;
}

ValueView ScannedRow::Keep(uint32_t column, Bytes bytes) {
  made_.resize(layout_.table().columns.size());
  made_[column] = {std::move(bytes), row_number_};
  return ByteView(made_[column].bytes);
}

ValueView ScannedRow::Assemble(uint32_t column, const ColumnSchema& schema, const CellView* begin,
                               const CellView* end) {
  const Type& type = *schema.type;
  std::vector<ValueView> elements;
  if (type.kind == TypeKind::kUdt) {
    elements.assign(type.arguments.size(), std::nullopt);
    bool any = false;
    for (const CellView* cell = begin; cell != end; ++cell) {
      if (!cell->LiveAt(now_seconds_) || cell->path.size() != 2) continue;
      const auto field = ReadBigEndian<uint16_t>(cell->path.data());
      if (field >= elements.size()) continue;
      elements[field] = cell->value;
      any = true;
    }
    if (!any) return std::nullopt;
    return Keep(column, JoinTuple(elements));
  }
  for (const CellView* cell = begin; cell != end; ++cell) {
    if (!cell->LiveAt(now_seconds_)) continue;
    if (type.kind != TypeKind::kList) elements.emplace_back(cell->path);
    if (type.kind != TypeKind::kSet) elements.emplace_back(cell->value);
  }
  if (elements.empty()) return std::nullopt;
  SortCollection(type, elements);  // Stored in the order of paths, shown in the type's order.
  return Keep(column, JoinCollection(type, elements));
}

Result<ValueView> ScannedRow::Column(uint32_t column) {
  const TableSchema& table = layout_.table();
  const ColumnSchema& schema = table.columns[column];
  switch (schema.kind) {
    case ColumnKind::kPartitionKey:
      if (table.partition_key_size == 1 && table.partitioning.by_token()) return ValueView(partition_key_);
      if (!partition_decoded_) WR_RETURN_IF_ERROR(DecodePartitionKey());
      return ValueView(partition_components_[schema.position]);
    case ColumnKind::kClustering:
      if (row_ == nullptr) return ValueView();
      if (!clustering_decoded_) WR_RETURN_IF_ERROR(DecodeClustering());
      return ValueView(clustering_values_[schema.position]);
    case ColumnKind::kStatic:
    case ColumnKind::kRegular: break;
  }
  if (IsSingleCell(column)) {
    const ValueView value = SingleCell(column);
    if (damaged_) return DamagedCells();
    if (any_large_ && value) [[unlikely]]
      return ReadLarge(column);
    return value;
  }
  if (const Bytes* const made = FindMade(column); made != nullptr) return ValueView(*made);
  if (schema.is_generated()) return Derive(column);
  const RowView* row = schema.kind == ColumnKind::kStatic ? statics_ : row_;
  if (row == nullptr || row->uniform) return ValueView();
  const CellSpan span = spans_[column];
  if (span.begin == span.end) return ValueView();
  return Assemble(column, schema, row->cells.data() + span.begin, row->cells.data() + span.end);
}

// Computes a generated column that is not part of the key. Such a column is not stored.
Result<ValueView> ScannedRow::Derive(uint32_t column) {
  const TableSchema& table = layout_.table();
  const GeneratedColumn* generated = table.generated == nullptr ? nullptr : table.generated->Of(column);
  if (generated == nullptr || row_ == nullptr) return ValueView();
  EvaluationContext context;
  context.row = this;
  WR_ASSIGN_OR_RETURN(Value value, Evaluate(generated->expression, context));
  if (!value) return ValueView();
  return Keep(column, std::move(*value));
}

ByteView ScannedRow::UniformValue(const RowView& row, ColumnId id) {
  if (&row != row_) return row.packed.Find(id);  // A search is enough: few columns of a static row are read.
  if (!uniform_decoded_) {
    uniform_decoded_ = true;
    UniformCells cells = row.packed;
    ColumnId column = 0;
    ByteView value;
    uniform_values_.assign(layout_.table().next_column_id, ByteView());
    while (cells.Next(column, value)) {
      if (column < uniform_values_.size()) uniform_values_[column] = value;
    }
    damaged_ = !cells.done();
  }
  return uniform_values_[id];
}

ValueView ScannedRow::SingleCell(uint32_t column) {
  const RowLayout::Place& place = layout_.place(column);
  const RowView* row = place.is_static ? statics_ : row_;
  if (row == nullptr) return std::nullopt;
  if (row->uniform) {
    const ByteView value = row->times.LiveAt(now_seconds_) ? UniformValue(*row, place.id) : ByteView();
    return value.data() != nullptr ? ValueView(value) : std::nullopt;
  }
  const CellSpan span = spans_[column];
  if (span.begin == span.end) return std::nullopt;
  const CellView& cell = row->cells[span.begin];
  return cell.LiveAt(now_seconds_) ? ValueView(cell.value) : std::nullopt;
}

Result<ValueView> ScannedRow::ReadLarge(uint32_t column) {
  const RowLayout::Place& place = layout_.place(column);
  if (place.is_static || row_->uniform || !row_->cells[spans_[column].begin].large) return SingleCell(column);
  if (const Bytes* const made = FindMade(column); made != nullptr) return ValueView(*made);
  const CellView& cell = row_->cells[spans_[column].begin];
  if (const uint64_t bytes = ValueBytes(cell); bytes > limits::kPageBytesMax) {
    const TableSchema& table = layout_.table();
    const std::string& name = table.columns[column].name;
    return InvalidError(StrCat("The value of column ", name, " has ", bytes, " bytes, and a result has at most ",
                               limits::kPageBytesMax),
                        StrCat("read it over HTTP, GET /v1/blob/", table.keyspace, "/", table.name, "/", name,
                               "?key=[…], or with the C++ class BlobReader"));
  }
  if (ask_for_room_) {
    size_t bytes = ValueBytes(cell);
    for (const Made& made : made_) bytes += made.row_number == row_number_ ? made.bytes.size() : 0;
    WR_RETURN_IF_ERROR(ask_for_room_(bytes));
  }
  WR_ASSIGN_OR_RETURN(Bytes whole, row_->large_values->ReadWhole(row_->large_prefix, cell.value));
  return Keep(column, std::move(whole));
}

size_t FieldOf(ByteView path) { return path.size() == 2 ? ReadBigEndian<uint16_t>(path.data()) : SIZE_MAX; }

// True if the cell at `path` of a collection or UDT belongs to `part`.
bool IsOfPart(const Type& type, ByteView path, const CellPart& part) {
  switch (part.part) {
    case CellTimeExpression::Part::kWhole: return true;
    case CellTimeExpression::Part::kElement: return Compare(*type.arguments[0], path, *part.from) == 0;
    case CellTimeExpression::Part::kSlice:
      return (!part.from || Compare(*type.arguments[0], path, *part.from) >= 0) &&
             (!part.to || Compare(*type.arguments[0], path, *part.to) <= 0);
    case CellTimeExpression::Part::kField: return FieldOf(path) == part.field;
  }
  return false;
}

Result<Value> ScannedRow::UniformTime(CellTimeExpression::Kind kind, ColumnId id, const RowView& row) {
  const Liveness& times = row.times;
  if (UniformValue(row, id).data() == nullptr || !times.LiveAt(now_seconds_)) return Value();
  if (kind != CellTimeExpression::Kind::kTtl) return Value(EncodeInteger(TypeKind::kBigint, times.timestamp));
  return times.ttl == 0 ? Value() : Value(EncodeInteger(TypeKind::kInt, times.expires_at - now_seconds_));
}

Result<Value> ScannedRow::CellTime(CellTimeExpression::Kind kind, uint32_t column, const CellPart& part) {
  const ColumnSchema& schema = layout_.table().columns[column];
  const RowView* row = schema.kind == ColumnKind::kStatic ? statics_ : row_;
  if (row == nullptr) return Value();
  if (row->uniform) return UniformTime(kind, schema.id, *row);
  const CellSpan span = spans_[column];
  const bool one_cell =
      part.part == CellTimeExpression::Part::kElement || part.part == CellTimeExpression::Part::kField;
  const bool list_of_times =
      schema.type->is_multi_cell() && !one_cell && kind != CellTimeExpression::Kind::kMaxWriteTime;
  const TypeKind number = kind == CellTimeExpression::Kind::kTtl ? TypeKind::kInt : TypeKind::kBigint;
  std::optional<int64_t> newest;
  std::vector<Value> times;
  // For a UDT, `times` has an entry for every field.
  const bool by_field = list_of_times && schema.type->kind == TypeKind::kUdt;
  bool any_field = false;
  if (by_field) times.resize(schema.type->arguments.size());
  for (uint32_t i = span.begin; i < span.end; ++i) {
    const CellView& cell = row->cells[i];
    if (!cell.LiveAt(now_seconds_) || !IsOfPart(*schema.type, cell.path, part)) continue;
    Value time;
    if (kind == CellTimeExpression::Kind::kTtl) {
      if (cell.ttl != 0) time = EncodeInteger(number, cell.expires_at - now_seconds_);
    } else {
      newest = std::max(newest.value_or(cell.timestamp), cell.timestamp);
      time = EncodeInteger(number, cell.timestamp);
    }
    if (!by_field) {
      times.push_back(std::move(time));
    } else if (const size_t field = FieldOf(cell.path); field < times.size()) {
      times[field] = std::move(time);
      any_field = true;
    }
  }
  if (times.empty() || (by_field && !any_field)) return Value();
  if (!list_of_times) {
    return kind == CellTimeExpression::Kind::kMaxWriteTime ? Value(EncodeInteger(number, *newest)) : times.front();
  }
  std::vector<ValueView> views;
  for (const Value& time : times) views.push_back(time ? ValueView(*time) : ValueView());
  return Value(JoinCollection(*ListType(ScalarType(number)), views));
}

int64_t ScannedRow::Token() { return TokenOfStoredKey(layout_.table(), partition_key_); }

}  // namespace widerow
