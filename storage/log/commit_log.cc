// Append() builds the record in buffer_ and writes it at offset_ of the current segment. If it does not fit, Advance()
// takes a free segment (FindFree), or makes one (MakeFree), and gives it the next epoch. Sync() syncs every segment
// with unsynced writes, and then sets synced_through_. Release() frees segments whose groups are all folded, or marks
// them as kept for backups. TakeSuperfluous() removes segments that are not worth keeping.
#include "storage/log/commit_log.h"

#include <algorithm>
#include <utility>

namespace widerow {
namespace {

using log_format::kPageBytes;
using log_format::kRecordHeaderBytes;
using log_format::kRecordsOffset;

// If a group has made the buffer larger than this, the buffer's memory is freed afterwards.
constexpr size_t kBufferKeptBytesMax = 4 << 20;
// When a log is closed and everything in it is folded, it keeps only segments up to this size and those for backups.
constexpr size_t kClosedSegmentBytesMax = 1 << 20;

}  // namespace

CommitLog::CommitLog(CommitLogOptions options, LogDirectory directory, SegmentList list)
    : options_(std::move(options)), directory_(std::move(directory)), id_(list.id()), list_(std::move(list)) {}

CommitLog::~CommitLog() = default;

Result<std::unique_ptr<CommitLog>> CommitLog::Open(CommitLogOptions options, uint64_t folded_through,
                                                   const Replay& replay) {
  LogDirectory directory{.path = options.directory,
                         .files = options.files == nullptr ? &PosixLogFiles() : options.files,
                         .accept_loss = options.accept_loss,
                         .keeps = options.keep_bytes > 0,
                         .log = options.log};
  WR_ASSIGN_OR_RETURN(std::vector<LogSegmentPtr> segments, OpenSegments(directory));
  WR_ASSIGN_OR_RETURN(SegmentList list, SegmentList::Open(directory, segments, options.expected_id));
  WR_ASSIGN_OR_RETURN(RecoveredLog found, RecoverLog(directory, segments, folded_through, replay));
  WR_RETURN_IF_ERROR(list.MakeDurable(directory, segments));
  std::unique_ptr<CommitLog> log(new CommitLog(std::move(options), std::move(directory), std::move(list)));
  {
    MutexLock making(log->making_);
    if (!segments.empty()) log->next_number_ = segments.back()->number + 1;
    MutexLock lock(log->mutex_);
    log->segments_ = std::move(segments);
    log->greatest_epoch_ = found.greatest_epoch;
    log->appended_through_ = found.last_sequence;
    log->FreeKept();
  }
  log->synced_through_ = found.last_sequence;
  log->found_ = std::move(found);
  return log;
}

Status CommitLog::Append(uint64_t last_sequence, int64_t last_timestamp, std::span<const ByteView> body_parts) {
  size_t body_bytes = 0;
  for (const ByteView part : body_parts) body_bytes += part.size();
  if (body_bytes > log_format::kBodyBytesMax) {
    return InvalidError("A group of writes has " + std::to_string(body_bytes) + " bytes; the commit log takes " +
                        std::to_string(log_format::kBodyBytesMax));
  }
  uint64_t previous = 0;
  {
    MutexLock lock(mutex_);
    if (broken_.has_value()) return *broken_;
    previous = appended_through_;
  }
  WR_CHECK(last_sequence > previous && !closed_);
  const uint64_t record_bytes = log_format::RecordBytes(body_bytes);
  if (current_ == nullptr || offset_ + record_bytes > current_->bytes) WR_RETURN_IF_ERROR(Advance(record_bytes));
  BuildRecord({.body_bytes = static_cast<uint32_t>(body_bytes),
               .epoch = current_->epoch,
               .last_sequence = last_sequence,
               .previous_sequence = previous,
               .synced_through = synced_through(),
               .last_timestamp = last_timestamp},
              body_parts);
  const std::error_code error = current_->file->Write(offset_, buffer_);
  if (buffer_.capacity() > kBufferKeptBytesMax) Bytes().swap(buffer_);
  rest_written_ = static_cast<bool>(error);
  if (error) return WriteFailed(error, *current_);
  offset_ += record_bytes;
  bytes_appended_ += record_bytes;
  MutexLock lock(mutex_);
  current_->last_sequence = appended_through_ = last_sequence;
  current_->unsynced = true;
  const bool was_half_full = half_full_;
  half_full_ = offset_ - kRecordsOffset > (current_->bytes - kRecordsOffset) / 2;
  if (half_full_ && !was_half_full) spare_wanted_ = !HasSpare();
  return OkStatus();
}

void CommitLog::BuildRecord(log_format::RecordHeader header, std::span<const ByteView> body_parts) {
  buffer_.assign(kRecordHeaderBytes, '\0');
  for (const ByteView part : body_parts) buffer_.append(part);
  header.body_checksum = log_format::BodyChecksum(ByteView(buffer_).substr(kRecordHeaderBytes));
  log_format::EncodeRecordHeader(header, current_->salt, buffer_.data());
  // Fills the rest of the record's last page with zeros, so that the system need not read this page before it writes.
  const uint64_t end = log_format::AlignUp(offset_ + buffer_.size(), kPageBytes);
  buffer_.append(std::min(end, current_->bytes) - offset_ - buffer_.size(), '\0');
}

Error CommitLog::Break(std::error_code error, const std::string& doing, const LogSegment& segment) {
  MutexLock lock(mutex_);
  if (!broken_.has_value()) broken_ = LogError(error, doing, segment.path);
  return *broken_;
}

Error CommitLog::WriteFailed(std::error_code error, const LogSegment& segment) {
  return IsDiskFull(error) ? LogError(error, "writing", segment.path) : Break(error, "writing", segment);
}

Status CommitLog::DiscardRest() {
  if (!rest_written_) return OkStatus();
  const Bytes zeros(std::min<uint64_t>(kRecordHeaderBytes, current_->bytes - offset_), '\0');
  if (const std::error_code error = current_->file->Write(offset_, zeros)) return WriteFailed(error, *current_);
  rest_written_ = false;
  MutexLock lock(mutex_);
  current_->unsynced = true;
  return OkStatus();
}

Status CommitLog::Advance(uint64_t record_bytes) {
  WR_RETURN_IF_ERROR(DiscardRest());
  for (;;) {
    {
      MutexLock lock(mutex_);
      if (const LogSegmentPtr next = FindFree(kRecordsOffset + record_bytes)) {
        // If the current segment has no record, it becomes free again.
        if (current_ != nullptr && offset_ == kRecordsOffset) current_->epoch = 0;
        current_ = next;
        current_->epoch = ++greatest_epoch_;
        current_->last_sequence = current_->first_previous = appended_through_;
        offset_ = kRecordsOffset;
        half_full_ = false;
        found_.end_segment = nullptr;
        return OkStatus();
      }
    }
    if (const std::error_code error = MakeFree(kRecordsOffset + record_bytes)) {
      const std::filesystem::path& path = directory_.path;
      // These errors do not break the log: no record has been written, so nothing is lost if a later Append tries
      // again.
      if (IsDiskFull(error) || NeedsDescriptors(error)) return LogError(error, "making a segment in", path);
      MutexLock lock(mutex_);
      if (!broken_.has_value()) broken_ = LogError(error, "making a segment in", path);
      return *broken_;
    }
  }
}

LogSegmentPtr CommitLog::FindFree(uint64_t bytes_min) const {
  LogSegmentPtr best;
  for (const LogSegmentPtr& segment : segments_) {
    if (segment->epoch != 0 || segment->bytes < bytes_min) continue;
    const auto rank = [](const LogSegment& s) { return std::pair(s.bytes, s.free_since); };
    if (best == nullptr || rank(*segment) > rank(*best)) best = segment;
  }
  return best;
}

uint64_t CommitLog::SpareBytesMin() const {
  return current_ == nullptr ? 0 : std::min<uint64_t>(current_->bytes, options_.segment_bytes_max);
}

bool CommitLog::HasSpare() const { return FindFree(SpareBytesMin()) != nullptr; }

std::error_code CommitLog::MakeFree(uint64_t bytes_min) {
  const uint64_t needed = log_format::AlignUp(bytes_min, kPageBytes);
  MutexLock making(making_);
  uint64_t bytes = 0;
  {
    MutexLock lock(mutex_);
    if (FindFree(needed) != nullptr) return {};
    // If the stored list has no room for another segment, this is treated as a full disk. Folds will free segments.
    if (segments_.size() >= log_format::kListedSegmentsMax) return std::make_error_code(std::errc::no_space_on_device);
    for (const LogSegmentPtr& segment : segments_) {
      if (segment->bytes <= options_.segment_bytes_max) bytes = std::max(bytes, 2 * segment->bytes);
    }
  }
  bytes = std::clamp<uint64_t>(bytes, options_.first_segment_bytes, options_.segment_bytes_max);
  bytes = std::max(needed, log_format::AlignUp(bytes, kPageBytes));
  const bool enough =
      std::any_of(unlisted_.begin(), unlisted_.end(), [&](const auto& s) { return s->bytes >= needed; });
  if (!enough) {
    LogSegmentPtr made;
    if (const std::error_code error = MakeSegment(directory_, next_number_++, bytes, made)) return error;
    unlisted_.push_back(std::move(made));
  }
  // If the list cannot be stored, the new file stays, because the list on disk may contain it. The next call uses it.
  if (const std::error_code error = StoreList(unlisted_)) return error;
  MutexLock lock(mutex_);
  for (LogSegmentPtr& segment : unlisted_) {
    segment->free_since = greatest_epoch_;
    segments_.push_back(std::move(segment));
  }
  unlisted_.clear();
  return {};
}

Status CommitLog::Sync() {
  MutexLock syncing(syncing_);
  uint64_t through = 0;
  to_sync_.clear();
  {
    MutexLock lock(mutex_);
    if (broken_.has_value()) return *broken_;
    through = appended_through_;
    for (const LogSegmentPtr& segment : segments_) {
      if (std::exchange(segment->unsynced, false)) to_sync_.push_back(segment);
    }
  }
  for (const LogSegmentPtr& segment : to_sync_) {
    // Here a full disk breaks the log too, because the system may have dropped data that it could not write.
    if (const std::error_code error = segment->file->DataSync()) return Break(error, "syncing", *segment);
  }
  to_sync_.clear();
  synced_through_.store(through, std::memory_order_release);
  return OkStatus();
}

Status CommitLog::Release(uint64_t folded_through) {
  const uint64_t done = std::min(folded_through, synced_through());
  std::vector<LogSegmentPtr> superfluous;
  {
    MutexLock lock(mutex_);
    for (const LogSegmentPtr& segment : segments_) {
      if (segment->epoch == 0 || segment == current_ || segment->unsynced || segment->last_sequence > done) continue;
      segment->kept = true;
    }
    FreeKept();
    superfluous = TakeSuperfluous();
  }
  RemoveFiles(superfluous);
  return OkStatus();
}

std::error_code CommitLog::StoreList(const std::vector<LogSegmentPtr>& more) {
  std::vector<uint64_t> numbers;
  for (const LogSegmentPtr& segment : more) numbers.push_back(segment->number);
  {
    MutexLock lock(mutex_);
    for (const LogSegmentPtr& segment : segments_) numbers.push_back(segment->number);
  }
  std::sort(numbers.begin(), numbers.end());
  return list_.Store(numbers);
}

void CommitLog::RemoveFiles(const std::vector<LogSegmentPtr>& superfluous) {
  if (superfluous.empty()) return;
  MutexLock making(making_);
  if (const std::error_code error = StoreList(unlisted_)) {
    directory_.Say(LogError(error, "writing", directory_.path / kSegmentListName).message);
    // The files stay, because the list on disk may contain them. MakeFree uses them later.
    unlisted_.insert(unlisted_.end(), superfluous.begin(), superfluous.end());
    return;
  }
  for (const LogSegmentPtr& segment : superfluous) {
    if (const std::error_code error = directory_.files->Remove(segment->path)) {
      directory_.Say(LogError(error, "removing", segment->path).message);
    }
  }
}

std::vector<LogSegmentPtr> CommitLog::TakeSuperfluous() {
  // A free segment above segment_bytes_max was made for one group, and is removed. Any other free segment is removed
  // only if segments have been used more than `unused_uses_max` times since it became free, because making a segment
  // costs as much as filling it.
  const uint64_t unused_uses_max = 2 * segments_.size(), greatest_epoch = greatest_epoch_;
  const auto keep = [&](const LogSegmentPtr& segment) {
    if (segment->epoch != 0 || segment == current_) return true;
    return segment->bytes <= options_.segment_bytes_max && greatest_epoch - segment->free_since <= unused_uses_max;
  };
  const auto rest = std::stable_partition(segments_.begin(), segments_.end(), keep);
  std::vector<LogSegmentPtr> superfluous(std::make_move_iterator(rest), std::make_move_iterator(segments_.end()));
  segments_.erase(rest, segments_.end());
  return superfluous;
}

Status CommitLog::PrepareSpare() {
  uint64_t bytes_min = 0;
  {
    MutexLock lock(mutex_);
    if (broken_.has_value()) return *broken_;
    if (!half_full_ || HasSpare()) return OkStatus();
    bytes_min = SpareBytesMin();
  }
  if (const std::error_code error = MakeFree(bytes_min)) return LogError(error, "making a segment in", directory_.path);
  return OkStatus();
}

Status CommitLog::Close(uint64_t folded_through) {
  {
    MutexLock lock(mutex_);
    if (broken_.has_value()) return *broken_;
  }
  // DiscardRest may fail on a full disk. The groups in the log are synced even then.
  Status discarded = DiscardRest();
  WR_RETURN_IF_ERROR(Sync());
  WR_RETURN_IF_ERROR(std::move(discarded));
  closed_ = true;
  WR_RETURN_IF_ERROR(StoreCloseMark());
  std::vector<LogSegmentPtr> large;
  {
    MutexLock lock(mutex_);
    if (folded_through < appended_through_) return OkStatus();
    const auto rest = std::stable_partition(segments_.begin(), segments_.end(), [this](const LogSegmentPtr& segment) {
      return segment->bytes <= kClosedSegmentBytesMax || (options_.keep_bytes > 0 && segment->epoch != 0);
    });
    large.assign(std::make_move_iterator(rest), std::make_move_iterator(segments_.end()));
    segments_.erase(rest, segments_.end());
  }
  RemoveFiles(large);
  return OkStatus();
}

Status CommitLog::StoreCloseMark() {
  const bool appended = current_ != nullptr;
  // A log without a record gets no mark, because there is no place that the mark could name.
  if (appended ? offset_ == kRecordsOffset : found_.end_segment == nullptr) return OkStatus();
  const LogSegment& segment = appended ? *current_ : *found_.end_segment;
  char mark[log_format::kCloseMarkBytes];
  {
    MutexLock lock(mutex_);
    log_format::EncodeCloseMark({.epoch = appended ? current_->epoch : found_.end_epoch,
                                 .end = appended ? offset_ : found_.end_offset,
                                 .last_sequence = appended_through_,
                                 .greatest_epoch = greatest_epoch_},
                                segment.salt, mark);
  }
  // If the disk is full, the mark is missing, but the log is not broken and can be closed again.
  if (const std::error_code error = segment.file->Write(log_format::kCloseMarkOffset, ByteView(mark, sizeof mark))) {
    return WriteFailed(error, segment);
  }
  if (const std::error_code error = segment.file->DataSync()) return Break(error, "closing", segment);
  return OkStatus();
}

bool CommitLog::broken() const {
  MutexLock lock(mutex_);
  return broken_.has_value();
}

uint64_t CommitLog::bytes() const {
  MutexLock lock(mutex_);
  uint64_t bytes = 0;
  for (const LogSegmentPtr& segment : segments_) bytes += segment->bytes;
  return bytes;
}

}  // namespace widerow
