// Recovers the commit log when the engine is opened. A *use* of a segment is what was written into it under one epoch.
// The *chain* is the sequence of all records that follow one another without a gap. The steps:
//
// 1. Find the chain. The first record of each segment shows the segment's last use. The chain begins in the latest use
//    that follows a folded group. It goes from record to record within the segment. Then it goes on in the segment
//    whose first record names the chain's last sequence number as the previous one. Replay every group of the chain
//    that is not folded.
// 2. Search for losses. After the last record of the chain there can be nothing, an unsynced tail, or the place of a
//    loss. To find out, read every other record header in the segments. If one of them says that a sequence number
//    after the chain's last was durable when it was written, data has been lost. Then the start is refused with an
//    error that names the place, and nothing has been changed.
// 3. Make the chain durable. Groups of the chain that are not known to be durable may be in the system's cache only.
//    After a failed sync the system even treats them as written. So write them again and sync.
// 4. Forget other uses. Overwrite the first header of each use that is neither in the chain nor folded, so that no
//    later start begins with it. (Records after a torn record in the chain's last use need not be overwritten: nothing
//    leads to them, because the log goes on in another segment.)
// 5. Make segments durable. Write and sync the headers of segments that look unused, for the reason given in step 3.
//
// New epochs are greater than all that were found. So records that a torn tail has left are never taken for records of
// a later use. If the log was closed, everything in it is durable, and its close mark replaces steps 2 and 3.
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
  uint64_t previous_sequence = 0;  // The last sequence number of the previous group.
};
using LogReplay = std::function<Status(const LogGroup&)>;

struct RecoveredLog {
  uint64_t last_sequence = 0;   // The last group replayed or folded.
  uint64_t greatest_epoch = 0;  // The greatest epoch ever given.
  // The end of the chain. If Close is called without an Append, it stores its mark there again. Null if there is no
  // chain.
  LogSegmentPtr end_segment;
  uint64_t end_epoch = 0;
  uint64_t end_offset = 0;
};

// Recovers the log. Sets the epoch and the last sequence number of segments with groups that are not folded. If
// LogDirectory::keeps is set, segments with older groups are marked as kept. All other segments stay free. Errors: see
// CommitLog::Open. If losses are accepted, a loss that step 2 finds is only reported. Then every record header outside
// the chain is overwritten, so that no later start finds the loss again.
Result<RecoveredLog> RecoverLog(const LogDirectory& directory, const std::vector<LogSegmentPtr>& segments,
                                uint64_t folded_through, const LogReplay& replay);

}  // namespace widerow
