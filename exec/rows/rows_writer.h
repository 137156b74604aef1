// Builds the body of a RowsPage value by value. It is tuned for many small values: one comparison and two copies for
// each value, into memory reserved in advance. Used by one thread.
#pragma once

#include <algorithm>

#include "exec/rows/answer_room.h"
#include "exec/rows/outcome.h"

namespace widerow {

// Memory to reserve for an answer of one row: enough for most rows.
inline constexpr size_t kRowBytes = 256;

class RowsWriter {
 public:
  explicit RowsWriter(size_t expected_bytes = kRowBytes) : body_(expected_bytes, '\0') {}
  // Appends after the content of `buffer`, in its memory if that is large enough.
  RowsWriter(Bytes buffer, size_t expected_bytes) : body_(std::move(buffer)), begin_(body_.size()), used_(begin_) {
    body_.resize(begin_ + expected_bytes);
  }

  // Without this call, rows take memory as they need it.
  void SetLimits(const AnswerLimits& limits) { limits_ = limits; }

  // True if no row may follow on this page. Must be called after each row of a page.
  bool PageIsFull() { return bytes() >= granted_ && !GrowPage(); }
  // Fails if a result without pages has become too large. `others`: the bytes that the caller keeps besides the rows.
  // Must be called after each row of such a result.
  Status CheckWhole(size_t others = 0) {
    if (bytes() + others < granted_) [[likely]]
      return OkStatus();
    return GrowWhole(bytes() + others);
  }
  // Fails if there is no memory for a large row that follows, or if the result would become too large with it. Must be
  // called before the row's bytes are copied.
  Status MakeRoom(size_t row_bytes) {
    if (row_bytes <= kSmallRowBytes) [[likely]]
      return OkStatus();
    return MakeLargeRoom(row_bytes);
  }
  // Fails if there is no memory for `others`, bytes that the caller keeps besides the rows, or if the result would
  // become too large with them.
  Status MakeRoomBeside(size_t others);
  // Fails if there is no memory for `others`, bytes that do not become a part of the result.
  Status AskForRoom(size_t others);
  // Does what MakeRoom does for the next value of a row that is written value by value. Must be called before each
  // value.
  Status MakeRoomForValue(size_t value_bytes) {
    if (bytes() + value_bytes <= granted_ + kSmallRowBytes) [[likely]]
      return OkStatus();
    return MakeLargeRoom(value_bytes);
  }

  // Records the end of each row from here on.
  void IndexRows() {
    index_rows_ = true;
    ends_.reserve(128);
  }

  // Appends one value in the native protocol's form: int32 length (-1: null), bytes.
  void Append(ValueView value) {
    const ByteView bytes = value.value_or(ByteView());
    char* to = Reserve(sizeof(int32_t) + bytes.size());
    used_ = static_cast<size_t>(Write(value ? static_cast<int32_t>(bytes.size()) : -1, bytes, to) - body_.data());
  }
  void EndRow() {
    if (index_rows_) [[unlikely]]
      ends_.push_back(static_cast<uint32_t>(used_));
    ++rows_;
  }

  // Returns memory for a row of `columns` values with `bytes` in total. Fill it with Put for each value, then call
  // EndRow.
  char* BeginRow(size_t columns, size_t bytes) { return Reserve(columns * sizeof(int32_t) + bytes); }
  // Writes one value; null data() means null. Returns the place of the next value.
  static char* Put(ByteView value, char* to) {
    return Write(value.data() == nullptr ? -1 : static_cast<int32_t>(value.size()), value, to);
  }
  void EndRow(const char* end) {
    used_ = static_cast<size_t>(end - body_.data());
    EndRow();
  }

  size_t bytes() const { return used_ - begin_; }
  uint32_t rows() const { return rows_; }
  // Returns the written bytes from byte `begin` of the rows on. Valid until the next write.
  ByteView From(size_t begin) const { return ByteView(body_).substr(begin_ + begin, bytes() - begin); }

  // Removes the last row, which begins at byte `begin` of the rows.
  void RemoveFrom(size_t begin) {
    used_ = begin_ + begin;
    --rows_;
    if (index_rows_) ends_.pop_back();
  }

  RowsPage Finish(ResultColumnsPtr columns) && {
    body_.resize(used_);
    return {.columns = std::move(columns),
            .body = std::move(body_),
            .row_count = rows_,
            .row_ends = std::move(ends_),
            .paging_state = {}};
  }

 private:
  // An answer up to this size does not ask the AnswerRoom. Servers count this memory already when they hand a request
  // to their pool of threads. Requests outside the pool are not counted, because few of them run at the same time.
  static constexpr size_t kFirstBytes = 32u << 10;
  // Rows up to this size are written before their memory is counted.
  static constexpr size_t kSmallRowBytes = 64u << 10;

  bool GrowPage();
  Status GrowWhole(size_t size);
  Status MakeLargeRoom(size_t row_bytes);
  void Grow(size_t size);
  // Returns memory for `size` bytes at used_.
  char* Reserve(size_t size) {
    if (body_.size() - used_ < size) [[unlikely]]
      Grow(size);
    return body_.data() + used_;
  }
  // Writes one value. Returns the place of the next value.
  static char* Write(int32_t length, ByteView value, char* to) {
    const int32_t big = ToBigEndian(length);
    std::memcpy(to, &big, sizeof big);
    to += sizeof big;
    Copy(value, to);
    return to + value.size();
  }

  // Most values are at most 16 bytes: two moves that may overlap copy them without a function call.
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
  // Copies the first and the last sizeof(Word) bytes.
  template <typename Word>
  static void CopyEnds(const char* from, size_t size, char* to) {
    Word first, last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + size - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size - sizeof last, &last, sizeof last);
  }

  Bytes body_;  // Its first used_ bytes are written; rows start at begin_.
  size_t begin_ = 0, used_ = 0;
  uint32_t rows_ = 0;
  bool index_rows_ = false;
  std::vector<uint32_t> ends_;
  AnswerLimits limits_;
  size_t granted_ = kFirstBytes;  // The bytes that the answer may have without asking the AnswerRoom again.
};

}  // namespace widerow
