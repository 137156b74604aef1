#include "shell/row_converter.h"

#include <algorithm>

#include "types/order_codec.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// True for text, ascii and blob. A quoted field of these types is never null. For other types, an empty field is null,
// quoted or not.
bool IsText(const Type& type) {
  return type.kind == TypeKind::kText || type.kind == TypeKind::kAscii || type.kind == TypeKind::kBlob;
}

// Appends the value of a key's field in the form of stored keys. A text that is no value of the type is appended as it
// is: its row will be refused.
void AppendKeyField(const Type& type, std::string_view text, Bytes& key) {
  const Result<Bytes> value = ParseText(type, text);
  AppendComparable(value.ok() ? type : *ScalarType(TypeKind::kText), false, value.ok() ? ByteView(*value) : text, key);
}

template <typename TextOf>
Bytes KeyOfFields(const CopyMapping& mapping, size_t field_count, const TextOf& text_of) {
  Bytes key;
  for (const size_t field : mapping.key_fields) {
    if (field >= field_count) break;
    const auto slot = std::find_if(mapping.slots.begin(), mapping.slots.end(),
                                   [&](const CopySlot& candidate) { return candidate.field == field; });
    AppendKeyField(*slot->type, text_of(field), key);
  }
  return key;
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

void RowBatch::Add(const CsvRecord& record, uint64_t number, int64_t timestamp) {
  rows.push_back({number, record.line, timestamp, text.size(), record.raw.size(), cells.size(), record.fields.size()});
  text += record.raw;
  for (const CsvField& field : record.fields) {
    cells.push_back({text.size(), field.text.size(), field.quoted});
    text += field.text;
  }
}

Bytes KeyOf(const CopyMapping& mapping, const CsvRecord& record) {
  return KeyOfFields(mapping, record.fields.size(), [&](size_t field) { return record.fields[field].text; });
}

Bytes KeyOf(const CopyMapping& mapping, const RowBatch& batch, const RowBatch::Row& row) {
  return KeyOfFields(mapping, row.cell_count,
                     [&](size_t field) { return batch.Text(batch.cells[row.first_cell + field]); });
}

Status RowConverter::Refuse(const RowBatch& batch, const RowBatch::Row& row, std::string_view column,
                            const std::string& reason) const {
  return bad_.Add({.line = row.line, .column = column, .reason = reason, .raw = batch.Raw(row)});
}

Result<bool> RowConverter::Convert(const RowBatch& batch, const RowBatch::Row& row,
                                   std::vector<BoundValue>& values) const {
  if (row.cell_count != mapping_.field_count) {
    WR_RETURN_IF_ERROR(Refuse(
        batch, row, "",
        "expected " + std::to_string(mapping_.field_count) + " fields, found " + std::to_string(row.cell_count)));
    return false;
  }
  const size_t first_value = values.size();
  for (const CopySlot& slot : mapping_.slots) {
    const RowBatch::Cell& cell = batch.cells[row.first_cell + slot.field];
    const Status converted = ConvertCell(slot, batch.Text(cell), cell.quoted, values.emplace_back());
    if (converted.ok()) continue;
    values.resize(first_value);
    WR_RETURN_IF_ERROR(Refuse(batch, row, slot.name, FirstLine(converted.error().message)));
    return false;
  }
  return true;
}

Status RowConverter::ConvertCell(const CopySlot& slot, std::string_view text, bool quoted, BoundValue& value) const {
  const bool is_text = IsText(*slot.type);
  const bool null = (text == command_.null_text && !(is_text && quoted)) || (text.empty() && !is_text);
  if (null) {
    if (slot.key) return InvalidError("null in a primary key column");
    // The column is left unset, because a null would be stored as a deletion. A value in an expression cannot be unset,
    // so it is null.
    value.kind = slot.in_expression ? BoundValue::Kind::kNull : BoundValue::Kind::kUnset;
    return OkStatus();
  }
  value.kind = BoundValue::Kind::kValue;
  if (!is_text && text == kEmptyValueField && ValidateValue(*slot.type, {}).ok()) return OkStatus();
  WR_ASSIGN_OR_RETURN(value.bytes, ParseText(*slot.type, text));
  return OkStatus();
}

}  // namespace widerow
