#include "storage/log/segment_list.h"

#include <algorithm>

#include "base/text.h"
#include "storage/log/log_format.h"

namespace widerow {
namespace {

using log_format::kListSlotBytes;

constexpr const char* kWhatToDo =
    "restore the log's directory that belongs to this data.mdb; if the writes that only the log held may be lost, "
    "start once with widerow serve --accept-lost-log";

Error PartMissing(const std::string& what) {
  return ServerError(StrCat("A part of the commit log is missing: ", what), kWhatToDo);
}

// Reads the newest list of the file; nullopt if neither slot has a good one.
std::error_code ReadNewest(LogFile& file, std::optional<log_format::SegmentNumbers>& newest) {
  Bytes slot;
  for (const uint64_t offset : {uint64_t{0}, kListSlotBytes}) {
    if (const std::error_code error = file.Read(offset, kListSlotBytes, slot)) return error;
    auto list = log_format::DecodeSegmentNumbers(slot);
    if (list.has_value() && (!newest.has_value() || list->generation > newest->generation)) newest = std::move(list);
  }
  return {};
}

// Returns a text that says what is missing; empty if nothing is.
std::string Missing(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found,
                    const std::optional<log_format::SegmentNumbers>& list, const std::optional<Uuid>& expected_id) {
  if (!list.has_value()) {
    return found.empty() ? StrCat(QuotedPath(directory.path), " is missing or empty")
                         : StrCat(QuotedPath(directory.path / kSegmentListName), " is missing or damaged");
  }
  if (expected_id.has_value() && list->log_id != *expected_id) {
    return StrCat(QuotedPath(directory.path), " is the log ", list->log_id.ToString(),
                  ", and data.mdb belongs to the log ", expected_id->ToString());
  }
  for (const uint64_t number : list->numbers) {
    if (std::none_of(found.begin(), found.end(), [&](const auto& segment) { return segment->number == number; })) {
      return StrCat(QuotedPath(directory.path / SegmentName(number)), " is missing");
    }
  }
  return {};
}

}  // namespace

Result<SegmentList> SegmentList::Open(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found,
                                      const std::optional<Uuid>& expected_id) {
  const std::filesystem::path path = directory.path / kSegmentListName;
  SegmentList list;
  std::optional<log_format::SegmentNumbers> newest;
  std::error_code error = directory.files->Open(path, false, list.file_);
  if (error && error != std::errc::no_such_file_or_directory) return LogError(error, "opening", path);
  if (list.file_ != nullptr && (error = ReadNewest(*list.file_, newest))) return LogError(error, "reading", path);
  if (!newest.has_value() && !expected_id.has_value()) return list;
  if (const std::string missing = Missing(directory, found, newest, expected_id); !missing.empty()) {
    if (!directory.accept_loss) return PartMissing(missing);
    directory.Say("a part of the commit log is missing, which is accepted: " + missing);
    return list;
  }
  list.id_ = newest->log_id;
  list.generation_ = newest->generation;
  list.found_ = std::move(newest->numbers);
  return list;
}

Status SegmentList::MakeDurable(const LogDirectory& directory, const std::vector<LogSegmentPtr>& found) {
  const std::filesystem::path path = directory.path / kSegmentListName;
  std::error_code error;
  if (generation_ > 0) {
    --generation_;  // Store writes the same list to the same slot: the other slot may hold the only durable list.
    error = Store(found_);
    return error ? Status(LogError(error, "writing", path)) : OkStatus();
  }
  id_ = Uuid::Random();
  if (file_ == nullptr) error = directory.files->Open(path, true, file_);
  // Both slots are written, so that later changes need no room on the disk.
  if (!error) error = file_->Write(0, Bytes(2 * kListSlotBytes, '\0'));
  std::vector<uint64_t> numbers;
  for (const LogSegmentPtr& segment : found) numbers.push_back(segment->number);
  if (!error) error = Store(numbers);
  if (!error) error = directory.files->SyncDirectory(directory.path);
  return error ? Status(LogError(error, "writing", path)) : OkStatus();
}

std::error_code SegmentList::Store(const std::vector<uint64_t>& numbers) {
  if (numbers.size() > log_format::kListedSegmentsMax) return std::make_error_code(std::errc::value_too_large);
  const uint64_t generation = generation_ + 1;
  const Bytes slot = log_format::EncodeSegmentNumbers({.log_id = id_, .generation = generation, .numbers = numbers});
  if (const std::error_code error = file_->Write(generation % 2 * kListSlotBytes, slot)) return error;
  if (const std::error_code error = file_->DataSync()) return error;
  generation_ = generation;
  return {};
}

}  // namespace widerow
