#include "exec/write/bind_times.h"

#include <string>

#include "base/limits.h"
#include "types/value_bytes.h"

namespace widerow {

Result<std::optional<int64_t>> BindTimestamp(const std::optional<Expression>& expression,
                                             const EvaluationContext& context) {
  if (!expression || IsUnset(*expression, context)) return std::optional<int64_t>();
  WR_ASSIGN_OR_RETURN(Value value, Evaluate(*expression, context));
  if (!value || value->empty()) return InvalidAt(expression->range, "Invalid null value of timestamp");
  return std::optional<int64_t>(DecodeInteger(*value));
}

Status CheckTimestamp(int64_t timestamp, SourceRange range) {
  if (timestamp != kNoTimestamp) return OkStatus();
  return InvalidAt(range, "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807]");
}

Result<CellTimes> BindTimes(const ModifyPlan& plan, const WriteRequest& request, std::optional<int64_t> timestamp) {
  CellTimes times{.timestamp = timestamp.value_or(request.timestamp),
                  .ttl = 0,
                  .now_seconds = request.now_seconds,
                  .now_micros = request.context.function.now_micros};
  if (timestamp) WR_RETURN_IF_ERROR(CheckTimestamp(*timestamp, plan.timestamp->range));
  if (plan.kind == ModifyPlan::Kind::kDelete) return times;
  std::optional<int64_t> ttl;
  if (plan.ttl && !IsUnset(*plan.ttl, request.context)) {
    WR_ASSIGN_OR_RETURN(const Value value, Evaluate(*plan.ttl, request.context));
    ttl = value && !value->empty() ? DecodeInteger(*value) : 0;  // As in Cassandra, null means no TTL.
  }
  if (ttl && *ttl < 0) {
    return InvalidAt(plan.ttl->range, "A TTL must be greater or equal to 0, but was " + std::to_string(*ttl));
  }
  if (ttl && *ttl > limits::kTtlSecondsMax) {
    return InvalidAt(plan.ttl->range, "ttl is too large. requested (" + std::to_string(*ttl) + ") maximum (" +
                                          std::to_string(limits::kTtlSecondsMax) + ")");
  }
  times.ttl = ttl ? static_cast<int32_t>(*ttl) : plan.table->options.default_time_to_live;
  return times;
}

}  // namespace widerow
