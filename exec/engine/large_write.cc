// The part of WriteRunner that writes values in pieces. The write is an ordinary one, with a cell that has a reference
// to the pieces. The decide step refuses the write if the table or the partition was dropped or truncated while the
// pieces were being written, because the pieces are gone then.
#include <algorithm>

#include "exec/engine/write_runner.h"
#include "exec/write/decided_write.h"
#include "exec/write/held_bytes.h"
#include "planner/generated/generated_columns.h"

namespace widerow {
namespace {

Error NotInParts(std::string why) {
  return InvalidError("A value cannot be written in parts " + std::move(why),
                      "use a plain INSERT or UPDATE of one row: UPDATE t SET v = ? WHERE k = ?");
}

// Returns the column that gets the marker's value.
Result<const ColumnSchema*> ColumnOfMarker(const ModifyPlan& plan, size_t marker) {
  const TableSchema& table = *plan.table;
  for (const CellOperation& operation : plan.operations) {
    if (operation.kind != CellOperation::Kind::kAssign || !operation.value) continue;
    const auto* value = std::get_if<MarkerExpression>(&operation.value->node);
    if (value == nullptr || value->index != marker) continue;
    const ColumnSchema& column = table.columns[operation.column];
    if (column.kind == ColumnKind::kStatic) return NotInParts("into a static column");
    if (table.generated != nullptr && table.generated->IsKeySource(operation.column)) {
      return NotInParts("into a column from which the key is generated");
    }
    const bool indexed = std::any_of(table.indexes.begin(), table.indexes.end(),
                                     [&](const IndexSchema& index) { return index.column == column.id; });
    if (indexed) return NotInParts("into a column with an index");
    return &column;
  }
  return NotInParts("by this statement");
}

}  // namespace

Result<LargeWrite> WriteRunner::BuildLarge(AdmittedRequest& request, size_t marker) const {
  const auto* plan = std::get_if<ModifyPlan>(&request.plan().node);
  if (plan == nullptr) return NotInParts("by this statement");
  if (plan->condition != RowCondition::kNone) return NotInParts("with IF");
  WR_ASSIGN_OR_RETURN(const ColumnSchema* column, ColumnOfMarker(*plan, marker));
  WR_ASSIGN_OR_RETURN(BuiltWrite built, Build(request));
  DropEmptyPartitions(built.write.mutation);
  Mutation& mutation = built.write.mutation;
  if (built.write.decide || mutation.size() != 1 || mutation[0].rows.empty()) {
    return NotInParts("into several rows, or together with lists that are read");
  }
  size_t found = 0;
  for (RowMutation& row : mutation[0].rows) {
    for (Cell& cell : row.content.cells) {
      if (cell.column != column->id || cell.tombstone) continue;
      cell.large = true;
      ++found;
    }
  }
  if (found != 1) return NotInParts("into several rows");
  built.decided = std::make_shared<const Mutation>(std::move(mutation));
  mutation.clear();
  return LargeWrite{std::move(built)};
}

Result<Outcome> WriteRunner::RunLarge(AdmittedRequest& request, LargeWrite write, LargeUpload& upload) const {
  BuiltWrite& built = write.built;
  Outcome done;
  WR_RETURN_IF_ERROR(Admit(built, done.warnings));
  built.write.decide_bytes = HeldBytes(*built.decided);
  built.write.decide = [mutation = built.decided, &upload](ReadView&) -> Result<Mutation> {
    if (upload.Live()) return *mutation;
    return InvalidError("The table or the partition was dropped or truncated while the value was written");
  };
  const Status applied = ApplyMeasured(request.statement().record.get(), built, done.warnings);
  upload.Settle(applied);
  if (!applied.ok()) return applied.error();
  return done;
}

}  // namespace widerow
