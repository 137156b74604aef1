#include "exec/write/cell_operations.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "exec/write/decided_write.h"
#include "exec/write/list_path.h"
#include "planner/functions/number_operation.h"
#include "types/compare.h"
#include "types/value_bytes.h"

namespace widerow {

using Kind = CellOperation::Kind;

void CellTimes::AddLive(ColumnId column, Bytes path, ByteView value, RowFragment& row) const {
  Cell& cell = row.cells.emplace_back();
  cell.column = column;
  cell.path = std::move(path);
  cell.timestamp = timestamp;
  cell.ttl = ttl;
  cell.expires_at = ttl == 0 ? 0 : now_seconds + ttl;
  cell.value = value;
}

void CellTimes::AddTombstone(ColumnId column, Bytes path, RowFragment& row) const {
  Cell& cell = row.cells.emplace_back();
  cell.column = column;
  cell.path = std::move(path);
  cell.timestamp = timestamp;
  cell.expires_at = now_seconds;
  cell.tombstone = true;
}

bool BoundOperation::reads() const {
  if (operation->kind == Kind::kAdd) return !unset;
  return reads_list();
}

bool BoundOperation::reads_list() const {
  if (column->type->kind != TypeKind::kList || column->type->frozen) return false;
  // With an unset value, SET l[i] = ? writes nothing, but the list is read to check the index.
  if (unset) return operation->kind == Kind::kSetElement;
  return operation->kind == Kind::kSetElement || operation->kind == Kind::kDeleteElement ||
         operation->kind == Kind::kRemove;
}

namespace {

bool TakesValue(Kind kind) {
  switch (kind) {
    case Kind::kAssign:
    case Kind::kAppend:
    case Kind::kPrepend:
    case Kind::kRemove:
    case Kind::kSetElement:
    case Kind::kSetField:
    case Kind::kIncrement:
    case Kind::kDecrement:
    case Kind::kAdd: return true;
    case Kind::kDelete:
    case Kind::kDeleteElement:
    case Kind::kDeleteField: return false;
  }
  return false;
}

Status CheckPathSize(const Type& type, ByteView path) {
  if (path.size() <= limits::kKeyBytesMax) return OkStatus();
  const char* what = type.kind == TypeKind::kSet ? "Set" : "Map";
  return InvalidError(StrCat(what, type.kind == TypeKind::kSet ? " value" : " key", " is too long. ", what,
                             type.kind == TypeKind::kSet ? " values" : " keys", " are limited to 65535 bytes but ",
                             path.size(), " bytes value provided"));
}

Error IsNotNull(const ColumnSchema& column, const std::string& what, SourceRange range) {
  return InvalidAt(range, StrCat("Invalid ", what, " value for column ", column.name, ": it is NOT NULL"));
}

Status CheckBlobSize(const ColumnSchema& column, const Value& value) {
  if (!value || !column.type->bytes_max || value->size() <= *column.type->bytes_max) return OkStatus();
  return InvalidError(StrCat("Value of column ", column.name, " is ", value->size(), " bytes"),
                      "its type holds at most " + std::to_string(*column.type->bytes_max));
}

// Appends the elements of `value` as cells. List elements go to the end of the list, in order.
Status AppendElements(const ColumnSchema& column, const Bytes& value, const CellTimes& times, RowFragment& row) {
  const Type& type = *column.type;
  if (type.kind == TypeKind::kUdt) {
    WR_ASSIGN_OR_RETURN(auto fields, SplitTuple(type, value));
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!fields[i]) continue;
      Bytes path;
      AppendBigEndian(path, static_cast<uint16_t>(i));
      times.AddLive(column.id, std::move(path), *fields[i], row);
    }
    return OkStatus();
  }
  WR_ASSIGN_OR_RETURN(auto elements, SplitCollection(type, value));
  for (const ValueView& element : elements) {
    if (!element) return InvalidError("null is not supported inside collections");
  }
  const size_t step = type.kind == TypeKind::kMap ? 2 : 1;
  for (size_t i = 0; i + step <= elements.size(); i += step) {
    Bytes path = type.kind == TypeKind::kList ? NextAppendPath(times.now_micros) : Bytes(*elements[i]);
    if (type.kind != TypeKind::kList) WR_RETURN_IF_ERROR(CheckPathSize(type, path));
    times.AddLive(column.id, std::move(path), type.kind == TypeKind::kSet ? ByteView() : *elements[i + step - 1], row);
  }
  return OkStatus();
}

Status Prepend(const ColumnSchema& column, const Bytes& value, const CellTimes& times, RowFragment& row) {
  WR_ASSIGN_OR_RETURN(auto elements, SplitCollection(*column.type, value));
  if (elements.empty()) return OkStatus();
  const int64_t base = NextPrependBase(times.now_micros, elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i]) return InvalidError("null is not supported inside collections");
    times.AddLive(column.id, PrependPath(base, i), *elements[i], row);
  }
  return OkStatus();
}

// Removes keys of a map, or elements of a set. The operand is a set in both cases.
Status RemoveKeys(const ColumnSchema& column, const Bytes& value, const CellTimes& times, RowFragment& row) {
  const TypePtr keys = SetType(column.type->arguments[0]);
  WR_ASSIGN_OR_RETURN(auto elements, SplitCollection(*keys, value));
  for (const ValueView& element : elements) {
    if (element) times.AddTombstone(column.id, Bytes(*element), row);
  }
  return OkStatus();
}

// Appends the cell of a value, or a tombstone for null.
void AddCell(const BoundOperation& bound, Bytes path, const CellTimes& times, RowFragment& row) {
  if (bound.value) {
    times.AddLive(bound.column->id, std::move(path), *bound.value, row);
  } else {
    times.AddTombstone(bound.column->id, std::move(path), row);
  }
}

Status ApplyAssign(const BoundOperation& bound, const CellTimes& times, RowFragment& row) {
  const ColumnSchema& column = *bound.column;
  if (!column.type->is_multi_cell()) {
    AddCell(bound, {}, times, row);
    return OkStatus();
  }
  row.column_deletions.push_back({column.id, times.DeletionBefore()});
  if (!bound.value) return OkStatus();
  return AppendElements(column, *bound.value, times, row);
}

// Appends a cell with the increment; the decide step replaces it by the counter's value. Increments of one counter in
// one statement add up.
Status ApplyCount(const BoundOperation& bound, const CellTimes& times, RowFragment& row) {
  const SourceRange at = bound.operation->range;
  if (!bound.value || bound.value->size() != 8) return InvalidAt(at, "Invalid null value for counter increment");
  int64_t added = DecodeInteger(*bound.value);
  if (bound.operation->kind == Kind::kDecrement) {
    if (added == std::numeric_limits<int64_t>::min()) {
      return InvalidAt(at, "The negation of " + std::to_string(added) +
                               " overflows supported counter precision (signed 8 bytes integer)");
    }
    added = -added;
  }
  const auto before = std::find_if(row.cells.begin(), row.cells.end(), [&](const Cell& cell) {
    return cell.column == bound.column->id && !cell.tombstone;
  });
  if (before == row.cells.end()) {
    times.AddLive(bound.column->id, {}, EncodeInteger(TypeKind::kCounter, added), row);
  } else {
    before->value = EncodeInteger(TypeKind::kCounter, AddCounts(DecodeInteger(before->value), added));
  }
  return OkStatus();
}

// Adds to a number, or appends to a text. As in Cassandra, null stays null.
Status ApplyAdd(const BoundOperation& bound, const std::vector<CellView>& present, const CellTimes& times,
                RowFragment& row) {
  if (present.empty()) return OkStatus();
  const ColumnSchema& column = *bound.column;
  const SourceRange at = bound.operation->range;
  if (!bound.value) return InvalidAt(at, "Invalid null value for an addition to column " + column.name);
  const ByteView stored = present[0].value;
  const TypeKind kind = column.type->kind;
  if (kind == TypeKind::kText || kind == TypeKind::kAscii) {
    times.AddLive(column.id, {}, StrCat(stored, *bound.value), row);
    return OkStatus();
  }
  if (stored.empty() || bound.value->empty()) {
    return InvalidAt(at, StrCat("An addition to column ", column.name, " needs two numbers, but one of them is empty"));
  }
  Result<Bytes> sum = functions::Operate('+', {kind, stored}, {kind, *bound.value});
  if (!sum.ok()) return InvalidAt(at, sum.error().message);
  times.AddLive(column.id, {}, *sum, row);
  return OkStatus();
}

Bytes FieldPath(uint32_t field) {
  Bytes path;
  AppendBigEndian(path, static_cast<uint16_t>(field));
  return path;
}

}  // namespace

Status BindOperation(const CellOperation& operation, const TableSchema& table, const EvaluationContext& context,
                     BoundOperation& bound) {
  bound.operation = &operation;
  bound.column = &table.columns[operation.column];
  if (operation.element) {
    const TypeKind kind = bound.column->type->kind;
    const char* const what = kind == TypeKind::kList  ? "value for list index"
                             : kind == TypeKind::kMap ? "map key"
                                                      : "set element";
    if (IsUnset(*operation.element, context)) {
      // As in Cassandra, an unset element deletes nothing from a set or list.
      bound.unset = kind == TypeKind::kSet || (kind == TypeKind::kList && operation.kind == Kind::kDeleteElement);
      if (bound.unset) return OkStatus();
      return InvalidAt(operation.range, std::string("Invalid unset ") + what);
    }
    WR_ASSIGN_OR_RETURN(bound.element, Evaluate(*operation.element, context));
    if (!bound.element) return InvalidAt(operation.element->range, std::string("Invalid null ") + what);
    if (bound.column->type->kind != TypeKind::kList) {
      WR_RETURN_IF_ERROR(CheckPathSize(*bound.column->type, *bound.element));
    }
  }
  if (TakesValue(operation.kind)) {
    if (IsUnset(*operation.value, context)) {
      if (bound.column->not_null) return IsNotNull(*bound.column, "unset", operation.range);
      bound.unset = true;
      return OkStatus();
    }
    WR_ASSIGN_OR_RETURN(bound.value, Evaluate(*operation.value, context));
    WR_RETURN_IF_ERROR(CheckBlobSize(*bound.column, bound.value));
    if (!bound.value && bound.column->not_null) return IsNotNull(*bound.column, "null", operation.range);
  }
  return OkStatus();
}

Status ApplyOperation(const BoundOperation& bound, const CellTimes& times, RowFragment& row) {
  if (bound.unset) return OkStatus();
  const ColumnSchema& column = *bound.column;
  switch (bound.operation->kind) {
    case Kind::kAssign: return ApplyAssign(bound, times, row);
    case Kind::kAppend: return bound.value ? AppendElements(column, *bound.value, times, row) : OkStatus();
    case Kind::kPrepend: return bound.value ? Prepend(column, *bound.value, times, row) : OkStatus();
    case Kind::kRemove: return bound.value ? RemoveKeys(column, *bound.value, times, row) : OkStatus();
    case Kind::kSetElement: AddCell(bound, *bound.element, times, row); return OkStatus();
    case Kind::kSetField: AddCell(bound, FieldPath(bound.operation->field), times, row); return OkStatus();
    case Kind::kDelete:
      if (column.type->is_multi_cell())
        row.column_deletions.push_back({column.id, times.Deletion()});
      else
        times.AddTombstone(column.id, {}, row);
      return OkStatus();
    case Kind::kDeleteElement: times.AddTombstone(column.id, *bound.element, row); return OkStatus();
    case Kind::kDeleteField: times.AddTombstone(column.id, FieldPath(bound.operation->field), row); return OkStatus();
    case Kind::kIncrement:
    case Kind::kDecrement: return ApplyCount(bound, times, row);
    case Kind::kAdd: break;  // It reads, so ApplyToStored handles it.
  }
  return OkStatus();
}

Status ApplyToStored(const BoundOperation& bound, const std::vector<CellView>& present, const CellTimes& times,
                     RowFragment& row) {
  const ColumnSchema& column = *bound.column;
  if (bound.operation->kind == Kind::kAdd) return ApplyAdd(bound, present, times, row);
  if (bound.operation->kind == Kind::kRemove) {
    if (!bound.value) return OkStatus();
    WR_ASSIGN_OR_RETURN(auto values, SplitCollection(*column.type, *bound.value));
    absl::flat_hash_set<ByteView> removed;
    for (const ValueView& value : values) {
      if (value) removed.insert(*value);
    }
    for (const CellView& cell : present) {
      if (removed.contains(cell.value)) times.AddTombstone(column.id, Bytes(cell.path), row);
    }
    return OkStatus();
  }
  const int64_t index = bound.element->size() == 4 ? DecodeInteger(*bound.element) : -1;
  if (present.empty()) {
    return InvalidAt(bound.operation->range, bound.operation->kind == Kind::kSetElement
                                                 ? "Attempted to set an element on a list which is null"
                                                 : "Attempted to delete an element from a list which is null");
  }
  if (index < 0 || static_cast<size_t>(index) >= present.size()) {
    return InvalidAt(bound.operation->range,
                     StrCat("List index ", index, " out of bound, list has size ", present.size()));
  }
  if (bound.unset) return OkStatus();
  Bytes path(present[static_cast<size_t>(index)].path);
  if (bound.operation->kind == Kind::kSetElement && bound.value) {
    times.AddLive(column.id, std::move(path), *bound.value, row);
  } else {
    times.AddTombstone(column.id, std::move(path), row);
  }
  return OkStatus();
}

void NormalizeFragment(const TableSchema& table, RowFragment& row) {
  const auto compare_paths = [&](const Cell& a, const Cell& b) {
    const Type& type = *table.FindId(a.column)->type;
    const bool by_key = type.is_multi_cell() && (type.kind == TypeKind::kSet || type.kind == TypeKind::kMap);
    return by_key ? Compare(*type.arguments[0], a.path, b.path) : a.path.compare(b.path);
  };
  const auto before = [&](const Cell& a, const Cell& b) {
    return a.column != b.column ? a.column < b.column : compare_paths(a, b) < 0;
  };
  const auto not_before = [&](const Cell& a, const Cell& b) { return !before(a, b); };
  // Most statements name columns in the order of their ids, without duplicates.
  if (std::adjacent_find(row.cells.begin(), row.cells.end(), not_before) != row.cells.end()) {
    // A stable sort would allocate memory. It is not needed, because CellWins does not depend on the order of two
    // cells.
    std::sort(row.cells.begin(), row.cells.end(), before);
    std::vector<Cell> cells;
    cells.reserve(row.cells.size());
    for (Cell& cell : row.cells) {
      if (cells.empty() || before(cells.back(), cell)) {
        cells.push_back(std::move(cell));
      } else if (CellWins(cell, cells.back())) {
        cells.back() = std::move(cell);
      }
    }
    row.cells = std::move(cells);
  }
  if (row.column_deletions.size() < 2) return;
  std::stable_sort(row.column_deletions.begin(), row.column_deletions.end(),
                   [](const ColumnDeletion& a, const ColumnDeletion& b) {
                     return a.column != b.column ? a.column < b.column : a.deletion.timestamp > b.deletion.timestamp;
                   });
  row.column_deletions.erase(
      std::unique(row.column_deletions.begin(), row.column_deletions.end(),
                  [](const ColumnDeletion& a, const ColumnDeletion& b) { return a.column == b.column; }),
      row.column_deletions.end());
}

}  // namespace widerow
