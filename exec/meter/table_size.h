// How much a scan will have to go over: estimates, for choosing between ways to read.
#pragma once

#include "storage/engine.h"

namespace widerow {

struct TableSize {
  uint64_t rows = 0, bytes = 0;
};

// Of the rows with these tokens: tokens are hashes, so rows are spread over them evenly. Of other tables all rows count.
TableSize SizeOfTokens(const TableSchema& table, const Slice::TokenRange& tokens, StorageEngine& storage);
// Of one partition: what is known of it if it is a large one, otherwise what a large one has at least.
TableSize SizeOfPartition(const TableSchema& table, ByteView partition_key, StorageEngine& storage);

}  // namespace widerow
