#include "advise/text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "base/text.h"
#include "types/text_form.h"

namespace widerow::advise {

namespace {

// Prints two decimals below 1, one decimal below 10, and none above: 0.42, 4.2, 42, 423. Whole numbers have no
// decimals.
std::string Short(double number) {
  std::array<char, 32> text{};
  const int decimals = number >= 9.95 || number == std::floor(number) ? 0 : number >= 0.995 ? 1 : 2;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  return text.data();
}

}  // namespace

std::string Count(uint64_t number) { return GroupedDigits(number); }

std::string Size(uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits = {"kB", "MB", "GB", "TB"};
  if (bytes < 1'000) return std::to_string(bytes) + " bytes";
  double size = static_cast<double>(bytes) / 1'000;
  size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < kUnits.size(); ++unit) size /= 1'000;
  return Short(size) + " " + kUnits[unit];
}

std::string Percent(double share) {
  // "100 %" is printed only if the share is exactly 1.
  if (share < 1 && share > 0.995) return "99 %";
  return Short(share * 100) + " %";
}

std::string Span(int64_t micros) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array<Unit, 5> kUnits = {
      {{86'400.0 * 365, "years"}, {86'400, "days"}, {3'600, "hours"}, {60, "minutes"}, {1, "s"}}};
  const double seconds = static_cast<double>(micros) / 1e6;
  for (const Unit& unit : kUnits) {
    if (seconds >= 2 * unit.seconds) return Short(seconds / unit.seconds) + " " + unit.name;
  }
  return Short(seconds) + " s";
}

std::string Times(double factor) { return factor >= 1'000 ? Count(static_cast<uint64_t>(factor)) : Short(factor); }

std::string Plural(uint64_t number, std::string_view noun) {
  return Count(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string Shown(const Type& type, ByteView value) {
  constexpr size_t kShownMax = 40;
  std::string text = FormatText(type, value);
  if (text.size() > kShownMax) {
    size_t cut = kShownMax;
    while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xC0) == 0x80) --cut;  // Cuts between two characters.
    text = text.substr(0, cut) + "…";
  }
  return type.kind == TypeKind::kText || type.kind == TypeKind::kAscii ? "'" + text + "'" : text;
}

std::string FullName(const TableSchema& table) {
  return QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name);
}

}  // namespace widerow::advise
