#include "planner/evaluate/json_object.h"

#include <map>

#include "types/json_document.h"
#include "types/json_form.h"

namespace widerow {
namespace {

constexpr const char* kGotNull = "Got null for INSERT JSON values";

Error NotAnObject(const std::string& why, std::string_view text) {
  return InvalidError("Could not decode JSON string as a map: " + why + ". (String was: " + std::string(text) + ")",
                      R"(one object, its members named as the columns: '{"k": 1, "v": "a"}')");
}

// Refuses values for generated columns in a JSON object that is a bind value. The planner derives the values of these
// columns from others, and cannot compare them with the object's values, which it does not know.
Status RefuseGenerated(const JsonMembers& members, const TableSchema& table) {
  for (size_t i = 0; table.generated != nullptr && i < members.size(); ++i) {
    if (!members[i] || !*members[i] || !table.columns[i].is_generated()) continue;
    return InvalidError("JSON that is bound cannot give generated column " + table.columns[i].name + " a value",
                        "leave it out: it is derived from the other columns");
  }
  return OkStatus();
}

// The object that was read last on this thread. The columns of a row are read one after another, and each read needs
// the object.
struct LastObject {
  Bytes text;
  TablePtr table;
  Result<JsonMembers> members = JsonMembers();
};

thread_local LastObject last;
thread_local int scopes = 0;
constexpr size_t kKeptMax = 64u << 10;  // The longest text that is kept while no JsonObjectScope exists.

// Frees the values of an object that is not kept, after their use.
struct FreeUnkept {
  ~FreeUnkept() {
    if (last.table == nullptr) last.members = JsonMembers();
  }
};

const Result<JsonMembers>& MembersOf(const JsonMemberExpression& member, const Bytes& text) {
  if (last.table == member.table && last.text == text) return last.members;
  last.members = ReadJsonObject(text, *member.table);
  if (last.members.ok()) {
    if (Status status = RefuseGenerated(*last.members, *member.table); !status.ok())
      last.members = std::move(status).error();
  }
  const bool keep = scopes > 0 || text.size() <= kKeptMax;
  last.table = keep ? member.table : nullptr;
  last.text = keep ? text : Bytes();
  return last.members;
}

}  // namespace

JsonObjectScope::JsonObjectScope() { ++scopes; }
JsonObjectScope::~JsonObjectScope() {
  if (--scopes == 0 && last.text.size() > kKeptMax) last = LastObject();
}

// Returns the name in `named` that comes first in the document. As in Cassandra, names that are written in another way
// than the column's name, with quotes or capitals, come after all others.
std::string FirstOf(const std::map<std::string, const JsonValue*>& named, const JsonValue& document) {
  for (const bool changed : {false, true}) {
    for (const auto& [written, value] : document.members) {
      std::string name = NameInJson(written);
      if ((name != written) == changed && named.contains(name)) return name;
    }
  }
  return named.begin()->first;
}

Result<JsonMembers> ReadJsonObject(std::string_view text, const TableSchema& table) {
  Result<JsonValue> document = ParseJsonDocument(text);
  if (!document.ok()) {
    // An example of the message: "Could not decode JSON string '…': syntax error at byte 1"
    const std::string& message = document.error().message;
    return NotAnObject(message.substr(message.rfind("': ") + 3), text);
  }
  if (document->kind == JsonValue::Kind::kNull) return InvalidError(kGotNull);
  if (document->kind != JsonValue::Kind::kObject)
    return NotAnObject("an object is expected, and it is a " + JavaClassName(*document), text);
  // If members have the same name, the last one counts.
  std::map<std::string, const JsonValue*> named;
  for (const auto& [name, value] : document->members) named[NameInJson(name)] = &value;
  JsonMembers members(table.columns.size());
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    const auto found = named.find(column.name);
    if (found == named.end()) continue;
    Result<Value> value = ValueOfJson(*column.type, *found->second, JsonForm::kCassandra);
    if (!value.ok() && IsAboutDuration(value.error())) return InvalidError(value.error().message);
    if (!value.ok()) return InvalidError("Error decoding JSON value for " + column.name + ": " + value.error().message);
    members[i] = std::move(value).value();
    named.erase(found);
  }
  if (named.empty()) return members;
  return InvalidError("JSON values map contains unrecognized column: " + FirstOf(named, *document));
}

Result<Value> JsonMember(const JsonMemberExpression& member, SourceRange range, const EvaluationContext& context) {
  WR_CHECK(member.marker < context.markers.size());
  const BoundValue& bound = context.markers[member.marker];
  if (bound.kind != BoundValue::Kind::kValue) return InvalidAt(range, kGotNull);
  const FreeUnkept free_unkept;
  const Result<JsonMembers>& members = MembersOf(member, bound.bytes);
  if (!members.ok()) {
    Error error = members.error();
    error.range = range;
    return error;
  }
  return (*members)[member.column].value_or(Value());
}

bool IsUnsetMember(const JsonMemberExpression& member, const EvaluationContext& context) {
  if (member.marker == kNoJsonObject) return true;
  if (!member.default_unset || member.marker >= context.markers.size()) return false;
  const BoundValue& bound = context.markers[member.marker];
  if (bound.kind != BoundValue::Kind::kValue) return false;
  const FreeUnkept free_unkept;
  const Result<JsonMembers>& members = MembersOf(member, bound.bytes);
  return members.ok() && !(*members)[member.column];
}

}  // namespace widerow
