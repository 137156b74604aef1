#include "exec/session/read_watch.h"

#include <algorithm>

#include "exec/session/snapshot.h"

namespace widerow {
namespace {

std::string Mebibytes(uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::string SecondsText(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (const auto rest = time.count() % 1000; rest != 0) text += "." + std::to_string(1000 + rest).substr(1);
  return text + " s";
}

ReadLimits DefaultReadLimits(size_t memtable_bytes) {
  // A view may pin two memtables, each of which may grow to 1.5 times memtable_bytes (docs/internals/write-path.md), so
  // the two may take three times memtable_bytes. The limit is twice as high, so that the view can pin pages too.
  constexpr uint64_t kMemtables = 6;
  ReadLimits limits;
  limits.pinned_bytes_max = std::max(limits.pinned_bytes_max, kMemtables * memtable_bytes);
  return limits;
}

Error ReadsTooLong(const ReadLimits& limits) {
  return {.code = ErrorCode::kReadTimeout,
          .message = "Operation timed out - received only 0 responses.",
          .hint = "the SELECT has read the rows of one moment for " + SecondsText(limits.age_max) +
                  ", which is the most: read less at once (pages, ranges of keys or tokens), or raise "
                  "--read-seconds-max (of a Database: read_time_max)"};
}

Error PinsTooMuch(const ReadLimits& limits) {
  return {.code = ErrorCode::kReadFailure,
          .message = "Operation failed - received 0 responses and 1 failures",
          .hint = "writes since the SELECT began have left more than " + Mebibytes(limits.pinned_bytes_max) +
                  " that only it still needs: read less at once (pages, ranges of keys or tokens), or raise "
                  "--read-pinned-max (of a Database: read_pinned_bytes_max)"};
}

Status ReadWatch::Look(const ReadView& view) {
  if (limits_.ran_long != nullptr && ++looks_ >= kShortReadRows / kRowsPerLook) {
    *limits_.ran_long = true;
    return ServerError("The read is too long for this thread");  // Never reaches a client.
  }
  if (snapshot_ != nullptr) return snapshot_->StillOpen();
  const auto now = std::chrono::steady_clock::now();
  if (now - opened_ >= limits_.age_max) return ReadsTooLong(limits_);
  if (now - counted_ < limits_.count_period) return OkStatus();
  counted_ = now;
  WR_ASSIGN_OR_RETURN(const uint64_t pinned, view.PinnedBytes());
  if (pinned > limits_.pinned_bytes_max) return PinsTooMuch(limits_);
  return OkStatus();
}

}  // namespace widerow
