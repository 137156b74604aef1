// DROP of functions, aggregates and triggers. They cannot be created, so none is ever found.
#include "base/text.h"
#include "parser/print.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/terms/resolve_type.h"

namespace widerow::ddl {

namespace {

Result<DdlResult> Absent(const SchemaPtr& schema, bool if_exists, SourceRange range, std::string message) {
  if (if_exists) return Unchanged(schema);
  return InvalidAt(range, std::move(message));
}

}  // namespace

Result<DdlResult> Apply(const DropFunctionStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  std::string text = keyspace + "." + statement.name.name.text;
  if (statement.arguments) {
    std::vector<std::string> types;
    for (const TypeName& argument : *statement.arguments) {
      if (argument.name.name.text == "frozen") {
        return InvalidAt(argument.range, "Argument '" + Print(argument) +
                                             "' cannot be frozen; remove frozen<> modifier from '" + Print(argument) +
                                             "'");
      }
      // In Cassandra, a keyspace that does not exist has no functions, whatever types are named.
      const Result<TypePtr> type = ResolveType(argument, *schema, keyspace);
      if (!type.ok() && schema->FindKeyspace(keyspace) != nullptr) return type.error();
      types.push_back(Print(argument));
    }
    text += "(" + JoinNames(types) + ")";
  }
  return Absent(schema, statement.if_exists, statement.name.range,
                std::string(statement.aggregate ? "Aggregate '" : "Function '") + text + "' doesn't exist");
}

Result<DdlResult> Apply(const DropTriggerStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.table, context));
  return Absent(
      schema, statement.if_exists, statement.name.range,
      "Trigger '" + statement.name.text + "' on '" + keyspace + "." + statement.table.name.text + "' doesn't exist");
}

}  // namespace widerow::ddl
