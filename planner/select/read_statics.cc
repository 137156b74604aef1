#include "planner/select/read_statics.h"

#include "planner/walk.h"

namespace widerow {
namespace {

// True if an output column reads a column of the kind.
bool Outputs(const SelectPlan& plan, ColumnKind kind) {
  bool found = false;
  const auto note = [&](uint32_t column) { found = found || plan.table->columns[column].kind == kind; };
  for (const OutputColumn& output : plan.output) VisitColumns(output.expression, note);
  return found;
}

}  // namespace

bool NeedsStatics(const SelectPlan& plan, const std::vector<Predicate>& filter) {
  bool needed = Outputs(plan, ColumnKind::kStatic);
  const auto note = [&](uint32_t column) {
    needed = needed || plan.table->columns[column].kind == ColumnKind::kStatic;
  };
  for (const Predicate& predicate : filter) VisitColumns(predicate, note);
  return needed;
}

bool ReadsStaticsBesideRows(const SelectPlan& plan) {
  const auto* partitions = std::get_if<MultiPartition>(&plan.access);
  return plan.merge_partitions && partitions != nullptr && plan.table->has_statics() &&
         partitions->clustering.names_whole_rows(*plan.table) &&
         (plan.needs_statics || !Outputs(plan, ColumnKind::kRegular));
}

}  // namespace widerow
