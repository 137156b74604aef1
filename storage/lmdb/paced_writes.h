// Sends the pages of an LMDB commit to the disk in pieces.
//
// LMDB writes the pages of a commit into the page cache and then syncs all of them at once. Any other sync, above all
// that of the commit log, waits behind them. So three C functions that LMDB calls are redirected to this file
// (storage/CMakeLists.txt): it waits for each piece before the next one is written, and little is left for the sync at
// the end. Durability does not change: nothing is durable before that sync. Figures:
// docs/measurements/diary/performance-writes.md, "Schema changes, step by step".
#pragma once

#include <cstdint>

namespace widerow::lmdb {

// The number of pieces that the calling thread has sent.
uint64_t PiecesSent();

}  // namespace widerow::lmdb
