// What Cassandra says of batches over several partitions, by its default settings: a warning above
// batch_size_warn_threshold, a refusal above batch_size_fail_threshold, a warning of unlogged ones that touch more
// partitions than unlogged_batch_across_partitions_warn_threshold, and of logged ones on tables whose gc_grace_seconds is 0.
//
// Programs that were written against Cassandra get the answers they know: requests of the native protocol are guarded, the
// shell's COPY and others are not, because nothing here needs batches to be small.
#pragma once

#include <string>
#include <vector>

#include "parser/ast.h"
#include "storage/mutation.h"

namespace widerow {

inline constexpr size_t kBatchSizeWarnBytes = 5 * 1024;
inline constexpr size_t kBatchSizeFailBytes = 50 * 1024;
inline constexpr size_t kUnloggedPartitionsWarn = 10;

// Bytes of a mutation as Cassandra counts them, changes to one row taken together. Range deletions that overlap each other
// count as they came: Cassandra cuts them where they meet.
size_t DataSize(const Mutation& mutation);

// Adds the warnings that a batch of these statements (one table a statement) deserves and refuses what is too large. Where
// the write decides only when it reads, the check is made then: `warnings` outlives its Apply.
Status GuardBatch(BatchStatement::Kind kind, const std::vector<TablePtr>& tables, Write& write,
                  std::vector<std::string>& warnings);

}  // namespace widerow
