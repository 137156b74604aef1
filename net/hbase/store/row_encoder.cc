#include "net/hbase/store/row_encoder.h"

#include <algorithm>

#include "net/hbase/cells/key_value.h"

namespace widerow::hbase {

namespace {

constexpr size_t kEncodedRowMax = 64u << 10;  // Scanner::Advance reads larger rows, because it can divide them.

TimeRange Younger(TimeRange times, int64_t oldest) {
  times.from = std::max(times.from, oldest);
  return times;
}

}  // namespace

size_t ObjectBytes(size_t row, size_t family, size_t qualifier, size_t value) {
  constexpr size_t kHeader = 32, kLengths = 8 + 2 + 1, kTimestampAndType = 9, kAlignment = 8;
  const size_t bytes = kHeader + kLengths + row + family + qualifier + kTimestampAndType + value;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool RowEncoder::Fits(const std::vector<ReadFamily>& families, const ReadSpec& spec) {
  if (families.size() != 1 || spec.filter != nullptr || spec.reversed) return false;
  if (spec.store_limit >= 0 || spec.store_offset > 0) return false;
  const ReadFamily& read = families[0];
  const bool all_columns = read.columns == nullptr || read.columns->qualifiers.empty();
  return all_columns && read.versions > 0 && read.family->newest_first && read.family->options.min_versions <= 0;
}

RowEncoder::RowEncoder(const ReadFamily& read, int64_t oldest, const Limits& limits)
    : read_(read), limits_(limits), versions_(read.versions, Younger(read.times, oldest)) {}

bool RowEncoder::full() const {
  return rows() >= limits_.rows || object_bytes_ >= limits_.bytes || examined_ >= limits_.examined || no_memory_;
}

void RowEncoder::Begin(const ResultColumnsPtr& /*columns*/) { in_row_ = stopped_ = any_row_ = false; }

bool RowEncoder::End() {
  if (stopped_) return false;
  if (in_row_) EndRow();
  return true;
}

void RowEncoder::EndEarly() {
  DropRow();
  stopped_ = true;
}

bool RowEncoder::Stop() {
  stopped_ = true;
  return false;
}

void RowEncoder::EndRow() {
  in_row_ = false;
  any_row_ = true;
  last_row_ = row_;
  if (row_cells_ > 0) cells_of_rows_.push_back(row_cells_);
  object_bytes_ += row_object_bytes_;
}

void RowEncoder::DropRow() {
  if (in_row_) cells_.resize(row_begin_);
  in_row_ = false;
}

bool RowEncoder::GrowMemory() {
  if (cells_.size() < granted_) return true;
  granted_ = 2 * cells_.size();
  no_memory_ = limits_.room != nullptr && !limits_.room->GrowPage(granted_);
  return !no_memory_;
}

bool RowEncoder::Show(std::span<const ByteView> values) {
  const ByteView row = values[0], qualifier = values[1], value = values[3];
  ++examined_;
  if (row.data() == nullptr) return true;
  if (!in_row_ || row != row_) {
    if (in_row_) EndRow();
    if (full() || !GrowMemory()) return Stop();
    row_ = row;
    in_row_ = true;
    row_begin_ = cells_.size();
    row_object_bytes_ = row_cells_ = 0;
    versions_.BeginRow();
  }
  if (qualifier.data() == nullptr || values[2].size() != sizeof(int64_t)) return true;
  const auto timestamp = ReadBigEndian<int64_t>(values[2].data());
  const bool same_column = row_cells_ > 0 && ByteView(cells_).substr(qualifier_begin_, qualifier_size_) == qualifier;
  if (!versions_.Keep(same_column, timestamp)) return true;
  const Bytes& family = read_.family->name;
  AppendKeyValue(cells_, row, family, qualifier, timestamp, CellType::kPut, value);
  qualifier_size_ = qualifier.size();
  qualifier_begin_ = cells_.size() - value.size() - sizeof(CellType) - sizeof timestamp - qualifier_size_;
  row_object_bytes_ += ObjectBytes(row.size(), family.size(), qualifier.size(), value.size());
  ++row_cells_;
  if (cells_.size() - row_begin_ <= kEncodedRowMax) return true;
  DropRow();
  return Stop();
}

}  // namespace widerow::hbase
