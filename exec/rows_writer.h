// Builds the body of a RowsPage value by value. Values are small and many: one comparison and two copies each, into room made
// ahead.
#pragma once

#include <algorithm>

#include "exec/outcome.h"

namespace widerow {

class RowsWriter {
 public:
  explicit RowsWriter(size_t expected_bytes = 256) : body_(expected_bytes, '\0') {}

  // As the native protocol has it: int32 length (-1: null), bytes.
  void Append(ValueView value) {
    const ByteView bytes = value.value_or(ByteView());
    char* to = Reserve(sizeof(int32_t) + bytes.size());
    used_ = static_cast<size_t>(Write(value ? static_cast<int32_t>(bytes.size()) : -1, bytes, to) - body_.data());
  }
  void EndRow() { ++rows_; }

  // A whole row of `columns` values, the i-th value_of(i); null data() stands for null.
  template <typename ValueOf>
  void AppendRow(size_t columns, ValueOf value_of) {
    size_t size = columns * sizeof(int32_t);
    for (size_t i = 0; i < columns; ++i) size += value_of(i).size();
    char* to = Reserve(size);
    for (size_t i = 0; i < columns; ++i) {
      const ByteView value = value_of(i);
      to = Write(value.data() == nullptr ? -1 : static_cast<int32_t>(value.size()), value, to);
    }
    used_ += size;
    ++rows_;
  }

  size_t bytes() const { return used_; }
  uint32_t rows() const { return rows_; }
  // What has been written from byte `begin` on.
  ByteView From(size_t begin) const { return ByteView(body_).substr(begin, used_ - begin); }

  RowsPage Finish(ResultColumnsPtr columns) && {
    body_.resize(used_);
    return {.columns = std::move(columns), .body = std::move(body_), .row_count = rows_, .paging_state = {}};
  }

 private:
  // Room for `size` bytes from used_ on.
  char* Reserve(size_t size) {
    if (body_.size() - used_ < size) [[unlikely]]
      body_.resize(std::max(2 * body_.size(), used_ + size));
    return body_.data() + used_;
  }
  // Returns where the next value goes.
  static char* Write(int32_t length, ByteView value, char* to) {
    const int32_t big = ToBigEndian(length);
    std::memcpy(to, &big, sizeof big);
    to += sizeof big;
    if (value.size() == sizeof(int32_t)) {  // The commonest size, in one instruction.
      std::memcpy(to, value.data(), sizeof(int32_t));
    } else if (!value.empty()) {
      std::memcpy(to, value.data(), value.size());
    }
    return to + value.size();
  }

  Bytes body_;  // Its first used_ bytes are written.
  size_t used_ = 0;
  uint32_t rows_ = 0;
};

}  // namespace widerow
