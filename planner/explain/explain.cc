// Explain() makes the lines of one plan. The functions Print…() write parts of a line as text that is similar to CQL:
// keys, slices, token bounds, look-ups. The functions Add…() add whole lines: access path, partitions, filter, order,
// limit, effects on cells. Lines about generated key columns come from explain_key.h.
#include "base/overloaded.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/access/prune.h"
#include "planner/explain/explain_index.h"
#include "planner/explain/explain_key.h"
#include "planner/plan.h"
#include "planner/print_expression.h"
#include "planner/terms/planning.h"
#include "planner/write/column_condition.h"

namespace widerow {
namespace {

using Lines = std::vector<std::string>;

void AddLine(Lines& lines, std::string label, const std::string& text) {
  label.resize(std::max<size_t>(label.size(), 8), ' ');
  lines.push_back("  " + label + " " + text);
}

std::string FullName(const TableSchema& table) {
  return QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name);
}

// Returns "device='a'", "day in (1, 2)" or "k in ?".
std::string PrintKeyValues(const std::string& name, const KeyValues& values, const TableSchema& table) {
  if (values.list_valued) return name + " in " + PrintExpressions(values.values, table);
  if (values.is_in) return name + " in (" + PrintExpressions(values.values, table) + ")";
  return name + "=" + PrintExpressions(values.values, table);
}

std::string PrintPartitionKey(const std::vector<KeyValues>& key, const TableSchema& table) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < key.size(); ++i) {
    texts.push_back(PrintKeyValues(QuoteIdentifier(table.partition_key(i).name), key[i], table));
  }
  return JoinNames(texts);
}

std::string ClusteringNames(uint32_t first, uint32_t width, const TableSchema& table) {
  std::vector<std::string> names;
  for (uint32_t i = first; i < first + width; ++i) names.push_back(QuoteIdentifier(table.clustering(i).name));
  return width == 1 ? names[0] : "(" + JoinNames(names) + ")";
}

std::string PrintTuples(const ClusteringTuplesIn& in, const TableSchema& table) {
  const std::string names = ClusteringNames(in.first, in.width, table);
  if (in.list_valued) return names + " in ?";
  std::vector<std::string> tuples;
  for (const std::vector<Expression>& tuple : in.tuples) {
    const std::string values = PrintExpressions(tuple, table);
    tuples.push_back(tuple.size() == in.width ? "(" + values + ")" : values);
  }
  return tuples.size() == 1 ? names + "=" + tuples[0] : names + " in (" + JoinNames(tuples) + ")";
}

std::string BoundText(const ClusteringBound& bound, const TableSchema& table) {
  const std::string values = PrintExpressions(bound.values, table);
  return bound.values.size() == 1 ? values : "(" + values + ")";
}

// Returns "seq in [2, 4)", "seq >= 2" or "(a, b) > (1, 2) and a < 5".
std::string PrintSlice(const ClusteringSelection& selection, const TableSchema& table) {
  const auto& [lower, upper] = std::tie(selection.lower, selection.upper);
  const auto one = [&](const ClusteringBound& bound, const char* op) {
    return ClusteringNames(bound.first, bound.width, table) + " " + op + (bound.inclusive ? "= " : " ") +
           BoundText(bound, table);
  };
  if (lower && upper && lower->width == upper->width) {
    return ClusteringNames(lower->first, lower->width, table) + " in " + (lower->inclusive ? "[" : "(") +
           BoundText(*lower, table) + ", " + BoundText(*upper, table) + (upper->inclusive ? "]" : ")");
  }
  std::vector<std::string> texts;
  if (lower) texts.push_back(one(*lower, ">"));
  if (upper) texts.push_back(one(*upper, "<"));
  return JoinNames(texts, " and ");
}

std::string PrintSelection(const ClusteringSelection& selection, const TableSchema& table) {
  std::vector<std::string> texts;
  uint32_t position = 0;
  for (const auto& part : selection.prefix) {
    if (const auto* values = std::get_if<KeyValues>(&part)) {
      texts.push_back(PrintKeyValues(ClusteringNames(position, 1, table), *values, table));
      ++position;
    } else {
      const auto& tuples = std::get<ClusteringTuplesIn>(part);
      texts.push_back(PrintTuples(tuples, table));
      position += tuples.width;
    }
  }
  if (selection.lower || selection.upper) texts.push_back(PrintSlice(selection, table));
  return JoinNames(texts);
}

std::string PrintKey(const std::vector<KeyValues>& key, const ClusteringSelection& clustering,
                     const TableSchema& table) {
  const std::string selection = PrintSelection(clustering, table);
  return PrintPartitionKey(key, table) + (selection.empty() ? "" : ", " + selection);
}

std::string PrintBounds(const TokenBounds& bounds, const TableSchema& table) {
  if (!bounds.lower && !bounds.upper) return "all rows";
  if (bounds.lower && bounds.upper) {
    return std::string("token in ") + (bounds.lower->inclusive ? "[" : "(") +
           PrintExpression(bounds.lower->value, table) + ", " + PrintExpression(bounds.upper->value, table) +
           (bounds.upper->inclusive ? "]" : ")");
  }
  const TokenBound& bound = bounds.lower ? *bounds.lower : *bounds.upper;
  return std::string("token ") + (bounds.lower ? ">" : "<") + (bound.inclusive ? "= " : " ") +
         PrintExpression(bound.value, table);
}

void AddPartitions(Lines& lines, const PartitionCount& count) {
  AddLine(lines, "partitions",
          (count.at_most ? "at most " : "") + std::to_string(count.touched) + " of " + std::to_string(count.total));
}

// Adds "KeyRangeScan k in ['a', 'b'), key order".
void AddKeyRange(Lines& lines, const KeyRangeScan& scan, const SelectPlan& plan) {
  const TableSchema& table = *plan.table;
  std::vector<std::string> texts;
  const auto name = [&] { return QuoteIdentifier(table.partition_key(scan.prefix.size()).name); };
  if (!scan.prefix.empty()) texts.push_back(PrintPartitionKey(scan.prefix, table));
  const auto value = [&](const ClusteringBound& bound) { return PrintExpressions(bound.values, table); };
  if (scan.lower && scan.upper) {
    texts.push_back(name() + " in " + (scan.lower->inclusive ? "[" : "(") + value(*scan.lower) + ", " +
                    value(*scan.upper) + (scan.upper->inclusive ? "]" : ")"));
  } else if (scan.lower || scan.upper) {
    const ClusteringBound& bound = scan.lower ? *scan.lower : *scan.upper;
    texts.push_back(name() + (scan.lower ? " >" : " <") + (bound.inclusive ? "= " : " ") + value(bound));
  }
  if (texts.empty()) texts.push_back("all rows");
  if (scan.tokens.lower || scan.tokens.upper) texts.push_back("only " + PrintBounds(scan.tokens, table));
  const PartitionCount count = CountPartitions(table, scan);
  const bool in_order = table.partitioning.kind == PartitionKind::kRange || count.touched <= 1;
  const char* const order = plan.reversed ? ", reversed key order" : ", key order";
  std::string how = in_order         ? order
                    : plan.key_order ? std::string(order) + ", partitions merged"
                                     : ", partition by partition";
  AddLine(lines, "access", "KeyRangeScan " + JoinNames(texts) + how);
  AddPartitions(lines, count);
}

// Adds "IndexScan by_v: 10, stored order".
void AddIndex(Lines& lines, const IndexScan& scan, const TableSchema& table) {
  std::string where;
  if (!scan.partition_key.empty()) where += ", in " + PrintPartitionKey(scan.partition_key, table);
  if (scan.tokens.lower || scan.tokens.upper) where += ", " + PrintBounds(scan.tokens, table);
  const std::string conditions = scan.conditions.empty() ? "all rows" : PrintConditions(scan, table);
  AddLine(lines, "access",
          "IndexScan " + conditions + where + ", " +
              (FindsOneRow(scan, table) ? "at most one row" : PrintOrder(scan, table)));
  const std::string choice = DescribeIndexChoice(scan);
  if (!choice.empty()) AddLine(lines, "choice", choice);
}

void AddAccess(Lines& lines, const SelectPlan& plan) {
  const TableSchema& table = *plan.table;
  const std::string order = plan.reversed ? ", reversed" : ", stored order";
  const auto keyed = [&](const char* name, const auto& path, const std::string& after) {
    AddLine(lines, "access", std::string(name) + " " + PrintKey(path.partition_key, path.clustering, table) + after);
    AddPartitions(lines, CountPartitions(table, path.partition_key));
  };
  const auto scan = [&](const char* name, const TokenBounds& bounds) {
    AddLine(lines, "access", std::string(name) + " " + PrintBounds(bounds, table));
    AddPartitions(lines, CountPartitions(table, bounds));
  };
  std::visit(Overloaded{
                 [&](const PointLookup& path) { keyed("PointLookup", path, ""); },
                 [&](const PartitionSlice& path) { keyed("PartitionSlice", path, order); },
                 [&](const MultiPartition& path) {
                   keyed("MultiPartition", path, order + (plan.merge_partitions ? ", partitions merged" : ""));
                 },
                 [&](const MergedPartitions& path) {
                   const std::string key = PrintKey(path.partition_key, path.clustering, table);
                   AddLine(lines, "access", "MergedPartitions " + PrintChoices(key, plan.choices, table) + order);
                   AddPartitions(lines, CountPartitions(table, path.partition_key, plan.choices));
                 },
                 [&](const TokenScan& path) { scan("TokenScan", path.bounds); },
                 [&](const FilteredScan& path) { scan("FilteredScan", path.bounds); },
                 [&](const KeyRangeScan& path) { AddKeyRange(lines, path, plan); },
                 [&](const IndexScan& path) { AddIndex(lines, path, table); },
             },
             plan.access);
}

std::string RowCount(const Expression& expression, const TableSchema& table) {
  const std::string count = PrintExpression(expression, table);
  return count + (count == "1" ? " row" : " rows");
}

// Returns "rows that agree in device, floor(time, 1h)".
std::string DescribeGroups(const GroupBy& group_by, const TableSchema& table) {
  std::vector<std::string> parts;
  for (uint32_t i = 0; !group_by.across_partitions && i < table.partition_key_size; ++i) {
    parts.push_back(QuoteIdentifier(table.partition_key(i).name));
  }
  const uint32_t plain = group_by.clustering_columns - static_cast<uint32_t>(group_by.function.size());
  for (uint32_t i = 0; i < plain; ++i) parts.push_back(QuoteIdentifier(table.clustering(i).name));
  for (const Expression& function : group_by.function) parts.push_back(PrintExpression(function, table));
  return parts.empty() ? "all rows to one" : "rows that agree in " + JoinNames(parts) + " to one";
}

Lines ExplainSelect(const SelectPlan& plan) {
  const TableSchema& table = *plan.table;
  Lines lines{"Select " + FullName(table)};
  AddAccess(lines, plan);
  if (table.view != nullptr) {
    const std::string base = QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.view->base_table);
    AddLine(lines, "view", "of " + base + ": each row is read there by its key");
  }
  for (const std::string& line : DescribeDerived(plan.derived, plan.choices, table)) AddLine(lines, "derived", line);
  if (!plan.choices.empty()) AddLine(lines, "merge", DescribeMerge(plan));
  AddLine(lines, "filter", plan.filter.empty() ? "none" : PrintPredicates(plan.filter, table));
  if (plan.relevance) AddLine(lines, "order", DescribeRelevance(*plan.relevance, table));
  if (plan.distinct) AddLine(lines, "distinct", "one row a partition");
  if (plan.aggregated)
    AddLine(lines, "aggregate", plan.group_by ? DescribeGroups(*plan.group_by, table) : "all rows to one");
  if (plan.per_partition_limit) {
    AddLine(lines, "limit", RowCount(*plan.per_partition_limit, table) + " a partition");
  }
  if (plan.limit) AddLine(lines, "limit", RowCount(*plan.limit, table));
  return lines;
}

std::string PrintOperation(const CellOperation& operation, const TableSchema& table) {
  const ColumnSchema& column = table.columns[operation.column];
  const std::string name = QuoteIdentifier(column.name);
  const auto value = [&] { return PrintExpression(*operation.value, table); };
  const auto element = [&] { return name + "[" + PrintExpression(*operation.element, table) + "]"; };
  const auto field = [&] { return name + "." + column.type->field_names[operation.field]; };
  switch (operation.kind) {
    case CellOperation::Kind::kAssign: return name + " = " + value();
    case CellOperation::Kind::kAppend: return name + " += " + value();
    case CellOperation::Kind::kPrepend: return name + " = " + value() + " + " + name;
    case CellOperation::Kind::kRemove: return name + " -= " + value();
    case CellOperation::Kind::kSetElement: return element() + " = " + value();
    case CellOperation::Kind::kSetField: return field() + " = " + value();
    case CellOperation::Kind::kDelete: return name;
    case CellOperation::Kind::kDeleteElement: return element();
    case CellOperation::Kind::kDeleteField: return field();
    case CellOperation::Kind::kAdd:
    case CellOperation::Kind::kIncrement: return name + " = " + name + " + " + value();
    case CellOperation::Kind::kDecrement: return name + " = " + name + " - " + value();
  }
  return {};
}

// Returns the rows that a DELETE without columns deletes: "the row", "the partition", ….
std::string DeletedRows(const ModifyPlan& plan) {
  if (plan.clustering.all()) return plan.table->clustering_size == 0 ? "the row" : "the partition";
  return plan.clustering.names_whole_rows(*plan.table) ? "the row" : "a range of rows";
}

Lines ExplainModify(const ModifyPlan& plan) {
  const TableSchema& table = *plan.table;
  const bool is_delete = plan.kind == ModifyPlan::Kind::kDelete;
  const char* name = plan.kind == ModifyPlan::Kind::kInsert ? "Insert " : is_delete ? "Delete " : "Update ";
  Lines lines{name + FullName(table)};
  AddLine(lines, "key", PrintChoices(PrintKey(plan.partition_key, plan.clustering, table), plan.choices, table));
  AddPartitions(lines, CountPartitions(table, plan.partition_key, plan.choices));
  for (const std::string& line : DescribeDerived(plan.derived, plan.choices, table)) AddLine(lines, "derived", line);
  std::vector<std::string> operations;
  for (const CellOperation& operation : plan.operations) operations.push_back(PrintOperation(operation, table));
  if (is_delete && operations.empty()) operations.push_back(DeletedRows(plan));
  if (!operations.empty()) AddLine(lines, is_delete ? "delete" : "set", JoinNames(operations));
  if (!table.views.empty()) AddLine(lines, "views", JoinNames(table.views) + ": follow in the same step");
  std::vector<std::string> attributes;
  if (plan.timestamp) attributes.push_back("timestamp " + PrintExpression(*plan.timestamp, table));
  if (plan.ttl) attributes.push_back("ttl " + PrintExpression(*plan.ttl, table) + " s");
  if (!attributes.empty()) AddLine(lines, "using", JoinNames(attributes));
  if (plan.condition == RowCondition::kColumns) {
    AddLine(lines, "if", PrintConditions(plan.conditions, table));
  } else if (plan.condition != RowCondition::kNone) {
    const std::string row = plan.names_rows() ? "the row" : "the static row";
    AddLine(lines, "if", row + (plan.condition == RowCondition::kExists ? " exists" : " does not exist"));
  }
  return lines;
}

Lines ExplainBatch(const BatchPlan& plan) {
  const char* kind = plan.kind == BatchStatement::Kind::kLogged     ? "logged"
                     : plan.kind == BatchStatement::Kind::kUnlogged ? "unlogged"
                                                                    : "counter";
  Lines lines{"Batch " + std::string(kind) + ", statements: " + std::to_string(plan.statements.size())};
  if (plan.timestamp && !plan.statements.empty()) {
    AddLine(lines, "using", "timestamp " + PrintExpression(*plan.timestamp, *plan.statements[0].table));
  }
  for (const ModifyPlan& statement : plan.statements) {
    for (const std::string& line : ExplainModify(statement)) lines.push_back("  " + line);
  }
  return lines;
}

}  // namespace

std::string AccessName(const AccessPath& access) {
  return std::visit(
      Overloaded{[](const PointLookup&) { return "PointLookup"; },
                 [](const PartitionSlice&) { return "PartitionSlice"; },
                 [](const MultiPartition&) { return "MultiPartition"; },
                 [](const MergedPartitions&) { return "MergedPartitions"; },
                 [](const TokenScan&) { return "TokenScan"; }, [](const FilteredScan&) { return "FilteredScan"; },
                 [](const KeyRangeScan&) { return "KeyRangeScan"; }, [](const IndexScan&) { return "IndexScan"; }},
      access);
}

std::vector<std::string> Explain(const Plan& plan) {
  return std::visit(
      Overloaded{
          [](const SelectPlan& select) { return ExplainSelect(select); },
          [](const ModifyPlan& modify) { return ExplainModify(modify); },
          [](const BatchPlan& batch) { return ExplainBatch(batch); },
          [](const TruncatePlan& truncate) {
            return Lines{"Truncate " + FullName(*truncate.table), "  access   none: a new storage id"};
          },
          [](const UsePlan& use) { return Lines{"Use " + QuoteIdentifier(use.keyspace)}; },
          [](const DdlPlan& ddl) { return Lines{"Schema change: " + StatementName(*ddl.statement)}; },
          [](const RolePlan& role) { return Lines{"Change of roles: " + StatementName(*role.statement)}; },
          [](const DescribePlan&) { return Lines{"Describe"}; },
          [](const AdvisePlan&) { return Lines{"Advise"}; },
          [](const ExplainPlan& explain) { return Explain(*explain.plan); },
      },
      plan.node);
}

}  // namespace widerow
