#include "exec/write/list_path.h"

#include <atomic>

#include "base/uuid.h"

namespace widerow {

namespace {

// Positions are in units of 0.1 µs. Appends count upwards from 2^63, prepends downwards.
constexpr uint64_t kMiddle = uint64_t{1} << 63;

// Returns this process's random tag. It distinguishes elements that different processes put at the same position.
uint64_t ProcessTag() {
  static const uint64_t tag = ReadBigEndian<uint64_t>(Uuid::Random().view().data());
  return tag;
}

// Reserves `count` consecutive positions, later than all reserved before, and returns the first.
uint64_t TakePositions(std::atomic<uint64_t>& last, int64_t now_micros, uint64_t count) {
  const uint64_t now = now_micros > 0 ? static_cast<uint64_t>(now_micros) * 10 : 0;
  uint64_t before = last.load(), first = 0;
  do { first = now > before ? now : before + 1; } while (!last.compare_exchange_weak(before, first + count - 1));
  return first;
}

Bytes PathAt(uint64_t position) {
  Bytes path;
  AppendBigEndian(path, position);
  AppendBigEndian(path, ProcessTag());
  return path;
}

}  // namespace

Bytes NextAppendPath(int64_t now_micros) {
  static std::atomic<uint64_t> last{0};
  return PathAt(kMiddle + TakePositions(last, now_micros, 1));
}

int64_t NextPrependBase(int64_t now_micros, size_t count) {
  static std::atomic<uint64_t> last{0};
  return static_cast<int64_t>(TakePositions(last, now_micros, count) + count - 1);
}

Bytes PrependPath(int64_t base, size_t offset) { return PathAt(kMiddle - static_cast<uint64_t>(base) + offset); }

}  // namespace widerow
