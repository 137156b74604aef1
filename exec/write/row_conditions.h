// The conditions of one write (IF EXISTS, IF NOT EXISTS, IF v = 1), all on rows of one partition, and the rows it answers with.
// Put together when the write is built; asked on the storage writer's thread, where nothing comes between question and write.
#pragma once

#include <map>
#include <optional>

#include "exec/write/column_conditions.h"
#include "exec/rows/outcome.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

class RowConditions {
 public:
  // `batch`: of several statements, where the answer names the rows that it shows.
  RowConditions(int64_t now_seconds, bool batch) : now_seconds_(now_seconds), batch_(batch) {}

  // Takes in a statement of the write, with a condition or without. Errors are Cassandra's: several keys by IN, or another
  // partition than the statements before.
  Status AddStatement(const ModifyPlan& plan, const std::vector<Bytes>& partition_keys);
  // Its condition. `clustering` is the row that it names, if it does. Those on one row may not be of several kinds.
  Status AddCondition(const ModifyPlan& plan, const Bytes& clustering, const EvaluationContext& context);

  // Whether all of them hold. `answer` becomes what Cassandra answers: [applied], and if they do not hold the rows that
  // were found under them. Of conditions on columns these columns alone are shown, in a batch behind the key; else all, and
  // null those that Cassandra does not read: static ones unless a conditional statement sets any, regular ones unless any
  // statement names rows.
  Result<bool> Hold(ReadView& view, RowsPage& answer) const;
  // The greatest timestamp of anything under the conditions' rows.
  Result<int64_t> NewestTimestamp(ReadView& view) const;
  // Whether that row, or the static row (`clustering` means nothing then), is one of them.
  bool AsksOf(bool is_static, const Bytes& clustering) const {
    return is_static ? static_row_.has_value() : rows_.contains(clustering);
  }

 private:
  // Of one row. `columns`: of kColumns.
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
  TablePtr table_;
  Bytes partition_key_;
  std::map<Bytes, std::optional<Asked>> rows_;  // By encoded clustering: in the table's order.
  std::optional<Asked> static_row_;
  std::vector<bool> read_;  // By column: what is looked at, and may be shown.
  bool shows_all_ = false;
  std::vector<uint32_t> shown_;  // Unless all: columns with conditions, in their order.
};

}  // namespace widerow
