// The access path of a SELECT, bound to the values of a request: the rows that a RowScan reads. There is one struct for
// each form of access. It also records how much the scan has opened. Plain data, one thread.
#pragma once

#include <variant>
#include <vector>

#include "exec/derived/index_cursor.h"
#include "exec/derived/ordered_cursor.h"
#include "exec/nearest/bind_nearest.h"
#include "planner/access/key_ranges.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

// No row can match.
struct NoRows {};

// Partitions named by the statement, one after the other.
struct PartitionsByKey {
  std::vector<Bytes> keys;
  // The ranges to read of each partition; empty: no row can match. nullopt: all rows.
  std::optional<std::vector<ClusteringRange>> ranges;
  size_t next = 0;  // Index into `keys`.

  // True if at most one row of each partition is read.
  bool one_row_each(const TableSchema& table) const {
    return table.clustering_size == 0 || (ranges && ranges->size() == 1 && (*ranges)[0].exact);
  }
};

// The partitions with certain tokens. In a table that is not stored by token: all partitions.
struct PartitionsByToken {
  Slice::TokenRange tokens;
  bool opened = false;
};

// Ranges of stored keys, one after the other.
struct KeyRanges {
  std::vector<StoredKeyRange> ranges;
  size_t next = 0;  // Index into `ranges`.
};

// Ranges of stored keys in different partitions of the table. All ranges are read at once, and their rows are merged
// into key order.
struct MergedKeyRanges {
  std::vector<StoredKeyRange> ranges;
  bool opened = false;
};

// The rows that indexes find.
struct RowsByIndex {
  // Each condition alone finds all rows that can match. ChooseIndex leaves only the condition whose index entries are
  // read. It may leave none if the rows are read in the order of an index or of a similarity.
  std::vector<BoundIndexCondition> conditions;
  std::optional<BoundOrder> order;
  std::optional<BoundNearest> nearest;
  EntryBounds entries;
  std::optional<Bytes> partition;  // If set: only rows of this partition.
  Slice::TokenRange tokens;        // Else: only rows with these tokens.
  bool opened = false;
};

struct BoundAccess {
  std::variant<NoRows, PartitionsByKey, PartitionsByToken, KeyRanges, MergedKeyRanges, RowsByIndex> rows;
  // If set: partitions with other tokens are read, but not shown.
  std::optional<Slice::TokenRange> tokens_shown;

  bool by_key() const { return std::holds_alternative<PartitionsByKey>(rows); }
  // True if a partition without rows may be shown by its static values. The statement must not restrict the clustering
  // of the rows, and it must read all rows of a partition one after the other.
  bool whole_partitions() const {
    if (const auto* const partitions = std::get_if<PartitionsByKey>(&rows)) return !partitions->ranges;
    const auto* const by_index = std::get_if<RowsByIndex>(&rows);
    return by_index == nullptr || (!by_index->order && !by_index->nearest);
  }
  // True if partitions are read by key and there is at least one key.
  bool names_partitions() const;
  // True if no row can match.
  bool reads_nothing() const;
  // Makes the scan open its current slice again, from the beginning or from a resume point.
  void Reopen();
};

// Binds the plan's access path, which must not be MergedPartitions. Errors: those of exec/bind, and kInvalid for a
// merge of too many partitions.
Result<BoundAccess> BindAccess(const SelectPlan& plan, const EvaluationContext& context);

}  // namespace widerow
