// The changes that a write applies: absolute cells with final timestamps. exec turns statements into mutations; storage
// knows no CQL.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "storage/row.h"

namespace widerow {

// A half-open range [begin, end) of encoded clusterings in byte order. No `end`: up to the end of the partition.
// `exact`: only the row whose whole clustering is `begin`; `end` is ignored.
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
  // Never exact: the deletion of one row is RowFragment::deletion.
  ClusteringRange range;
  DeletionTime deletion;
};

// Changes to one partition.
struct PartitionMutation {
  TablePtr table;
  // Made by planner/access/partition_key.h. In tables stored by token: Cassandra's serialized bytes.
  Bytes partition_key;
  DeletionTime partition_deletion;
  std::vector<RangeDeletion> range_deletions;
  std::vector<RowMutation> rows;
};

// A mutation is applied as a whole or not at all, and becomes visible as a whole.
using Mutation = std::vector<PartitionMutation>;

class ReadView;

// Reads current rows through the view and returns the mutation to apply, or an error that refuses the write. Runs on
// the writer thread and sees every earlier write. It may be called more than once for a write, so it must depend only
// on what it reads. It must not block.
using DecideStep = std::function<Result<Mutation>(ReadView&)>;

struct Write {
  Mutation mutation;
  DecideStep decide;        // If set: runs before `mutation` is applied. Its result is applied after `mutation`.
  size_t decide_bytes = 0;  // The approximate number of bytes that `decide` holds.
};

}  // namespace widerow
