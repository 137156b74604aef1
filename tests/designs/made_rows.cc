#include "tests/designs/made_rows.h"

#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/check.h"
#include "base/uuid.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

// Removes the first word of `text` and the space after it. Returns the word.
std::string_view CutWord(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = end < text.size() ? text.substr(end + 1) : std::string_view();
  return word;
}

uint64_t NumberOf(std::string_view text) { return std::strtoull(std::string(text).c_str(), nullptr, 10); }

std::string Padded(std::string number, uint64_t digits) {
  return number.size() >= digits ? number : std::string(digits - number.size(), '0') + number;
}

std::string HashDigits(const std::string& text, uint64_t digits) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  WR_CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr) == 1);
  return ToHex({reinterpret_cast<const char*>(digest.data()), size}).substr(0, digits);
}

std::string Civil(int64_t seconds, const char* format) {
  const time_t time = seconds;
  tm civil{};
  gmtime_r(&time, &civil);
  char text[32];
  std::strftime(text, sizeof text, format, &civil);
  return text;
}

}  // namespace

std::vector<BoundValue> MadeRows::Row(uint64_t row) {
  row_ = row;
  std::vector<BoundValue> values;
  for (size_t i = 0; i < rules_.size(); ++i) {
    values.push_back({BoundValue::Kind::kValue, Value(*markers_[i].type, rules_[i].second)});
  }
  return values;
}

// Returns a random number below n. The number r has the weight 1 / (r + 1), so small numbers are the most frequent.
uint64_t MadeRows::Zipf(uint64_t n) {
  const double u = std::uniform_real_distribution<double>(0, 1)(random_);
  return std::min<uint64_t>(n - 1, static_cast<uint64_t>(std::exp(u * std::log(static_cast<double>(n) + 1)) - 1));
}

std::string MadeRows::MadeNumber(std::string_view name, uint64_t n) {
  if (name == "uniform") return std::to_string(Uniform(n));
  if (name == "zipf") return std::to_string(Zipf(n));
  if (name == "heavy") return std::to_string(Uniform(5) == 0 ? 0 : 1 + Uniform(n));
  if (name == "seq") return std::to_string(90'000 + row_);
  if (name == "cycle") return std::to_string(row_ % n);
  if (name == "step") return std::to_string(row_ / n);
  if (name == "boolean") return Uniform(2) == 0 ? "true" : "false";
  if (name != "hundredths") return "";
  const uint64_t hundredths = Uniform(n * 100);
  return std::to_string(hundredths / 100) + "." + Padded(std::to_string(hundredths % 100), 2);
}

std::string MadeRows::MadeTime(std::string_view name, uint64_t n) const {
  const int64_t millis = MicrosOf(row_) / 1'000, seconds = millis / 1'000;
  const auto beginning_of = [&](int64_t period_seconds) {
    return std::to_string(seconds / period_seconds * period_seconds * 1'000);
  };
  if (name == "time") return std::to_string(millis);
  if (name == "reversed") return std::to_string(INT64_MAX - millis);
  if (name == "minute") return beginning_of(60);
  if (name == "hour") return beginning_of(3'600);
  if (name == "window") return beginning_of(static_cast<int64_t>(n) * 86'400);
  if (name == "decade") return std::to_string(seconds / 864'000);
  if (name == "day") return Civil(seconds, "%Y-%m-%d");
  if (name == "daytext") return Civil(seconds, "%Y%m%d");
  if (name == "hourtext") return Civil(seconds, "%Y%m%d%H");
  if (name == "datetimetext") return Civil(seconds, "%Y-%m-%d %H:%M:%S");
  if (name == "month") return Civil(seconds, "%Y%m");
  if (name == "year") return Civil(seconds, "%Y");
  if (name != "dmytext") return "";
  return std::to_string(std::stoi(Civil(seconds, "%d"))) + "." + std::to_string(std::stoi(Civil(seconds, "%m"))) + "." +
         Civil(seconds, "%Y");
}

std::string MadeRows::MadeText(std::string_view name, uint64_t n, std::string_view rest) {
  const auto filled = [&](uint64_t bytes) { return std::string(bytes, static_cast<char>('a' + Uniform(26))); };
  if (name == "bytes") return filled(n);
  if (name == "hash") return HashDigits(Made(rest), n);
  if (name == "digits") return Padded(Made(rest), n);
  if (name == "letters") {
    std::string text;
    for (uint64_t i = 0; i < n; ++i) text += rest[Uniform(rest.size())];
    return text;
  }
  if (name == "large") {
    const uint64_t large_bytes = NumberOf(CutWord(rest));
    return filled(row_ % NumberOf(rest) == 0 ? large_bytes : n);
  }
  if (name == "giant") return std::to_string(Uniform(100) < n ? 0 : 1 + Uniform(NumberOf(rest)));
  std::string elements;
  for (uint64_t i = 0; i < n; ++i) {
    if (!elements.empty()) elements += ", ";
    if (name == "set") elements += std::to_string(i * 7);
    if (name == "map") elements += "'key" + std::to_string(i) + "': 'v" + std::to_string(Uniform(NumberOf(rest))) + "'";
  }
  WR_CHECK(name == "set" || name == "map");
  return "{" + elements + "}";
}

std::string MadeRows::Made(std::string_view rule) {
  std::string_view rest = rule;
  const std::string_view name = CutWord(rest);
  if (name == "choice") {
    std::vector<std::string_view> texts;
    for (size_t begin = 0; begin <= rest.size();) {
      const size_t end = std::min(rest.find('|', begin), rest.size());
      texts.push_back(rest.substr(begin, end - begin));
      begin = end + 1;
    }
    return std::string(texts[Uniform(texts.size())]);
  }
  const uint64_t n = NumberOf(CutWord(rest));
  std::string made = MadeNumber(name, n);
  if (made.empty()) made = MadeTime(name, n);
  return made.empty() ? MadeText(name, n, rest) : made;
}

std::string MadeRows::Filled(const std::string& rule) {
  if (rule[0] != '\'') return Made(rule);
  std::string out;
  for (size_t i = 1; i + 1 < rule.size(); ++i) {
    if (rule[i] != '{') {
      out += rule[i];
      continue;
    }
    const size_t end = rule.find('}', i);
    out += Made(std::string_view(rule).substr(i + 1, end - i - 1));
    i = end;
  }
  return out;
}

Bytes MadeRows::TimeUuid() const {
  const uint64_t ticks = static_cast<uint64_t>(MicrosOf(row_)) * 10 + kUuidEpochOffset100ns;
  Bytes out;
  AppendBigEndian(out, static_cast<uint32_t>(ticks));
  AppendBigEndian(out, static_cast<uint16_t>(ticks >> 32));
  AppendBigEndian(out, static_cast<uint16_t>((ticks >> 48 & 0x0FFF) | 0x1000));
  AppendBigEndian(out, uint64_t{0x8000'0000'0000'0000} | row_);
  return out;
}

Bytes MadeRows::Value(const Type& type, const std::string& rule) {
  const std::string text = Filled(rule);
  if (type.kind == TypeKind::kUuid) {
    char uuid[40];
    std::snprintf(uuid, sizeof uuid, "%08x-0000-4000-8000-000000000000", static_cast<unsigned>(std::stoul(text)));
    return ParseText(type, uuid).value();
  }
  if (type.kind == TypeKind::kTimeuuid) return TimeUuid();
  if (type.kind == TypeKind::kBlob) return text;
  if (type.kind == TypeKind::kTimestamp) return EncodeInteger(TypeKind::kTimestamp, std::stoll(text));
  if (type.kind == TypeKind::kCounter) return EncodeInteger(TypeKind::kBigint, std::stoll(text));
  return ParseText(type, text).value();
}

}  // namespace widerow
