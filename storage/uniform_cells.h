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
    const char* at = at_;
    if (at == end_) return false;
    size_t size = 0;
    if (end_ - at >= 2 && ((at[0] | at[1]) & 0x80) == 0) [[likely]] {  // Two varints of one byte.
      column = static_cast<uint8_t>(at[0]);
      size = static_cast<uint8_t>(at[1]);
      at += 2;
    } else if (!TakeHead(at, column, size)) {
      return false;
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
    UniformCells cells = *this;
    ColumnId column = 0;
    ByteView value;
    while (cells.Next(column, value)) {}
    return cells.done();
  }

 private:
  bool TakeHead(const char*& at, ColumnId& column, size_t& size) const {
    ByteView rest(at, static_cast<size_t>(end_ - at));
    uint64_t id = 0, bytes = 0;
    if (!TakeVarint(rest, id) || !TakeVarint(rest, bytes)) return false;
    at = rest.data();
    column = static_cast<ColumnId>(id);
    size = bytes;
    return true;
  }

  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace widerow
