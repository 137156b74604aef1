// system_views.statements: the recorded statement load.
#include "base/overloaded.h"
#include "exec/load/statement_load.h"
#include "exec/virtual/generators.h"

namespace widerow {
namespace {

const char* KindOf(const Plan& plan) {
  if (const auto* modify = std::get_if<ModifyPlan>(&plan.node)) {
    switch (modify->kind) {
      case ModifyPlan::Kind::kInsert: return "INSERT";
      case ModifyPlan::Kind::kUpdate: return "UPDATE";
      case ModifyPlan::Kind::kDelete: return "DELETE";
    }
  }
  return std::holds_alternative<BatchPlan>(plan.node) ? "BATCH" : "SELECT";
}

// Returns the name of a SELECT's access path; null for writes.
std::optional<std::string> AccessOf(const Plan& plan) {
  const auto* select = std::get_if<SelectPlan>(&plan.node);
  if (select == nullptr) return std::nullopt;
  return AccessName(select->access);
}

}  // namespace

void StatementsRows(const VirtualContext& context, VirtualRows& rows) {
  const auto millis = [](uint64_t micros) { return static_cast<double>(micros) / 1000; };
  for (const StatementFacts& facts : context.statements.List()) {
    rows.Add()
        .Text("keyspace_name", facts.keyspace)
        .Text("table_name", facts.table)
        .Text("statement_id", facts.id)
        .Integer("bytes", static_cast<int64_t>(facts.bytes))
        .Integer("executions", static_cast<int64_t>(facts.executions))
        .Text("kind", KindOf(*facts.plan))
        .Double("max_ms", millis(facts.micros_max))
        .Integer("rows_examined", static_cast<int64_t>(facts.rows_examined))
        .Integer("rows_returned", static_cast<int64_t>(facts.rows_returned))
        .Integer("rows_written", static_cast<int64_t>(facts.rows_written))
        .Text("statement", facts.text)
        .Double("total_ms", millis(facts.micros));
    if (const auto access = AccessOf(*facts.plan)) rows.Text("access", *access);
    if (facts.last_seconds == 0) continue;
    rows.Integer("first_run", facts.first_seconds * 1'000).Integer("last_run", facts.last_seconds * 1'000);
  }
}

}  // namespace widerow
