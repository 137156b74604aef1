#include "net/native/running_request.h"

#include "base/overloaded.h"
#include "exec/engine/statement_planner.h"
#include "exec/prepared/prepared_description.h"

namespace widerow {

void Complete(QueryParameters& parameters, RunningRequest& running) {
  RequestParameters& request = parameters.request;
  if (request.keyspace.empty()) request.keyspace = running.request.keyspace;
  request.trace = running.traced();
  request.guarded = true;
  request.ran_long = running.ran_long;
  request.answer.room = running.room;
  request.answer.ran_long = running.ran_long;
  request.connection = running.connection;
  request.warnings_of_error = &running.warnings;
}

PreparedPtr FindPrepared(RunningRequest& running, ByteView id, bool reads_described) {
  PreparedPtr found = running.engine.planner().Find(id);
  KnownStatements* const known = running.request.known;
  if (found == nullptr || known == nullptr || known->MayRun(*found, reads_described)) [[likely]]
    return found;
  return nullptr;
}

RowsDescription DescribeRows(const ResultColumnsPtr& columns, const PreparedStatement* statement, bool skip,
                             ByteView known_id, uint8_t version) {
  if (statement == nullptr) return {.form = skip ? MetadataForm::kNone : MetadataForm::kFull};
  // If PREPARE could not know the columns, each answer describes them.
  if (statement->columns == nullptr) return {};
  const bool as_prepared = columns == statement->columns;
  if (version >= 5) {
    if (as_prepared && statement->columns_id == known_id) {
      return {.form = skip ? MetadataForm::kNone : MetadataForm::kFull};
    }
    Bytes id = as_prepared ? statement->columns_id : ColumnsId(*columns);
    if (id != known_id) return {.form = MetadataForm::kChanged, .new_id = std::move(id)};
    return {.form = skip ? MetadataForm::kNone : MetadataForm::kFull};
  }
  // Before version 5, a client cannot say which columns it knows. So after a change, every answer describes the
  // columns.
  const bool same = as_prepared || ColumnsId(*columns) == statement->columns_id;
  return {.form = skip && same && !statement->columns_changed ? MetadataForm::kNone : MetadataForm::kFull};
}

void Succeed(RunningRequest& running, const Outcome& outcome, const KnownColumns& known) {
  const ResultExtras extras{.trace_id = outcome.trace_id, .warnings = outcome.warnings};
  const AnswerTo& to = running.to();
  running.answer.frame = std::visit(
      Overloaded{[&](const VoidOutcome&) { return EncodeVoid(to, extras); },
                 [&](const RowsPage& page) {
                   const RowsDescription description =
                       DescribeRows(page.columns, known.statement, known.skip_metadata, known.metadata_id, to.version);
                   return EncodeRows(to, page, description.form, description.new_id, extras);
                 },
                 [&](const UseOutcome& use) {
                   running.answer.keyspace = use.keyspace;
                   return EncodeSetKeyspace(to, use.keyspace, extras);
                 },
                 [&](const SchemaChangeOutcome& changed) { return EncodeSchemaChange(to, changed.change, extras); }},
      outcome.result);
}

}  // namespace widerow
