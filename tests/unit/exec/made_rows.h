// Makes rows by rule, for tests that need data of a certain shape; tests/data/advise/designs.txt describes the rules.
#pragma once

#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/uuid.h"
#include "planner/evaluate/evaluate.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {

class MadeRows {
 public:
  using Rules = std::vector<std::pair<std::string, std::string>>;
  MadeRows(uint64_t rows, uint64_t days, const std::vector<MarkerSpec>& markers, Rules rules)
      : rows_(rows), span_micros_(static_cast<int64_t>(days) * kDay), markers_(markers), rules_(std::move(rules)) {}

  int64_t MicrosOf(uint64_t row) const {
    return kBegin + static_cast<int64_t>(static_cast<double>(span_micros_) * static_cast<double>(row) /
                                         static_cast<double>(rows_));
  }

  std::vector<BoundValue> Row(uint64_t row) {
    row_ = row;
    std::vector<BoundValue> values;
    for (size_t i = 0; i < rules_.size(); ++i) {
      const Type& type = *markers_[i].type;
      values.push_back({BoundValue::Kind::kValue, Value(type, rules_[i].second)});
    }
    return values;
  }

 private:
  static constexpr int64_t kDay = 86'400'000'000;
  static constexpr int64_t kBegin = 1'690'000'000'000'000;

  uint64_t Uniform(uint64_t n) { return std::uniform_int_distribution<uint64_t>(0, n - 1)(random_); }
  // Returns a rank below n; rank r has a weight of 1 / (r + 1).
  uint64_t Zipf(uint64_t n) {
    const double u = std::uniform_real_distribution<double>(0, 1)(random_);
    return std::min<uint64_t>(n - 1, static_cast<uint64_t>(std::exp(u * std::log(static_cast<double>(n) + 1)) - 1));
  }

  std::string Made(const std::string& rule) {
    std::istringstream in(rule);
    std::string word;
    uint64_t n = 0;
    in >> word >> n;
    char text[32];
    const int64_t seconds = MicrosOf(row_) / 1'000'000;
    const time_t time = seconds;
    tm civil{};
    gmtime_r(&time, &civil);
    if (word == "uniform") return std::to_string(Uniform(n));
    if (word == "zipf") return std::to_string(Zipf(n));
    if (word == "heavy") return std::to_string(Uniform(5) == 0 ? 0 : 1 + Uniform(n));
    if (word == "seq") return std::to_string(90'000 + row_);
    if (word == "time") return std::to_string(MicrosOf(row_) / 1'000);
    if (word == "day") return std::strftime(text, sizeof text, "%Y-%m-%d", &civil), text;
    if (word == "hour") return std::to_string(seconds / 3'600 * 3'600'000);
    if (word == "daytext") return std::strftime(text, sizeof text, "%Y%m%d", &civil), text;
    if (word == "decade") return std::to_string(seconds / 864'000);
    if (word == "boolean") return Uniform(2) == 0 ? "true" : "false";
    if (word == "bytes") return std::string(n, static_cast<char>('a' + Uniform(26)));
    WR_CHECK(word == "set");
    std::string set = "{";
    for (uint64_t i = 0; i < n; ++i) set += (i == 0 ? "" : ", ") + std::to_string(i * 7);
    return set + "}";
  }

  // Fills in 'user-{uniform 5}' and similar patterns.
  std::string Filled(const std::string& rule) {
    if (rule[0] != '\'') return Made(rule);
    std::string out;
    for (size_t i = 1; i + 1 < rule.size(); ++i) {
      if (rule[i] != '{') {
        out += rule[i];
        continue;
      }
      const size_t end = rule.find('}', i);
      out += Made(rule.substr(i + 1, end - i - 1));
      i = end;
    }
    return out;
  }

  // Makes a timeuuid of the row's time; the row's number makes it unique.
  Bytes TimeUuid() const {
    const uint64_t ticks = static_cast<uint64_t>(MicrosOf(row_)) * 10 + kUuidEpochOffset100ns;
    Bytes out;
    AppendBigEndian(out, static_cast<uint32_t>(ticks));
    AppendBigEndian(out, static_cast<uint16_t>(ticks >> 32));
    AppendBigEndian(out, static_cast<uint16_t>((ticks >> 48 & 0x0FFF) | 0x1000));
    AppendBigEndian(out, uint64_t{0x8000'0000'0000'0000} | row_);
    return out;
  }

  Bytes Value(const Type& type, const std::string& rule) {
    const std::string text = Filled(rule);
    if (type.kind == TypeKind::kUuid) {
      char uuid[40];
      std::snprintf(uuid, sizeof uuid, "%08x-0000-4000-8000-000000000000", static_cast<unsigned>(std::stoul(text)));
      return ParseText(type, uuid).value();
    }
    if (type.kind == TypeKind::kTimeuuid) return TimeUuid();
    if (type.kind == TypeKind::kBlob) return text;
    if (type.kind == TypeKind::kTimestamp) return EncodeInteger(TypeKind::kTimestamp, std::stoll(text));
    return ParseText(type, text).value();
  }

  const uint64_t rows_;
  const int64_t span_micros_;
  const std::vector<MarkerSpec>& markers_;
  const Rules rules_;
  std::mt19937_64 random_{20240601};
  uint64_t row_ = 0;
};

}  // namespace widerow
