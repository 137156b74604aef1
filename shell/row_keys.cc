#include "shell/row_keys.h"

#include "parser/parse.h"
#include "types/order_codec.h"

namespace widerow {

Result<RowKeys> RowKeys::Make(const CopyMapping& mapping, const CopyCommand& command, const SchemaSnapshot& schema) {
  WR_ASSIGN_OR_RETURN(const Statement statement, Parse(mapping.Statement()));
  WR_ASSIGN_OR_RETURN(Plan plan, PlanStatement(statement, schema, {}));
  return RowKeys(mapping, command, std::move(plan));
}

RowKeys::RowKeys(const CopyMapping& mapping, const CopyCommand& command, Plan plan)
    : mapping_(mapping),
      command_(command),
      plan_(std::move(plan)),
      has_statics_(std::get<ModifyPlan>(plan_.node).sets_statics()),
      values_(mapping.slots.size(), BoundValue{.kind = BoundValue::Kind::kUnset}) {}

RowKey RowKeys::Of(const CsvRecord& record) {
  RowKey key;
  if (record.fields.size() != mapping_.field_count) return key;
  for (const size_t slot : mapping_.key_slots) {
    BoundValue& value = values_[slot];
    value.bytes.clear();
    const Status converted =
        ConvertCell(mapping_.slots[slot], command_.null_text, record.fields[mapping_.slots[slot].field], value);
    if (!converted.ok()) value.kind = BoundValue::Kind::kUnset;
  }
  const auto& plan = std::get<ModifyPlan>(plan_.node);
  for (size_t i = 0; i < plan.partition_key.size(); ++i) {
    if (!AppendColumn(plan.table->partition_key(i), plan.partition_key[i], key.bytes)) return {};
  }
  key.partition_size = key.bytes.size();
  for (size_t i = 0; i < plan.clustering.prefix.size(); ++i) {
    const auto& values = std::get<KeyValues>(plan.clustering.prefix[i]);
    if (!AppendColumn(plan.table->clustering(i), values, key.bytes)) {
      key.bytes.resize(key.partition_size);
      break;
    }
  }
  return key;
}

ByteView RowKeys::OrderedPart(const RowKey& key) const {
  return has_statics_ ? ByteView(key.bytes).substr(0, key.partition_size) : ByteView(key.bytes);
}

bool RowKeys::AppendColumn(const ColumnSchema& column, const KeyValues& values, Bytes& key) {
  EvaluationContext context;
  context.markers = values_;
  const Result<ValueView> value = EvaluateView(values.values[0], context, scratch_);
  if (!value.ok() || !*value) return false;
  AppendComparable(*column.type, false, **value, key);
  return true;
}

}  // namespace widerow
