// The part of CommitLog that reads groups for backups, and keeps the segments that they need. GroupReader reads the
// records of one segment through a window, so that small records need few system calls.
#include <absl/cleanup/cleanup.h>

#include <algorithm>

#include "base/text.h"
#include "storage/log/commit_log.h"

namespace widerow {
namespace {

using log_format::kRecordHeaderBytes;
using log_format::RecordHeader;

class GroupReader {
 public:
  explicit GroupReader(const LogSegment& segment) : segment_(segment) {}

  // Reads the header of the record at `offset`. Sets `out` to nullopt if there is no record of this epoch.
  Status Header(uint64_t offset, uint64_t epoch, std::optional<RecordHeader>& out) {
    out.reset();
    WR_ASSIGN_OR_RETURN(const ByteView bytes, At(offset, kRecordHeaderBytes));
    if (bytes.size() < kRecordHeaderBytes) return OkStatus();
    out = log_format::DecodeRecordHeader(bytes.data(), segment_.salt);
    if (out.has_value() && out->epoch != epoch) out.reset();
    return OkStatus();
  }

  // Reads the body of a record and checks it. The result is valid until the next call.
  Result<ByteView> Body(uint64_t offset, const RecordHeader& header) {
    WR_ASSIGN_OR_RETURN(const ByteView body, At(offset + kRecordHeaderBytes, header.body_bytes));
    if (body.size() == header.body_bytes && log_format::BodyChecksum(body) == header.body_checksum) return body;
    return LogDamaged(segment_.path, offset, "a record does not match its checksum");
  }

 private:
  static constexpr size_t kWindowBytes = 256 << 10;

  Result<ByteView> At(uint64_t offset, size_t size) {
    if (offset < begin_ || offset + size > begin_ + window_.size()) {
      begin_ = offset;
      const size_t wanted =
          std::min<uint64_t>(std::max(size, kWindowBytes), segment_.bytes - std::min(offset, segment_.bytes));
      if (const std::error_code error = segment_.file->Read(offset, wanted, window_)) {
        return LogError(error, "reading", segment_.path);
      }
    }
    const ByteView rest = ByteView(window_).substr(offset - begin_);
    return rest.substr(0, size);
  }

  const LogSegment& segment_;
  uint64_t begin_ = 0;
  Bytes window_;
};

}  // namespace

Error LogGap(uint64_t sequence) {
  return InvalidError(StrCat("The commit log no longer has the group of writes after sequence number ", sequence),
                      "take a full backup; a larger --keep-log keeps more of the log");
}

void CommitLog::Pin(uint64_t sequence) {
  MutexLock lock(mutex_);
  pins_.insert(sequence);
}

void CommitLog::Unpin(uint64_t sequence) {
  MutexLock lock(mutex_);
  pins_.erase(pins_.find(sequence));
  FreeKept();
}

void CommitLog::FreeKept() {
  const uint64_t pinned_after = pins_.empty() ? ~uint64_t{0} : *pins_.begin();
  uint64_t bytes = 0;
  for (const LogSegmentPtr& segment : segments_) bytes += segment->kept ? segment->bytes : 0;
  while (bytes > options_.keep_bytes) {
    LogSegment* oldest = nullptr;
    for (const LogSegmentPtr& segment : segments_) {
      if (segment->kept && (oldest == nullptr || segment->epoch < oldest->epoch)) oldest = segment.get();
    }
    if (oldest == nullptr || oldest->readers > 0 || oldest->last_sequence > pinned_after) return;
    bytes -= oldest->bytes;
    oldest->kept = false;
    oldest->epoch = 0;
    oldest->free_since = greatest_epoch_;
  }
}

CommitLog::Kept CommitLog::kept() const {
  MutexLock lock(mutex_);
  Kept out{.after = appended_through_};
  for (const LogSegmentPtr& segment : segments_) {
    if (segment->epoch == 0) continue;
    out.bytes += segment->kept ? segment->bytes : 0;
    out.after = std::min(out.after, segment->first_previous);
  }
  return out;
}

LogSegmentPtr CommitLog::BeginRead(LogCursor& cursor) {
  MutexLock lock(mutex_);
  LogSegmentPtr best;
  for (const LogSegmentPtr& segment : segments_) {
    if (segment->epoch == 0 || segment->first_previous > cursor.sequence) continue;
    if (best == nullptr || segment->epoch > best->epoch) best = segment;
  }
  if (best == nullptr) return best;
  ++best->readers;
  if (cursor.epoch != best->epoch) cursor = {cursor.sequence, best->epoch, log_format::kRecordsOffset};
  return best;
}

void CommitLog::EndRead(LogSegment& segment) {
  MutexLock lock(mutex_);
  --segment.readers;
  FreeKept();
}

Result<std::optional<int64_t>> CommitLog::TimeOf(uint64_t sequence) {
  std::optional<int64_t> time;
  if (sequence == 0) return time;
  LogCursor cursor{.sequence = sequence - 1};
  const LogSegmentPtr segment = BeginRead(cursor);
  if (segment == nullptr) return time;
  const absl::Cleanup reading = [&] { EndRead(*segment); };
  GroupReader reader(*segment);
  while (true) {
    std::optional<RecordHeader> header;
    WR_RETURN_IF_ERROR(reader.Header(cursor.offset, cursor.epoch, header));
    if (!header || header->last_sequence > sequence) return time;
    if (header->last_sequence == sequence) return time = header->last_timestamp;
    cursor.offset += log_format::RecordBytes(header->body_bytes);
  }
}

Status CommitLog::ReadGroups(LogCursor& cursor, const LogTake& take) {
  const uint64_t end = synced_through();
  while (cursor.sequence < end) {
    const LogSegmentPtr segment = BeginRead(cursor);
    if (segment == nullptr) return LogGap(cursor.sequence);
    const absl::Cleanup reading = [&] { EndRead(*segment); };
    GroupReader reader(*segment);
    const uint64_t before = cursor.sequence;
    while (true) {
      std::optional<RecordHeader> header;
      WR_RETURN_IF_ERROR(reader.Header(cursor.offset, cursor.epoch, header));
      if (!header || header->last_sequence > end) break;
      if (header->last_sequence > cursor.sequence) {
        if (header->previous_sequence != cursor.sequence) return LogGap(cursor.sequence);
        WR_ASSIGN_OR_RETURN(const ByteView body, reader.Body(cursor.offset, *header));
        const LogGroup group{header->last_sequence, header->last_timestamp, body, header->previous_sequence};
        WR_ASSIGN_OR_RETURN(const bool taken, take(group));
        if (!taken) return OkStatus();
        cursor.sequence = header->last_sequence;
      }
      cursor.offset += log_format::RecordBytes(header->body_bytes);
    }
    // If no group was read from this segment, the log no longer has the next group. Otherwise the next group must be in
    // another segment.
    if (cursor.sequence == before) return LogGap(cursor.sequence);
  }
  return OkStatus();
}

}  // namespace widerow
