#include <algorithm>
#include <functional>
#include <queue>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

constexpr char kHighest = '\xff';

// A key with fixed and free positions. A matching row has the same bytes at the fixed positions.
struct Pattern {
  Bytes key;
  std::vector<bool> fixed;

  bool is_free(size_t at) const { return at >= fixed.size() || !fixed[at]; }

  // True if the row has the key's bytes at the fixed positions, up to the end of the shorter of the two.
  bool Matches(const Bytes& row) const {
    const size_t length = std::min(key.size(), row.size());
    for (size_t i = 0; i < length; ++i) {
      if (!is_free(i) && key[i] != row[i]) return false;
    }
    return true;
  }
};

// Each byte of a mask says whether a byte of the key is fixed or free. In the mask that the user writes, 0 means fixed
// and 1 means free. Clients may convert the mask before they send it. Then 0xff means fixed. Free is 0 in the first
// version of converted masks, and 2 in the second version.
Pattern MakePattern(FuzzyKey given, bool mask_v2) {
  const char free_mark = mask_v2 ? 2 : 0;
  const bool converted = std::ranges::all_of(given.mask, [&](char c) { return c == '\xff' || c == free_mark; });
  Pattern pattern{.key = std::move(given.key), .fixed = {}};
  for (size_t i = 0; i < given.mask.size(); ++i) {
    const char c = given.mask[i];
    pattern.fixed.push_back(converted ? c == '\xff' : c == 0);
    if (!pattern.fixed.back()) pattern.key[i] = 0;
  }
  return pattern;
}

// Returns a key that comes after `row` in the order of the read. No row between `row` and this key matches the pattern,
// except rows that are shorter than the pattern's key. Returns nothing if no later row matches. `row` itself must not
// match. The algorithm is getNextForFuzzyRule of HBase's FuzzyRowFilter. But in a reversed read, HBase also passes over
// some matching rows that are longer than the pattern's key, if a fixed byte is 0x00 or 0xff.
std::optional<Bytes> NextRow(const Pattern& pattern, const Bytes& row, bool reversed) {
  const char first = reversed ? kHighest : 0, last = reversed ? 0 : kHighest;
  Bytes next = pattern.key;
  next.resize(std::max(row.size(), next.size()));
  for (size_t i = 0; i < next.size(); ++i) {
    if (pattern.is_free(i)) next[i] = first;
  }
  std::optional<size_t> changeable;  // The last free position, before the first mismatch, whose byte is not `last`.
  bool is_later = false;             // True: at the first mismatch, the pattern's byte comes later than the row's.
  for (size_t i = 0; i < row.size(); ++i) {
    if (pattern.is_free(i)) {
      next[i] = row[i];
      if (row[i] != last) changeable = i;
    } else if (row[i] != pattern.key[i]) {
      const bool is_greater = static_cast<unsigned char>(pattern.key[i]) > static_cast<unsigned char>(row[i]);
      is_later = is_greater != reversed;
      break;
    }
  }
  if (!is_later) {
    if (!changeable) return std::nullopt;
    next[*changeable] = static_cast<char>(next[*changeable] + (reversed ? -1 : 1));
    for (size_t i = *changeable + 1; i < next.size(); ++i) {
      if (pattern.is_free(i)) next[i] = first;
    }
  }
  // Free bytes at the end of the key are cut off, because a matching row may end before them.
  size_t length = std::min(pattern.fixed.size(), next.size());
  while (length > 0 && !pattern.fixed[length - 1]) --length;
  next.resize(std::max(length, changeable ? *changeable + 1 : 0));
  return reversed ? AfterPrefix(std::move(next)) : next;
}

// Includes the rows that match one of several patterns. At a row that matches none, it proposes the next row that can
// match one.
class FuzzyRowFilter final : public Filter {
 public:
  FuzzyRowFilter(std::vector<FuzzyKey> keys, bool mask_v2) {
    for (FuzzyKey& key : keys) patterns_.push_back(MakePattern(std::move(key), mask_v2));
    for (const Pattern& pattern : patterns_) reached_.push_back(&pattern);
  }
  void Reset() override { filter_row_ = false; }
  bool AllRemaining() override { return done_; }
  bool FilterRow() override { return filter_row_; }
  bool is_hinting() const override { return true; }

  FilterCode FilterCell(const Bytes& row, const Cell&) override {
    if (std::ranges::any_of(patterns_, [&](const Pattern& pattern) { return pattern.Matches(row); })) {
      return FilterCode::kInclude;
    }
    filter_row_ = true;
    return FilterCode::kSeekUsingHint;
  }

  std::optional<FilterHint> NextHint(const Bytes& row, const Cell&) override {
    while (!next_rows_.empty() && !IsBefore(row, next_rows_.top().row)) {
      reached_.push_back(next_rows_.top().pattern);
      next_rows_.pop();
    }
    for (const Pattern* pattern : reached_) {
      if (std::optional<Bytes> next = NextRow(*pattern, row, reversed_)) next_rows_.push({std::move(*next), pattern});
    }
    reached_.clear();
    done_ = next_rows_.empty();
    if (done_) return std::nullopt;
    return FilterHint{.row = next_rows_.top().row, .family = {}, .qualifier = {}};
  }

 private:
  struct Next {
    Bytes row;
    const Pattern* pattern;
  };

  bool IsBefore(const Bytes& a, const Bytes& b) const {
    const int order = CompareBytes(a, b);
    return reversed_ ? order > 0 : order < 0;
  }

  std::vector<Pattern> patterns_;
  // The results of NextRow, for the patterns that have one. The result that the read meets first is at the top.
  std::priority_queue<Next, std::vector<Next>, std::function<bool(const Next&, const Next&)>> next_rows_{
      [this](const Next& a, const Next& b) { return IsBefore(b.row, a.row); }};
  // The patterns for which NextRow must be called: at first all, then those whose next row the read has reached.
  std::vector<const Pattern*> reached_;
  bool filter_row_ = false;
  bool done_ = false;
};

}  // namespace

FilterPtr MakeFuzzyRowFilter(std::vector<FuzzyKey> keys, bool mask_v2) {
  return std::make_unique<FuzzyRowFilter>(std::move(keys), mask_v2);
}

}  // namespace widerow::hbase
