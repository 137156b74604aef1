// Terms after planning: every name resolved, every type known, constants already in native bytes. Expressions hold no bind
// values; exec evaluates them once a request (terms) or once a row (selectors and filters). See evaluate.h.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "base/error.h"
#include "types/schema.h"

namespace widerow {

struct Function;  // planner/function.h
struct Expression;

struct ConstantExpression { Value value; };          // nullopt: null.
struct MarkerExpression { uint32_t index = 0; };     // The request's bind value number `index`.
struct ColumnExpression { uint32_t column = 0; };    // Index into TableSchema::columns.
struct CallExpression { std::shared_ptr<const Function> function; std::vector<Expression> arguments; };
// list, set (sorted when evaluated), vector: the elements; map: key, value, …; tuple and UDT: the fields (short tuples end
// early; absent UDT fields are null constants).
struct CompositeExpression { std::vector<Expression> parts; };
struct FieldExpression { std::vector<Expression> base; uint32_t field = 0; };        // base: one, a UDT or tuple.
struct ElementExpression { std::vector<Expression> base, index; };                   // m[k], l[i], s[e]; one each.
struct SliceExpression { std::vector<Expression> base, from, to; };                  // from, to: none or one.
// token(k) of the row's own partition key; WRITETIME(c), TTL(c), MAXWRITETIME(c) of a column or of a part of it.
struct RowTokenExpression {};
struct CellTimeExpression {
  enum class Kind : uint8_t { kWriteTime, kTtl, kMaxWriteTime };
  enum class Part : uint8_t { kWhole, kElement, kSlice, kField };
  Kind kind = Kind::kWriteTime;
  uint32_t column = 0;
  Part part = Part::kWhole;
  std::vector<Expression> from, to;  // kElement: `from` is its key; kSlice: none or one each, both included.
  uint32_t field = 0;                // kField.
};
// What the rows of a group came to: SelectPlan::group_values number `index`.
struct GroupValueExpression { uint32_t index = 0; };
// A JSON object, as text: SELECT JSON. Names are as they stand between its quotes, escaped.
struct JsonObjectExpression { std::vector<std::string> names; std::vector<Expression> values; };
// What the JSON object that is bind value number `marker` says of a column: INSERT JSON ?.
struct JsonMemberExpression {
  uint32_t marker = 0;
  TablePtr table;
  uint32_t column = 0;
  bool default_unset = false;  // Absent members are unset, not null.
};

// The value at hand of the statement's KeyChoice number `index` (plan.h): exec sets them before it evaluates.
struct ChoiceExpression { uint32_t index = 0; };

struct Expression {
  std::variant<ConstantExpression, MarkerExpression, ChoiceExpression, ColumnExpression, CallExpression, CompositeExpression,
               FieldExpression, ElementExpression, SliceExpression, RowTokenExpression, CellTimeExpression,
               GroupValueExpression, JsonObjectExpression, JsonMemberExpression>
      node;
  TypePtr type;
  SourceRange range;
};

// What a bind marker stands for: sent to drivers by PREPARE, used to check and convert values.
struct MarkerSpec {
  std::string keyspace, table;
  std::string name;  // Column name, "[limit]", "in(k)", "partition key token", ….
  TypePtr type;
  std::string in_column;  // Of column IN ?: the column.
};

}  // namespace widerow
