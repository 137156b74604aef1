#include "shell/json_value.h"

#include <algorithm>

#include "base/limits.h"
#include "net/text/json_slice.h"
#include "types/json_document.h"
#include "types/json_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

bool IsComposite(const Type& type) {
  return type.is_collection() || type.kind == TypeKind::kVector || type.kind == TypeKind::kTuple ||
         type.kind == TypeKind::kUdt;
}

// Reads a scalar value whose JSON is an empty string.
Result<Value> ReadEmpty(const Type& type) {
  if (type.kind == TypeKind::kDuration) return ParseJson(type, "\"0s\"");
  WR_RETURN_IF_ERROR(ValidateValue(type, {}));
  return Value(Bytes());
}

bool HasNulls(const std::vector<Value>& parts) { return std::ranges::find(parts, Value()) != parts.end(); }

// The key of a map is the name of a member. The name of a composite key contains the JSON of this key.
Result<Value> ReadKey(const Type& type, const std::string& name) {
  if (IsComposite(type)) {
    WR_RETURN_IF_ERROR(CheckJson(name, limits::kNestingMax));
    return ReadAnsweredValue(type, name);
  }
  std::string json;
  AppendJsonString(name, json);
  return ReadAnsweredValue(type, json);
}

Result<Value> ReadMap(const Type& type, std::string_view json) {
  std::vector<Value> parts;
  for (const JsonMember& member : SplitJsonObject(json)) {
    WR_ASSIGN_OR_RETURN(parts.emplace_back(), ReadKey(*type.arguments[0], member.name));
    WR_ASSIGN_OR_RETURN(parts.emplace_back(), ReadAnsweredValue(*type.arguments[1], member.value));
  }
  if (HasNulls(parts)) return ParseJson(type, json);
  std::vector<ValueView> views(parts.begin(), parts.end());
  SortCollection(type, views);
  return Value(JoinCollection(type, views));
}

Result<Value> ReadArray(const Type& type, std::string_view json) {
  const std::vector<std::string_view> elements = SplitJsonArray(json);
  const bool is_tuple = type.kind == TypeKind::kTuple, is_vector = type.kind == TypeKind::kVector;
  const bool wrong_size =
      (is_tuple && elements.size() != type.arguments.size()) || (is_vector && elements.size() != type.dimension);
  if (wrong_size) return ParseJson(type, json);
  std::vector<Value> parts;
  for (size_t i = 0; i < elements.size(); ++i) {
    WR_ASSIGN_OR_RETURN(parts.emplace_back(), ReadAnsweredValue(*type.arguments[is_tuple ? i : 0], elements[i]));
  }
  const bool takes_nulls = is_tuple || type.kind == TypeKind::kList;
  if (!takes_nulls && HasNulls(parts)) return ParseJson(type, json);
  std::vector<ValueView> views(parts.begin(), parts.end());
  if (is_tuple) return Value(JoinTuple(views));
  SortCollection(type, views);
  return Value(JoinCollection(type, views));
}

Result<Value> ReadUdt(const Type& type, std::string_view json) {
  std::vector<Value> fields(type.arguments.size());
  for (const JsonMember& member : SplitJsonObject(json)) {
    const auto found = std::ranges::find(type.field_names, NameInJson(member.name));
    if (found == type.field_names.end()) return ParseJson(type, json);
    const auto i = static_cast<size_t>(found - type.field_names.begin());
    WR_ASSIGN_OR_RETURN(fields[i], ReadAnsweredValue(*type.arguments[i], member.value));
  }
  return Value(JoinTuple({fields.begin(), fields.end()}));
}

}  // namespace

Result<Value> ReadAnsweredValue(const Type& type, std::string_view json) {
  const JsonKind kind = KindOf(json);
  if (kind == JsonKind::kObject && type.kind == TypeKind::kMap) return ReadMap(type, json);
  if (kind == JsonKind::kObject && type.kind == TypeKind::kUdt) return ReadUdt(type, json);
  if (kind == JsonKind::kArray && IsComposite(type)) return ReadArray(type, json);
  if (json == "\"\"" && !IsComposite(type) && type.kind != TypeKind::kBlob) return ReadEmpty(type);
  return ParseJson(type, json);
}

bool IsKeptByJson(const Type& type, ByteView bytes) {
  if (type.kind == TypeKind::kDuration) return std::any_of(bytes.begin(), bytes.end(), [](char c) { return c != 0; });
  if (type.kind == TypeKind::kText) return IsUtf8(bytes);
  if (!IsComposite(type)) return !ReadsAsNull(type, bytes);
  const bool has_fields = type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt;
  const auto parts = has_fields ? SplitTuple(type, bytes) : SplitCollection(type, bytes);
  if (!parts.ok()) return true;
  for (size_t i = 0; i < parts->size(); ++i) {
    const Type& part = *type.arguments[has_fields ? i : i % type.arguments.size()];
    if ((*parts)[i] && !IsKeptByJson(part, *(*parts)[i])) return false;
  }
  return true;
}

}  // namespace widerow
