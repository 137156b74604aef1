// The conditions of one write (IF EXISTS, IF NOT EXISTS, IF v = 1), and the rows of the write's answer. All conditions
// are on rows of one partition. The conditions are collected when the write is built, and checked on the storage
// writer's thread, where no other write comes between the check and the write.
#pragma once

#include <map>
#include <optional>

#include "exec/rows/outcome.h"
#include "exec/write/column_conditions.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

class RowConditions {
 public:
  // `batch`: the write is a batch, so the answer contains the keys of the rows shown. `limits`: for the answer.
  RowConditions(int64_t now_seconds, bool batch, const AnswerLimits& limits)
      : now_seconds_(now_seconds), batch_(batch), limits_(limits) {}

  // Adds a statement of the write, conditional or not. Fails, with Cassandra's sentences, if IN selects several keys,
  // or if the partition is not that of the earlier statements.
  Status AddStatement(const ModifyPlan& plan, const std::vector<Bytes>& partition_keys);
  // Adds the statement's condition. `clustering` is the row that it names, if any. Conditions on one row must be of one
  // kind.
  Status AddCondition(const ModifyPlan& plan, const Bytes& clustering, const EvaluationContext& context);

  // True if all conditions hold. `answer` gets Cassandra's answer: [applied] and, if a condition does not hold, the
  // rows found. If the conditions are on columns, the answer shows only these columns; in a batch, the key columns come
  // before them. Otherwise the answer shows all columns. Columns that Cassandra does not read are shown as null: static
  // columns if no conditional statement sets one, and regular columns if no statement names rows. Fails as RowsWriter
  // does if the answer is too large or there is no memory for it.
  Result<bool> Hold(ReadView& view, RowsPage& answer) const;
  // Returns the greatest timestamp in the rows of the conditions.
  Result<int64_t> NewestTimestamp(ReadView& view) const;
  // True if a condition is on the row of `clustering`, or on the static row (`clustering` is ignored then).
  bool AsksOf(bool is_static, const Bytes& clustering) const {
    return is_static ? static_row_.has_value() : rows_.contains(clustering);
  }
  // Returns the approximate number of bytes of the conditions and their values.
  size_t held_bytes() const { return held_bytes_; }

 private:
  // The conditions on one row. `columns` is used for kColumns only.
  struct Asked {
    RowCondition kind = RowCondition::kNone;
    std::vector<BoundCondition> columns;
  };

  static Result<Asked*> Join(const ModifyPlan& plan, std::optional<Asked>& asked);
  Status AddColumns(const ModifyPlan& plan, const Bytes& clustering, const EvaluationContext& context);
  void Show(const ModifyPlan& plan);
  void Read(ColumnKind kind);
  class Found;

  const int64_t now_seconds_;
  const bool batch_;
  const AnswerLimits limits_;
  TablePtr table_;
  Bytes partition_key_;
  std::map<Bytes, std::optional<Asked>> rows_;  // By encoded clustering: in the table's order.
  std::optional<Asked> static_row_;
  std::vector<bool> read_;  // By column: true if the column must be read, for a condition or for the answer.
  bool shows_all_ = false;
  std::vector<uint32_t> shown_;  // The columns that the answer shows, in this order; unused if shows_all_.
  size_t held_bytes_ = 0;
};

// Returns the step that answers a conditional write which is not applied because another row has a value that must be
// unique. The answer is [applied] = false and all columns of that row, within the limits.
ConflictStep AnswerConflicts(std::shared_ptr<RowsPage> answer, int64_t now_seconds, const AnswerLimits& limits);

}  // namespace widerow
