// Cassandra's checks of batches over several partitions, with its default settings:
// - batch_size_warn_threshold: a larger batch gets a warning;
// - batch_size_fail_threshold: a larger batch is refused;
// - unlogged_batch_across_partitions_warn_threshold: an unlogged batch over more partitions gets a warning;
// - gc_grace_seconds 0: a logged batch on such a table gets a warning.
//
// Only requests of the native protocol are checked, so that programs written against Cassandra get the answers they
// know. COPY in the shell and other callers are not checked, because Widerow does not need batches to be small.
#pragma once

#include <string>
#include <vector>

#include "parser/ast.h"
#include "storage/mutation.h"

namespace widerow {

inline constexpr size_t kBatchSizeWarnBytes = 5 * 1024;
inline constexpr size_t kBatchSizeFailBytes = 50 * 1024;
inline constexpr size_t kUnloggedPartitionsWarn = 10;

// Returns the size of a mutation as Cassandra counts it; changes to one row count as one change. Overlapping range
// deletions are counted one by one, where Cassandra splits them at their ends.
size_t DataSize(const Mutation& mutation);

// Adds the warnings for a batch of these statements (`tables` has one entry per statement) and refuses a batch that is
// too large. If the write has a decide step, the decide step does this, so `warnings` must outlive the write's Apply.
Status GuardBatch(BatchStatement::Kind kind, const std::vector<TablePtr>& tables, Write& write,
                  std::vector<std::string>& warnings);

}  // namespace widerow
