#include "parser/print.h"

#include "base/overloaded.h"
#include "parser/print_parts.h"

namespace widerow {
namespace {

std::string PrintOrdering(const Ordering& ordering) {
  return PrintName(ordering.column) + (ordering.ann_of.empty() ? "" : " ANN OF " + Print(ordering.ann_of[0])) +
         (ordering.bm25_of.empty() ? "" : " BM25 OF " + Print(ordering.bm25_of[0])) +
         When(ordering.descending, " DESC");
}

std::string PrintAssignment(const Assignment& assignment) {
  const std::string column = PrintName(assignment.column), value = Print(assignment.value);
  switch (assignment.kind) {
    case Assignment::Kind::kSet: return column + " = " + value;
    case Assignment::Kind::kAddAssign: return column + " += " + value;
    case Assignment::Kind::kSubAssign: return column + " -= " + value;
    case Assignment::Kind::kElement: return column + "[" + Print(assignment.element[0]) + "] = " + value;
    case Assignment::Kind::kField: return column + "." + PrintName(*assignment.field) + " = " + value;
  }
  return "";
}

std::string PrintTarget(const DeleteTarget& target) {
  return PrintName(target.column) + (target.element.empty() ? "" : "[" + Print(target.element[0]) + "]") +
         (target.field ? "." + PrintName(*target.field) : "");
}

}  // namespace

std::string Print(const Statement& statement) {
  return std::visit([](const auto& s) { return PrintStatement(s); }, statement.node);
}

std::string PrintSelectors(const std::vector<Selector>& selectors) {
  if (selectors.empty()) return "*";
  return Join(selectors, ", ", [](const Selector& selector) {
    return Print(selector.term) + (selector.alias ? " AS " + PrintName(*selector.alias) : "");
  });
}

// Prints the clauses in the order of the text, because that order numbers the bind markers.
std::string PrintUsing(const UsingClause& clause) {
  const std::string timestamp = clause.timestamp ? "TIMESTAMP " + Print(*clause.timestamp) : "";
  const std::string ttl = clause.ttl ? "TTL " + Print(*clause.ttl) : "";
  if (timestamp.empty() && ttl.empty()) return "";
  if (timestamp.empty() || ttl.empty()) return " USING " + timestamp + ttl;
  const bool ttl_first = clause.ttl->range.begin < clause.timestamp->range.begin;
  return " USING " + (ttl_first ? ttl + " AND " + timestamp : timestamp + " AND " + ttl);
}

std::string PrintStatement(const SelectStatement& s) {
  std::string text = "SELECT " + When(s.json, "JSON ") + When(s.distinct, "DISTINCT ") + PrintSelectors(s.selectors) +
                     " FROM " + PrintName(s.table) + PrintWhere(" WHERE ", s.where);
  if (!s.group_by.empty()) text += " GROUP BY " + PrintTerms(s.group_by);
  if (!s.order_by.empty()) text += " ORDER BY " + Join(s.order_by, ", ", PrintOrdering);
  if (s.per_partition_limit) text += " PER PARTITION LIMIT " + Print(*s.per_partition_limit);
  if (s.limit) text += " LIMIT " + Print(*s.limit);
  return text + When(s.allow_filtering, " ALLOW FILTERING") + When(s.allow_sorting, " ALLOW SORTING");
}

std::string PrintStatement(const InsertStatement& s) {
  std::string text = "INSERT INTO " + PrintName(s.table);
  if (s.json) {
    text += " JSON " + Print(*s.json) + When(s.json_default_unset, " DEFAULT UNSET");
  } else {
    text += " (" + PrintNames(s.columns) + ") VALUES (" + PrintTerms(s.values) + ")";
  }
  return text + When(s.if_not_exists, " IF NOT EXISTS") + PrintUsing(s.using_clause);
}

std::string PrintStatement(const UpdateStatement& s) {
  return "UPDATE " + PrintName(s.table) + PrintUsing(s.using_clause) + " SET " +
         Join(s.assignments, ", ", PrintAssignment) + PrintWhere(" WHERE ", s.where) + When(s.if_exists, " IF EXISTS") +
         PrintWhere(" IF ", s.conditions);
}

std::string PrintStatement(const DeleteStatement& s) {
  return "DELETE " + Join(s.targets, ", ", PrintTarget) + When(!s.targets.empty(), " ") + "FROM " + PrintName(s.table) +
         PrintUsing(s.using_clause) + PrintWhere(" WHERE ", s.where) + When(s.if_exists, " IF EXISTS") +
         PrintWhere(" IF ", s.conditions);
}

std::string PrintStatement(const BatchStatement& s) {
  std::string text = "BEGIN " + When(s.kind == BatchStatement::Kind::kUnlogged, "UNLOGGED ") +
                     When(s.kind == BatchStatement::Kind::kCounter, "COUNTER ") + "BATCH" + PrintUsing(s.using_clause);
  for (const auto& statement : s.statements) {
    text += " " + std::visit([](const auto& item) { return PrintStatement(item); }, statement) + ";";
  }
  return text + " APPLY BATCH";
}

std::string PrintStatement(const TruncateStatement& s) { return "TRUNCATE TABLE " + PrintName(s.table); }
std::string PrintStatement(const UseStatement& s) { return "USE " + PrintName(s.keyspace); }

std::string PrintStatement(const ExplainStatement& s) {
  return "EXPLAIN " + When(s.analyze, "ANALYZE ") + Print(s.statement[0]);
}

std::string PrintStatement(const AdviseStatement& s) {
  switch (s.kind) {
    case AdviseStatement::Kind::kAll: return "ADVISE";
    case AdviseStatement::Kind::kTable: return "ADVISE TABLE " + PrintName(*s.table);
    case AdviseStatement::Kind::kStatement: return "ADVISE STATEMENT " + PrintString(Print(s.statement[0]));
    case AdviseStatement::Kind::kSchema: return "ADVISE SCHEMA";
  }
  return "";
}

std::string PrintStatement(const DescribeStatement& s) {
  using Kind = DescribeStatement::Kind;
  const auto target = [&]() -> std::string {
    switch (s.kind) {
      case Kind::kCluster: return "CLUSTER";
      case Kind::kSchema: return "SCHEMA";
      case Kind::kFullSchema: return "FULL SCHEMA";
      case Kind::kKeyspaces: return "KEYSPACES";
      case Kind::kKeyspace: return "KEYSPACE";
      case Kind::kOnlyKeyspace: return "ONLY KEYSPACE";
      case Kind::kTables: return "TABLES";
      case Kind::kTable: return "TABLE";
      case Kind::kTypes: return "TYPES";
      case Kind::kType: return "TYPE";
      case Kind::kFunctions: return "FUNCTIONS";
      case Kind::kFunction: return "FUNCTION";
      case Kind::kAggregates: return "AGGREGATES";
      case Kind::kAggregate: return "AGGREGATE";
      case Kind::kIndex: return "INDEX";
      case Kind::kMaterializedView: return "MATERIALIZED VIEW";
      case Kind::kMaterializedViews: return "MATERIALIZED VIEWS";
      case Kind::kName: return "";
    }
    return "";
  }();
  std::string text = "DESCRIBE" + When(!target.empty(), " ") + target;
  if (s.name) {
    std::string name = s.kind == Kind::kType ? PrintTypeName(*s.name) : PrintName(*s.name);
    // An object whose name is one of these words needs quotes.
    const bool word = name == "cluster" || name == "keyspaces" || name == "tables" || name == "columnfamilies" ||
                      name == "types" || name == "functions" || name == "aggregates";
    text += " " + (s.kind == Kind::kName && word ? "\"" + name + "\"" : name);
  }
  return text + When(s.with_internals, " WITH INTERNALS");
}

}  // namespace widerow
