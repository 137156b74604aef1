// Makes random rows by rules, for tests that need data of a certain shape. tests/data/advise/designs.txt and
// designs_blind.txt describe the rules.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/rows/outcome.h"
#include "planner/expression.h"

namespace widerow {

class MadeRows {
 public:
  // The columns, each with its rule.
  using Rules = std::vector<std::pair<std::string, std::string>>;
  // `markers` are the bind markers of a statement: one for each rule, in the same order. Additional markers are
  // ignored.
  MadeRows(uint64_t rows, uint64_t days, const std::vector<MarkerSpec>& markers, Rules rules)
      : rows_(rows), span_micros_(static_cast<int64_t>(days) * kDay), markers_(markers), rules_(std::move(rules)) {}

  // Returns the time of a row. The rows are spread evenly over the days.
  int64_t MicrosOf(uint64_t row) const {
    return kBegin + static_cast<int64_t>(static_cast<double>(span_micros_) * static_cast<double>(row) /
                                         static_cast<double>(rows_));
  }

  // Returns the values of a row. Call this for all rows in order, because random values depend on the rows before.
  std::vector<BoundValue> Row(uint64_t row);

 private:
  static constexpr int64_t kDay = 86'400'000'000;
  static constexpr int64_t kBegin = 1'690'000'000'000'000;

  uint64_t Uniform(uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random_); }
  uint64_t Zipf(uint64_t n);
  // Returns the text that a rule makes. Examples of rules are "uniform 5" and "day".
  std::string Made(std::string_view rule);
  std::string MadeNumber(std::string_view name, uint64_t n);
  std::string MadeTime(std::string_view name, uint64_t n) const;
  std::string MadeText(std::string_view name, uint64_t n, std::string_view rest);
  // Replaces the parts in braces of a pattern such as 'user-{uniform 5}'.
  std::string Filled(const std::string& rule);
  // Makes a timeuuid with the time of the row. The number of the row makes it unique.
  Bytes TimeUuid() const;
  Bytes Value(const Type& type, const std::string& rule);

  const uint64_t rows_;
  const int64_t span_micros_;
  const std::vector<MarkerSpec>& markers_;
  const Rules rules_;
  std::mt19937_64 random_{20240601};
  uint64_t row_ = 0;
};

}  // namespace widerow
