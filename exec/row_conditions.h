// The conditions of one write (IF EXISTS, IF NOT EXISTS), all on rows of one partition, and the rows it answers with. Put
// together when the write is built; asked on the storage writer's thread, where nothing comes between question and write.
#pragma once

#include <map>
#include <optional>

#include "exec/outcome.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

class RowConditions {
 public:
  explicit RowConditions(int64_t now_seconds) : now_seconds_(now_seconds) {}

  // Takes in a statement of the write, with a condition or without. Errors are Cassandra's: several keys by IN, or another
  // partition than the statements before.
  Status AddStatement(const ModifyPlan& plan, const std::vector<Bytes>& partition_keys);
  // Its condition, on a row (its encoded clustering) or on the static row. Two may not contradict each other.
  Status AddRow(const ModifyPlan& plan, const Bytes& clustering) {
    return Add(plan, rows_.try_emplace(clustering, plan.condition).first->second);
  }
  Status AddStatic(const ModifyPlan& plan);

  // Whether all of them hold. `answer` becomes what Cassandra answers: [applied], and if they do not hold the rows that
  // were found under them, with the columns that it reads: static ones if a conditional statement sets any, regular ones if
  // any statement names rows; the others are null.
  Result<bool> Hold(ReadView& view, RowsPage& answer) const;
  // The greatest timestamp of anything under the conditions' rows.
  Result<int64_t> NewestTimestamp(ReadView& view) const;

 private:
  static Status Add(const ModifyPlan& plan, RowCondition known);
  class Found;

  const int64_t now_seconds_;
  TablePtr table_;
  Bytes partition_key_;
  std::map<Bytes, RowCondition> rows_;  // By encoded clustering: in the table's order.
  std::optional<RowCondition> static_row_;
  bool reads_regulars_ = false, reads_statics_ = false;
};

}  // namespace widerow
