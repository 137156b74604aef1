// The first of three steps that plan WHERE. Turns each written relation into a restriction: looks up every name and
// prepares every value. A chained comparison or a BETWEEN becomes two restrictions. The next steps check if the
// restrictions fit together (planner/where/group.h) and choose how rows are read (planner/access/choose_access_path.h).
#pragma once

#include "planner/terms/planning.h"

namespace widerow {

// c = 1, c IN (1, 2), c > 1. IN with one listed value is an equality, as in Cassandra.
struct ColumnRestriction {
  uint32_t column = 0;            // Index into TableSchema::columns.
  CompareOp op = CompareOp::kEq;  // kEq, kLt, kLe, kGt, kGe, kIn.
  KeyValues values;
  SourceRange range;
  bool of_tuple = false;  // True if written as a tuple of one column: (c) = (1).
};

// (a, b) > (1, 2), (a, b) IN ((1, 2), (3, 4)) on adjacent clustering columns.
struct TupleRestriction {
  uint32_t first = 0, width = 0;                // Columns [first, first + width) of TableSchema::columns.
  CompareOp op = CompareOp::kEq;                // kEq, kLt, kLe, kGt, kGe, kIn.
  std::vector<std::vector<Expression>> tuples;  // Each has `width` values, or one value that is a tuple.
  bool tuple_valued = false;
  bool list_valued = false;  // True if tuples[0][0] is a list of tuples.
  SourceRange range;
};

// token(k…) > 5.
struct TokenRestriction {
  CompareOp op = CompareOp::kEq;  // kEq, kLt, kLe, kGt, kGe.
  Expression value;
  SourceRange range;
};

// A condition that only a filter or an index can decide: CONTAINS, map entries, LIKE, and the extensions !=, NOT, OR,
// NOT IN, ….
struct FilterRestriction {
  enum class Kind : uint8_t { kContains, kMapEntry, kLike, kExtension };
  Kind kind = Kind::kExtension;
  Predicate predicate;
  std::vector<uint32_t> columns;  // The columns it names, in order of appearance.
  std::string refusal;            // Cassandra's sentence for an operator that it does not know; else empty.
  std::string operator_text;      // "!=", "OR", …: for hints.
  SourceRange range;
};

using Restriction = std::variant<ColumnRestriction, TupleRestriction, TokenRestriction, FilterRestriction>;

// The largest number of relations in one WHERE clause, including those under OR, NOT and parentheses. There is a limit
// because some checks compare each relation with all others.
inline constexpr size_t kRelationsMax = 10'000;

// The restrictions that are allowed on a clustering column after a column with a range. kIndexed: those that an index
// on the later column serves, as in Cassandra. kAnything: all; they become filters.
enum class AfterSlice : uint8_t { kNothing, kIndexed, kAnything };

// Resolves all conditions, which AND connects. Errors: unknown names, bad values and operators, in Cassandra's
// sentences. If earlier conditions do not fit together, the error of GroupRestrictions (group.h) is returned instead.
Result<std::vector<Restriction>> ResolveWhere(const std::vector<Condition>& where, AfterSlice after,
                                              Planning& planning);

// Returns the restriction as a condition on a row.
Predicate ToPredicate(const Restriction& restriction, const TableSchema& table);

}  // namespace widerow
