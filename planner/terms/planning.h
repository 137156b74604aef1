// The state of the planning of one statement, which all functions that plan a part of it share. One Planning exists for
// each call of PlanStatement, on one thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "planner/function.h"
#include "planner/plan.h"

namespace widerow {

struct Planning {
  const SchemaSnapshot& schema;
  const PlanContext& context;
  TablePtr table;                       // The table of the statement, or of a batch's current statement.
  std::vector<MarkerSpec> markers;      // The markers that were found so far.
  std::vector<std::string> extensions;  // The extensions of CQL that the statement uses, each once.
  std::vector<std::string> warnings;    // Warnings that are not about extensions.
  // A cache of how well an operand fits a type. The key is the range [begin, end) of the operand in the text and the
  // name of the type. Nested operators ask for the same entry repeatedly.
  std::map<std::tuple<uint32_t, uint32_t, std::string>, ArgumentMatch> operand_matches = {};

  // Returns the keyspace of the statement's table; without a table, the keyspace of USE.
  const std::string& keyspace() const { return table != nullptr ? table->keyspace : context.current_keyspace; }
  bool extended() const { return context.language.dialect == Dialect::kWiderow; }
  // Records that the statement uses the extension `name`.
  void UseExtension(std::string_view name);
};

// A Receiver is what a value is for, for example a column: the type that the value must have, and the name that bind
// markers and errors show.
struct Receiver {
  std::string name;
  TypePtr type;
};
inline Receiver ReceiverOf(const ColumnSchema& column) { return {column.name, column.type}; }

// Finds the table. Errors: Cassandra's sentences for unknown or missing keyspaces and tables.
Result<TablePtr> FindTable(const QualifiedName& name, const Planning& planning);
// Returns the index of the column in TableSchema::columns. Fails with "Undefined column name x in table ks.t".
Result<uint32_t> FindColumn(const TableSchema& table, const Identifier& name);

// Returns the error "<what> is not supported yet"; with `plural`, "are not supported yet".
Error NotSupportedYet(SourceRange range, std::string_view what, bool plural = false);

// Records the receiver of bind marker `marker` and returns the expression that reads it.
Expression MakeMarker(const BindMarker& marker, SourceRange range, const Receiver& receiver, Planning& planning);

// Returns one warning that names all extensions of the statement, such as "BETWEEN is a Widerow extension". The list is
// empty if the statement uses none, or if the options turn this warning off.
std::vector<std::string> ExtensionWarnings(const Planning& planning);

// True for a constant null.
inline bool IsNullConstant(const Expression& expression) {
  const auto* constant = std::get_if<ConstantExpression>(&expression.node);
  return constant != nullptr && !constant->value;
}

}  // namespace widerow
