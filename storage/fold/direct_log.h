// The log of *direct changes*: bulk loads, purges, and pieces of large objects. They change the data file without a
// memtable. A restore that replays the commit log must repeat them at their place between the writes. So, while the log
// is kept for backups, each direct change is a group of the commit log (GroupKind::kBulk, kPurge, kPieces).
//
// The group is logged and synced first, and then the change is made. The process may end between these two steps, so a
// start repeats the direct changes after the last fold. Repeating a change that was made changes nothing.
#pragma once

#include "base/result.h"
#include "storage/fold/purge_scan.h"

namespace widerow {

// Used on the folder's thread. The engine implements it.
class DirectLog {
 public:
  virtual ~DirectLog() = default;
  // Appends a group and syncs it. Returns false if the group cannot be logged now, for example because the writer's
  // thread is waiting for the folder. Then nothing is logged, and the caller must return to the folder's loop and try
  // again later.
  virtual Result<bool> Log(Bytes group) = 0;
  // Says that the change of the last group could not be made. Then the next backup must be a full one.
  virtual void NotMade() = 0;
};

// A purge in the log: the time at which it was decided, and the purged records.
struct PurgeGroup {
  int64_t now_seconds = 0;
  std::vector<PurgeCandidate> candidates;
};
Bytes EncodePurgeGroup(const PurgeGroup& purge);
// `body` is the group without its kind.
bool DecodePurgeGroup(ByteView body, PurgeGroup& purge);

// Consecutive pieces of a large object (storage/large_object.h). `number` is that of the first piece in `bytes`.
struct PiecesGroup {
  uint64_t object = 0, number = 0;
  ByteView partition_prefix, bytes;
};
Bytes EncodePiecesGroup(const PiecesGroup& pieces);
// The result borrows from `body`.
bool DecodePiecesGroup(ByteView body, PiecesGroup& pieces);

}  // namespace widerow
