#include <algorithm>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

// Includes the rows that match one of several keys. Each key has a mask, which says at which positions any byte
// matches.
class FuzzyRowFilter final : public Filter {
 public:
  FuzzyRowFilter(std::vector<FuzzyKey> keys, bool mask_v2) {
    for (FuzzyKey& key : keys) keys_.push_back(Prepare(std::move(key), mask_v2));
  }
  void Reset() override { filter_row_ = false; }
  bool FilterRow() override { return filter_row_; }
  FilterCode FilterCell(const Bytes& row, const Cell&) override {
    for (const Pattern& pattern : keys_) {
      if (Matches(pattern, row)) return FilterCode::kInclude;
    }
    filter_row_ = true;
    return FilterCode::kSeekUsingHint;
  }
  bool is_hinting() const override { return true; }

 private:
  struct Pattern {
    Bytes key;
    std::vector<bool> fixed;
  };

  // Each byte of a mask says whether a byte of the key is fixed or free. In the mask that the user writes, 0 means
  // fixed and 1 means free. Clients may convert the mask before they send it. Then 0xff means fixed. Free is 0 in the
  // first version of converted masks, and 2 in the second version.
  static Pattern Prepare(FuzzyKey given, bool mask_v2) {
    const char free_mark = mask_v2 ? 2 : 0;
    const bool changed = std::ranges::all_of(given.mask, [&](char c) { return c == '\xff' || c == free_mark; });
    Pattern pattern{.key = std::move(given.key), .fixed = {}};
    for (size_t i = 0; i < given.mask.size(); ++i) {
      const char c = given.mask[i];
      pattern.fixed.push_back(changed ? c == '\xff' : c == 0);
    }
    return pattern;
  }
  static bool Matches(const Pattern& pattern, const Bytes& row) {
    const size_t length = std::min(pattern.key.size(), row.size());
    for (size_t i = 0; i < length; ++i) {
      if (pattern.fixed[i] && pattern.key[i] != row[i]) return false;
    }
    return true;
  }

  std::vector<Pattern> keys_;
  bool filter_row_ = false;
};

}  // namespace

FilterPtr MakeFuzzyRowFilter(std::vector<FuzzyKey> keys, bool mask_v2) {
  return std::make_unique<FuzzyRowFilter>(std::move(keys), mask_v2);
}

}  // namespace widerow::hbase
