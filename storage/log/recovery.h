// The steps of a start, in order:
//
// 1. The first record of each segment shows the last use of it that was begun (its epoch). The chain begins in the
//    latest use that follows a folded group, and goes on in the order of epochs: within a segment from record to
//    record, then to the next segment whose first record says that the chain's last sequence number precedes it. Every
//    group of the chain that is not folded is replayed.
// 2. Behind the last record of the chain there may be nothing, or an unsynced tail, or the place of a loss. To find
//    out, every other record header in the segments is looked at. If one of them says that a later sequence number than
//    the chain's last was already durable when it was written, data has been lost. Then the start is refused with the
//    place, and nothing has been changed.
// 3. Groups of the chain that are not known durable may be in the system's cache only. After a failed sync the system
//    even takes them for written. So they are written again and synced.
// 4. Uses that are neither in the chain nor folded are overwritten at their first header, so that no later start begins
//    with them. (What follows a torn record in the chain's last use cannot be reached any more: the log goes on in
//    another segment.)
// 5. The headers of segments that look unused are written again and synced, for the reason of step 3.
//
// New epochs are greater than all that were found, so what a torn tail has left never continues a later use. If the log
// was closed, everything in it is durable, and its close mark replaces steps 2 and 3.
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
  uint64_t last_sequence = 0;   // The last group replayed or folded.
  uint64_t greatest_epoch = 0;  // The greatest epoch ever given.
  // The end of the chain. A Close without an Append stores its mark there again. Null if there is no chain.
  LogSegmentPtr end_segment;
  uint64_t end_epoch = 0;
  uint64_t end_offset = 0;
};

// Recovers the log. Segments with groups that are not folded get their epoch and last sequence; all others are left
// free. Errors as in CommitLog::Open. If losses are accepted, a loss that step 2 finds is only reported, and every
// record header outside the chain is overwritten, so that no later start finds the loss again.
Result<RecoveredLog> RecoverLog(const LogDirectory& directory, const std::vector<LogSegmentPtr>& segments,
                                uint64_t folded_through, const LogReplay& replay);

}  // namespace widerow
