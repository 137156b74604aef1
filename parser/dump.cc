// DumpAst writes one line per node. Statements with an interesting structure have a DumpNode of their own; the template
// at the end handles all others.
#include "base/overloaded.h"
#include "parser/print.h"
#include "parser/print_parts.h"

namespace widerow {
namespace {

// One line per node: indentation, the node's role, its printed text, [begin-end].
class Dump {
 public:
  void Line(int depth, const std::string& what, const std::string& text, SourceRange range) {
    lines_ += std::string(2 * depth, ' ') + what + (text.empty() ? "" : " " + text) + " [" +
              std::to_string(range.begin) + "-" + std::to_string(range.end) + "]\n";
  }
  void Terms(int depth, const char* what, const std::vector<Term>& terms) {
    for (const auto& term : terms) Line(depth, what, Print(term), term.range);
  }
  void OneTerm(int depth, const char* what, const std::optional<Term>& term) {
    if (term) Line(depth, what, Print(*term), term->range);
  }
  void Name(int depth, const char* what, const QualifiedName& name) { Line(depth, what, PrintName(name), name.range); }
  void Names(int depth, const char* what, const std::vector<Identifier>& names) {
    for (const Identifier& name : names) Line(depth, what, PrintName(name), name.range);
  }
  void Conditions(int depth, const char* what, const std::vector<Condition>& conditions) {
    for (const Condition& condition : conditions) {
      const auto group = [&](const char* word, const std::vector<Condition>& terms) {
        Line(depth, std::string(what) + " " + word, "", condition.range);
        Conditions(depth + 1, "term", terms);
      };
      std::visit(Overloaded{[&](const OrCondition& c) { group("or", c.terms); },
                            [&](const AndCondition& c) { group("and", c.terms); },
                            [&](const NotCondition& c) { group("not", c.operand); },
                            [&](const auto&) { Line(depth, what, Print(condition), condition.range); }},
                 condition.node);
    }
  }
  void Properties(int depth, const std::vector<Property>& properties) {
    for (const Property& property : properties) {
      Line(depth, "with", PrintName(property.name) + " = " + Print(property.value), property.range);
    }
  }
  void Using(int depth, const UsingClause& clause) {
    OneTerm(depth, "timestamp", clause.timestamp);
    OneTerm(depth, "ttl", clause.ttl);
  }
  std::string Take() { return std::move(lines_); }

 private:
  std::string lines_;
};

void DumpNode(Dump& dump, int depth, const SelectStatement& s) {
  for (const Selector& selector : s.selectors) {
    dump.Line(depth, "selector", Print(selector.term), selector.term.range);
    if (selector.alias) dump.Names(depth + 1, "as", {*selector.alias});
  }
  dump.Name(depth, "from", s.table);
  dump.Conditions(depth, "where", s.where);
  dump.Terms(depth, "group by", s.group_by);
  for (const Ordering& ordering : s.order_by) {
    dump.Names(depth, ordering.descending ? "order by desc" : "order by", {ordering.column});
    dump.Terms(depth + 1, "ann of", ordering.ann_of);
    dump.Terms(depth + 1, "bm25 of", ordering.bm25_of);
  }
  dump.OneTerm(depth, "per partition limit", s.per_partition_limit);
  dump.OneTerm(depth, "limit", s.limit);
}

void DumpNode(Dump& dump, int depth, const InsertStatement& s) {
  dump.Name(depth, "into", s.table);
  dump.Names(depth, "column", s.columns);
  dump.Terms(depth, "value", s.values);
  dump.OneTerm(depth, "json", s.json);
  dump.Using(depth, s.using_clause);
}

void DumpNode(Dump& dump, int depth, const UpdateStatement& s) {
  dump.Name(depth, "table", s.table);
  dump.Using(depth, s.using_clause);
  for (const Assignment& assignment : s.assignments) {
    dump.Line(depth, "set", PrintName(assignment.column), assignment.range);
    dump.Terms(depth + 1, "element", assignment.element);
    if (assignment.field) dump.Names(depth + 1, "field", {*assignment.field});
    dump.OneTerm(depth + 1, "value", assignment.value);
  }
  dump.Conditions(depth, "where", s.where);
  dump.Conditions(depth, "if", s.conditions);
}

void DumpNode(Dump& dump, int depth, const DeleteStatement& s) {
  for (const DeleteTarget& target : s.targets) {
    dump.Line(depth, "delete", PrintName(target.column), target.range);
    dump.Terms(depth + 1, "element", target.element);
    if (target.field) dump.Names(depth + 1, "field", {*target.field});
  }
  dump.Name(depth, "from", s.table);
  dump.Using(depth, s.using_clause);
  dump.Conditions(depth, "where", s.where);
  dump.Conditions(depth, "if", s.conditions);
}

void DumpNode(Dump& dump, int depth, const BatchStatement& s) {
  dump.Using(depth, s.using_clause);
  for (size_t i = 0; i < s.statements.size(); ++i) {
    std::visit(
        [&](const auto& item) {
          dump.Line(depth, "statement", StatementName({item, {}, {}}), s.statement_ranges[i]);
          DumpNode(dump, depth + 1, item);
        },
        s.statements[i]);
  }
}

void DumpNode(Dump& dump, int depth, const CreateTableStatement& s) {
  dump.Name(depth, "table", s.name);
  for (const ColumnDefinition& column : s.columns) {
    dump.Line(depth, "column", PrintName(column.name) + " " + Print(column.type), column.range);
    dump.OneTerm(depth + 1, "generated as", column.generated_as);
  }
  if (s.primary_key_range) dump.Line(depth, "primary key", "", *s.primary_key_range);
  dump.Names(depth + 1, "partition key", s.partition_key);
  dump.Names(depth + 1, "clustering key", s.clustering_key);
  for (const ClusteringOrder& order : s.clustering_order) {
    dump.Names(depth, order.descending ? "clustering order desc" : "clustering order asc", {order.column});
  }
  dump.Properties(depth, s.properties);
  if (s.tablegroup) dump.Names(depth, "tablegroup", {*s.tablegroup});
  if (s.partition_by) {
    dump.Line(depth, "partition by", "", s.partition_by->range);
    dump.Terms(depth + 1, "key", s.partition_by->keys);
    for (const PartitionDefinition& partition : s.partition_by->partitions) {
      dump.Names(depth + 1, "partition", {partition.name});
      dump.Terms(depth + 2, "value", partition.values);
    }
  }
}

template <typename S>
void DumpNode(Dump& dump, int depth, const S& s);

void DumpNode(Dump& dump, int depth, const ExplainStatement& s) {
  for (const Statement& inner : s.statement) {
    dump.Line(depth, "statement", StatementName(inner), inner.range);
    std::visit([&](const auto& node) { DumpNode(dump, depth + 1, node); }, inner.node);
  }
}

// Prints the parts that the other statements have in common: name, table, WHERE and similar ones.
template <typename S>
void DumpNode(Dump& dump, int depth, const S& s) {
  if constexpr (requires {
                  { s.name } -> std::convertible_to<QualifiedName>;
                })
    dump.Name(depth, "name", s.name);
  if constexpr (requires {
                  { s.name } -> std::convertible_to<Identifier>;
                })
    dump.Names(depth, "name", {s.name});
  if constexpr (requires {
                  { s.table } -> std::convertible_to<QualifiedName>;
                })
    dump.Name(depth, "table", s.table);
  if constexpr (requires {
                  { s.keyspace } -> std::convertible_to<Identifier>;
                })
    dump.Names(depth, "keyspace", {s.keyspace});
  if constexpr (requires { s.properties; }) dump.Properties(depth, s.properties);
}

}  // namespace

std::string DumpAst(const Statement& statement) {
  Dump dump;
  dump.Line(0, StatementName(statement), "", statement.range);
  std::visit([&](const auto& node) { DumpNode(dump, 1, node); }, statement.node);
  return dump.Take() + Print(statement);
}

}  // namespace widerow
