// PlanStatement calls PlanNode, which has a case for each kind of statement. Then PlanStatement adds the list of
// markers, the list of partition key markers, and the warnings. SELECT, BATCH and each kind of write have a planning
// function of their own (plan_statements.h), and Finish() adds the tables to the resulting plan. The plan of a DDL or
// role statement contains the statement itself, which is checked when it runs.
#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/statement/plan_statements.h"
#include "planner/terms/resolve_type.h"

namespace widerow {
namespace {

template <typename T>
constexpr bool kIsDdl =
    std::is_same_v<T, CreateKeyspaceStatement> || std::is_same_v<T, AlterKeyspaceStatement> ||
    std::is_same_v<T, DropKeyspaceStatement> || std::is_same_v<T, CreateTableStatement> ||
    std::is_same_v<T, AlterTableStatement> || std::is_same_v<T, DropTableStatement> ||
    std::is_same_v<T, CreateTypeStatement> || std::is_same_v<T, AlterTypeStatement> ||
    std::is_same_v<T, DropTypeStatement> || std::is_same_v<T, DropIndexStatement> ||
    std::is_same_v<T, CreateIndexStatement> || std::is_same_v<T, CreateTableGroupStatement> ||
    std::is_same_v<T, DropTableGroupStatement> || std::is_same_v<T, CreateMaterializedViewStatement> ||
    std::is_same_v<T, DropMaterializedViewStatement> || std::is_same_v<T, AlterMaterializedViewStatement> ||
    std::is_same_v<T, DropFunctionStatement> || std::is_same_v<T, DropTriggerStatement>;

template <typename T>
constexpr bool kIsAboutRoles = std::is_same_v<T, CreateRoleStatement> || std::is_same_v<T, AlterRoleStatement> ||
                               std::is_same_v<T, DropRoleStatement> || std::is_same_v<T, GrantStatement> ||
                               std::is_same_v<T, ListRolesStatement> || std::is_same_v<T, IdentityStatement>;

// For the answer to PREPARE: returns the markers by whose values drivers find the partition. As in Cassandra, the last
// marker of a column counts, even inside IN (…). The result is empty for a batch on several tables, and for a batch
// with a marker for its timestamp.
std::vector<uint16_t> PartitionKeyMarkers(const Plan& plan) {
  if (plan.tables.empty()) return {};
  if (const auto* batch = std::get_if<BatchPlan>(&plan.node)) {
    const bool at_marker = batch->timestamp && std::holds_alternative<MarkerExpression>(batch->timestamp->node);
    if (plan.tables.size() > 1 || at_marker) return {};
  }
  std::vector<std::optional<uint16_t>> markers(plan.tables[0]->partition_key_size);
  for (size_t i = 0; i < plan.markers.size() && i <= UINT16_MAX; ++i) {
    const std::optional<uint16_t> position = plan.markers[i].key_position;
    if (position) markers[*position] = static_cast<uint16_t>(i);
  }
  std::vector<uint16_t> all;
  for (const std::optional<uint16_t>& marker : markers) {
    if (!marker) return {};
    all.push_back(*marker);
  }
  return all;
}

template <typename StatementPlan>
Result<Plan> Finish(Result<StatementPlan> planned) {
  if (!planned.ok()) return std::move(planned).error();
  Plan plan;
  if constexpr (std::is_same_v<StatementPlan, SelectPlan>) {
    plan.tables.push_back(planned->table);
  } else if constexpr (std::is_same_v<StatementPlan, ModifyPlan>) {
    plan.tables.push_back(planned->table);
  } else if constexpr (std::is_same_v<StatementPlan, BatchPlan>) {
    for (const ModifyPlan& part : planned->statements) {
      if (std::find(plan.tables.begin(), plan.tables.end(), part.table) == plan.tables.end()) {
        plan.tables.push_back(part.table);
      }
    }
  }
  plan.node = std::move(planned).value();
  return plan;
}

// Adds the base table to the tables of a SELECT from a view, because the rows are read from the base table.
Result<Plan> WithBase(Result<Plan> plan, const SchemaSnapshot& schema) {
  if (!plan.ok()) return plan;
  const TableSchema& table = *plan->tables[0];
  if (table.view != nullptr) plan->tables.push_back(schema.FindTable(table.keyspace, table.view->base_table));
  return plan;
}

Result<Plan> PlanTruncate(const TruncateStatement& statement, const Planning& planning) {
  WR_ASSIGN_OR_RETURN(TablePtr table, FindTable(statement.table, planning));
  if (table->view != nullptr) {
    return InvalidAt(statement.table.range,
                     "Cannot TRUNCATE materialized view directly; must truncate base table instead",
                     "TRUNCATE " + QuoteIdentifier(table->view->base_table));
  }
  Plan plan;
  plan.tables.push_back(table);
  plan.node = TruncatePlan{std::move(table)};
  return plan;
}

Result<Plan> PlanUse(const UseStatement& statement, const Planning& planning) {
  if (planning.schema.FindKeyspace(statement.keyspace.text) == nullptr) {
    return InvalidAt(statement.keyspace.range, "Keyspace '" + statement.keyspace.text + "' does not exist");
  }
  return Plan{.node = UsePlan{statement.keyspace.text}};
}

constexpr const char* kReplaceAndAbsent = "Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives";

// Returns the error for CREATE FUNCTION: user-defined functions are disabled, as in Cassandra by default.
Error RefuseFunction(const CreateFunctionStatement& statement) {
  if (statement.or_replace && statement.if_not_exists) return InvalidAt(statement.name.range, kReplaceAndAbsent);
  return InvalidAt(
      statement.name.range,
      "User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to enable",
      "nothing enables them here: compute with operators, CAST and the functions that there are, or in the client");
}

Result<Plan> RefuseAggregate(const CreateAggregateStatement& statement, const Planning& planning) {
  const std::string& keyspace =
      statement.name.keyspace ? statement.name.keyspace->text : planning.context.current_keyspace;
  if (keyspace.empty()) {
    return InvalidAt(statement.name.range,
                     "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
  }
  if (planning.schema.FindKeyspace(keyspace) == nullptr) {
    Error error = ConfigError("Keyspace " + keyspace + " doesn't exist");
    error.range = statement.name.range;
    return error;
  }
  if (statement.or_replace && statement.if_not_exists) return InvalidAt(statement.name.range, kReplaceAndAbsent);
  std::vector<std::string> types;
  const auto add = [&](const Type& type) {
    const std::string text = TypeText(type);
    types.push_back(text.starts_with("frozen<") ? text.substr(7, text.size() - 8) : text);
  };
  WR_ASSIGN_OR_RETURN(const TypePtr state, ResolveType(statement.state_type, planning.schema, keyspace));
  add(*state);
  for (const TypeName& argument : statement.arguments) {
    WR_ASSIGN_OR_RETURN(const TypePtr type, ResolveType(argument, planning.schema, keyspace));
    add(*type);
  }
  return InvalidAt(
      statement.state_function.range,
      "State function " + keyspace + "." + statement.state_function.text + "(" + JoinNames(types) + ") doesn't exist",
      "a state function is a function of one's own, and these are disabled: count, min, max, sum and avg of an "
      "expression are there");
}

Result<Plan> PlanNode(const Statement& statement, Planning& planning);

Result<Plan> PlanExplain(const ExplainStatement& statement, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Plan inner, PlanNode(statement.statement[0], planning));
  const bool runs = std::holds_alternative<SelectPlan>(inner.node) || std::holds_alternative<ModifyPlan>(inner.node) ||
                    std::holds_alternative<BatchPlan>(inner.node);
  if (statement.analyze && !runs) {
    return InvalidAt(range, "EXPLAIN ANALYZE runs SELECT, INSERT, UPDATE, DELETE and BATCH statements only",
                     "EXPLAIN without ANALYZE explains every statement");
  }
  Plan plan;
  plan.tables = inner.tables;
  plan.node = ExplainPlan{statement.analyze, std::make_shared<const Plan>(std::move(inner))};
  return plan;
}

Result<Plan> PlanNode(const Statement& statement, Planning& planning) {
  const SourceRange range = statement.range;
  return std::visit(
      [&](const auto& node) -> Result<Plan> {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, SelectStatement>) {
          return WithBase(Finish(PlanSelect(node, planning)), planning.schema);
        } else if constexpr (std::is_same_v<T, InsertStatement>) {
          return Finish(PlanInsert(node, range, planning));
        } else if constexpr (std::is_same_v<T, UpdateStatement>) {
          return Finish(PlanUpdate(node, range, planning));
        } else if constexpr (std::is_same_v<T, DeleteStatement>) {
          return Finish(PlanDelete(node, range, planning));
        } else if constexpr (std::is_same_v<T, BatchStatement>) {
          return Finish(PlanBatch(node, range, planning));
        } else if constexpr (std::is_same_v<T, TruncateStatement>) {
          return PlanTruncate(node, planning);
        } else if constexpr (std::is_same_v<T, UseStatement>) {
          return PlanUse(node, planning);
        } else if constexpr (std::is_same_v<T, DescribeStatement>) {
          return Plan{.node = DescribePlan{node, planning.context.current_keyspace}};
        } else if constexpr (std::is_same_v<T, AdviseStatement>) {
          return Plan{.node =
                          AdvisePlan{std::make_shared<const AdviseStatement>(node), planning.context.current_keyspace}};
        } else if constexpr (std::is_same_v<T, ExplainStatement>) {
          return PlanExplain(node, range, planning);
        } else if constexpr (std::is_same_v<T, CreateFunctionStatement>) {
          return RefuseFunction(node);
        } else if constexpr (std::is_same_v<T, CreateAggregateStatement>) {
          return RefuseAggregate(node, planning);
        } else if constexpr (kIsDdl<T>) {
          return Plan{.node = DdlPlan{std::make_shared<const Statement>(statement), planning.context.current_keyspace}};
        } else if constexpr (kIsAboutRoles<T>) {
          return Plan{.node =
                          RolePlan{std::make_shared<const Statement>(statement), planning.context.current_keyspace}};
        } else {
          return NotSupportedYet(range, StatementName(statement));
        }
      },
      statement.node);
}

}  // namespace

Result<Plan> PlanStatement(const Statement& statement, const SchemaSnapshot& schema, const PlanContext& context) {
  Planning planning{.schema = schema, .context = context, .extensions = statement.extensions};
  WR_ASSIGN_OR_RETURN(Plan plan, PlanNode(statement, planning));
  plan.markers = std::move(planning.markers);
  plan.partition_key_markers = PartitionKeyMarkers(plan);
  plan.warnings = std::move(planning.warnings);
  plan.warnings_of_answers = plan.warnings.size();
  for (std::string& warning : ExtensionWarnings(planning)) plan.warnings.push_back(std::move(warning));
  return plan;
}

}  // namespace widerow
