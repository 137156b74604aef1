// Builds the body of a RowsPage value by value. Values are small and many: one comparison and two copies each, into room made
// ahead.
#pragma once

#include <algorithm>

#include "exec/rows/outcome.h"

namespace widerow {

class RowsWriter {
 public:
  explicit RowsWriter(size_t expected_bytes = 256) : body_(expected_bytes, '\0') {}
  // Goes on behind what `buffer` holds, in its memory if that is enough.
  RowsWriter(Bytes buffer, size_t expected_bytes) : body_(std::move(buffer)), begin_(body_.size()), used_(begin_) {
    body_.resize(begin_ + expected_bytes);
  }

  // From here on: where each row ends.
  void IndexRows() {
    index_rows_ = true;
    ends_.reserve(128);
  }

  // As the native protocol has it: int32 length (-1: null), bytes.
  void Append(ValueView value) {
    const ByteView bytes = value.value_or(ByteView());
    char* to = Reserve(sizeof(int32_t) + bytes.size());
    used_ = static_cast<size_t>(Write(value ? static_cast<int32_t>(bytes.size()) : -1, bytes, to) - body_.data());
  }
  void EndRow() {
    if (index_rows_) [[unlikely]] ends_.push_back(static_cast<uint32_t>(used_));
    ++rows_;
  }

  // Room for a row of `columns` values of `bytes` together, then each by Put, then EndRow.
  char* BeginRow(size_t columns, size_t bytes) { return Reserve(columns * sizeof(int32_t) + bytes); }
  // Null data() stands for null. Returns where the next value goes.
  static char* Put(ByteView value, char* to) {
    return Write(value.data() == nullptr ? -1 : static_cast<int32_t>(value.size()), value, to);
  }
  void EndRow(const char* end) {
    used_ = static_cast<size_t>(end - body_.data());
    EndRow();
  }

  size_t bytes() const { return used_ - begin_; }
  uint32_t rows() const { return rows_; }
  // What has been written from byte `begin` of the rows on.
  ByteView From(size_t begin) const { return ByteView(body_).substr(begin_ + begin, bytes() - begin); }

  RowsPage Finish(ResultColumnsPtr columns) && {
    body_.resize(used_);
    return {.columns = std::move(columns),
            .body = std::move(body_),
            .row_count = rows_,
            .row_ends = std::move(ends_),
            .paging_state = {}};
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
    Copy(value, to);
    return to + value.size();
  }

  // Most values are this short: two moves that may overlap, and no call.
  static void Copy(ByteView value, char* to) {
    const size_t size = value.size();
    const char* from = value.data();
    if (size > 16) {
      std::memcpy(to, from, size);
    } else if (size >= 8) {
      CopyEnds<uint64_t>(from, size, to);
    } else if (size >= 4) {
      CopyEnds<uint32_t>(from, size, to);
    } else {
      for (size_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }
  // The first and the last bytes, as many as a Word has.
  template <typename Word>
  static void CopyEnds(const char* from, size_t size, char* to) {
    Word first, last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + size - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size - sizeof last, &last, sizeof last);
  }

  Bytes body_;  // Its first used_ bytes are written, rows from begin_ on.
  size_t begin_ = 0, used_ = 0;
  uint32_t rows_ = 0;
  bool index_rows_ = false;
  std::vector<uint32_t> ends_;
};

}  // namespace widerow
