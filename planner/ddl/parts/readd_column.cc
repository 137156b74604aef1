#include "planner/ddl/parts/readd_column.h"

#include <algorithm>

#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/type_use.h"

namespace widerow::ddl {

namespace {

using K = TypeKind;
using Rule = bool (*)(const Type& now, const Type& before);

bool IsAny(const Type& type, std::initializer_list<K> kinds) {
  return std::find(kinds.begin(), kinds.end(), type.kind) != kinds.end();
}

// True if `rule` holds for each field of `before` and the field of `now` in the same place. `now` may have more fields.
bool EachField(const Type& now, const Type& before, Rule rule) {
  if (now.arguments.size() < before.arguments.size()) return false;
  for (size_t i = 0; i < before.arguments.size(); ++i) {
    if (!rule(*now.arguments[i], *before.arguments[i])) return false;
  }
  return true;
}

// Returns the number of bytes that Cassandra reports as the fixed size of the type's values; 0 if it reports none.
// Cassandra reports none for counter, date, time, smallint and tinyint.
size_t ValueLength(const Type& type) {
  if (type.kind == K::kVector) return type.dimension * ValueLength(*type.arguments[0]);
  return IsAny(type, {K::kDate, K::kTime, K::kSmallint, K::kTinyint, K::kCounter}) ? 0 : FixedSize(type.kind);
}

bool SerializesAs(const Type& now, const Type& before);

// True if Cassandra's isCompatibleWith is true: bytes of `before` are valid values of `now` and sort in the same order.
bool OrdersAs(const Type& now, const Type& before) {
  if (SameType(now, before)) return true;
  if (now.kind == K::kBlob) return IsAny(before, {K::kAscii, K::kText});
  if (now.kind == K::kText) return before.kind == K::kAscii;
  if (now.kind != before.kind || now.is_multi_cell() != before.is_multi_cell()) return false;
  if (now.kind == K::kTuple) return EachField(now, before, OrdersAs);
  if (!now.is_collection()) return false;
  if (!now.is_multi_cell()) return EachField(now, before, OrdersAs);
  const bool same_paths = now.kind == K::kList || OrdersAs(*now.arguments[0], *before.arguments[0]);
  return same_paths && (now.kind == K::kSet || SerializesAs(*now.arguments.back(), *before.arguments.back()));
}

// True if Cassandra's isValueCompatibleWith is true: bytes of `before` are valid values of `now`.
bool ReadsAs(const Type& now, const Type& before) {
  if (OrdersAs(now, before)) return true;
  switch (now.kind) {
    case K::kBlob: return !before.is_multi_cell();
    case K::kBigint: return before.kind == K::kTimestamp;
    case K::kTimestamp:
    case K::kTime: return before.kind == K::kBigint;
    case K::kDate: return before.kind == K::kInt;
    case K::kUuid: return before.kind == K::kTimeuuid;
    case K::kVarint: return IsAny(before, {K::kInt, K::kBigint, K::kTimestamp});
    case K::kTuple: return before.kind == K::kTuple && EachField(now, before, ReadsAs);
    case K::kList:
    case K::kMap: {
      if (now.kind != before.kind || now.is_multi_cell() || before.is_multi_cell()) return false;
      const bool same_keys = now.kind == K::kList || OrdersAs(*now.arguments[0], *before.arguments[0]);
      return same_keys && ReadsAs(*now.arguments.back(), *before.arguments.back());
    }
    default: return false;
  }
}

// True if Cassandra's isSerializationCompatibleWith is true: stored cells of `before` are valid cells of `now`.
bool SerializesAs(const Type& now, const Type& before) {
  if (!ReadsAs(now, before)) return false;
  if (!now.is_collection()) return !before.is_collection() && ValueLength(now) == ValueLength(before);
  return now.kind == K::kSet || SerializesAs(*now.arguments.back(), *before.arguments.back());
}

}  // namespace

Status CheckReadded(const TableSchema& table, const ColumnDefinition& column, const Type& type) {
  const std::string& name = column.name.text;
  const DroppedColumn* const dropped = table.FindDropped(name);
  if (dropped == nullptr) return OkStatus();
  if (dropped->type->kind == TypeKind::kCounter) {
    return InvalidAt(column.range, "Cannot re-add previously dropped counter column " + name, "give it another name");
  }
  if (!SerializesAs(*ExpandUdts(std::make_shared<const Type>(type)), *dropped->type)) {
    return InvalidAt(column.range, "Cannot add a column '" + name + "' of type " + TypeText(type) +
                                       ", incompatible with previously dropped column '" + name + "' of type " +
                                       TypeText(*dropped->type));
  }
  if (dropped->is_static == column.is_static) return OkStatus();
  const auto kind = [](bool is_static) { return std::string(is_static ? "STATIC" : "REGULAR"); };
  return InvalidAt(column.range, "Cannot re-add previously dropped column '" + name + "' of kind " +
                                     kind(column.is_static) + ", incompatible with previous kind " +
                                     kind(dropped->is_static));
}

}  // namespace widerow::ddl
