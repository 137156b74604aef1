// Plan: the decisions about one statement. They depend only on its syntax tree and one schema snapshot, not on bind
// values, disk or clock. A prepared statement is a cached Plan. exec/ runs it; Explain() prints it. Plans are immutable
// and shared between threads.
#pragma once

#include "base/result.h"
#include "parser/ast.h"
#include "parser/dialect.h"
#include "planner/access_path.h"

namespace widerow {

// --- Filters --------------------------------------------------------------------------------------------------------

struct TextAnalyzer;  // types/text_analyzer.h
struct Predicate;
struct Comparison {
  Expression left;
  CompareOp op = CompareOp::kEq;
  std::vector<Expression> right;  // One value. For IN: several values, or one list if list_valued.
  bool list_valued = false;
  std::shared_ptr<const TextAnalyzer> analyzer;  // Null, or divides the text and the query into words (LIKE, `:`).
};
struct OrPredicate {
  std::vector<Predicate> terms;
};
struct AndPredicate {
  std::vector<Predicate> terms;
};
struct NotPredicate {
  std::vector<Predicate> operand;
};
struct Predicate {
  std::variant<Comparison, OrPredicate, AndPredicate, NotPredicate> node;
};

// --- Statements -----------------------------------------------------------------------------------------------------

struct OutputColumn {
  std::string name;  // Alias, column name, or Cassandra's text of the selector: "system.count(*)", ….
  Expression expression;
};

// GROUP BY: rows that agree in their first clustering columns are one group.
struct GroupBy {
  uint32_t clustering_columns = 0;   // The number of leading clustering columns that make a group.
  std::vector<Expression> function;  // None, or one function that is used in place of the last of these columns.
  bool across_partitions = false;    // If false, rows of two partitions are never in one group.
};

struct SelectPlan {
  TablePtr table;
  AccessPath access;
  std::vector<KeyChoice> choices;  // At least one for MergedPartitions; none for other paths.
  std::vector<DerivedColumn> derived;
  std::vector<Predicate> filter;  // The conditions that `access` does not serve. All must hold.
  // Indexes into `filter`: the conditions whose values Cassandra checks before it reads, in the order of its checks.
  std::vector<uint32_t> checked;
  // Conditions in `filter` that Cassandra turns into a slice of each partition. Their values are evaluated only to
  // report the same errors as Cassandra.
  std::optional<ClusteringSelection> also_bound;
  // Look-ups in indexes that Cassandra uses and `access` does not. Their values, too, are evaluated only to report the
  // same errors as Cassandra.
  std::vector<IndexLookup> unread_lookups;
  // True if the rows of each partition are read in reverse stored order. A KeyRangeScan then reads the partitions in
  // reverse order too.
  bool reversed = false;
  // True if ORDER BY asks a KeyRangeScan for key order. In a table with PARTITION BY KEY, HASH or LIST, the scan then
  // merges the partitions.
  bool key_order = false;
  // True for IN on the partition key with ORDER BY: the rows of all partitions are merged in the order of ORDER BY. As
  // in Cassandra, the answer then has no pages, unless the plan has `choices`.
  bool merge_partitions = false;
  // With merge_partitions: true if WHERE names whole rows and Cassandra also reads static columns. Cassandra does so if
  // the statement selects a static column, or only columns of the key.
  bool statics_beside_rows = false;
  // With merge_partitions: the number of clustering columns up to the last one in ORDER BY. The rows are sorted by
  // these columns. Columns that ORDER BY leaves out are included.
  uint32_t order_columns = 0;
  std::optional<RelevanceOrder> relevance;
  std::vector<OutputColumn> output;
  // The elements and slices of collections in `output`. Their indexes are checked before rows are read.
  std::vector<Expression> selected_parts;
  // True if each group of rows gives one row of the answer. Without group_by, all rows are one group, which gives a row
  // even if there are no rows. The outputs of such a plan use group_values instead of columns. group_values has calls
  // of aggregates, which are computed over all rows of the group, and other expressions, which are computed over its
  // first row.
  bool aggregated = false;
  std::vector<Expression> group_values;
  std::optional<GroupBy> group_by;
  bool distinct = false;  // True for SELECT DISTINCT: one row per partition, with partition key and static columns.
  std::optional<Expression> limit, per_partition_limit;  // Values of type int.
  bool needs_statics = false;                            // True if a static column is selected or filtered.
  bool allow_filtering = false;

  // True if all rows must be read before the first one is returned, because rows of several partitions are sorted.
  bool sorts_partitions() const { return merge_partitions && choices.empty(); }
};

// One effect of INSERT, UPDATE or DELETE on one column. An operation that "reads first" needs the stored value.
struct CellOperation {
  enum class Kind : uint8_t {
    kAssign,         // c = value (null deletes). In a multi-cell column, deletes all cells, then writes.
    kAppend,         // list/set/map + value; c += value
    kPrepend,        // value + list
    kRemove,         // c - value: removes elements of a set, keys of a map or values of a list (list: reads first)
    kSetElement,     // c[element] = value, in a map by key, or in a list by index (for a list, reads first)
    kSetField,       // c.field = value
    kDelete,         // DELETE c
    kDeleteElement,  // DELETE c[element], in a map or set by key, or in a list by index (for a list, reads first)
    kDeleteField,    // DELETE c.field
    kIncrement,      // counter + value (reads first)
    kDecrement,      // counter - value (reads first)
    kAdd,            // number or text + value, in a statement with IF (reads first)
  };
  Kind kind = Kind::kAssign;
  uint32_t column = 0;  // Index into TableSchema::columns.
  std::optional<Expression> value, element;
  uint32_t field = 0;
  SourceRange range;
};

// IF EXISTS, IF NOT EXISTS, IF v = 1 AND …: the write is applied only if the row exists, does not exist, or has these
// values. The thread that applies writes tests the condition.
enum class RowCondition : uint8_t { kNone, kExists, kNotExists, kColumns };

// One condition of IF: on a column, on an element of a collection (m['k'], l[0]) or on a field of a user-defined type.
// Unlike WHERE, IF treats null as a value: null equals null and nothing else.
struct ColumnCondition {
  uint32_t column = 0;  // Index into TableSchema::columns: regular or static.
  std::optional<Expression> element;
  std::optional<uint32_t> field;
  CompareOp op = CompareOp::kEq;   // kEq, kNotEq, kLt, kLe, kGt, kGe, kIn, kContains, kContainsKey.
  std::vector<Expression> values;  // One value. For kIn: several values, or one list if list_valued.
  bool list_valued = false;
  SourceRange range;
};

struct ModifyPlan {
  enum class Kind : uint8_t { kInsert, kUpdate, kDelete };
  Kind kind = Kind::kInsert;
  TablePtr table;
  std::vector<KeyValues> partition_key;
  // INSERT and UPDATE: values for all clustering columns, or none if only static columns are written. DELETE: values
  // for all clustering columns, a range, or none. With none, DELETE deletes the partition if `operations` is empty.
  ClusteringSelection clustering;
  bool has_clustering = false;            // True if a clustering column is restricted.
  std::vector<CellOperation> operations;  // Empty for DELETE without column names.
  std::vector<KeyChoice> choices;         // UPDATE and DELETE write the rows of each combination of values.
  std::vector<DerivedColumn> derived;
  // These expressions are evaluated only for their errors. They compare values that the statement gives for generated
  // columns outside of the key with the computed ones.
  std::vector<Expression> checks;
  std::optional<Expression> timestamp, ttl;  // The timestamp is a bigint, and the TTL an int.
  RowCondition condition = RowCondition::kNone;
  std::vector<ColumnCondition> conditions;  // For kColumns. All must hold.

  // True if the write names rows, not only a partition. If it names no row, its condition tests the static row.
  bool names_rows() const { return table->clustering_size == 0 || has_clustering; }
  // True if the write sets or deletes static columns.
  bool sets_statics() const;
};

struct BatchPlan {
  BatchStatement::Kind kind = BatchStatement::Kind::kLogged;
  std::vector<ModifyPlan> statements;
  std::optional<Expression> timestamp;

  // True if any statement has a condition. Then all statements are applied, or none.
  bool conditional() const;
};
struct TruncatePlan {
  TablePtr table;
};
struct UsePlan {
  std::string keyspace;
};
// DDL is checked and applied against the newest schema when it runs (planner/ddl/edit/apply_ddl.h).
struct DdlPlan {
  std::shared_ptr<const Statement> statement;
  std::string current_keyspace;
};
// Statements about roles and permissions. Like DDL, they are checked and applied when they run
// (exec/access/role_statements.h).
struct RolePlan {
  std::shared_ptr<const Statement> statement;
  std::string current_keyspace;
};
struct DescribePlan {
  DescribeStatement statement;
  std::string current_keyspace;
};
struct Plan;
// ADVISE. Its inner statement is planned when it runs, because ADVISE also serves statements that the planner refuses.
struct AdvisePlan {
  std::shared_ptr<const AdviseStatement> statement;
  std::string current_keyspace;
};
struct ExplainPlan {
  bool analyze = false;
  std::shared_ptr<const Plan> plan;
};

struct Plan {
  std::variant<SelectPlan, ModifyPlan, BatchPlan, TruncatePlan, UsePlan, DdlPlan, RolePlan, DescribePlan, AdvisePlan,
               ExplainPlan>
      node;
  std::vector<MarkerSpec> markers;  // One per bind marker, in order.
  // For the answer to PREPARE: the index of the marker for each partition key column (the last one, if there are
  // several). Empty if a column has no marker, for a batch on several tables, and for a batch with a marker for its
  // timestamp.
  std::vector<uint16_t> partition_key_markers;
  std::vector<std::string> warnings;  // Sent with every result of this plan. EXPLAIN adds none of its own.
  size_t warnings_of_answers = 0;     // The answer to PREPARE leaves out the first warnings_of_answers warnings.
  std::vector<TablePtr> tables;       // The plan is invalid once one of these is changed or dropped.

  // True for one INSERT, UPDATE or DELETE.
  bool is_modification() const { return std::holds_alternative<ModifyPlan>(node); }
};

struct PlanContext {
  std::string current_keyspace;  // From USE or the request; may be empty.
  LanguageOptions language;
};

// Plans `statement` against `schema`. Errors: Cassandra's sentence, the range of the term at fault, and a hint with
// forms that would run (it names the missing column and the key as declared). Statements that are not implemented are
// refused with "<statement name> is not supported yet".
Result<Plan> PlanStatement(const Statement& statement, const SchemaSnapshot& schema, const PlanContext& context);

// Returns "PointLookup", "TokenScan", …, as EXPLAIN prints it.
std::string AccessName(const AccessPath& access);

// Returns the plan as EXPLAIN prints it, one string per line:
//   Select ks.events
//     access   PartitionSlice device='a', seq in [2, 4), stored order
//     partitions 1 of 16
//     filter   none
//     limit    10 rows
// For a write, the lines name its key and its effects on cells. For an EXPLAIN, they are the lines of the explained
// statement.
std::vector<std::string> Explain(const Plan& plan);

}  // namespace widerow
