// Terms after planning: every name is resolved, every type is known, constants are native bytes. Expressions hold no
// bind values. exec evaluates terms once per request, and selectors and filters once per row (evaluate/evaluate.h).
// Immutable once planned; any thread may read them.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "base/error.h"
#include "types/schema.h"

namespace widerow {

struct Function;  // planner/function.h
struct Expression;

struct ConstantExpression {
  Value value;  // nullopt: null.
};
// The bind value number `index` of the request.
struct MarkerExpression {
  uint32_t index = 0;
};
struct ColumnExpression {
  uint32_t column = 0;  // An index into TableSchema::columns.
};
struct CallExpression {
  std::shared_ptr<const Function> function;
  std::vector<Expression> arguments;
};
// The parts of a list, set (sorted when evaluated) or vector are its elements; of a map: key, value, key, value, …; of
// a tuple or UDT: the fields. A short tuple ends early; absent UDT fields are null constants.
struct CompositeExpression {
  std::vector<Expression> parts;
  bool nulls_in_list = false;  // A list that is selected may have null elements; a list that is stored may not.
};
struct FieldExpression {
  std::vector<Expression> base;  // One part: a UDT or a tuple.
  uint32_t field = 0;
};
// m[k], l[i], s[e]. `base` and `index` have one part each.
struct ElementExpression {
  std::vector<Expression> base, index;
  std::string selected;  // The base as a selector, for errors. Empty in WHERE, where a null index gives null.
};
// x[from..to]. `base` has one part; `from` and `to` have no part or one.
struct SliceExpression {
  std::vector<Expression> base, from, to;
  std::string selected;  // The base as a selector, for errors.
};
// RowTokenExpression is token(k) of the row's own partition key. CellTimeExpression is WRITETIME(c), TTL(c) or
// MAXWRITETIME(c) of a column or of a part of it.
struct RowTokenExpression {};
struct CellTimeExpression {
  enum class Kind : uint8_t { kWriteTime, kTtl, kMaxWriteTime };
  enum class Part : uint8_t { kWhole, kElement, kSlice, kField };
  Kind kind = Kind::kWriteTime;
  uint32_t column = 0;
  Part part = Part::kWhole;
  std::vector<Expression> from, to;  // kElement: `from` is its key. kSlice: at most one each, inclusive.
  uint32_t field = 0;                // kField.
  std::string selected = {};         // kSlice: what it is a slice of, for errors.
};
// A result over the rows of a group: SelectPlan::group_values number `index`.
struct GroupValueExpression {
  uint32_t index = 0;
};
// SELECT JSON: a JSON object as text. Names are already escaped for their quotes.
struct JsonObjectExpression {
  std::vector<std::string> names;
  std::vector<Expression> values;
};
// INSERT JSON ?: the value of one column in the JSON object that is bind value number `marker`.
struct JsonMemberExpression {
  uint32_t marker = 0;
  TablePtr table;
  uint32_t column = 0;
  bool default_unset = false;  // Absent members are unset, not null.
};

// The current value of the statement's KeyChoice number `index` (plan.h). exec sets the values before it evaluates.
struct ChoiceExpression {
  uint32_t index = 0;
};

struct Expression {
  std::variant<ConstantExpression, MarkerExpression, ChoiceExpression, ColumnExpression, CallExpression,
               CompositeExpression, FieldExpression, ElementExpression, SliceExpression, RowTokenExpression,
               CellTimeExpression, GroupValueExpression, JsonObjectExpression, JsonMemberExpression>
      node;
  TypePtr type;
  SourceRange range;
};

// Describes a bind marker. PREPARE sends this to drivers, and exec checks and converts values with it.
struct MarkerSpec {
  std::string keyspace, table;
  std::string name;  // Column name, "[limit]", "in(k)", "partition key token", ….
  TypePtr type;
  std::string in_column;                 // The column of `column IN ?`, else empty.
  std::optional<uint16_t> key_position;  // Set if the value is that of a column of the partition key.
  bool nulls_in_list =
      false;  // The marker is an IN list whose elements may be null: they match nothing, or in IF null.
};

}  // namespace widerow
