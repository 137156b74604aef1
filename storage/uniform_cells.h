// The cells of a uniform row (storage/row.h) as its record has them, in ascending order of their columns: varint column, varint
// size, value. Two pointers: copied about, so that a loop over it runs in registers.
#pragma once

#include "base/bytes.h"
#include "types/schema.h"

namespace widerow {

class UniformCells {
 public:
  UniformCells() = default;
  explicit UniformCells(ByteView packed) : at_(packed.data()), end_(packed.data() + packed.size()) {}

  // False at the end, or where a cell is not whole: see done().
  bool Next(ColumnId& column, ByteView& value) {
    if (at_ == end_) return false;
    const char* at = nullptr;
    size_t size = 0;
    if (const uint16_t both = ShortHead(at_, end_); both != kLongHead) [[likely]] {
      column = both >> 8;
      size = both & 0xFF;
      at = at_ + 2;
    } else {
      const Head head = TakeHead(at_, end_);
      if (head.value == nullptr) return false;
      column = head.column;
      size = head.size;
      at = head.value;
    }
    if (static_cast<size_t>(end_ - at) < size) [[unlikely]] return false;
    value = ByteView(at, size);
    at_ = at + size;
    return true;
  }
  // Null data() if there is none.
  ByteView Find(ColumnId wanted) const {
    UniformCells cells = *this;
    ColumnId column = 0;
    ByteView value;
    while (cells.Next(column, value) && column <= wanted) {
      if (column == wanted) return value;
    }
    return {};
  }
  bool done() const { return at_ == end_; }
  // Of all that is left: no less than its values take.
  size_t bytes() const { return static_cast<size_t>(end_ - at_); }

  // Whether all cells are whole.
  bool Whole() const {
    const char* at = at_;
    while (at != end_) {
      size_t size = 0;
      if (const uint16_t both = ShortHead(at, end_); both != kLongHead) [[likely]] {
        size = both & 0xFF;
        at += 2;
      } else {
        const Head head = TakeHead(at, end_);
        if (head.value == nullptr) return false;
        size = head.size;
        at = head.value;
      }
      if (static_cast<size_t>(end_ - at) < size) [[unlikely]] return false;
      at += size;
    }
    return true;
  }

 private:
  struct Head {
    ColumnId column = 0;
    size_t size = 0;
    const char* value = nullptr;  // Null if the head is not whole.
  };
  // Two varints of one byte, as they stand; kLongHead if they are longer.
  static constexpr uint16_t kLongHead = 0xFFFF;
  static uint16_t ShortHead(const char* at, const char* end) {
    if (end - at < 2) return kLongHead;
    const auto head = ReadBigEndian<uint16_t>(at);
    return (head & 0x8080) == 0 ? head : kLongHead;
  }
  // Takes and gives values alone, so that a loop's own stay in registers.
  static Head TakeHead(const char* at, const char* end) {
    ByteView rest(at, static_cast<size_t>(end - at));
    uint64_t column = 0, size = 0;
    if (!TakeVarint(rest, column) || !TakeVarint(rest, size)) return {};
    return {static_cast<ColumnId>(column), size, rest.data()};
  }

  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace widerow
