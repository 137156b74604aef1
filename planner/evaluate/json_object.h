// INSERT JSON: reads a JSON object as a row's values. Any thread; each thread keeps its own last object.
#pragma once

#include <vector>

#include "base/result.h"
#include "planner/evaluate/evaluate.h"
#include "planner/expression.h"

namespace widerow {

// One entry per column of a table: nullopt if the object does not name the column, else its value or null.
using JsonMembers = std::vector<std::optional<Value>>;

// Reads `text`. kInvalid with Cassandra's sentences if it is no object, names an unknown column, or has a value that
// does not fit its column.
Result<JsonMembers> ReadJsonObject(std::string_view text, const TableSchema& table);

// While a scope exists, its thread keeps the parsed form of the last object, whatever its length. Without a scope, it
// keeps only short objects.
class JsonObjectScope {
 public:
  JsonObjectScope();
  ~JsonObjectScope();
  JsonObjectScope(const JsonObjectScope&) = delete;
  JsonObjectScope& operator=(const JsonObjectScope&) = delete;
};

// Returns the value of one column from a bound object. The caller asks for the columns one after another. An object
// that is kept is parsed only once.
Result<Value> JsonMember(const JsonMemberExpression& member, SourceRange range, const EvaluationContext& context);
// If JsonMemberExpression::marker has this value, no object is bound and the column is unset.
inline constexpr uint32_t kNoJsonObject = UINT32_MAX;
// True if the marker of `member` is kNoJsonObject. Also true if the statement has DEFAULT UNSET and the bound object is
// well-formed and does not name the column.
bool IsUnsetMember(const JsonMemberExpression& member, const EvaluationContext& context);

}  // namespace widerow
