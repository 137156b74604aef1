#include "planner/ddl/edit/type_use.h"

#include <algorithm>

#include "base/limits.h"

namespace widerow::ddl {

bool UsesUdt(const Type& type, const std::string& keyspace, const std::string& udt) {
  if (type.kind == TypeKind::kUdt && type.name == udt && type.keyspace == keyspace) return true;
  return std::any_of(type.arguments.begin(), type.arguments.end(),
                     [&](const TypePtr& argument) { return UsesUdt(*argument, keyspace, udt); });
}

bool UsesDuration(const Type& type) {
  if (type.kind == TypeKind::kDuration) return true;
  return std::any_of(type.arguments.begin(), type.arguments.end(),
                     [](const TypePtr& argument) { return UsesDuration(*argument); });
}

bool UsesLongBlob(const Type& type) {
  if (type.bytes_max.value_or(0) > limits::kKeyBytesMax) return true;
  return std::any_of(type.arguments.begin(), type.arguments.end(),
                     [](const TypePtr& argument) { return UsesLongBlob(*argument); });
}

TypePtr ReplaceUdt(const TypePtr& type, const Type& udt) {
  if (type->kind == TypeKind::kUdt && type->name == udt.name && type->keyspace == udt.keyspace) {
    Type replaced = udt;
    replaced.frozen = type->frozen;
    return std::make_shared<const Type>(std::move(replaced));
  }
  Type copy = *type;
  for (TypePtr& argument : copy.arguments) argument = ReplaceUdt(argument, udt);
  return copy.arguments == type->arguments ? type : std::make_shared<const Type>(std::move(copy));
}

void ReplaceUdt(KeyspaceSchema& keyspace, const Type& udt) {
  for (auto& [name, type] : keyspace.types) type = ReplaceUdt(type, udt);
  for (auto& [name, table] : keyspace.tables) {
    TableSchema copy = *table;
    bool changed = false;
    for (ColumnSchema& column : copy.columns) {
      TypePtr replaced = ReplaceUdt(column.type, udt);
      changed = changed || replaced != column.type;
      column.type = std::move(replaced);
    }
    if (changed) table = std::make_shared<const TableSchema>(std::move(copy));
  }
}

TypePtr ExpandUdts(const TypePtr& type) {
  Type copy = *type;
  for (TypePtr& argument : copy.arguments) argument = ExpandUdts(argument);
  if (type->kind == TypeKind::kUdt) return TupleType(std::move(copy.arguments));
  return copy.arguments == type->arguments ? type : std::make_shared<const Type>(std::move(copy));
}

}  // namespace widerow::ddl
