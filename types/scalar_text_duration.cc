// ParseDuration recognizes the four notations by their first and last characters; each has a Parse function that adds
// its units to a Builder. The Builder checks order and range with Cassandra's messages. A duration is stored as three
// signed vints: months, days, nanoseconds.
#include <array>
#include <charconv>
#include <limits>

#include "types/scalar_text.h"
#include "types/vint.h"

namespace widerow {
namespace {

// All units, from the longest to the shortest. A text must name its units in this order. `per_unit` is in months, days
// or nanoseconds.
enum class Part { kMonths, kDays, kNanos };
struct Unit {
  const char* name;
  Part part;
  int64_t per_unit;
};
constexpr std::array<Unit, 10> kUnits{{{"years", Part::kMonths, 12},
                                       {"months", Part::kMonths, 1},
                                       {"weeks", Part::kDays, 7},
                                       {"days", Part::kDays, 1},
                                       {"hours", Part::kNanos, 3'600'000'000'000},
                                       {"minutes", Part::kNanos, 60'000'000'000},
                                       {"seconds", Part::kNanos, 1'000'000'000},
                                       {"milliseconds", Part::kNanos, 1'000'000},
                                       {"microseconds", Part::kNanos, 1'000},
                                       {"nanoseconds", Part::kNanos, 1}}};
constexpr int kYears = 0, kMonths = 1, kWeeks = 2, kDays = 3, kHours = 4, kMinutes = 5, kSeconds = 6;

// Symbols in the order in which Cassandra's pattern tries them.
struct Symbol {
  std::string_view lower;
  int unit;
};
constexpr Symbol kSymbols[] = {{"y", 0},  {"mo", 1}, {"w", 2},         {"d", 3},  {"h", 4}, {"s", 6},
                               {"ms", 7}, {"us", 8}, {"\xC2\xB5s", 8}, {"ns", 9}, {"m", 5}};

Error Unconvertible(std::string_view text) {
  return InvalidError("Unable to convert '" + std::string(text) + "' to a duration",
                      "write 1y2mo3w4d5h6m7s8ms9us10ns, P1Y2M3DT4H5M6S, P3W or P0001-02-03T04:05:06");
}

class Builder {
 public:
  // Adds `count` units. Units must come in the order of kUnits, each at most once.
  Status Add(int unit, int64_t count) {
    const std::string name = kUnits[unit].name;
    if (unit == last_unit_) return InvalidError("Invalid duration. The " + name + " are specified multiple times");
    if (unit < last_unit_) {
      return InvalidError("Invalid duration. The " + std::string(kUnits[last_unit_].name) + " should be after " + name);
    }
    last_unit_ = unit;
    const auto [unused_name, part, per_unit] = kUnits[unit];
    int64_t& total = part == Part::kMonths ? months_ : part == Part::kDays ? days_ : nanos_;
    const int64_t total_max =
        part == Part::kNanos ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int32_t>::max();
    if (count > (total_max - total) / per_unit) {
      const char* const total_name = part == Part::kMonths ? "months" : part == Part::kDays ? "days" : "nanoseconds";
      // Cassandra names the bound of int for nanoseconds too.
      return InvalidError(std::string("Invalid duration. The total number of ") + total_name +
                          " must be less or equal to 2147483647");
    }
    total += count * per_unit;
    return OkStatus();
  }

  Bytes Build(bool negative) const {
    Bytes out;
    for (const int64_t total : {months_, days_, nanos_}) AppendSignedVint(out, negative ? -total : total);
    return out;
  }

 private:
  int64_t months_ = 0, days_ = 0, nanos_ = 0;
  int last_unit_ = -1;
};

bool TakeCount(std::string_view& text, int64_t& count) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || text.empty() || text[0] == '-') return false;
  text.remove_prefix(end - text.data());
  return true;
}

// Removes a symbol from the front of `text`. False if there is none.
bool TakeSymbol(std::string_view& text, int& unit) {
  for (const Symbol& symbol : kSymbols) {
    if (text.size() < symbol.lower.size()) continue;
    bool same = true;
    for (size_t i = 0; i < symbol.lower.size(); ++i) {
      const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
      same = same && c == symbol.lower[i];
    }
    if (!same) continue;
    unit = symbol.unit;
    text.remove_prefix(symbol.lower.size());
    return true;
  }
  return false;
}

// Parses 1y2mo3d.
Result<Builder> ParseUnits(std::string_view text) {
  const std::string_view whole = text;
  Builder builder;
  if (text.empty()) return Unconvertible(whole);
  while (!text.empty()) {
    int64_t count = 0;
    int unit = 0;
    if (!TakeCount(text, count) || !TakeSymbol(text, unit)) return Unconvertible(whole);
    WR_RETURN_IF_ERROR(builder.Add(unit, count));
  }
  return builder;
}

// Parses P1Y2M3DT4H5M6S.
Result<Builder> ParseIso(std::string_view text) {
  const std::string_view whole = text;
  Builder builder;
  bool in_time = false;
  text.remove_prefix(1);
  while (!text.empty()) {
    if (!in_time && text[0] == 'T') {
      in_time = true;
      text.remove_prefix(1);
      continue;
    }
    int64_t count = 0;
    if (!TakeCount(text, count) || text.empty()) return Unconvertible(whole);
    const size_t found = std::string_view(in_time ? "HMS" : "YMD").find(text[0]);
    if (found == std::string_view::npos) return Unconvertible(whole);
    constexpr int kDateUnits[] = {kYears, kMonths, kDays};
    constexpr int kTimeUnits[] = {kHours, kMinutes, kSeconds};
    text.remove_prefix(1);
    if (!builder.Add(in_time ? kTimeUnits[found] : kDateUnits[found], count).ok()) return Unconvertible(whole);
  }
  return builder;
}

// Parses P0001-02-03T04:05:06.
Result<Builder> ParseIsoAlternative(std::string_view text) {
  constexpr std::string_view kShape = "P0000-00-00T00:00:00";
  constexpr int kFields[] = {kYears, kMonths, kDays, kHours, kMinutes, kSeconds};
  if (text.size() != kShape.size()) return Unconvertible(text);
  Builder builder;
  int64_t count = 0;
  size_t field = 0;
  for (size_t i = 1; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return Unconvertible(text);
    if (digit) count = count * 10 + (text[i] - '0');
    if (digit && i + 1 < kShape.size()) continue;
    WR_RETURN_IF_ERROR(builder.Add(kFields[field++], count));
    count = 0;
  }
  return builder;
}

// Parses P3W.
Result<Builder> ParseIsoWeeks(std::string_view text) {
  const std::string_view whole = text;
  Builder builder;
  int64_t count = 0;
  text.remove_prefix(1);
  if (!TakeCount(text, count) || text != "W") return Unconvertible(whole);
  WR_RETURN_IF_ERROR(builder.Add(kWeeks, count));
  return builder;
}

void AppendUnit(uint64_t& left, uint64_t per_unit, const char* symbol, std::string& out) {
  if (const uint64_t count = left / per_unit; count > 0) out += std::to_string(count) + symbol;
  left %= per_unit;
}

}  // namespace

Result<Bytes> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest[0] == '-';
  if (negative) rest.remove_prefix(1);
  const bool iso = !rest.empty() && rest[0] == 'P';
  auto builder = !iso                                       ? ParseUnits(rest)
                 : rest.back() == 'W'                       ? ParseIsoWeeks(rest)
                 : rest.find('-') != std::string_view::npos ? ParseIsoAlternative(rest)
                                                            : ParseIso(rest);
  if (!builder.ok()) return std::move(builder).error();
  return builder->Build(negative);
}

std::string DurationText(ByteView bytes) {
  int64_t months = 0, days = 0, nanos = 0;
  if (!TakeSignedVint(bytes, months) || !TakeSignedVint(bytes, days) || !TakeSignedVint(bytes, nanos)) return {};
  const auto magnitude = [](int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    return value < 0 ? ~bits + 1 : bits;
  };
  std::string out = months < 0 || days < 0 || nanos < 0 ? "-" : "";
  const size_t sign_size = out.size();
  uint64_t left = magnitude(months);
  AppendUnit(left, 12, "y", out);
  AppendUnit(left, 1, "mo", out);
  left = magnitude(days);
  AppendUnit(left, 1, "d", out);
  left = magnitude(nanos);
  AppendUnit(left, 3'600'000'000'000, "h", out);
  AppendUnit(left, 60'000'000'000, "m", out);
  AppendUnit(left, 1'000'000'000, "s", out);
  AppendUnit(left, 1'000'000, "ms", out);
  AppendUnit(left, 1'000, "us", out);
  AppendUnit(left, 1, "ns", out);
  return out.size() == sign_size ? "0s" : out;
}

}  // namespace widerow
