// What the planning of one statement shares between its steps. One lives for one PlanStatement call, on one thread.
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
  TablePtr table;                       // What the statement (or the current statement of a batch) is about.
  std::vector<MarkerSpec> markers;      // Grows as markers are met; one entry a marker in the end.
  std::vector<std::string> extensions;  // What the statement uses beyond CQL, each once.
  std::vector<std::string> warnings;    // Others than about extensions.
  // How operands (by their place in the text) fit types: operators on operators ask the same again and again.
  std::map<std::tuple<uint32_t, uint32_t, TypeKind>, ArgumentMatch> operand_matches = {};

  bool extended() const { return context.language.dialect == Dialect::kWiderow; }
  // Remembers that the statement uses `name`, an extension.
  void UseExtension(std::string_view name);
};

// What a value is for: the name bind markers and error texts show, and the type it must have.
struct Receiver {
  std::string name;
  TypePtr type;
};
inline Receiver ReceiverOf(const ColumnSchema& column) { return {column.name, column.type}; }

// Cassandra's sentences about keyspaces and tables that are not there, or not named.
Result<TablePtr> FindTable(const QualifiedName& name, const Planning& planning);
// "Undefined column name x in table ks.t".
Result<uint32_t> FindColumn(const TableSchema& table, const Identifier& name);

// "<what> is not supported yet", or, with `plural`, "are".
Error NotSupportedYet(SourceRange range, std::string_view what, bool plural = false);

// Records what bind marker `marker` stands for and makes the expression that reads it.
Expression MakeMarker(const BindMarker& marker, SourceRange range, const Receiver& receiver, Planning& planning);

// "BETWEEN is a Widerow extension"; nothing if there is none or nobody wants to hear of it.
std::vector<std::string> ExtensionWarnings(const Planning& planning);

inline bool IsNullConstant(const Expression& expression) {
  const auto* constant = std::get_if<ConstantExpression>(&expression.node);
  return constant != nullptr && !constant->value;
}

}  // namespace widerow
