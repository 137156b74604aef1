// An Expression is a planned Term (parser/ast_term.h): names are resolved, types are known, and constants are native
// bytes. It has no bind values. exec evaluates an expression (planner/evaluate/evaluate.h) once per row if it is part
// of a selector or filter, otherwise once per request. Expressions never change, so any thread may read them.
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
  Value value;  // nullopt means null.
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
// A collection, vector, tuple or UDT. The parts of a list, set or vector are its elements. Those of a map are key,
// value, key, value, …; those of a tuple or UDT are its fields. A tuple may have fewer parts than fields. The part for
// a field that a UDT literal leaves out is a null constant. Sets and maps are sorted when they are evaluated.
struct CompositeExpression {
  std::vector<Expression> parts;
  bool nulls_in_list = false;  // True for a list in the select clause: it may have null elements.
};
struct FieldExpression {
  std::vector<Expression> base;  // One part: a UDT or a tuple.
  uint32_t field = 0;
};
// m[k], l[i], s[e]. `base` and `index` have one part each.
struct ElementExpression {
  std::vector<Expression> base, index;
  std::string selected;  // The text of the base, for errors. Empty in WHERE, where a null index is no error.
};
// x[from..to]. `base` has one part. `from` and `to` have one part each, or none if that end is not written.
struct SliceExpression {
  std::vector<Expression> base, from, to;
  std::string selected;  // The text of the base, for errors.
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
  std::vector<Expression> from, to;  // kElement: `from` has the key. kSlice: each has an inclusive end, or nothing.
  uint32_t field = 0;                // kField: the index of the field.
  std::string selected = {};         // kSlice: the text of the column, for errors.
};
// A value that was computed over the rows of a group: that of SelectPlan::group_values[index].
struct GroupValueExpression {
  uint32_t index = 0;
};
// SELECT JSON: a JSON object as text. `names` are already escaped for JSON, but have no quotes around them.
struct JsonObjectExpression {
  std::vector<std::string> names;
  std::vector<Expression> values;
};
// INSERT JSON ?: the value of one column in the JSON object that is bind value number `marker`.
struct JsonMemberExpression {
  uint32_t marker = 0;
  TablePtr table;
  uint32_t column = 0;
  bool default_unset = false;  // True if absent members are unset, not null.
};

// The current value of the KeyChoice number `index` of the plan (planner/plan.h). exec sets it before each evaluation.
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
  std::string in_column;                 // The column if the marker is that of `column IN ?`; otherwise empty.
  std::optional<uint16_t> key_position;  // Set if the value is that of a column of the partition key.
  // True for the marker of an IN list whose elements may be null. A null element matches nothing; after IF it matches
  // null.
  bool nulls_in_list = false;
};

}  // namespace widerow
