// Estimates how much a scan will read, for choosing between access paths.
#pragma once

#include "storage/storage_engine.h"

namespace widerow {

struct TableSize {
  uint64_t rows = 0, bytes = 0;
};

// Estimates the rows with these tokens. Tokens are hashes, so rows are spread evenly over them. For a table that is not
// partitioned by token, all rows count.
TableSize SizeOfTokens(const TableSchema& table, const Slice::TokenRange& tokens, StorageEngine& storage);
// Estimates the size of one partition. Storage knows the sizes of large partitions only. Any other partition counts
// with a fixed size: the least size of a large one.
TableSize SizeOfPartition(const TableSchema& table, ByteView partition_key, StorageEngine& storage);

}  // namespace widerow
