#include "storage/engine/replay_chunks.h"

#include <algorithm>

#include "storage/fold/direct_log.h"
#include "storage/log/write_codec.h"

namespace widerow {
namespace {

GroupKind KindOf(const LogGroup& group) {
  return group.body.empty() ? GroupKind::kWrites : static_cast<GroupKind>(group.body[0]);
}

}  // namespace

bool ReplayChunk::Takes(const LogGroup& group) const {
  if (bytes_ > 0 && bytes_ + group.body.size() > bytes_max_) return false;
  switch (KindOf(group)) {
    case GroupKind::kMeta: return !has_direct_;
    case GroupKind::kPurge: {
      PurgeGroup purge;
      // A damaged group is accepted here. Its replay returns the error.
      if (written_.empty() || !DecodePurgeGroup(group.body.substr(1), purge)) return true;
      return std::none_of(purge.candidates.begin(), purge.candidates.end(),
                          [&](const PurgeCandidate& candidate) { return written_.contains(candidate.prefix()); });
    }
    case GroupKind::kWrites:
    case GroupKind::kBulk:
    case GroupKind::kPieces: break;
  }
  return true;
}

void ReplayChunk::Add(const LogGroup& group) {
  bytes_ += group.body.size();
  const GroupKind kind = KindOf(group);
  has_direct_ = has_direct_ || (kind != GroupKind::kWrites && kind != GroupKind::kMeta);
  if (kind != GroupKind::kWrites || group.body.empty()) return;
  for (ByteView rest = group.body.substr(1); !rest.empty();) {
    WriteReader reader(rest);
    ByteView prefix;
    WriteEntry entry;
    while (reader.NextPartition(prefix)) {
      if (!written_.contains(prefix)) written_.emplace(prefix);
      while (reader.NextEntry(entry)) continue;
    }
    if (!reader.ok()) return;
    rest = reader.rest();
  }
}

}  // namespace widerow
