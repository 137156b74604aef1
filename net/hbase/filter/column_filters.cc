#include <algorithm>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

class ColumnPrefixFilter final : public Filter {
 public:
  explicit ColumnPrefixFilter(Bytes prefix) : prefix_(std::move(prefix)) {}
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    const ByteView begin = ByteView(cell.qualifier).substr(0, prefix_.size());
    if (begin == prefix_) return FilterCode::kInclude;
    return CompareBytes(begin, prefix_) < 0 ? FilterCode::kSeekUsingHint : FilterCode::kNextRow;
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override { return HintAt(row, cell, prefix_); }
  bool is_hinting() const override { return true; }

 private:
  const Bytes prefix_;
};

class MultipleColumnPrefixFilter final : public Filter {
 public:
  explicit MultipleColumnPrefixFilter(std::vector<Bytes> prefixes) : prefixes_(std::move(prefixes)) {
    std::sort(prefixes_.begin(), prefixes_.end());
  }
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (prefixes_.empty()) return FilterCode::kInclude;
    const auto after = std::upper_bound(prefixes_.begin(), prefixes_.end(), cell.qualifier);
    if (after != prefixes_.begin() && cell.qualifier.starts_with(*std::prev(after))) return FilterCode::kInclude;
    if (after == prefixes_.end()) return FilterCode::kNextRow;
    hint_ = *after;
    return FilterCode::kSeekUsingHint;
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override { return HintAt(row, cell, hint_); }
  bool is_hinting() const override { return true; }

 private:
  std::vector<Bytes> prefixes_;
  Bytes hint_;
};

class ColumnRangeFilter final : public Filter {
 public:
  explicit ColumnRangeFilter(ColumnRange range) : range_(std::move(range)) {}
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    const int from_min = range_.min ? CompareBytes(cell.qualifier, *range_.min) : 1;
    if (from_min < 0) return FilterCode::kSeekUsingHint;
    if (!range_.min_inclusive && from_min == 0) return FilterCode::kNextColumn;
    if (!range_.max) return FilterCode::kInclude;
    const int from_max = CompareBytes(cell.qualifier, *range_.max);
    return from_max < 0 || (range_.max_inclusive && from_max == 0) ? FilterCode::kInclude : FilterCode::kNextRow;
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override {
    return HintAt(row, cell, range_.min.value_or(Bytes()));
  }
  bool is_hinting() const override { return true; }

 private:
  const ColumnRange range_;
};

class ColumnPaginationFilter final : public Filter {
 public:
  ColumnPaginationFilter(int32_t limit, int32_t offset, std::optional<Bytes> first)
      : limit_(limit), offset_(offset), first_(std::move(first)) {}
  void Reset() override { count_ = 0; }
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (first_) {
      if (count_ >= limit_) return FilterCode::kNextRow;
      if (count_ == 0 && CompareBytes(cell.qualifier, *first_) < 0) return FilterCode::kSeekUsingHint;
      ++count_;
      return FilterCode::kIncludeAndNextColumn;
    }
    if (count_ >= offset_ + limit_) return FilterCode::kNextRow;
    return count_++ < offset_ ? FilterCode::kNextColumn : FilterCode::kIncludeAndNextColumn;
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override {
    return HintAt(row, cell, first_.value_or(Bytes()));
  }

 private:
  const int64_t limit_, offset_;
  const std::optional<Bytes> first_;
  int64_t count_ = 0;
};

class ColumnCountGetFilter final : public Filter {
 public:
  explicit ColumnCountGetFilter(int32_t limit) : limit_(limit) {}
  void Reset() override { count_ = 0; }
  bool AllRemaining() override { return count_ > limit_; }
  FilterCode FilterCell(const Bytes&, const Cell&) override {
    ++count_;
    return AllRemaining() ? FilterCode::kNextColumn : FilterCode::kIncludeAndNextColumn;
  }

 private:
  const int64_t limit_;
  int64_t count_ = 0;
};

}  // namespace

FilterPtr MakeColumnPrefixFilter(Bytes prefix) { return std::make_unique<ColumnPrefixFilter>(std::move(prefix)); }
FilterPtr MakeMultipleColumnPrefixFilter(std::vector<Bytes> prefixes) {
  return std::make_unique<MultipleColumnPrefixFilter>(std::move(prefixes));
}
FilterPtr MakeColumnRangeFilter(ColumnRange range) { return std::make_unique<ColumnRangeFilter>(std::move(range)); }
FilterPtr MakeColumnPaginationFilter(int32_t limit, int32_t offset, std::optional<Bytes> first) {
  return std::make_unique<ColumnPaginationFilter>(limit, offset, std::move(first));
}
FilterPtr MakeColumnCountGetFilter(int32_t limit) { return std::make_unique<ColumnCountGetFilter>(limit); }

}  // namespace widerow::hbase
