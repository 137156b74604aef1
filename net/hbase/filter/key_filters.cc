#include <algorithm>
#include <set>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

class FirstKeyOnlyFilter : public Filter {
 public:
  void Reset() override { found_ = false; }
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (found_) return FilterCode::kNextRow;
    found_ = EndsRow(cell);
    return FilterCode::kInclude;
  }

 protected:
  // True if the cells after this one are not needed.
  virtual bool EndsRow(const Cell&) const { return true; }

 private:
  bool found_ = false;
};

class FirstKeyValueMatchingQualifiersFilter final : public FirstKeyOnlyFilter {
 public:
  explicit FirstKeyValueMatchingQualifiersFilter(std::vector<Bytes> qualifiers) : qualifiers_(std::move(qualifiers)) {}

 private:
  bool EndsRow(const Cell& cell) const override {
    return std::find(qualifiers_.begin(), qualifiers_.end(), cell.qualifier) != qualifiers_.end();
  }

  const std::vector<Bytes> qualifiers_;
};

class KeyOnlyFilter final : public Filter {
 public:
  explicit KeyOnlyFilter(bool length_as_value) : length_as_value_(length_as_value) {}
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell&) override { return FilterCode::kInclude; }
  void Transform(Cell& cell) override {
    const auto length = static_cast<uint32_t>(cell.value.size());
    cell.value.clear();
    if (length_as_value_) AppendBigEndian(cell.value, length);
  }

 private:
  const bool length_as_value_;
};

class TimestampsFilter final : public Filter {
 public:
  TimestampsFilter(const std::vector<int64_t>& timestamps, bool can_hint)
      : timestamps_(timestamps.begin(), timestamps.end()), can_hint_(can_hint) {}
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (timestamps_.contains(cell.timestamp)) return FilterCode::kInclude;
    if (timestamps_.empty() ? cell.timestamp < kLatestTimestamp : cell.timestamp < *timestamps_.begin()) {
      return FilterCode::kNextColumn;
    }
    return can_hint_ ? FilterCode::kSeekUsingHint : FilterCode::kSkip;
  }
  std::optional<FilterHint> NextHint(const Bytes& row, const Cell& cell) override {
    if (!can_hint_) return std::nullopt;
    FilterHint hint = HintAt(row, cell, cell.qualifier);
    const auto at = timestamps_.lower_bound(cell.timestamp);
    hint.timestamp = at == timestamps_.begin() ? std::numeric_limits<int64_t>::min() : *std::prev(at);
    return hint;
  }
  bool is_hinting() const override { return true; }

 private:
  const std::set<int64_t> timestamps_;
  const bool can_hint_;
};

}  // namespace

FilterPtr MakeFirstKeyOnlyFilter() { return std::make_unique<FirstKeyOnlyFilter>(); }
FilterPtr MakeFirstKeyValueMatchingQualifiersFilter(std::vector<Bytes> qualifiers) {
  return std::make_unique<FirstKeyValueMatchingQualifiersFilter>(std::move(qualifiers));
}
FilterPtr MakeKeyOnlyFilter(bool length_as_value) { return std::make_unique<KeyOnlyFilter>(length_as_value); }
FilterPtr MakeTimestampsFilter(std::vector<int64_t> timestamps, bool can_hint) {
  return std::make_unique<TimestampsFilter>(timestamps, can_hint);
}

}  // namespace widerow::hbase
