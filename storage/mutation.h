// The changes that a write applies: cells with their new values and final timestamps, and deletions. exec makes
// mutations from statements. Storage knows nothing of CQL.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "storage/row.h"

namespace widerow {

// The encoded clusterings in [begin, end), in byte order. Without `end` the range goes to the end of the partition. If
// `exact` is set, the range is the one row whose whole clustering is `begin`, and `end` is ignored.
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
  // `exact` is not set: to delete a single row, set RowFragment::deletion.
  ClusteringRange range;
  DeletionTime deletion;
};

// Changes to one partition.
struct PartitionMutation {
  TablePtr table;
  // The stored form of the partition key, made by planner/access/partition_key.h. In tables stored by token this is the
  // form in which Cassandra serializes the key.
  Bytes partition_key;
  DeletionTime partition_deletion;
  std::vector<RangeDeletion> range_deletions;
  std::vector<RowMutation> rows;
};

// A mutation is applied as a whole or not at all. All of it becomes visible at the same time.
using Mutation = std::vector<PartitionMutation>;

class ReadView;

// A decide step computes a write from the current rows. It reads them through the view and returns the mutation to
// apply, or an error that refuses the write. It runs on the writer's thread and sees every earlier write. It may be
// called more than once for one write, so its result must depend only on what it reads. It must not block.
using DecideStep = std::function<Result<Mutation>(ReadView&)>;

// Names a row, or the static row of a partition.
struct RowPlace {
  TablePtr table;
  Bytes partition_key;  // In stored form.
  bool is_static = false;
  Bytes clustering;  // Encoded; empty for static rows.
};

// Answers a write that is not applied because `holder`, another row, has a value that must be unique
// (storage/derived_writes.h). Runs on the writer's thread when the write has been undone. It may be called more than
// once for one write. It must not block.
using ConflictStep = std::function<Status(ReadView&, const RowPlace& holder)>;

struct Write {
  Mutation mutation;
  DecideStep decide;        // If set: runs before `mutation` is applied. Its result is applied after `mutation`.
  size_t decide_bytes = 0;  // The approximate number of bytes that `decide` holds.
  // If set: runs if another row has a value that must be unique. The write then changes nothing, and its status is the
  // one that `conflict` returns, not the error of the conflict.
  ConflictStep conflict;
};

}  // namespace widerow
