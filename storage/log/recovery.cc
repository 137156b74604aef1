// recovery.h describes the steps. Recovery::Run() calls them in that order. FindUses() reads the first record of each
// segment, and FindCloseMark() reads the close mark of the segment that was used last. FollowChain() replays the chain.
// LookForLosses() searches the rest of the segments for witnesses (see Witness). MakeDurable() writes again what may
// not be durable. ForgetOthers() and MakeHeadersDurable() prepare the segments for their next uses.
#include "storage/log/recovery.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "storage/log/log_format.h"

namespace widerow {
namespace {

using log_format::RecordHeader;

// The last use of a segment, as the header of its first record shows it.
struct Use {
  LogSegmentPtr segment;
  RecordHeader first;
  bool in_chain = false;
  bool looked_through = false;  // True if the part after `end` was searched for witnesses.
  // The offset after the last record that was written in this use of the segment and is in the chain.
  uint64_t end = log_format::kRecordsOffset;
};

// A witness is a record header outside the chain. Its `synced_through` shows how far the log was durable. The one with
// the greatest `synced_through` is kept.
struct Witness {
  LogSegmentPtr segment;
  uint64_t offset = 0;
  uint64_t synced_through = 0;
};

class Recovery {
 public:
  Recovery(const LogDirectory& directory, const std::vector<LogSegmentPtr>& segments, uint64_t folded_through,
           const LogReplay& replay)
      : directory_(directory), segments_(segments), folded_through_(folded_through), replay_(replay) {}

  Result<RecoveredLog> Run() {
    WR_RETURN_IF_ERROR(FindUses());
    WR_RETURN_IF_ERROR(FindCloseMark());
    if (close_mark_.has_value() && close_mark_->last_sequence <= folded_through_) {
      uses_.back().in_chain = true;
      uses_.back().end = close_mark_->end;
      chain_last_ = close_mark_->last_sequence;
    } else {
      WR_RETURN_IF_ERROR(FollowChain());
      if (directory_.concurrent) return Answer();
      const Status complete = close_mark_.has_value() ? CheckCloseMark() : LookForLosses();
      if (!complete.ok() && !(directory_.accept_loss && lost_)) return complete.error();
      if (directory_.inspects) return Answer();
      WR_RETURN_IF_ERROR(MakeDurable());
      if (!complete.ok()) {
        directory_.Say("the commit log has lost writes, which is accepted: " + complete.error().message);
        WR_RETURN_IF_ERROR(ForgetOutside());
      }
    }
    if (directory_.inspects) return Answer();
    WR_RETURN_IF_ERROR(ForgetOthers());
    WR_RETURN_IF_ERROR(MakeHeadersDurable());
    return Answer();
  }

 private:
  uint64_t last() const { return std::max(chain_last_.value_or(0), folded_through_); }

  Status Load(const LogSegment& segment) {
    if (const std::error_code error = segment.file->Read(0, segment.bytes, content_)) {
      return LogError(error, "reading", segment.path);
    }
    if (content_.size() < segment.bytes) return LogDamaged(segment.path, content_.size(), "it has become shorter");
    return OkStatus();
  }

  Status FindUses() {
    Bytes bytes;
    for (const LogSegmentPtr& segment : segments_) {
      if (const std::error_code error =
              segment->file->Read(log_format::kRecordsOffset, log_format::kRecordHeaderBytes, bytes)) {
        return LogError(error, "reading", segment->path);
      }
      if (bytes.size() < log_format::kRecordHeaderBytes) continue;
      if (const auto first = log_format::DecodeRecordHeader(bytes.data(), segment->salt))
        uses_.push_back({segment, *first});
    }
    std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) { return a.first.epoch < b.first.epoch; });
    if (!uses_.empty()) greatest_epoch_ = uses_.back().first.epoch;
    return OkStatus();
  }

  Status FindCloseMark() {
    if (uses_.empty()) return OkStatus();
    const LogSegment& segment = *uses_.back().segment;
    Bytes bytes;
    if (const std::error_code error =
            segment.file->Read(log_format::kCloseMarkOffset, log_format::kCloseMarkBytes, bytes)) {
      return LogError(error, "reading", segment.path);
    }
    if (bytes.size() < log_format::kCloseMarkBytes) return OkStatus();
    close_mark_ = log_format::DecodeCloseMark(bytes.data(), segment.salt);
    if (close_mark_.has_value() && close_mark_->epoch != uses_.back().first.epoch) close_mark_.reset();
    if (close_mark_.has_value()) greatest_epoch_ = std::max(greatest_epoch_, close_mark_->greatest_epoch);
    return OkStatus();
  }

  Status FollowChain() {
    const auto after = std::partition_point(
        uses_.begin(), uses_.end(), [&](const Use& use) { return use.first.previous_sequence <= folded_through_; });
    if (after == uses_.begin()) return OkStatus();
    WR_RETURN_IF_ERROR(FollowSegment(*std::prev(after)));
    for (auto use = after; use != uses_.end(); ++use) {
      if (use->first.previous_sequence == chain_last_) WR_RETURN_IF_ERROR(FollowSegment(*use));
    }
    return OkStatus();
  }

  // Returns the header of the record at `offset` of the segment that is loaded. Returns nullopt if the record is not
  // complete or its checksum is wrong.
  std::optional<RecordHeader> RecordAt(const LogSegment& segment, uint64_t offset) const {
    if (offset + log_format::kRecordHeaderBytes > content_.size()) return std::nullopt;
    const auto header = log_format::DecodeRecordHeader(content_.data() + offset, segment.salt);
    if (!header.has_value() || header->body_bytes > content_.size() - offset - log_format::kRecordHeaderBytes) {
      return std::nullopt;
    }
    return log_format::BodyChecksum(Body(*header, offset)) == header->body_checksum ? header : std::nullopt;
  }

  ByteView Body(const RecordHeader& header, uint64_t offset) const {
    return ByteView(content_).substr(offset + log_format::kRecordHeaderBytes, header.body_bytes);
  }

  Status FollowSegment(Use& use) {
    WR_RETURN_IF_ERROR(Load(*use.segment));
    uint64_t previous = use.first.previous_sequence;
    while (const auto record = RecordAt(*use.segment, use.end)) {
      if (record->epoch != use.first.epoch || record->previous_sequence != previous) break;
      if (record->last_sequence > folded_through_) {
        WR_RETURN_IF_ERROR(replay_({record->last_sequence, record->last_timestamp, Body(*record, use.end), previous}));
      }
      use.end += log_format::RecordBytes(record->body_bytes);
      use.in_chain = true;
      use.segment->last_sequence = previous = record->last_sequence;
      chain_last_ = previous;
      known_durable_ = record->synced_through;
    }
    // The rest of the segment is searched for witnesses now, while the segment is loaded.
    if (!close_mark_.has_value()) LookThrough(use.segment, use.end);
    use.looked_through = true;
    return OkStatus();
  }

  // Searches the segment that is loaded for witnesses, from `offset` on.
  void LookThrough(const LogSegmentPtr& segment, uint64_t offset) {
    while (const auto header = log_format::FindRecordHeader(content_, segment->salt, offset)) {
      greatest_epoch_ = std::max(greatest_epoch_, header->epoch);
      greatest_outside_ = std::max(greatest_outside_, header->last_sequence);
      if (header->synced_through > witness_.synced_through) witness_ = {segment, offset, header->synced_through};
      offset += log_format::kRecordAlignment;
    }
  }

  // Returns the epoch of the use in which the chain begins; 0 if there is no chain.
  uint64_t ChainBegin() const {
    const auto begin = std::find_if(uses_.begin(), uses_.end(), [](const Use& use) { return use.in_chain; });
    return begin == uses_.end() ? 0 : begin->first.epoch;
  }

  // Returns the use in which the chain ends; null if there is no chain. The error about a loss names the end of this
  // use.
  const Use* End() const {
    const auto end = std::find_if(uses_.rbegin(), uses_.rend(), [](const Use& use) { return use.in_chain; });
    return end == uses_.rend() ? nullptr : &*end;
  }

  Error Lost(const LogSegment& witness, uint64_t witness_offset, const std::string& witness_says) {
    lost_ = true;
    const std::string what =
        StrCat("groups after sequence number ", last(), " were acknowledged and are missing or damaged (", witness_says,
               " '", witness.path.filename().string(), "' at offset ", witness_offset, ")");
    const Use* end = End();
    return end == nullptr ? LogDamaged(witness.path, witness_offset, what)
                          : LogDamaged(end->segment->path, end->end, what);
  }

  Status CheckCloseMark() {
    const Use& use = uses_.back();
    if (use.in_chain && use.end == close_mark_->end && chain_last_ == close_mark_->last_sequence) return OkStatus();
    return Lost(*use.segment, log_format::kCloseMarkOffset,
                "sequence number " + std::to_string(close_mark_->last_sequence) + " was durable, says the mark in");
  }

  Status LookForLosses() {
    for (const LogSegmentPtr& segment : segments_) {
      // If segments are kept for backups, a segment whose last use comes before the chain has only records that are
      // older than the chain. So it is not searched.
      const bool looked_through = std::any_of(uses_.begin(), uses_.end(), [&](const Use& u) {
        return u.segment == segment && (u.looked_through || (directory_.keeps && u.first.epoch < ChainBegin()));
      });
      if (looked_through) continue;
      WR_RETURN_IF_ERROR(Load(*segment));
      LookThrough(segment, log_format::kRecordsOffset);
    }
    if (witness_.synced_through <= last()) {
      if (greatest_outside_ > last()) {
        directory_.Say(
            StrCat("commit log: dropping an unsynced tail, what is left of the groups after sequence number ", last(),
                   " through ", greatest_outside_));
      }
      return OkStatus();
    }
    return Lost(*witness_.segment, witness_.offset,
                "sequence number " + std::to_string(witness_.synced_through) + " was durable, says the record in");
  }

  Status MakeDurable() {
    if (close_mark_.has_value()) return OkStatus();
    const uint64_t durable = std::max(known_durable_, folded_through_);
    for (const Use& use : uses_) {
      if (!use.in_chain || use.segment->last_sequence <= durable) continue;
      WR_RETURN_IF_ERROR(Load(*use.segment));
      uint64_t begin = log_format::kRecordsOffset;
      while (begin < use.end) {
        const auto record = RecordAt(*use.segment, begin);
        if (!record.has_value()) return LogDamaged(use.segment->path, begin, "it has changed while it was read");
        if (record->last_sequence > durable) break;
        begin += log_format::RecordBytes(record->body_bytes);
      }
      std::error_code error = use.segment->file->Write(begin, ByteView(content_).substr(begin, use.end - begin));
      if (!error) error = use.segment->file->DataSync();
      if (error) return LogError(error, "writing", use.segment->path);
    }
    return OkStatus();
  }

  // Overwrites every record header outside the chain.
  Status ForgetOutside() {
    const Bytes zeros(log_format::kRecordHeaderBytes, '\0');
    for (const LogSegmentPtr& segment : segments_) {
      WR_RETURN_IF_ERROR(Load(*segment));
      uint64_t offset = log_format::kRecordsOffset;
      for (const Use& use : uses_) {
        if (use.segment == segment && use.in_chain) offset = use.end;
      }
      std::error_code error;
      while (!error && log_format::FindRecordHeader(content_, segment->salt, offset).has_value()) {
        error = segment->file->Write(offset, zeros);
        offset += log_format::kRecordAlignment;
      }
      if (!error) error = segment->file->DataSync();
      if (error) return LogError(error, "writing", segment->path);
    }
    return OkStatus();
  }

  // Step 4: makes the uses outside the chain unrecognizable, except older uses whose groups are folded. Also removes
  // the close mark, because it would be wrong after the next Append.
  Status ForgetOthers() {
    const Bytes zeros(log_format::kRecordHeaderBytes, '\0');
    const uint64_t chain_epoch = End() == nullptr ? 0 : End()->first.epoch;
    for (const Use& use : uses_) {
      const bool other =
          !use.in_chain && (use.first.epoch > chain_epoch || use.first.previous_sequence > folded_through_);
      const bool marked = close_mark_.has_value() && &use == &uses_.back();
      if (!other && !marked) continue;
      std::error_code error;
      if (other) error = use.segment->file->Write(log_format::kRecordsOffset, zeros);
      if (!error && marked) {
        const ByteView no_mark = ByteView(zeros).substr(0, log_format::kCloseMarkBytes);
        error = use.segment->file->Write(log_format::kCloseMarkOffset, no_mark);
      }
      if (!error) error = use.segment->file->DataSync();
      if (error) return LogError(error, "writing", use.segment->path);
    }
    return OkStatus();
  }

  // Step 5: writes and syncs the headers of segments that seem unused. When such a segment was made, the sync of its
  // header possibly failed, but a record must not become durable before the header of its segment. A segment that has a
  // record has a durable header already.
  Status MakeHeadersDurable() {
    for (const LogSegmentPtr& segment : segments_) {
      if (std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) { return use.segment == segment; })) continue;
      if (const std::error_code error = WriteSegmentHeader(*segment)) return LogError(error, "writing", segment->path);
    }
    return OkStatus();
  }

  // Sets LogSegment::kept for segments whose groups are all folded. Goes from the end of the chain to older uses.
  // Leaves out an older use that begins at a greater sequence number than a newer one, so that the kept groups have no
  // gap.
  void Keep() const {
    const uint64_t chain_epoch = End() == nullptr ? 0 : End()->first.epoch;
    uint64_t last_of_use = last();
    for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) {
      if (use->first.epoch > chain_epoch || use->first.previous_sequence > last_of_use) continue;
      LogSegment& segment = *use->segment;
      segment.first_previous = use->first.previous_sequence;
      if (segment.epoch == 0) {
        segment.epoch = use->first.epoch;
        segment.last_sequence = last_of_use;
        segment.kept = true;
      }
      last_of_use = use->first.previous_sequence;
    }
  }

  RecoveredLog Answer() const {
    RecoveredLog answer{.last_sequence = last(), .greatest_epoch = greatest_epoch_};
    for (const Use& use : uses_) {
      if (!use.in_chain || use.segment->last_sequence <= folded_through_) continue;
      use.segment->epoch = use.first.epoch;
      use.segment->first_previous = use.first.previous_sequence;
    }
    if (directory_.keeps) Keep();
    if (const Use* end = End()) {
      answer.end_segment = end->segment;
      answer.end_epoch = end->first.epoch;
      answer.end_offset = end->end;
    }
    return answer;
  }

  const LogDirectory& directory_;
  const std::vector<LogSegmentPtr>& segments_;
  const uint64_t folded_through_;
  const LogReplay& replay_;

  std::vector<Use> uses_;  // In order of epoch.
  uint64_t greatest_epoch_ = 0;
  std::optional<log_format::CloseMark> close_mark_;
  Bytes content_;  // The segment that was loaded last.
  // The last sequence number of the chain; nullopt while it has no record.
  std::optional<uint64_t> chain_last_;
  uint64_t known_durable_ = 0;
  Witness witness_;
  bool lost_ = false;              // True if a loss was found.
  uint64_t greatest_outside_ = 0;  // The greatest sequence number outside the chain.
};

}  // namespace

Result<RecoveredLog> RecoverLog(const LogDirectory& directory, const std::vector<LogSegmentPtr>& segments,
                                uint64_t folded_through, const LogReplay& replay) {
  return Recovery(directory, segments, folded_through, replay).Run();
}

}  // namespace widerow
