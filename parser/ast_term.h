// Terms: every part of a statement that has a value. Names are unresolved. One Term type serves values, selectors and
// generated-column expressions; the planner refuses a kind of term in a place where it is not allowed. Every node keeps
// its byte range. operator== ignores ranges, so that a tree equals the tree of its printed text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"

namespace widerow {

// A name. `text` is in lower case unless the name was quoted.
struct Identifier {
  std::string text;
  bool quoted = false;
  SourceRange range;

  friend bool operator==(const Identifier& a, const Identifier& b) { return a.text == b.text; }
};

// keyspace.table, keyspace.function, …; `keyspace` is absent if it was not written.
struct QualifiedName {
  std::optional<Identifier> keyspace;
  Identifier name;
  SourceRange range;

  friend bool operator==(const QualifiedName& a, const QualifiedName& b) {
    return a.keyspace == b.keyspace && a.name == b.name;
  }
};

// A type: text, list<int>, frozen<ks.address>, vector<float, 3>, varbinary(1024), longblob, 'java.class'.
struct TypeName {
  QualifiedName name;  // "frozen", "list", "tuple", … or the name of a scalar or UDT; in lower case if unquoted.
  std::vector<TypeName> arguments;  // The types between < and >.
  std::optional<uint64_t> number;   // The dimension of a vector, the length of a varbinary.
  bool is_custom_class = false;     // True for a quoted Java class. `name.name` then has the text of the class.
  SourceRange range;

  friend bool operator==(const TypeName& a, const TypeName& b) {
    return a.name == b.name && a.arguments == b.arguments && a.number == b.number &&
           a.is_custom_class == b.is_custom_class;
  }
};

struct Term;

struct Literal {
  enum class Kind : uint8_t { kNull, kString, kInteger, kFloat, kBoolean, kUuid, kHex, kDuration };
  Kind kind = Kind::kNull;
  // kString: the value without quotes. Others: the text as written (-5, 1.0e3, NaN, -Infinity, TRUE, 0xFF, 1y2mo, P1D).
  std::string text;
  friend bool operator==(const Literal&, const Literal&) = default;
};
struct BindMarker {
  std::optional<Identifier> name;  // :name; absent for a ? marker.
  uint32_t index = 0;              // The position among the markers of the statement, from 0.
  friend bool operator==(const BindMarker&, const BindMarker&) = default;
};
struct ListTerm {
  std::vector<Term> elements;
};
// A set. The text {} is always a SetTerm, although it may also mean an empty map.
struct SetTerm {
  std::vector<Term> elements;
};
struct MapTerm {
  std::vector<Term> keys, values;
};
// (a, b) or (a). The parser cannot know if (a) is a tuple: it is one only if the expected type is a tuple. As an
// operand of arithmetic it is a group in parentheses.
struct TupleTerm {
  std::vector<Term> elements;
};
struct UdtTerm {
  std::vector<Identifier> names;
  std::vector<Term> values;
};
// token(…), writetime(…), now(), …
struct FunctionCall {
  QualifiedName name;
  std::vector<Term> arguments;
};
struct CountStar {};  // COUNT(*) and COUNT(1).
// CAST(x AS type), with exactly one operand.
struct CastTerm {
  std::vector<Term> operand;
  TypeName type;
};
// (type) x
struct TypeHint {
  TypeName type;
  std::vector<Term> operand;
};
struct ColumnRef {
  Identifier name;
};
// base.field
struct FieldAccess {
  std::vector<Term> base;
  Identifier field;
};
// base[index]
struct ElementAccess {
  std::vector<Term> base, index;
};
// base[from..to]. `from` and `to` have one term each, or none if that end is not written.
struct SliceAccess {
  std::vector<Term> base;
  std::vector<Term> from, to;
};
enum class ArithmeticOp : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kModulo, kNegate };
// An operator with its operands: one for kNegate, two for the others.
struct Arithmetic {
  ArithmeticOp op = ArithmeticOp::kAdd;
  std::vector<Term> operands;
};

struct Term {
  std::variant<Literal, BindMarker, ListTerm, SetTerm, MapTerm, TupleTerm, UdtTerm, FunctionCall, CountStar, CastTerm,
               TypeHint, ColumnRef, FieldAccess, ElementAccess, SliceAccess, Arithmetic>
      node;
  SourceRange range;
};

bool operator==(const Term& a, const Term& b);
bool operator==(const ListTerm& a, const ListTerm& b);
bool operator==(const SetTerm& a, const SetTerm& b);
bool operator==(const MapTerm& a, const MapTerm& b);
bool operator==(const TupleTerm& a, const TupleTerm& b);
bool operator==(const UdtTerm& a, const UdtTerm& b);
bool operator==(const FunctionCall& a, const FunctionCall& b);
bool operator==(const CountStar& a, const CountStar& b);
bool operator==(const CastTerm& a, const CastTerm& b);
bool operator==(const TypeHint& a, const TypeHint& b);
bool operator==(const ColumnRef& a, const ColumnRef& b);
bool operator==(const FieldAccess& a, const FieldAccess& b);
bool operator==(const ElementAccess& a, const ElementAccess& b);
bool operator==(const SliceAccess& a, const SliceAccess& b);
bool operator==(const Arithmetic& a, const Arithmetic& b);

}  // namespace widerow
