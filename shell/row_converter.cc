#include "shell/row_converter.h"

#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// True for text, ascii and blob. A quoted field of these types is never null. For other types, an empty field is null,
// quoted or not.
bool IsText(const Type& type) {
  return type.kind == TypeKind::kText || type.kind == TypeKind::kAscii || type.kind == TypeKind::kBlob;
}

}  // namespace

// True for errors that the rows cause, not the server or the connection.
bool IsRowFault(const Error& error) {
  switch (error.code) {
    case ErrorCode::kSyntaxError:
    case ErrorCode::kInvalid:
    case ErrorCode::kFunctionFailure:
    case ErrorCode::kConfigError: return true;
    default: return false;
  }
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

void RowBatch::Add(const CsvRecord& record, uint64_t number, int64_t timestamp, const RowKey& key) {
  rows.push_back({.number = number,
                  .line = record.line,
                  .timestamp = timestamp,
                  .raw_begin = text.size(),
                  .raw_size = record.raw.size(),
                  .first_cell = cells.size(),
                  .cell_count = record.fields.size(),
                  .key_begin = text.size() + record.raw.size(),
                  .key_size = key.bytes.size(),
                  .partition_size = key.partition_size});
  text += record.raw;
  text += key.bytes;
  for (const CsvField& field : record.fields) {
    cells.push_back({text.size(), field.text.size(), field.quoted});
    text += field.text;
  }
}

bool IsNull(const CopySlot& slot, std::string_view null_text, const CsvField& field) {
  const bool is_text = IsText(*slot.type);
  return (field.text == null_text && !(is_text && field.quoted)) || (field.text.empty() && !is_text);
}

Status ConvertCell(const CopySlot& slot, std::string_view null_text, const CsvField& field, BoundValue& value) {
  if (IsNull(slot, null_text, field)) {
    if (slot.key) return InvalidError("null in a primary key column");
    // The column is left unset, because a null would be stored as a deletion. A value in an expression cannot be unset,
    // so it is null.
    value.kind = slot.in_expression ? BoundValue::Kind::kNull : BoundValue::Kind::kUnset;
    return OkStatus();
  }
  value.kind = BoundValue::Kind::kValue;
  const bool is_empty = field.text == kEmptyValueField && !IsText(*slot.type);
  if (is_empty && ValidateValue(*slot.type, {}).ok()) return OkStatus();
  WR_ASSIGN_OR_RETURN(value.bytes, ParseText(*slot.type, field.text));
  return OkStatus();
}

Status RowConverter::Refuse(const RowBatch& batch, const RowBatch::Row& row, std::string_view column,
                            const std::string& reason) const {
  return bad_.Add({.line = row.line, .column = column, .reason = reason, .raw = batch.Raw(row)});
}

bool RowConverter::HasStaticsAlone(const RowBatch& batch, const RowBatch::Row& row) const {
  if (!mapping_.allows_statics_alone) return false;
  bool any_static = false;
  for (const CopySlot& slot : mapping_.slots) {
    if (slot.kind == ColumnKind::kPartitionKey || IsNull(slot, command_.null_text, batch.Field(row, slot.field)))
      continue;
    if (slot.kind != ColumnKind::kStatic) return false;
    any_static = true;
  }
  return any_static;
}

Result<RowConverter::Converted> RowConverter::Convert(const RowBatch& batch, const RowBatch::Row& row,
                                                      std::vector<BoundValue>& values) const {
  if (row.cell_count != mapping_.field_count) {
    WR_RETURN_IF_ERROR(Refuse(
        batch, row, "",
        "expected " + std::to_string(mapping_.field_count) + " fields, found " + std::to_string(row.cell_count)));
    return Converted::kRefused;
  }
  const bool statics_alone = HasStaticsAlone(batch, row);
  const size_t first_value = values.size();
  for (const CopySlot& slot : mapping_.slots) {
    BoundValue& value = values.emplace_back(BoundValue{.kind = BoundValue::Kind::kUnset});
    if (statics_alone && slot.kind == ColumnKind::kClustering) continue;
    const Status converted = ConvertCell(slot, command_.null_text, batch.Field(row, slot.field), value);
    if (converted.ok()) continue;
    values.resize(first_value);
    WR_RETURN_IF_ERROR(Refuse(batch, row, slot.name, FirstLine(converted.error().message)));
    return Converted::kRefused;
  }
  return statics_alone ? Converted::kStatics : Converted::kRow;
}

}  // namespace widerow
