// WriteDeriver derives the key of one INSERT, UPDATE or DELETE. It visits the generated columns of the key in order:
//   - If the sources of a column are given, the column gets its exact value. If they are not, a DELETE may cover a
//     range or all values of the column. Writes of a whole partition leave clustering columns out (KeepsWhole).
//   - For a column with random(n), INSERT draws a value, UPDATE must give one, and DELETE may cover all values.
// Then it checks values that INSERT gives for generated columns outside of the key. For UPDATE, TakeSources() adds the
// sources in WHERE to the written cells.
#include <algorithm>

#include "planner/generated/derivation.h"
#include "planner/generated/expression_order.h"
#include "planner/terms/planning.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;
using WriteKind = ModifyPlan::Kind;

class WriteDeriver {
 public:
  WriteDeriver(const TableSchema& table, const DeriveForWriteRequest& request, GroupedWhere& where, ModifyPlan& plan,
               const std::map<uint32_t, Expression>& assigned)
      : table_(table),
        generated_(*table.generated),
        request_(request),
        where_(where),
        plan_(plan),
        derivation_(table, where, &assigned) {}

  Status Run() {
    WR_RETURN_IF_ERROR(CheckSources());
    for (const GeneratedColumn& column : generated_.columns) {
      if (!table_.columns[column.column].is_key()) continue;
      WR_RETURN_IF_ERROR(column.random ? DeriveRandom(column) : Derive(column));
    }
    if (request_.kind == WriteKind::kInsert) WR_RETURN_IF_ERROR(CheckGivenOutsideOfKey());
    WR_RETURN_IF_ERROR(TakeSources());
    plan_.choices = std::move(derivation_.result().choices);
    plan_.derived = std::move(derivation_.result().columns);
    return CheckCondition();
  }

 private:
  const ColumnSchema& Column(const GeneratedColumn& generated) const { return table_.columns[generated.column]; }
  bool InPartitionKey(const GeneratedColumn& generated) const { return generated.column < table_.partition_key_size; }

  // Refuses ranges of sources outside of the key, because a write cannot filter rows.
  Status CheckSources() const {
    for (const KeyRestriction& key : where_.regular) {
      if (!generated_.IsKeySource(key.first) || key.kind != Kind::kSlice) continue;
      return InvalidAt(key.range, "Column " + table_.columns[key.first].name + " takes = or IN in a write",
                       "the row's key is derived from it");
    }
    return OkStatus();
  }

  Status DeriveRandom(const GeneratedColumn& generated) {
    const ColumnSchema& column = Column(generated);
    const int64_t count = *FiniteCount(generated.expression);
    if (KeyRestriction* given = derivation_.Restriction(generated.column)) {
      if (given->kind != Kind::kEq || request_.kind != WriteKind::kInsert) return OkStatus();
      Expression value = std::get<KeyValues>(given->values).values[0];
      derivation_.Restrict(generated.column, CheckedRandom(column, count, std::move(value)), given->range);
      return OkStatus();
    }
    const std::string need = "its value is drawn by INSERT: give " + column.name + " as it was read";
    if (request_.condition != RowCondition::kNone) {
      return InvalidAt(request_.range,
                       "A conditional write must name generated column " + column.name + ": it is random", need);
    }
    switch (request_.kind) {
      case WriteKind::kInsert:
        derivation_.Restrict(generated.column, generated.expression, request_.range);
        return OkStatus();
      case WriteKind::kUpdate:
        return InvalidAt(
            request_.range,
            "UPDATE must name generated column " + column.name + ": it is random, and the row could not be found",
            need);
      case WriteKind::kDelete:
        if (InPartitionKey(generated) || derivation_.IsRestrictedBehind(generated.column)) {
          derivation_.RestrictToAll(generated.column, count);
        }
        return OkStatus();
    }
    return OkStatus();
  }

  // True if the statement is about a whole partition: its static columns, or its deletion. A value that is derived for
  // the clustering column would turn it into a statement about rows.
  bool KeepsWhole(const GeneratedColumn& generated) const {
    if (InPartitionKey(generated) || derivation_.NarrowsFrom(generated.column)) return false;
    const bool deletes_row = request_.condition != RowCondition::kNone || !plan_.operations.empty();
    return request_.only_statics || (request_.kind == WriteKind::kDelete && !deletes_row);
  }

  Status Derive(const GeneratedColumn& generated) {
    if (KeepsWhole(generated)) return OkStatus();
    KeyRestriction* given = derivation_.Restriction(generated.column);
    const bool exact = derivation_.CanBuild(generated.expression, false);
    if (given != nullptr && given->kind != Kind::kEq) {
      if (request_.kind == WriteKind::kDelete) return OkStatus();
      return InvalidAt(given->range,
                       "Generated column " + Column(generated).name + " takes = in " +
                           (request_.kind == WriteKind::kUpdate ? "UPDATE" : "INSERT"),
                       "or leave it out: it is derived");
    }
    if (exact) return DeriveExactly(generated, given);
    if (given != nullptr) return CheckUnderivable(generated, *given);
    if (request_.kind != WriteKind::kDelete) return OkStatus();  // SetModifiedRows reports the missing columns.
    if (InPartitionKey(generated)) {
      if (derivation_.CanBuild(generated.expression, true)) Restrict(generated, DerivedColumn::Kind::kAll, {});
    } else if (!derivation_.RestrictToRange(generated, /*exact=*/true)) {
      const std::optional<int64_t> count = FiniteCount(generated.expression);
      if (count && derivation_.IsRestrictedBehind(generated.column))
        derivation_.RestrictToAll(generated.column, *count);
    }
    return OkStatus();
  }

  Status DeriveExactly(const GeneratedColumn& generated, KeyRestriction* given) {
    std::optional<Expression> value;
    if (given != nullptr) {
      const auto* values = std::get_if<KeyValues>(&given->values);
      if (values == nullptr) {
        return InvalidAt(given->range, "Generated column " + Column(generated).name + " stands in no tuple in a write",
                         "or leave it out: it is derived");
      }
      value = values->values[0];
    }
    Restrict(generated, DerivedColumn::Kind::kValue, std::move(value));
    return OkStatus();
  }

  void Restrict(const GeneratedColumn& generated, DerivedColumn::Kind kind, std::optional<Expression> given) {
    const size_t choices = derivation_.result().choices.size();
    Expression value = derivation_.Build(generated.expression, generated.column);
    const SourceRange range = given ? given->range : request_.range;
    if (given) {
      value = CheckedValue(Column(generated), std::move(value), std::move(*given));
      value.range = range;
    }
    derivation_.Restrict(generated.column, std::move(value), range);
    DerivedColumn derived{.column = generated.column, .kind = kind, .choice = {}};
    if (derivation_.result().choices.size() > choices) derived.choice = static_cast<uint32_t>(choices);
    derivation_.result().columns.push_back(derived);
  }

  // Checks a generated column that is given without its sources. If the statement may create a row, it must also give
  // the sources outside of the key, because the row must contain them. Missing key columns are reported later.
  Status CheckUnderivable(const GeneratedColumn& generated, const KeyRestriction& given) const {
    const bool makes_row = request_.kind == WriteKind::kInsert ||
                           (request_.kind == WriteKind::kUpdate && request_.condition != RowCondition::kExists);
    if (!makes_row || request_.only_statics) return OkStatus();
    for (const uint32_t source : generated.sources) {
      const Expression named{ColumnExpression{source}, table_.columns[source].type, given.range};
      if (!generated_.IsKeySource(source) || derivation_.CanBuild(named, false)) continue;
      return InvalidAt(
          given.range,
          "Column " + table_.columns[source].name + " is missing: " + Column(generated).name +
              " is derived from it, and the row has to hold both",
          request_.kind == WriteKind::kUpdate ? "name the sources in WHERE, or add IF EXISTS" : "give it a value");
    }
    return OkStatus();
  }

  // Checks values that INSERT gives for generated columns outside of the key: each must equal the derived value.
  Status CheckGivenOutsideOfKey() {
    Status status = OkStatus();
    std::erase_if(plan_.operations, [&](CellOperation& operation) {
      const GeneratedColumn* generated = generated_.Of(operation.column);
      if (generated == nullptr || !status.ok()) return false;
      if (!derivation_.CanBuild(generated->expression, false)) {
        const auto* constant = std::get_if<ConstantExpression>(&operation.value->node);
        if (constant != nullptr && !constant->value) return true;  // Null counts as not given.
        status = InvalidAt(operation.range,
                           "Generated column " + Column(*generated).name + " is given, and not what it is derived from",
                           "leave it out: it is derived");
        return false;
      }
      Expression derived = derivation_.Build(generated->expression, generated->column);
      Expression checked = CheckedValue(Column(*generated), std::move(derived), std::move(*operation.value));
      checked.range = operation.range;
      plan_.checks.push_back(std::move(checked));
      return true;
    });
    return status;
  }

  // Makes UPDATE write the sources outside of the key that its WHERE names, because UPDATE may create the row.
  Status TakeSources() {
    std::erase_if(where_.regular, [&](KeyRestriction& key) {
      if (!generated_.IsKeySource(key.first) || !derivation_.WasUsed(key.first)) return false;
      if (request_.kind == WriteKind::kUpdate && request_.condition != RowCondition::kExists &&
          !request_.only_statics) {
        CellOperation operation;
        operation.column = key.first;
        operation.value = std::get<KeyValues>(key.values).values[0];
        operation.range = key.range;
        plan_.operations.push_back(std::move(operation));
      }
      return true;
    });
    return OkStatus();
  }

  Status CheckCondition() const {
    if (request_.condition == RowCondition::kNone || plan_.choices.empty()) return OkStatus();
    const char* what = request_.kind == WriteKind::kDelete ? "deletions" : "updates";
    return InvalidAt(request_.range, std::string("IN on the partition key is not supported with conditional ") + what,
                     "the key is derived from several values: write one statement a row");
  }

  const TableSchema& table_;
  const GeneratedColumns& generated_;
  const DeriveForWriteRequest& request_;
  GroupedWhere& where_;
  ModifyPlan& plan_;
  Derivation derivation_;
};

}  // namespace

Status DeriveForWrite(const TableSchema& table, const DeriveForWriteRequest& request, GroupedWhere& where,
                      ModifyPlan& plan) {
  if (table.generated == nullptr) return OkStatus();
  std::map<uint32_t, Expression> assigned;
  if (request.kind == WriteKind::kInsert) {
    for (const CellOperation& operation : plan.operations) {
      if (operation.kind == CellOperation::Kind::kAssign && !table.columns[operation.column].is_generated()) {
        assigned.emplace(operation.column, *operation.value);
      }
    }
  }
  return WriteDeriver(table, request, where, plan, assigned).Run();
}

}  // namespace widerow
