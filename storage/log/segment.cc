// MakeSegment() creates a file, fills it with zeros (FillSegment), and writes the header last. So a segment with a
// header is complete. OpenSegments() opens all files named `segment-<n>`. A file without a header is removed if it has
// no records; otherwise it counts as damaged.
#include "storage/log/segment.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>

#include "base/text.h"
#include "storage/log/log_format.h"

namespace widerow {
namespace {

constexpr std::string_view kNamePrefix = "segment-";
constexpr size_t kChunkBytes = 1 << 20;
// A new segment is sent to the disk in pieces of this size, one after another. Sending it at once would keep the disk
// busy for tens of milliseconds and delay the sync of the segment in use, for which writes wait.
constexpr uint64_t kFillStepBytes = 128 << 10;

std::optional<uint64_t> NumberOf(std::string_view name) {
  if (!name.starts_with(kNamePrefix)) return std::nullopt;
  name.remove_prefix(kNamePrefix.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || name.front() == '0') return std::nullopt;
  return number;
}

// Sets `answer` to true if everything after the first page is zeros.
std::error_code HoldsNoRecords(LogFile& file, bool& answer) {
  Bytes chunk;
  for (uint64_t offset = log_format::kRecordsOffset;; offset += kChunkBytes) {
    if (const std::error_code error = file.Read(offset, kChunkBytes, chunk)) return error;
    answer = std::all_of(chunk.begin(), chunk.end(), [](char c) { return c == 0; });
    if (!answer || chunk.size() < kChunkBytes) return {};
  }
}

// Opens one segment. If it is unfinished, returns null, and removes its file unless LogDirectory::inspects is set. If
// the segment is damaged, sets `damaged` and fails.
Result<LogSegmentPtr> OpenSegment(const LogDirectory& directory, uint64_t number, const std::string& name,
                                  bool& damaged) {
  auto segment = std::make_shared<LogSegment>();
  segment->number = number;
  segment->path = directory.path / name;
  Bytes page;
  uint64_t file_bytes = 0;
  std::error_code error = directory.files->Open(segment->path, false, segment->file);
  if (!error) error = segment->file->Size(file_bytes);
  if (!error) error = segment->file->Read(0, log_format::kPageBytes, page);
  if (error) return LogError(error, "opening", segment->path);
  log_format::SegmentHeader header;
  uint32_t version = 0;
  switch (log_format::DecodeSegmentHeader(page, header, version)) {
    case log_format::HeaderState::kGood: break;
    case log_format::HeaderState::kOtherVersion:
      return ServerError(StrCat(QuotedPath(segment->path), " has version ", version,
                                " of the commit log's format; this Widerow reads version ", log_format::kVersion),
                         "start the version of Widerow that wrote it");
    case log_format::HeaderState::kBad: {
      bool unused = false;
      if ((error = HoldsNoRecords(*segment->file, unused))) return LogError(error, "reading", segment->path);
      damaged = !unused;
      if (damaged) return LogDamaged(segment->path, 0, "its header is not one, and it holds records");
      if (directory.inspects) return LogSegmentPtr();
      directory.Say("commit log: removing " + QuotedPath(segment->path) + ", whose making was cut off");
      if ((error = directory.files->Remove(segment->path))) return LogError(error, "removing", segment->path);
      return LogSegmentPtr();
    }
  }
  if (damaged = file_bytes < header.bytes; damaged) {
    return LogDamaged(segment->path, file_bytes,
                      "it is cut off: it should have " + std::to_string(header.bytes) + " bytes");
  }
  segment->bytes = header.bytes;
  segment->salt = header.salt;
  return segment;
}

std::error_code FillSegment(LogSegment& segment) {
  // Writes one page at a time. The page cache would keep a larger write as one piece, and each later sync of a few
  // bytes in this piece would cost more. On ext4 of Linux 6.18, a sync of 3 KB takes 75 us of CPU after writes of 1 MB,
  // and 53 us after writes of 4 KB.
  const Bytes zeros(std::min<uint64_t>(log_format::kPageBytes, segment.bytes), '\0');
  for (uint64_t offset = 0; offset < segment.bytes; offset += zeros.size()) {
    const ByteView chunk = ByteView(zeros).substr(0, segment.bytes - offset);
    if (const std::error_code error = segment.file->Write(offset, chunk)) return error;
    const uint64_t end = offset + chunk.size();
    if (end % kFillStepBytes != 0) continue;
    if (const std::error_code error = segment.file->WriteBack(end - kFillStepBytes, kFillStepBytes)) return error;
  }
  // Zeros are written, because space that is only allocated consists of unwritten extents: each sync after a write into
  // them would also have to commit the journal of the file system. The header is written last.
  if (const std::error_code error = segment.file->DataSync()) return error;
  return WriteSegmentHeader(segment);
}

}  // namespace

std::string QuotedPath(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

std::string SegmentName(uint64_t number) { return StrCat(kNamePrefix, number); }

Error LogError(std::error_code error, const std::string& doing, const std::filesystem::path& path) {
  const std::string message =
      StrCat("The commit log failed while ", doing, " ", QuotedPath(path), ": ", error.message());
  if (IsDiskFull(error)) {
    return ServerError(message, "free space on the disk of the data directory (--data), then try again");
  }
  if (NeedsDescriptors(error)) {
    return ServerError(message, "close connections or raise the limit of open files (ulimit -n), then try again");
  }
  return ServerError(message);
}

Error LogDamaged(const std::filesystem::path& path, uint64_t offset, const std::string& what) {
  return ServerError(
      StrCat("The commit log is damaged: ", QuotedPath(path), " at offset ", offset, ": ", what),
      "restore the data directory from a backup; if the missing writes may be lost, start once with widerow "
      "serve --accept-lost-log");
}

namespace {

// Opens the files that have the names of segments.
Result<std::vector<LogSegmentPtr>> OpenNamed(const LogDirectory& directory, const std::vector<std::string>& names) {
  std::vector<LogSegmentPtr> segments;
  for (const std::string& name : names) {
    if (name == kSegmentListName) continue;
    const std::optional<uint64_t> number = NumberOf(name);
    if (!number.has_value()) {
      directory.Say("commit log: ignoring " + QuotedPath(directory.path / name) + ", which is not a segment");
      continue;
    }
    bool damaged = false;
    Result<LogSegmentPtr> segment = OpenSegment(directory, *number, name, damaged);
    if (!segment.ok() && damaged && directory.accept_loss) {
      const std::filesystem::path path = directory.path / name;
      directory.Say("removing " + QuotedPath(path) + ", which is accepted: " + segment.error().message);
      if (const std::error_code error = directory.files->Remove(path)) return LogError(error, "removing", path);
      continue;
    }
    if (!segment.ok()) return segment.error();
    if (*segment != nullptr) segments.push_back(std::move(*segment));
  }
  std::sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) { return a->number < b->number; });
  return segments;
}

}  // namespace

Result<std::vector<LogSegmentPtr>> OpenSegments(const LogDirectory& directory) {
  bool created = false;
  std::vector<std::string> names;
  if (directory.inspects) {
    const std::error_code error = directory.files->List(directory.path, names);
    return error ? Result<std::vector<LogSegmentPtr>>(LogError(error, "listing", directory.path))
                 : OpenNamed(directory, names);
  }
  if (const std::error_code error = directory.files->MakeDirectory(directory.path, created)) {
    return LogError(error, "creating", directory.path);
  }
  // The directories are synced even if they existed. An earlier process may have made them, or a segment in them, and
  // may have been stopped before the new name was durable.
  for (const std::filesystem::path& path : {directory.path.parent_path(), directory.path}) {
    if (const std::error_code error = directory.files->SyncDirectory(path)) return LogError(error, "syncing", path);
  }
  if (const std::error_code error = directory.files->List(directory.path, names)) {
    return LogError(error, "listing", directory.path);
  }
  return OpenNamed(directory, names);
}

std::error_code WriteSegmentHeader(const LogSegment& segment) {
  Bytes page(log_format::kSecondHeaderOffset + log_format::kSegmentHeaderBytes, '\0');
  const log_format::SegmentHeader header{.salt = segment.salt, .bytes = segment.bytes};
  log_format::EncodeSegmentHeader(header, page.data());
  log_format::EncodeSegmentHeader(header, page.data() + log_format::kSecondHeaderOffset);
  if (const std::error_code error = segment.file->Write(0, page)) return error;
  return segment.file->DataSync();
}

std::error_code MakeSegment(const LogDirectory& directory, uint64_t number, uint64_t bytes, LogSegmentPtr& out) {
  auto segment = std::make_shared<LogSegment>();
  segment->number = number;
  segment->path = directory.path / SegmentName(number);
  segment->bytes = bytes;
  std::random_device random;
  segment->salt = uint64_t{random()} << 32 | random();
  std::error_code error = directory.files->Open(segment->path, true, segment->file);
  if (error) return error;
  error = FillSegment(*segment);
  if (!error) error = directory.files->SyncDirectory(directory.path);
  if (error) {
    if (const std::error_code left = directory.files->Remove(segment->path)) {
      directory.Say("commit log: cannot remove " + QuotedPath(segment->path) + ": " + left.message());
    }
    return error;
  }
  out = std::move(segment);
  return {};
}

}  // namespace widerow
