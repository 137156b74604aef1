// How LMDB writes: the pages of a commit go to the disk in pieces.
//
// LMDB writes a commit's pages into the page cache and then has all of them synced at once; whoever syncs anything else
// meanwhile, above all the commit log, waits behind them. So three of the calls that it writes with lead here instead of to the
// C library (storage/CMakeLists.txt redirects them): each piece is waited for before the next one is written, and the sync at
// the end finds little left to do. What is durable when stays as it was: nothing before that sync.
// Figures: docs/measurements/diary/performance-writes.md, "Schema changes, step by step".
#pragma once

#include <cstdint>

namespace widerow::lmdb {

// Pieces that the calling thread has sent so far.
uint64_t PiecesSent();

}  // namespace widerow::lmdb
