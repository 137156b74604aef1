#include "exec/rows/consistency.h"

#include "planner/counter_rules.h"

namespace widerow {
namespace {

bool IsSerial(ConsistencyLevel level) {
  return level == ConsistencyLevel::kSerial || level == ConsistencyLevel::kLocalSerial;
}

}  // namespace

Status RefuseNodeLocal(ConsistencyLevel level) {
  if (level != ConsistencyLevel::kNodeLocal) return OkStatus();
  return InvalidError(
      "NODE_LOCAL consistency level is highly dangerous and should be used only for debugging purposes");
}

Status CheckConsistency(const Plan& plan, ConsistencyLevel level) {
  WR_RETURN_IF_ERROR(RefuseNodeLocal(level));
  if (std::holds_alternative<SelectPlan>(plan.node) && level == ConsistencyLevel::kAny) {
    return InvalidError("ANY ConsistencyLevel is only supported for writes");
  }
  const auto* write = std::get_if<ModifyPlan>(&plan.node);
  if (write != nullptr && (IsSerial(level) || level == ConsistencyLevel::kAny) && IsCounterTable(*write->table)) {
    return level == ConsistencyLevel::kAny
               ? InvalidError("Consistency level ANY is not yet supported for counter table " + write->table->name)
               : InvalidError("Counter operations are inherently non-serializable");
  }
  if (write != nullptr && write->condition == RowCondition::kNone && IsSerial(level)) {
    return InvalidError("You must use conditional updates for serializable writes");
  }
  return OkStatus();
}

Status CheckConditionalConsistency(const SchemaSnapshot& schema, const TableSchema& table, ConsistencyLevel level,
                                   ConsistencyLevel serial) {
  if (!IsSerial(serial)) {
    return InvalidError("Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL");
  }
  if (IsSerial(level)) {
    return InvalidError(
        std::string(level == ConsistencyLevel::kSerial ? "SERIAL" : "LOCAL_SERIAL") +
        " is not supported as conditional update commit consistency. Use ANY if you mean \"make sure it "
        "is accepted but I don't care how many replicas commit it for non-SERIAL reads\"");
  }
  const KeyspaceSchema* keyspace = schema.FindKeyspace(table.keyspace);
  if (level != ConsistencyLevel::kEachQuorum || keyspace == nullptr) return OkStatus();
  const auto strategy = keyspace->replication.find("class");
  if (strategy == keyspace->replication.end() || strategy->second.ends_with("NetworkTopologyStrategy")) {
    return OkStatus();
  }
  const std::string prefix = strategy->second.find('.') == std::string::npos ? "org.apache.cassandra.locator." : "";
  return InvalidError("consistency level EACH_QUORUM not compatible with replication strategy (" + prefix +
                      strategy->second + ")");
}

}  // namespace widerow
