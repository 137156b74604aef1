// Statements that read and write rows: SELECT, INSERT, UPDATE, DELETE, BATCH, TRUNCATE, USE.
#pragma once

#include <map>

#include "parser/ast_where.h"

namespace widerow {

struct Selector {
  Term term;
  std::optional<Identifier> alias;
  friend bool operator==(const Selector&, const Selector&) = default;
};
struct Ordering {
  Identifier column;
  bool descending = false;
  // ORDER BY v ANN OF [1, 2, 3]: one term.
  std::vector<Term> ann_of;
  // ORDER BY v BM25 OF 'words', an extension of CQL: one term.
  std::vector<Term> bm25_of;
  friend bool operator==(const Ordering&, const Ordering&) = default;
};
struct SelectStatement {
  bool json = false, distinct = false;
  std::vector<Selector> selectors;  // Empty: SELECT *.
  QualifiedName table;
  std::vector<Condition> where;  // Joined by AND.
  std::vector<Term> group_by;    // Each is a ColumnRef or a FunctionCall.
  std::vector<Ordering> order_by;
  std::optional<Term> per_partition_limit, limit;
  bool allow_filtering = false;
  bool allow_sorting = false;                  // An extension of CQL.
  std::map<std::string, std::string> options;  // The options of WITH in a SELECT, as written.
  friend bool operator==(const SelectStatement&, const SelectStatement&) = default;
};

// USING TIMESTAMP t AND TTL n.
struct UsingClause {
  std::optional<Term> timestamp, ttl;
  friend bool operator==(const UsingClause&, const UsingClause&) = default;
};

struct InsertStatement {
  QualifiedName table;
  std::vector<Identifier> columns;  // Empty for INSERT JSON.
  std::vector<Term> values;         // One per column.
  std::optional<Term> json;
  bool json_default_unset = false;
  bool if_not_exists = false;
  UsingClause using_clause;
  friend bool operator==(const InsertStatement&, const InsertStatement&) = default;
};

// One assignment of UPDATE … SET.
struct Assignment {
  enum class Kind : uint8_t {
    kSet,        // c = value. For c = c + x and similar, the value is the Arithmetic c + x.
    kAddAssign,  // c += term
    kSubAssign,  // c -= term
    kElement,    // c[element] = term
    kField,      // c.field = term
  };
  Kind kind = Kind::kSet;
  Identifier column;
  std::vector<Term> element;  // kElement: one term.
  std::optional<Identifier> field;
  Term value;
  SourceRange range;
  friend bool operator==(const Assignment& a, const Assignment& b) {
    return a.kind == b.kind && a.column == b.column && a.element == b.element && a.field == b.field &&
           a.value == b.value;
  }
};
struct UpdateStatement {
  QualifiedName table;
  UsingClause using_clause;
  std::vector<Assignment> assignments;
  std::vector<Condition> where;
  bool if_exists = false;
  std::vector<Condition> conditions;  // The conditions after IF.
  friend bool operator==(const UpdateStatement&, const UpdateStatement&) = default;
};

struct DeleteTarget {
  Identifier column;
  std::vector<Term> element;  // c[element]: one term.
  std::optional<Identifier> field;
  SourceRange range;
  friend bool operator==(const DeleteTarget& a, const DeleteTarget& b) {
    return a.column == b.column && a.element == b.element && a.field == b.field;
  }
};
struct DeleteStatement {
  std::vector<DeleteTarget> targets;  // Empty: DELETE removes whole rows.
  QualifiedName table;
  UsingClause using_clause;
  std::vector<Condition> where;
  bool if_exists = false;
  std::vector<Condition> conditions;
  friend bool operator==(const DeleteStatement&, const DeleteStatement&) = default;
};

struct BatchStatement {
  enum class Kind : uint8_t { kLogged, kUnlogged, kCounter };
  Kind kind = Kind::kLogged;
  UsingClause using_clause;
  std::vector<std::variant<InsertStatement, UpdateStatement, DeleteStatement>> statements;
  std::vector<SourceRange> statement_ranges;
  friend bool operator==(const BatchStatement& a, const BatchStatement& b) {
    return a.kind == b.kind && a.using_clause == b.using_clause && a.statements == b.statements;
  }
};
struct TruncateStatement {
  QualifiedName table;
  friend bool operator==(const TruncateStatement&, const TruncateStatement&) = default;
};
struct UseStatement {
  Identifier keyspace;
  friend bool operator==(const UseStatement&, const UseStatement&) = default;
};

}  // namespace widerow
