#include <random>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

// Returns the smallest row after all rows with the prefix; empty if there is none.
Bytes Increased(Bytes prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

class PrefixFilter final : public Filter {
 public:
  explicit PrefixFilter(Bytes prefix) : prefix_(std::move(prefix)), after_(Increased(prefix_)) {}
  void Reset() override { filter_row_ = true; }
  bool AllRemaining() override { return passed_; }
  bool FilterRowKey(const Bytes& row, const Cell& first) override {
    if (passed_) return true;
    const int order = CompareBytes(Beginning(row, first), prefix_);
    if (reversed_ ? order < 0 : order > 0) passed_ = true;
    filter_row_ = order != 0;
    hint_ = reversed_ ? order > 0 : order < 0;
    return passed_;
  }
  FilterCode FilterCell(const Bytes&, const Cell&) override {
    if (hint_) return FilterCode::kSeekUsingHint;
    return filter_row_ ? FilterCode::kNextRow : FilterCode::kInclude;
  }
  bool FilterRow() override { return filter_row_; }
  std::optional<FilterHint> NextHint(const Bytes&, const Cell&) override {
    return FilterHint{.row = reversed_ ? after_ : prefix_};
  }
  bool is_hinting() const override { return true; }

 private:
  // HBase compares as many bytes as the prefix has. In a shorter row, these include the bytes of the stored cell that
  // follow the row: the family's length, family, qualifier, timestamp, type and value.
  Bytes Beginning(const Bytes& row, const Cell& first) const {
    if (row.size() >= prefix_.size()) return row.substr(0, prefix_.size());
    Bytes key = row;
    key += static_cast<char>(first.family.size());
    key += first.family;
    key += first.qualifier;
    AppendBigEndian(key, first.timestamp);
    key += static_cast<char>(first.type);
    key += first.value;
    return key.substr(0, prefix_.size());
  }

  const Bytes prefix_, after_;
  bool passed_ = false, filter_row_ = true, hint_ = false;
};

class InclusiveStopFilter final : public Filter {
 public:
  explicit InclusiveStopFilter(Bytes stop_row) : stop_row_(std::move(stop_row)) {}
  bool AllRemaining() override { return done_; }
  bool FilterRowKey(const Bytes& row, const Cell&) override {
    if (done_) return true;
    const int order = CompareBytes(row, stop_row_);
    done_ = reversed_ ? order < 0 : order > 0;
    return done_;
  }
  FilterCode FilterCell(const Bytes&, const Cell&) override {
    return done_ ? FilterCode::kNextRow : FilterCode::kInclude;
  }

 private:
  const Bytes stop_row_;
  bool done_ = false;
};

class PageFilter final : public Filter {
 public:
  explicit PageFilter(int64_t rows) : rows_(rows) {}
  bool AllRemaining() override { return accepted_ >= rows_; }
  FilterCode FilterCell(const Bytes&, const Cell&) override { return FilterCode::kInclude; }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return ++accepted_ > rows_; }

 private:
  const int64_t rows_;
  int64_t accepted_ = 0;
};

class RandomRowFilter final : public Filter {
 public:
  explicit RandomRowFilter(float chance) : chance_(chance), random_(std::random_device()()) {}
  void Reset() override { filter_row_ = false; }
  bool FilterRowKey(const Bytes&, const Cell&) override {
    filter_row_ = chance_ < 0 || (chance_ <= 1 && !(std::uniform_real_distribution<float>()(random_) < chance_));
    return filter_row_;
  }
  FilterCode FilterCell(const Bytes&, const Cell&) override {
    return filter_row_ ? FilterCode::kNextRow : FilterCode::kInclude;
  }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return filter_row_; }

 private:
  const float chance_;
  std::minstd_rand random_;
  bool filter_row_ = false;
};

class RowFilter final : public Filter {
 public:
  RowFilter(CompareOp op, ComparatorPtr comparator) : op_(op), comparator_(std::move(comparator)) {}
  void Reset() override { filter_row_ = false; }
  bool FilterRowKey(const Bytes& row, const Cell&) override {
    if (op_ == CompareOp::kNoOp || Excludes(op_, comparator_->Compare(row))) filter_row_ = true;
    return filter_row_;
  }
  FilterCode FilterCell(const Bytes&, const Cell&) override {
    return filter_row_ ? FilterCode::kNextRow : FilterCode::kInclude;
  }
  bool FilterRow() override { return filter_row_; }

 private:
  const CompareOp op_;
  const ComparatorPtr comparator_;
  bool filter_row_ = false;
};

}  // namespace

FilterPtr MakePrefixFilter(Bytes prefix) { return std::make_unique<PrefixFilter>(std::move(prefix)); }
FilterPtr MakeInclusiveStopFilter(Bytes stop_row) { return std::make_unique<InclusiveStopFilter>(std::move(stop_row)); }
FilterPtr MakePageFilter(int64_t rows) { return std::make_unique<PageFilter>(rows); }
FilterPtr MakeRandomRowFilter(float chance) { return std::make_unique<RandomRowFilter>(chance); }
FilterPtr MakeRowFilter(CompareOp op, ComparatorPtr comparator) {
  return std::make_unique<RowFilter>(op, std::move(comparator));
}

}  // namespace widerow::hbase
