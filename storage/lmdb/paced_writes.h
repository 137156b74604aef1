// Sends the pages of an LMDB commit to the disk in pieces.
//
// LMDB writes the pages of a commit into the page cache and then syncs all of them at once. Any other sync, above all
// that of the commit log, then waits until these pages are on the disk. So functions of this file replace three C
// functions that LMDB calls (storage/CMakeLists.txt). They wait until a piece is on the disk before LMDB writes the
// next one, so that little is left for the sync at the end. Durability does not change: nothing is durable before that
// sync. The diary has figures (docs/measurements/diary/performance-writes.md, "Schema changes, step by step").
//
// Each file descriptor has a state of its own: the range that is written and not sent, and an error to report. One
// thread may write several environments. Several threads may write one environment in turn, because LMDB's lock for
// writers makes sure that one thread at a time writes to a descriptor.
#pragma once

#include <sys/uio.h>

#include <cstdint>

namespace widerow::lmdb {

// Returns the number of pieces that have been sent for this descriptor. No thread may write to the descriptor at the
// same time.
uint64_t PiecesSent(int fd);
// Forgets the state of a descriptor. Called before the descriptor is closed.
void StopPacing(int fd);

}  // namespace widerow::lmdb

// These replace pwrite, writev and fdatasync in LMDB's object code.
extern "C" {
ssize_t widerow_lmdb_pwrite(int fd, const void* data, size_t size, off_t offset);
ssize_t widerow_lmdb_writev(int fd, const iovec* parts, int count);
int widerow_lmdb_fdatasync(int fd);
}
