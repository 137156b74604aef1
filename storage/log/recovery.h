// What a start makes of the segments. In order:
//
// 1. The first record of each segment says which use of it is the last one begun (its epoch). The chain begins in the
//    latest use that follows a folded group, and goes on in the order of epochs: in a segment record after record, from a
//    segment to the next whose first record names the chain's last sequence number as the one before it. Every group of
//    the chain that is not folded is replayed.
// 2. Where it ends, it is either the end, or an unsynced tail begins there, or something is lost. Every record header that
//    is anywhere else in the segments is looked at: one that was written when a later sequence number than the chain's
//    last was already durable proves a loss. Then the start is refused, naming the place, and nothing has been changed.
// 3. Groups of the chain that were not known durable may be in the system's cache alone, which, after a failed sync, even
//    believes that they are on disk: they are written again, and synced.
// 4. Uses that are not of the chain are made unrecognizable, so that no later start finds itself at their beginning. (What
//    follows a torn record in the chain's last use cannot be reached any more: the log goes on in another segment.)
// 5. The headers of segments that look unused are written again and synced, for the reason of 3.
//
// Epochs begin above any that were found, so what a torn tail left behind never continues a later use. After a Close,
// its mark takes the place of step 2.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "storage/log/segment.h"

namespace widerow {

// One group of writes. Sequence numbers grow strictly from group to group.
struct LogGroup {
  uint64_t last_sequence = 0;
  int64_t last_timestamp = 0;
  ByteView body;
};
using LogReplay = std::function<Status(const LogGroup&)>;

struct RecoveredLog {
  uint64_t last_sequence = 0;  // Of the last group replayed or folded.
  uint64_t greatest_epoch = 0;  // Of all that were ever given.
  // Where the chain ended: a Close without an Append before it puts its mark there again. Null if there is no chain.
  LogSegmentPtr end_segment;
  uint64_t end_epoch = 0;
  uint64_t end_offset = 0;
};

// Leaves the segments that hold unfolded groups with their epoch and last sequence, all others free.
Result<RecoveredLog> RecoverLog(const LogDirectory& directory, const std::vector<LogSegmentPtr>& segments,
                                uint64_t folded_through, const LogReplay& replay);

}  // namespace widerow
