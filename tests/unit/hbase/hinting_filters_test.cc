// Tests filters that give hints, by scans of a table. A hint makes the scan pass over rows or cells. The scan must
// still show all the cells that the definition of the filter selects.
#include <algorithm>
#include <functional>
#include <random>

#include "net/hbase/filter/make_filters.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

constexpr std::string_view kAlphabet("\x00m\xff", 3);
constexpr int64_t kVersions = 3;

// Returns all texts of 1 to `longest` bytes of kAlphabet, in ascending order. There is no empty text, because HBase
// reads the column with the empty name in another way (ScannerTest.FiltersMoveFamiliesAsInHBase).
std::vector<Bytes> AllTexts(size_t longest) {
  std::vector<Bytes> texts = {""};
  for (size_t at = 0; at < texts.size(); ++at) {
    if (texts[at].size() == longest) continue;
    for (const char byte : kAlphabet) texts.push_back(texts[at] + byte);
  }
  texts.erase(texts.begin());
  std::ranges::sort(texts);
  return texts;
}

class HintingFiltersTest : public HBaseTest {
 protected:
  using ColumnIsShown = std::function<bool(const Bytes& qualifier, int64_t timestamp)>;
  using RowIsShown = std::function<bool(const Bytes& row)>;

  void SetUp() override {
    HBaseTest::SetUp();
    Create({{.name = "f", .attributes = {{"VERSIONS", std::to_string(kVersions)}}}});
    for (const Bytes& row : rows_) {
      std::vector<Cell> cells;
      for (const Bytes& qualifier : qualifiers_) {
        for (int64_t t = 1; t <= kVersions; ++t) cells.push_back(MakeCell(qualifier, t, "v"));
      }
      Apply(MutationKind::kPut, row, std::move(cells));
    }
  }
  Bytes RandomText() {
    Bytes text;
    for (size_t i = 0, bytes = random_() % 4; i < bytes; ++i) text += kAlphabet[random_() % kAlphabet.size()];
    return text;
  }
  bool Maybe() { return random_() % 2 == 0; }

  // Scans the table in both directions with the filter that `make` makes. The cells must be those that `row_is_shown`
  // and `column_is_shown` accept.
  void Check(const std::function<FilterPtr()>& make, const RowIsShown& row_is_shown,
             const ColumnIsShown& column_is_shown) {
    std::vector<std::string> expected;
    for (const Bytes& row : rows_) {
      if (!row_is_shown(row)) continue;
      std::vector<Cell> cells;
      for (const Bytes& qualifier : qualifiers_) {
        for (int64_t t = kVersions; t >= 1; --t) {
          if (column_is_shown(qualifier, t)) cells.push_back(MakeCell(qualifier, t, "v"));
        }
      }
      if (!cells.empty()) expected.push_back(row + "{" + Show(cells) + "} ");
    }
    for (const bool reversed : {false, true}) {
      auto spec = std::make_unique<ScanSpec>();
      spec->range.reversed = reversed;
      spec->read.max_versions = kVersions;
      spec->read.filter = make();
      std::string text;
      for (const std::string& row : expected) text += row;
      ASSERT_EQ(Scan(std::move(spec)), text) << (reversed ? "reversed" : "forward");
      std::ranges::reverse(expected);
    }
  }
  void CheckColumns(const std::function<FilterPtr()>& make, const ColumnIsShown& is_shown) {
    Check(
        make, [](const Bytes&) { return true; }, is_shown);
  }
  void CheckRows(const std::function<FilterPtr()>& make, const RowIsShown& is_shown) {
    Check(make, is_shown, [](const Bytes&, int64_t) { return true; });
  }

  const std::vector<Bytes> rows_ = AllTexts(2), qualifiers_ = AllTexts(2);
  std::mt19937 random_{7};
};

TEST_F(HintingFiltersTest, MultiRowRange) {
  for (int round = 0; round < 60; ++round) {
    std::vector<RowRange> ranges(1 + random_() % 4);
    for (RowRange& range : ranges) {
      range = {.start = RandomText(), .stop = RandomText(), .start_inclusive = Maybe(), .stop_inclusive = Maybe()};
      if (!range.stop.empty() && range.stop < range.start) std::swap(range.start, range.stop);
      if (range.stop == range.start) range.start_inclusive = range.stop_inclusive = true;
    }
    CheckRows([&] { return *MakeMultiRowRangeFilter(ranges); },
              [&](const Bytes& row) {
                return std::ranges::any_of(ranges, [&](const RowRange& range) {
                  const bool from_start = row > range.start || (row == range.start && range.start_inclusive);
                  return from_start &&
                         (range.stop.empty() || row < range.stop || (row == range.stop && range.stop_inclusive));
                });
              });
  }
}

TEST_F(HintingFiltersTest, ColumnPrefixes) {
  for (int round = 0; round < 60; ++round) {
    const Bytes prefix = RandomText();
    CheckColumns([&] { return MakeColumnPrefixFilter(prefix); },
                 [&](const Bytes& qualifier, int64_t) { return qualifier.starts_with(prefix); });
    // No prefix here is the beginning of another one. NestedPrefixesAsInHBase tests prefixes that are.
    std::vector<Bytes> prefixes;
    for (size_t i = 0, tries = 1 + random_() % 6; i < tries; ++i) {
      const Bytes text = RandomText();
      const auto nested = [&](const Bytes& other) { return text.starts_with(other) || other.starts_with(text); };
      if (std::ranges::none_of(prefixes, nested)) prefixes.push_back(text);
    }
    CheckColumns([&] { return MakeMultipleColumnPrefixFilter(prefixes); },
                 [&](const Bytes& qualifier, int64_t) {
                   return std::ranges::any_of(prefixes, [&](const Bytes& text) { return qualifier.starts_with(text); });
                 });
  }
}

// HBase looks only at the greatest prefix that is not greater than the column. For the column "m\xff" this is "mm", and
// "m\xff" does not begin with "mm". So the column is not shown, although it begins with the prefix "m".
TEST_F(HintingFiltersTest, NestedPrefixesAsInHBase) {
  CheckColumns(
      [] {
        return MakeMultipleColumnPrefixFilter({"m", "mm"});
      },
      [](const Bytes& qualifier, int64_t) { return qualifier.starts_with("m") && qualifier != "m\xff"; });
}

TEST_F(HintingFiltersTest, ColumnRange) {
  for (int round = 0; round < 100; ++round) {
    ColumnRange range{.min_inclusive = Maybe(), .max_inclusive = Maybe()};
    if (round % 5 != 0) range.min = RandomText();
    if (round % 7 != 0) range.max = RandomText();
    CheckColumns([&] { return MakeColumnRangeFilter(range); },
                 [&](const Bytes& qualifier, int64_t) {
                   const bool from_min =
                       !range.min || qualifier > *range.min || (qualifier == *range.min && range.min_inclusive);
                   return from_min &&
                          (!range.max || qualifier < *range.max || (qualifier == *range.max && range.max_inclusive));
                 });
  }
}

TEST_F(HintingFiltersTest, ColumnPagination) {
  for (int round = 0; round < 60; ++round) {
    const auto limit = static_cast<int32_t>(1 + random_() % 5), offset = static_cast<int32_t>(random_() % 14);
    const Bytes first = RandomText();
    const auto page_from = [&](size_t begin, const Bytes& qualifier, int64_t t) {
      const auto at = static_cast<size_t>(std::ranges::find(qualifiers_, qualifier) - qualifiers_.begin());
      return t == kVersions && at >= begin && at < begin + static_cast<size_t>(limit);
    };
    CheckColumns(
        [&] { return MakeColumnPaginationFilter(limit, offset, std::nullopt); },
        [&](const Bytes& qualifier, int64_t t) { return page_from(static_cast<size_t>(offset), qualifier, t); });
    CheckColumns([&] { return MakeColumnPaginationFilter(limit, 0, first); },
                 [&](const Bytes& qualifier, int64_t t) {
                   const auto begin = std::ranges::lower_bound(qualifiers_, first) - qualifiers_.begin();
                   return page_from(static_cast<size_t>(begin), qualifier, t);
                 });
  }
}

TEST_F(HintingFiltersTest, Timestamps) {
  for (int round = 0; round < 20; ++round) {
    std::vector<int64_t> timestamps;
    for (int64_t t = 0; t <= kVersions + 1; ++t) {
      if (Maybe()) timestamps.push_back(t);
    }
    CheckColumns([&] { return MakeTimestampsFilter(timestamps, Maybe()); },
                 [&](const Bytes&, int64_t t) { return std::ranges::count(timestamps, t) > 0; });
  }
}

}  // namespace
}  // namespace widerow::hbase
