// The cells of a uniform row (storage/row.h), in the form in which the record stores them: for each cell the column and
// the size as varints, then the value, in ascending order of columns. The object is two pointers and is passed by
// value, so that the compiler keeps it in registers in a loop.
#pragma once

#include "base/bytes.h"
#include "types/schema.h"

namespace widerow {

class UniformCells {
 public:
  UniformCells() = default;
  explicit UniformCells(ByteView packed) : at_(packed.data()), end_(packed.data() + packed.size()) {}

  // Reads the next cell. Returns false at the end, and also if the next cell is cut short; done() tells the two cases
  // apart.
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
    if (static_cast<size_t>(end_ - at) < size) [[unlikely]]
      return false;
    value = ByteView(at, size);
    at_ = at + size;
    return true;
  }
  // Returns the value of a column. If the row has no cell for it, data() of the result is null.
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
  // Returns the number of bytes of the cells that are not read yet.
  size_t bytes() const { return static_cast<size_t>(end_ - at_); }

  // True if none of the cells that are not read yet is cut short.
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
      if (static_cast<size_t>(end_ - at) < size) [[unlikely]]
        return false;
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
  // Returns a number whose two bytes are the column and the size of a cell, if both are varints of one byte. Otherwise
  // returns kLongHead.
  static constexpr uint16_t kLongHead = 0xFFFF;
  static uint16_t ShortHead(const char* at, const char* end) {
    if (end - at < 2) return kLongHead;
    const auto head = ReadBigEndian<uint16_t>(at);
    return (head & 0x8080) == 0 ? head : kLongHead;
  }
  // Has only values as parameters and result, so that the variables of the calling loop stay in registers.
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
