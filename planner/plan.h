// What a statement will do, decided from its syntax tree and one schema snapshot alone: no bind values, no disk, no clock.
// A prepared statement is a cached Plan. exec/ runs it; Explain() prints it.
#pragma once

#include "base/result.h"
#include "parser/ast.h"
#include "parser/dialect.h"
#include "planner/expression.h"

namespace widerow {

// Values for one key column: c = x, c IN (x, y), or c IN ? (one expression of type list<c's type>).
struct KeyValues {
  std::vector<Expression> values;
  bool is_in = false;          // Also with one value: IN keeps its own semantics.
  bool list_valued = false;    // values[0] is a list.
};

// One end of a clustering slice over columns [first, first + values.size()) of the clustering.
struct ClusteringBound {
  uint32_t first = 0;
  // One an expression a column; or, tuple_valued, one expression whose value is the tuple: (a, b) > ?.
  std::vector<Expression> values;
  uint32_t width = 1;          // Number of columns the bound is about.
  bool tuple_valued = false;
  bool inclusive = false;
};

// (a, b) IN ((1, 2), (3, 4)) over columns [first, first + width).
struct ClusteringTuplesIn {
  uint32_t first = 0, width = 0;
  std::vector<std::vector<Expression>> tuples;  // Each `width` long, or one tuple-valued expression.
  bool list_valued = false;  // tuples[0][0] is a list<tuple>: (a, b) IN ?.
};

// Which rows of a partition: leading columns fixed, then at most one slice. Empty: all rows.
struct ClusteringSelection {
  // In clustering order: single columns and tuples, together a prefix of the clustering.
  using PrefixPart = std::variant<KeyValues, ClusteringTuplesIn>;
  std::vector<PrefixPart> prefix;
  // In CQL order of the columns' values (a > 1 is `lower` also on a DESC column); bounds of multi-column slices over
  // columns of mixed order are split into byte ranges by exec.
  std::optional<ClusteringBound> lower, upper;

  bool all() const { return prefix.empty() && !lower && !upper; }
  // Number of leading clustering columns that `prefix` fixes: a tuple fixes several.
  uint32_t fixed_columns() const;
  // Every clustering column is fixed: the selection names whole rows.
  bool names_whole_rows(const TableSchema& table) const;
};

// token(k…) bounds; `value` has type bigint.
struct TokenBound {
  Expression value;
  bool inclusive = false;
};
struct TokenBounds {
  std::optional<TokenBound> lower, upper;
};

// --- Derived keys: what planner/generated/derive_key.h makes of tables with generated columns ------------------------

// Values that take their turns in the expressions of a key. A statement is about each combination of its choices' values.
struct KeyChoice {
  enum class Kind : uint8_t {
    kIn,       // `column` IN …, as written: columns derived from it follow value by value.
    kBuckets,  // All values that `column`, or a part of its expression, may have.
    kWindows,  // Those between two bounds on its source.
  };
  Kind kind = Kind::kIn;
  uint32_t column = 0;  // Index into TableSchema::columns.
  KeyValues values;     // Constants, or one list.
  TypePtr type;         // Of each value.
  uint32_t source = 0;  // kWindows: the column that is windowed.
  // SELECT: rows of one value come before those of the next one; otherwise rows of all values are merged.
  bool in_sequence = false;
};

// How a generated column of the key got its value: for EXPLAIN.
struct DerivedColumn {
  enum class Kind : uint8_t { kValue, kRange, kAll };
  uint32_t column = 0;
  Kind kind = Kind::kValue;
  std::optional<uint32_t> choice;  // Index into the statement's choices.
};

// --- Access paths, cheapest first -----------------------------------------------------------------------------------

struct PointLookup {  // One row: all key columns equal. Also: one partition of a table without clustering columns.
  std::vector<KeyValues> partition_key;
  ClusteringSelection clustering;
};
struct PartitionSlice {  // Rows of one partition.
  std::vector<KeyValues> partition_key;
  ClusteringSelection clustering;
};
struct MultiPartition {  // IN on the partition key: partitions in key order, each sliced alike.
  std::vector<KeyValues> partition_key;
  ClusteringSelection clustering;
};
// Partitions whose keys are derived, one a combination of the statement's choices; their rows are merged in clustering order.
struct MergedPartitions {
  std::vector<KeyValues> partition_key;  // One value a column.
  ClusteringSelection clustering;
};
struct TokenScan {  // All partitions of a token range (of everything, if there are no bounds), no filter.
  TokenBounds bounds;
};
struct FilteredScan {  // The same, with a residual filter: ALLOW FILTERING.
  TokenBounds bounds;
};
// Of a table that is not stored by token: partitions whose leading key columns equal values, the next one between bounds; all of
// them if there is neither. In key order.
struct KeyRangeScan {
  std::vector<KeyValues> prefix;                // One value each.
  std::optional<ClusteringBound> lower, upper;  // About the column behind `prefix`.
  TokenBounds tokens;                           // Partitions with other tokens are left out.
};
// What an index is asked for.
struct IndexBound {
  Expression value;
  bool inclusive = false;
};
struct IndexLookup {
  enum class Kind : uint8_t {
    kTerm,   // Entries of one value.
    kEntry,  // Of a map's key and value.
    kRange,  // Of the values between two bounds.
    kLike,   // Of those that a pattern matches.
  };
  std::string index;
  Kind kind = Kind::kTerm;
  std::vector<Expression> values;          // kTerm, kLike: one; kEntry: key and value.
  std::optional<IndexBound> lower, upper;  // kRange.
};
// Rows that an index finds, in the order in which the table has them. Each is looked at: everything that WHERE says is in the
// statement's filter.
struct IndexScan {
  std::vector<IndexLookup> lookups;      // Each alone would do; the one with the fewest entries is taken when the statement runs.
  TokenBounds tokens;
  std::vector<KeyValues> partition_key;  // Rows of one partition only; empty: of all.
};
using AccessPath = std::variant<PointLookup, PartitionSlice, MultiPartition, MergedPartitions, TokenScan, FilteredScan,
                                KeyRangeScan, IndexScan>;

// --- Filters --------------------------------------------------------------------------------------------------------

struct Predicate;
struct Comparison {
  Expression left;
  CompareOp op = CompareOp::kEq;
  std::vector<Expression> right;  // One; IN: several, or one list if list_valued.
  bool list_valued = false;
};
struct OrPredicate { std::vector<Predicate> terms; };
struct AndPredicate { std::vector<Predicate> terms; };
struct NotPredicate { std::vector<Predicate> operand; };
struct Predicate {
  std::variant<Comparison, OrPredicate, AndPredicate, NotPredicate> node;
};

// --- Statements -----------------------------------------------------------------------------------------------------

struct OutputColumn {
  std::string name;  // Alias, column name, or Cassandra's text for the selector: "system.count(*)", "writetime(v)", ….
  Expression expression;
};

// GROUP BY: rows of one partition that agree in their first clustering columns are one group.
struct GroupBy {
  uint32_t clustering_columns = 0;     // The leading ones.
  std::vector<Expression> function;    // None or one: rows agree in it instead of in the last of them.
  bool across_partitions = false;      // Of MergedPartitions: groups are of the rows of all of them.
};

struct SelectPlan {
  TablePtr table;
  AccessPath access;
  std::vector<KeyChoice> choices;       // MergedPartitions: at least one; others: none.
  std::vector<DerivedColumn> derived;
  std::vector<Predicate> filter;        // All must hold. Not part of the access path.
  bool reversed = false;                // Rows of a partition backwards, against stored order; of a KeyRangeScan, partitions too.
  bool key_order = false;               // KeyRangeScan: ORDER BY asks for key order, also where partitions have to be merged for it.
  // IN on the partition key with ORDER BY: rows of all partitions are put in this order (unpaged, as Cassandra).
  bool merge_partitions = false;
  uint32_t order_columns = 0;           // Then: the leading clustering columns that ORDER BY (with = before it) puts in order.
  std::vector<OutputColumn> output;
  // Groups of rows come out, one row each; without group_by all rows are one group, and without any row too. Outputs then read
  // the row only through these: aggregate calls over all rows of the group, anything else about its first row.
  bool aggregated = false;
  std::vector<Expression> group_values;
  std::optional<GroupBy> group_by;
  bool distinct = false;                // SELECT DISTINCT: partition key and statics, one row a partition.
  std::optional<Expression> limit, per_partition_limit;  // int
  bool needs_statics = false;           // A static column is selected or filtered.
  bool allow_filtering = false;
};

// One effect of INSERT, UPDATE or DELETE on one column.
struct CellOperation {
  enum class Kind : uint8_t {
    kAssign,         // c = value (null deletes). Multi-cell: delete the whole, then write the elements.
    kAppend,         // list/set/map + value; c += value
    kPrepend,        // value + list
    kRemove,         // c - value: set and map by key set; list by value (reads before it writes)
    kSetElement,     // c[element] = value: map; list by index (reads before it writes)
    kSetField,       // c.field = value
    kDelete,         // DELETE c
    kDeleteElement,  // DELETE c[element]: map, set; list by index (reads before it writes)
    kDeleteField,    // DELETE c.field
    kIncrement,      // counter + value (reads before it writes)
    kDecrement,      // counter - value (reads before it writes)
  };
  Kind kind = Kind::kAssign;
  uint32_t column = 0;  // Index into TableSchema::columns.
  std::optional<Expression> value, element;
  uint32_t field = 0;
  SourceRange range;
};

// IF EXISTS, IF NOT EXISTS, IF v = 1 AND …: the write is applied only if the row is there, is not, or has such values.
// Decided by the storage's writer.
enum class RowCondition : uint8_t { kNone, kExists, kNotExists, kColumns };

// One condition of IF: on a column, on an element of a collection (m['k'], l[0]) or on a field of a user-defined type. Other
// than in WHERE, null is a value: it equals null and nothing else.
struct ColumnCondition {
  uint32_t column = 0;  // Index into TableSchema::columns: regular or static.
  std::optional<Expression> element;
  std::optional<uint32_t> field;
  CompareOp op = CompareOp::kEq;   // kEq, kNotEq, kLt, kLe, kGt, kGe, kIn, kContains, kContainsKey.
  std::vector<Expression> values;  // One; kIn: several, or one list if list_valued.
  bool list_valued = false;
  SourceRange range;
};

struct ModifyPlan {
  enum class Kind : uint8_t { kInsert, kUpdate, kDelete };
  Kind kind = Kind::kInsert;
  TablePtr table;
  std::vector<KeyValues> partition_key;
  // INSERT, UPDATE: the whole clustering, or none when only statics are written. DELETE: also ranges and none at all (the
  // partition, if operations is empty).
  ClusteringSelection clustering;
  bool has_clustering = false;          // Any clustering column is restricted.
  std::vector<CellOperation> operations;  // DELETE without targets: empty.
  std::vector<KeyChoice> choices;       // UPDATE, DELETE: the write is about each combination.
  std::vector<DerivedColumn> derived;
  std::vector<Expression> checks;       // Evaluated for their errors: values given for generated columns outside of the key.
  std::optional<Expression> timestamp, ttl;  // bigint, int
  RowCondition condition = RowCondition::kNone;
  std::vector<ColumnCondition> conditions;  // kColumns: all must hold.

  // Whether it names rows, whether it sets or deletes static columns. Its condition is about the static row if it names
  // no row.
  bool names_rows() const { return table->clustering_size == 0 || has_clustering; }
  bool sets_statics() const;
};

struct BatchPlan {
  BatchStatement::Kind kind = BatchStatement::Kind::kLogged;
  std::vector<ModifyPlan> statements;
  std::optional<Expression> timestamp;

  bool conditional() const;  // Any of the statements is: then all are applied or none.
};
struct TruncatePlan { TablePtr table; };
struct UsePlan { std::string keyspace; };
// DDL is checked and applied against the newest schema when it runs (planner/ddl/edit/apply_ddl.h).
struct DdlPlan { std::shared_ptr<const Statement> statement; std::string current_keyspace; };
// Statements about roles and permissions, which too are checked and applied when they run (exec/access/role_statements.h).
struct RolePlan { std::shared_ptr<const Statement> statement; std::string current_keyspace; };
struct DescribePlan { DescribeStatement statement; std::string current_keyspace; };
struct Plan;
// ADVISE: its statement is planned when it runs, so that one that the server would refuse can be advised on, too.
struct AdvisePlan { std::shared_ptr<const AdviseStatement> statement; std::string current_keyspace; };
struct ExplainPlan { bool analyze = false; std::shared_ptr<const Plan> plan; };

struct Plan {
  std::variant<SelectPlan, ModifyPlan, BatchPlan, TruncatePlan, UsePlan, DdlPlan, RolePlan, DescribePlan, AdvisePlan,
               ExplainPlan> node;
  std::vector<MarkerSpec> markers;      // One a bind marker, in order.
  // For PREPARE: for each partition key column, the marker that gives it; empty if not all are plain markers.
  std::vector<uint16_t> partition_key_markers;
  std::vector<std::string> warnings;    // Sent with every result of this plan. EXPLAIN itself is no reason for one.
  std::vector<TablePtr> tables;         // A changed or dropped one invalidates the plan.
};

struct PlanContext {
  std::string current_keyspace;  // Of USE or of the request; may be empty.
  LanguageOptions language;
};

// Errors: Cassandra's sentence first, the range of the term at fault, and a hint that shows what would work (names
// the missing column, the key as declared and statement forms that would run). Statements that later versions run are
// refused with "<statement name> is not supported yet".
Result<Plan> PlanStatement(const Statement& statement, const SchemaSnapshot& schema, const PlanContext& context);

// "PointLookup", "TokenScan", …: as EXPLAIN names it.
std::string AccessName(const AccessPath& access);

// The plan as EXPLAIN prints it, one string a line:
//   Select ks.events
//     access   PartitionSlice device='a', seq in [2, 4), stored order
//     partitions 1 of 16
//     filter   none
//     limit    10 rows
// A write names its key and what it does to cells instead; of EXPLAIN, the explained statement's lines.
std::vector<std::string> Explain(const Plan& plan);

}  // namespace widerow
