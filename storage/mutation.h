// What a write applies: absolute cells with final timestamps. Statements become mutations in exec; storage knows no CQL.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "storage/row.h"

namespace widerow {

// A half-open range of encoded clusterings, [begin, end) in byte order; `end` absent: to the end of the partition.
// `exact`: just the row whose whole clustering is `begin` (end is ignored).
struct ClusteringRange {
  Bytes begin;
  std::optional<Bytes> end;
  bool exact = false;
};

struct RowMutation {
  bool is_static = false;
  Bytes clustering;  // Encoded; empty for statics and for tables without clustering columns.
  RowFragment content;
};

struct RangeDeletion {
  ClusteringRange range;  // Never exact: a row's deletion is RowFragment::deletion.
  DeletionTime deletion;
};

// Changes to one partition.
struct PartitionMutation {
  TablePtr table;
  Bytes partition_key;  // As planner/partition_key.h makes it: Cassandra's serialized bytes in tables stored by token.
  DeletionTime partition_deletion;
  std::vector<RangeDeletion> range_deletions;
  std::vector<RowMutation> rows;
};

// Applied whole or not at all, and seen whole or not at all.
using Mutation = std::vector<PartitionMutation>;

class ReadView;

// Reads current rows through the view and answers with the mutation to apply, or refuses. Runs on the writer thread,
// sees every earlier write, must not block, and must be a pure function of what it reads.
using DecideStep = std::function<Result<Mutation>(ReadView&)>;

struct Write {
  Mutation mutation;
  DecideStep decide;  // If set, its mutation is applied after `mutation`.
};

}  // namespace widerow
