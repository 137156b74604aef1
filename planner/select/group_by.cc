// GroupByBuilder visits the terms of GROUP BY. Its member `next_` is the next column of the primary key. StepTo() moves
// `next_` past the column that a term names; columns that equal one value may be left out. Finish() checks that the
// terms cover the whole partition key, that a function is monotonic, and that no column that was left out divides
// groups.
#include "planner/select/group_by.h"

#include <algorithm>

#include "base/text.h"
#include "planner/function.h"
#include "planner/generated/derive_key.h"
#include "planner/generated/expression_order.h"
#include "planner/terms/prepare_selector.h"
#include "planner/walk.h"

namespace widerow {
namespace {

constexpr const char* kWrongOrder =
    "Group by currently only support groups of columns following their declared order in the PRIMARY KEY";

std::string KeyHint(const TableSchema& table) {
  std::vector<std::string> names;
  for (const ColumnSchema& column : table.columns) {
    if (column.is_key()) names.push_back(QuoteIdentifier(column.name));
  }
  return "the key is (" + JoinNames(names) +
         "): name its columns from the first one on; those that equal a value may be left out";
}

// True if WHERE gives one value for the column, also by IN with one value. Values that the planner has derived count as
// one value, because the statement does not name them (CheckLeftOut looks at them again).
bool IsOneValue(const KeyRestriction& key, const std::vector<KeyChoice>& choices) {
  const auto* values = std::get_if<KeyValues>(&key.values);
  if (values == nullptr) return key.kind == KeyRestriction::Kind::kEq;
  if (key.kind == KeyRestriction::Kind::kSlice || values->list_valued || values->values.size() != 1) return false;
  const auto* choice = std::get_if<ChoiceExpression>(&values->values[0].node);
  return choice == nullptr || choices[choice->index].kind != KeyChoice::Kind::kIn;
}

bool EqualsOneValue(const GroupedWhere& where, const std::vector<KeyChoice>& choices, uint32_t column) {
  const auto equal = [&](const KeyRestriction& key) {
    return key.first <= column && column < key.end() && IsOneValue(key, choices);
  };
  return std::any_of(where.clustering.begin(), where.clustering.end(), equal) ||
         std::any_of(where.partition.begin(), where.partition.end(), equal);
}

// Returns "system.abs : (int) -> int ".
std::string Signature(const CallExpression& call) {
  std::vector<std::string> types;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const bool constant = std::holds_alternative<ConstantExpression>(call.arguments[i].node);
    types.push_back(TypeText(*call.function->parameters[i]) + (constant ? "(constant)" : ""));
  }
  return "system." + QuoteIdentifier(call.function->name) + " : (" + JoinNames(types) + ") -> " +
         TypeText(*call.function->returns) + " ";
}

// Returns the clustering column that a function in GROUP BY reads.
Result<uint32_t> ColumnOfFunction(const Term& term, const Expression& expression, const TableSchema& table) {
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (HoldsAggregate(expression)) {
    return InvalidAt(term.range, "Aggregate functions are not supported within the GROUP BY clause, got: system." +
                                     call->function->name);
  }
  std::vector<uint32_t> columns;
  VisitColumns(expression, [&](uint32_t column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  });
  if (std::holds_alternative<RowTokenExpression>(expression.node)) {
    for (uint32_t i = 0; i < table.partition_key_size; ++i) columns.push_back(i);
  }
  if (columns.empty()) {
    return InvalidAt(term.range, "GROUP BY functions must have one clustering column name as parameter",
                     "GROUP BY day, floor(time, 1h)");
  }
  if (columns.size() > 1) {
    std::vector<std::string> names;
    for (const uint32_t column : columns) names.push_back(table.columns[column].name);
    return InvalidAt(
        term.range, "GROUP BY functions accept only one clustering column as parameter, got: " + JoinNames(names, ","));
  }
  const ColumnSchema& column = table.columns[columns[0]];
  if (column.kind != ColumnKind::kClustering) {
    return InvalidAt(term.range, "Group by functions are only supported on clustering columns, got " + column.name);
  }
  return columns[0];
}

Status CheckMonotonic(const Expression& expression) {
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (call != nullptr && call->function->monotonic) return OkStatus();
  return InvalidAt(expression.range,
                   "Only monotonic functions are supported in the GROUP BY clause. Got: " +
                       (call != nullptr ? Signature(*call) : std::string("a value")),
                   "floor(time, 1h) is one for time");
}

class GroupByBuilder {
 public:
  GroupByBuilder(const GroupedWhere& where, const std::vector<KeyChoice>& choices, Planning& planning)
      : where_(where), choices_(choices), planning_(planning), table_(*planning.table) {}

  Status Add(const Term& term) {
    const bool is_column = std::holds_alternative<ColumnRef>(term.node);
    const bool is_call =
        std::holds_alternative<FunctionCall>(term.node) || std::holds_alternative<Arithmetic>(term.node);
    if (!is_column && !is_call) {
      return InvalidAt(term.range, "GROUP BY names columns of the primary key, and functions of the last one of them",
                       KeyHint(table_));
    }
    WR_ASSIGN_OR_RETURN(Expression expression, PrepareGrouping(term, planning_));
    uint32_t column = 0;
    if (is_column) {
      column = std::get<ColumnExpression>(expression.node).column;
      if (!table_.columns[column].is_key()) {
        return InvalidAt(term.range,
                         "Group by is currently only supported on the columns of the PRIMARY KEY, got " +
                             table_.columns[column].name,
                         KeyHint(table_));
      }
      if (!result_.function.empty()) {
        return InvalidAt(term.range, "Functions are only supported on the last element of the GROUP BY clause");
      }
    } else {
      WR_ASSIGN_OR_RETURN(column, ColumnOfFunction(term, expression, table_));
      result_.function = {std::move(expression)};
    }
    return StepTo(column, term.range);
  }

  Result<GroupBy> Finish(SourceRange range, bool distinct) {
    if (next_ < table_.partition_key_size) {
      return InvalidAt(range, "Group by is not supported on only a part of the partition key", KeyHint(table_));
    }
    for (const Expression& function : result_.function) WR_RETURN_IF_ERROR(CheckMonotonic(function));
    WR_RETURN_IF_ERROR(CheckLeftOut(range));
    if (next_ > table_.partition_key_size) result_.clustering_columns = next_ - table_.partition_key_size;
    if (result_.clustering_columns > 0 && distinct) {
      return InvalidAt(range, "Grouping on clustering columns is not allowed for SELECT DISTINCT queries");
    }
    return std::move(result_);
  }

 private:
  // Moves next_ past `column`. Fails if it would skip a column that does not equal one value.
  Status StepTo(uint32_t column, SourceRange range) {
    while (true) {
      if (next_ >= table_.partition_key_size + table_.clustering_size)
        return InvalidAt(range, kWrongOrder, KeyHint(table_));
      if (next_ == column) break;
      if (!EqualsOneValue(where_, choices_, next_) && !FollowsFromOneValue(table_, where_, next_))
        return InvalidAt(range, kWrongOrder, KeyHint(table_));
      if (HasSeveralValues(next_)) left_out_.push_back(next_);
      ++next_;
    }
    ++next_;
    if (result_.function.empty()) named_.push_back(column);
    if (column < table_.partition_key_size && HasSeveralValues(column)) result_.across_partitions = false;
    return OkStatus();
  }

  // True if the derivation gave the column several values.
  bool HasSeveralValues(uint32_t column) const {
    const auto several = [&](const KeyRestriction& key) {
      return key.first <= column && column < key.end() && TakesSeveralValues(key);
    };
    return std::any_of(where_.partition.begin(), where_.partition.end(), several) ||
           std::any_of(where_.clustering.begin(), where_.clustering.end(), several);
  }

  // A group ends where a column of the key changes, and with its partition if the partitions are read one after the
  // other. So a column that is left out must not change within a group: the named columns must determine its value.
  Status CheckLeftOut(SourceRange range) const {
    std::set<uint32_t> known(named_.begin(), named_.end());
    for (const uint32_t column : named_) {
      const GeneratedColumn* generated = table_.generated == nullptr ? nullptr : table_.generated->Of(column);
      if (generated != nullptr) known.merge(DeterminedBy(generated->expression));
    }
    for (const uint32_t column : left_out_) {
      if (column < table_.partition_key_size && result_.across_partitions) continue;
      const GeneratedColumn& generated = *table_.generated->Of(column);
      const bool determined = std::all_of(generated.sources.begin(), generated.sources.end(), [&](uint32_t source) {
        return known.contains(source) || (EqualsOneValue(where_, choices_, source) && !HasSeveralValues(source));
      });
      if (determined && !generated.random) continue;
      const std::string name = QuoteIdentifier(table_.columns[column].name);
      return InvalidAt(range, "The groups would have rows of several values of " + name + ", which are stored apart",
                       "name " + name + " in GROUP BY, or give the columns it is derived from one value each");
    }
    return OkStatus();
  }

  const GroupedWhere& where_;
  const std::vector<KeyChoice>& choices_;
  Planning& planning_;
  const TableSchema& table_;
  // The next column of the key. Each column before it is grouped by or equals one value.
  uint32_t next_ = 0;
  std::vector<uint32_t> named_;     // The columns that GROUP BY names, without a function.
  std::vector<uint32_t> left_out_;  // The key columns that have several values but are not named.
  GroupBy result_{
      .clustering_columns = 0,
      .function = {},
      .across_partitions = std::any_of(where_.partition.begin(), where_.partition.end(), TakesSeveralValues)};
};

}  // namespace

Result<std::optional<GroupBy>> ResolveGroupBy(const std::vector<Term>& group_by, const GroupedWhere& where,
                                              const std::vector<KeyChoice>& choices, bool distinct,
                                              Planning& planning) {
  if (group_by.empty()) return std::optional<GroupBy>();
  GroupByBuilder builder(where, choices, planning);
  for (const Term& term : group_by) WR_RETURN_IF_ERROR(builder.Add(term));
  WR_ASSIGN_OR_RETURN(GroupBy result, builder.Finish(group_by.back().range, distinct));
  return std::optional(std::move(result));
}

}  // namespace widerow
