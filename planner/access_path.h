// The ways in which a SELECT finds its rows: keys, slices of partitions, look-ups in indexes, and the access paths that
// use them.
// Part of planner/plan.h. Immutable.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/expression.h"
#include "types/schema.h"

namespace widerow {

// Values for one key column: c = x, c IN (x, y), or c IN ? (one expression of type list<c's type>).
struct KeyValues {
  std::vector<Expression> values;
  bool is_in = false;        // True for IN (x, y) and IN ?. In WHERE, c IN (x) is planned as c = x.
  bool list_valued = false;  // True for IN ?: values[0] is a list.
  // Set for (c, d) = (x, y): the position of c's value in the tuple. Errors name it.
  std::optional<uint32_t> tuple_field = {};
};

// One end of a clustering slice over columns [first, first + width) of the clustering.
struct ClusteringBound {
  uint32_t first = 0;
  // One expression per column. If tuple_valued: one expression whose value is the whole tuple, (a, b) > ?.
  std::vector<Expression> values;
  uint32_t width = 1;  // The number of columns in the bound.
  bool tuple_valued = false;
  bool inclusive = false;
  bool of_tuple = false;  // True if written as (c) > (x) or (c, d) > (x, y).
};

// (a, b) IN ((1, 2), (3, 4)) over columns [first, first + width).
struct ClusteringTuplesIn {
  uint32_t first = 0, width = 0;
  std::vector<std::vector<Expression>> tuples;  // Each has `width` values, or one value that is a tuple.
  bool list_valued = false;                     // tuples[0][0] is a list<tuple>: (a, b) IN ?.
};

// Selects rows of a partition: leading columns are fixed, then comes at most one slice. If empty, selects all rows.
struct ClusteringSelection {
  // In clustering order: single columns and tuples of columns. Together they are the first clustering columns.
  using PrefixPart = std::variant<KeyValues, ClusteringTuplesIn>;
  std::vector<PrefixPart> prefix;
  // `lower` and `upper` refer to the order of values, not to that of stored rows: a > 1 is `lower` even if the column
  // is DESC. If some of a slice's columns are ASC and others DESC, exec splits the slice into several ranges of stored
  // rows.
  std::optional<ClusteringBound> lower, upper;

  bool all() const { return prefix.empty() && !lower && !upper; }
  // Returns the number of leading clustering columns that `prefix` fixes. A tuple fixes several.
  uint32_t fixed_columns() const;
  // True if every clustering column is fixed, so that the selection names whole rows.
  bool names_whole_rows(const TableSchema& table) const;
};

// A bound of token(k…). `value` has the type bigint.
struct TokenBound {
  Expression value;
  bool inclusive = false;
};
struct TokenBounds {
  std::optional<TokenBound> lower, upper;
};

// --- Derived keys: planner/generated/derive_key.h makes these for tables with generated columns ---------------------

// A list of values for one part of the key, such as all buckets. The statement runs for each value, or for each
// combination of values if it has several choices. Expressions of the key refer to the current value of a choice.
struct KeyChoice {
  enum class Kind : uint8_t {
    kIn,       // The values of `column` IN …. Columns that are derived from `column` use the same value.
    kBuckets,  // All possible values of the generated column `column`, or of a part of its expression.
    kWindows,  // The windows of time or numbers between two bounds that WHERE gives for the column `source`.
  };
  Kind kind = Kind::kIn;
  uint32_t column = 0;
  KeyValues values;     // The values, or one list of them.
  TypePtr type;         // The type of each value.
  uint32_t source = 0;  // kWindows: the column whose values the windows divide.
  // SELECT only. True: rows of one value come before rows of the next value. False: rows of all values are merged.
  bool in_sequence = false;
};

// The way in which a generated key column got its value, for EXPLAIN.
struct DerivedColumn {
  enum class Kind : uint8_t { kValue, kRange, kAll };
  uint32_t column = 0;
  Kind kind = Kind::kValue;
  std::optional<uint32_t> choice;  // Index into the statement's choices.
};

// --- Access paths ---------------------------------------------------------------------------------------------------

struct PointLookup {  // One row: every key column equals a value. A table without clustering has one row per partition.
  std::vector<KeyValues> partition_key;
  ClusteringSelection clustering;
};
struct PartitionSlice {  // A range of the rows of one partition, or all of them.
  std::vector<KeyValues> partition_key;
  ClusteringSelection clustering;
};
struct MultiPartition {  // IN on the partition key: partitions in key order, the same slice of each.
  std::vector<KeyValues> partition_key;
  ClusteringSelection clustering;
};
// Several partitions whose keys are derived: one for each combination of values of the statement's choices (KeyChoice).
// Their rows are merged in clustering order.
struct MergedPartitions {
  std::vector<KeyValues> partition_key;  // One expression per column. It may refer to a choice.
  ClusteringSelection clustering;
};
struct TokenScan {  // All partitions of a token range (without bounds: of the table), no filter.
  TokenBounds bounds;
};
// A TokenScan with a filter for the conditions that it does not serve. Needs ALLOW FILTERING.
struct FilteredScan {
  TokenBounds bounds;
};
// Partitions whose leading key columns equal `prefix` and whose next column is between the bounds. Without prefix and
// bounds: all partitions. Only for tables that are not stored by token. RANGE tables are read in key order; KEY, HASH
// and LIST tables partition by partition, unless SelectPlan::key_order is set.
struct KeyRangeScan {
  std::vector<KeyValues> prefix;                // One value for each of the first partition key columns.
  std::optional<ClusteringBound> lower, upper;  // Bounds of the column after `prefix`.
  TokenBounds tokens;                           // Partitions with other tokens are skipped.
};
// One end of a range that is looked up in an index.
struct IndexBound {
  Expression value;
  bool inclusive = false;
};
struct IndexLookup {
  enum class Kind : uint8_t {
    kTerm,   // Entries of one value.
    kTerms,  // Entries of several values: those of IN.
    kEntry,  // Entries of a map's key and value.
    kRange,  // Entries of the values between two bounds.
    kLike,   // Entries of the values, or of the words of values, that match a pattern.
    kWords,  // Entries of the words that `column : 'words'` asks for.
  };
  std::string index;
  Kind kind = Kind::kTerm;
  std::vector<Expression> values;  // kTerm, kLike, kWords: one; kTerms: several, or one list; kEntry: key and value.
  bool list_valued = false;        // kTerms: values[0] is a list.
  std::optional<IndexBound> lower, upper;  // kRange: the two bounds.
};
// A condition whose rows are found by indexes: one look-up, or a combination of several. The rows found can be more
// than those that meet the statement's condition, but never fewer.
struct IndexCondition {
  struct All {
    std::vector<IndexCondition> parts;
  };
  struct Any {
    std::vector<IndexCondition> parts;
  };
  std::variant<IndexLookup, All, Any> node;
};
// ORDER BY on a column with an index: rows are in the order of the column's values, and rows without a value come last.
struct IndexOrder {
  std::string index;
  uint32_t column = 0;
  bool descending = false;
  std::optional<IndexBound> lower, upper;  // If set: only rows with values between these.
};
// ORDER BY … ANN OF: rows are in the order of their similarity to a vector, the most similar first. Rows without a
// vector do not appear.
struct IndexNearest {
  std::string index;  // An index on vectors (types/similarity.h).
  uint32_t column = 0;
  Expression vector;
};
// ORDER BY … BM25 OF: rows are in the order of their relevance to the words of a query, the most relevant first
// (types/relevance.h). The filter has the condition `column : query`, so that all rows have all words.
struct RelevanceOrder {
  std::string index;  // An index of words, which has statistics about them.
  uint32_t column = 0;
  Expression query;
};
// The rows that indexes find, in the table's order or in that of an index. The filter of the statement then tests each
// row. The filter has all conditions of WHERE except those in `tokens` and `partition_key`.
struct IndexScan {
  // Each condition alone finds all rows. exec reads the entries of the condition that has the fewest entries. It also
  // reads the entries of another condition if that costs less than reading the rows that the other condition excludes.
  // May be empty only if `order` or `nearest` is set.
  std::vector<IndexCondition> conditions;
  std::optional<IndexOrder> order;
  std::optional<IndexNearest> nearest;  // Never together with `order`.
  TokenBounds tokens;
  std::vector<KeyValues> partition_key;  // If set: only rows of one partition.
};
using AccessPath = std::variant<PointLookup, PartitionSlice, MultiPartition, MergedPartitions, TokenScan, FilteredScan,
                                KeyRangeScan, IndexScan>;

}  // namespace widerow
