#include "embedded/result_set_state.h"
#include "types/json_form.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

[[noreturn]] void Mismatch(const ResultColumn& column, const std::string& wanted) {
  throw TypeMismatch("column " + column.name + " is " + TypeText(*column.type) + ", not " + wanted);
}

// Returns the bytes of the value. Throws for null and for an empty value, from which no `wanted` can be made.
ByteView Required(const ResultColumn& column, const ValueView& value, const char* wanted) {
  if (!value) throw TypeMismatch("column " + column.name + " is null, not " + wanted);
  if (value->empty()) throw TypeMismatch("column " + column.name + " is empty, not " + wanted);
  return *value;
}

bool IsInteger(TypeKind kind, size_t bytes_max) {
  switch (kind) {
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kInt: return true;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTimestamp:
    case TypeKind::kTime: return bytes_max >= 8;
    default: return false;
  }
}

template <typename T>
T Convert(const ResultColumn& column, const ValueView& value);

template <>
bool Convert(const ResultColumn& column, const ValueView& value) {
  if (column.type->kind != TypeKind::kBoolean) Mismatch(column, "bool");
  return Required(column, value, "bool").front() != 0;
}

template <>
int32_t Convert(const ResultColumn& column, const ValueView& value) {
  if (!IsInteger(column.type->kind, sizeof(int32_t))) Mismatch(column, "int32_t");
  return static_cast<int32_t>(DecodeInteger(Required(column, value, "int32_t")));
}

template <>
int64_t Convert(const ResultColumn& column, const ValueView& value) {
  if (!IsInteger(column.type->kind, sizeof(int64_t))) Mismatch(column, "int64_t");
  return DecodeInteger(Required(column, value, "int64_t"));
}

template <>
double Convert(const ResultColumn& column, const ValueView& value) {
  if (column.type->kind == TypeKind::kFloat) {
    return static_cast<double>(DecodeFloat(Required(column, value, "double")));
  }
  if (column.type->kind != TypeKind::kDouble) Mismatch(column, "double");
  return DecodeDouble(Required(column, value, "double"));
}

template <>
std::string Convert(const ResultColumn& column, const ValueView& value) {
  if (column.type->kind != TypeKind::kText && column.type->kind != TypeKind::kAscii) Mismatch(column, "text");
  if (!value) throw TypeMismatch("column " + column.name + " is null, not text");
  return std::string(*value);
}

// Returns the value, null included. Throws if the current row has no such column, or if there is no current row (before
// the first or after the last).
ValueView ValueAt(const ResultSetState& state, size_t column) {
  if (column >= state.columns) {
    throw TypeMismatch("there is no column " + std::to_string(column) + " in the current row");
  }
  const ByteView value = state.Value(column);
  return value.data() != nullptr ? ValueView(value) : std::nullopt;
}

}  // namespace

size_t Row::size() const { return state_->columns; }

bool Row::IsNull(size_t column) const { return !ValueAt(*state_, column); }

std::string_view Row::Raw(size_t column) const { return ValueAt(*state_, column).value_or(std::string_view()); }

std::string Row::Text(size_t column) const {
  const ValueView value = ValueAt(*state_, column);
  return value ? FormatText(*(*state_->page.columns)[column].type, *value) : "null";
}

std::string Row::Json(size_t column) const {
  const ValueView value = ValueAt(*state_, column);
  if (!value) return "null";
  std::string json;
  AppendJson(*(*state_->page.columns)[column].type, *value, json, JsonForm::kExact);
  return json;
}

size_t Row::Index(std::string_view name) const {
  if (state_->page.columns) {
    const ResultColumns& columns = *state_->page.columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == name) return i;
    }
  }
  throw TypeMismatch("there is no column " + std::string(name) + " in the result");
}

template <typename T>
T Row::Get(size_t column) const {
  const ValueView value = ValueAt(*state_, column);
  return Convert<T>((*state_->page.columns)[column], value);
}

template bool Row::Get(size_t) const;
template int32_t Row::Get(size_t) const;
template int64_t Row::Get(size_t) const;
template double Row::Get(size_t) const;
template std::string Row::Get(size_t) const;

}  // namespace widerow
