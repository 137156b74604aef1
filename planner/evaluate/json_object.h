// INSERT JSON: a JSON object as a row's values.
#pragma once

#include <vector>

#include "base/result.h"
#include "planner/evaluate/evaluate.h"
#include "planner/expression.h"

namespace widerow {

// What an object says of each column of a table: nothing, null or a value.
using JsonMembers = std::vector<std::optional<Value>>;

// By column, of `text`. kInvalid with Cassandra's sentences if it is no object, names a column that there is not, or has a value
// that its column cannot take.
Result<JsonMembers> ReadJsonObject(std::string_view text, const TableSchema& table);

// While one lives, the object that was read last on its thread is kept however long it is; at other times only a short one.
class JsonObjectScope {
 public:
  JsonObjectScope();
  ~JsonObjectScope();
  JsonObjectScope(const JsonObjectScope&) = delete;
  JsonObjectScope& operator=(const JsonObjectScope&) = delete;
};

// One column's value of an object that is bound. The members of one object are read one after another; it is taken apart once,
// if it is kept.
Result<Value> JsonMember(const JsonMemberExpression& member, SourceRange range, const EvaluationContext& context);
// Whether the object, which is bound and sound, does not name the column, and that means unset.
bool IsUnsetMember(const JsonMemberExpression& member, const EvaluationContext& context);

}  // namespace widerow
