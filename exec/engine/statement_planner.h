// Turns texts into prepared statements. It plans texts, keeps plans by id and by shape (the text without its
// constants), and plans a statement again if it was planned for another schema. Thread-safe.
#pragma once

#include <optional>

#include "exec/engine/engine_state.h"
#include "exec/prepared/prepared_cache.h"
#include "exec/prepared/prepared_statement.h"
#include "exec/prepared/shape_cache.h"

namespace widerow {

class StatementPlanner {
 public:
  explicit StatementPlanner(EngineState& state);

  // Parses the text in the engine's dialect.
  Result<Statement> Parse(std::string_view text) const;
  // Plans a text for one use: the statement has no id and is not kept.
  Result<PreparedPtr> PlanText(std::string_view text, std::string_view keyspace) const;
  Result<PreparedPtr> PlanFor(std::string_view text, std::string_view keyspace, SchemaPtr schema) const;
  // Does what PlanText does, and keeps the plan for FindShape.
  Result<PreparedPtr> PlanShape(std::string_view text, std::string_view keyspace);
  // Finds the plan of an earlier text that differs at most in constants (docs/internals/unprepared.md). The result's
  // statement is null if there is no such plan for the current schema.
  ShapeCache::Found FindShape(std::string_view text, std::string_view keyspace);
  // Returns a text as an entry of a batch, with the plan that FindShape finds; nullopt: the caller must use PlanShape.
  // If the engine refuses the entry with kInvalid, nothing has been written. The caller can then plan the text with
  // PlanShape, to get an error that quotes it.
  std::optional<BatchEntry> FindShaped(std::string_view text, std::vector<BoundValue> values,
                                       std::string_view keyspace);

  // Prepares a text: the statement gets an id and is kept. The same text in the same keyspace has the same id.
  Result<PreparedPtr> Prepare(std::string_view text, std::string_view keyspace);
  // Returns the statement that Prepare gave `id` to; it may be planned for an older schema. Null if no statement with
  // this id was prepared after the start, if the cache has dropped it, or if its tables have changed so that clients
  // must prepare it again (MustBePreparedAgain, exec/prepared/prepared_description.h). They then get the same id.
  PreparedPtr Find(ByteView id) const;

  // True if the statement is planned for the current schema. A plan stays valid through schema changes that do not
  // touch its tables.
  bool StillValid(const PreparedStatement& statement) const;
  // True if the statement's tables are those of `schema`.
  static bool IsPlannedFor(const PreparedStatement& statement, const SchemaSnapshot& schema);
  // Plans the statement again for the current schema. kUnprepared if the new plan has other markers.
  Result<PreparedPtr> PlanAgain(const PreparedStatement& statement);
  // Returns a batch's statement, planned again if necessary. If the statement came as text, the new plan is allowed to
  // have other markers: only clients of prepared statements know the markers.
  Result<PreparedPtr> Renewed(const PreparedPtr& statement);
  // PrepareOn prepares a text, and PlanAgainOn plans a statement again, for the schema of a snapshot.
  Result<PreparedPtr> PrepareOn(const Snapshot& snapshot, std::string_view text, std::string_view keyspace);
  Result<PreparedPtr> PlanAgainOn(const Snapshot& snapshot, const PreparedStatement& statement);

 private:
  EngineState& state_;
  mutable PreparedCache cache_;
  ShapeCache shapes_;
};

}  // namespace widerow
