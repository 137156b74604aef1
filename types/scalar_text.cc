// ParseScalar dispatches to one Parse function per type. Each follows the Java function that Cassandra uses; special
// cases of Java's grammar are noted where they are handled. Dates and times are in scalar_text_time.cc, durations in
// scalar_text_duration.cc.
#include "types/scalar_text.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/uuid.h"
#include "types/decimal.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

Error Unable(const char* before, std::string_view text) {
  return InvalidError(std::string(before) + " '" + std::string(text) + "'");
}

// Parses as Java's Integer.parseInt and similar functions do: at most one sign, then digits only.
template <typename T>
bool ParseInteger(std::string_view text, T& value) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

template <typename T>
Result<Bytes> ParseIntegerAs(TypeKind kind, const char* failure, std::string_view text) {
  T value = 0;
  if (!ParseInteger(text, value)) return Unable(failure, text);
  return EncodeInteger(kind, value);
}

// Checks the part of Java's floating-point grammar between sign and suffix; from_chars reads this part like Java.
bool IsDecimalFloat(std::string_view text) {
  size_t digits = 0, i = 0;
  const auto skip_digits = [&] {
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) ++digits;
  };
  skip_digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    skip_digits();
  }
  if (digits == 0) return false;
  if (i == text.size()) return true;
  if (text[i] != 'e' && text[i] != 'E') return false;
  if (++i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  digits = 0;
  skip_digits();
  return digits > 0 && i == text.size();
}

// Returns the result for a number that from_chars rejects as out of range: infinity if its absolute value is at least
// 1, and zero otherwise.
template <typename T>
T OutOfRange(std::string_view decimal) {
  const size_t exponent_at = decimal.find_first_of("eE");
  std::string_view exponent = exponent_at == std::string_view::npos ? "0" : decimal.substr(exponent_at + 1);
  const bool negative_exponent = exponent[0] == '-';
  if (exponent_at != std::string_view::npos && exponent.size() > 8) {
    return negative_exponent ? T(0) : std::numeric_limits<T>::infinity();
  }
  const std::optional<Decimal> value = ParseDecimalText(decimal);
  const bool huge = value && static_cast<int64_t>(value->digits.size()) - value->scale > 0;
  return huge ? std::numeric_limits<T>::infinity() : T(0);
}

// Parses like Java's Float.parseFloat and Double.parseDouble.
template <typename T>
bool ParseFloating(std::string_view text, T& value) {
  while (!text.empty() && static_cast<uint8_t>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<uint8_t>(text.back()) <= ' ') text.remove_suffix(1);
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text == "NaN") {
    value = std::numeric_limits<T>::quiet_NaN();
    return true;
  }
  if (text == "Infinity") {
    value = negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    return true;
  }
  if (!text.empty() && std::string_view("fFdD").find(text.back()) != std::string_view::npos) {
    // In a hexadecimal number, f and d are digits, unless the number has an exponent.
    const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    if (!hex || text.find_first_of("pP") != std::string_view::npos) text.remove_suffix(1);
  }
  std::errc error{};
  const char* end = nullptr;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    if (text.find_first_of("pP") == std::string_view::npos) return false;
    text.remove_prefix(2);
    std::tie(end, error) = [&] {
      const auto r = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
      return std::pair(r.ptr, r.ec);
    }();
    if (error != std::errc() || end != text.data() + text.size()) return false;
  } else {
    if (!IsDecimalFloat(text)) return false;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range) {
      value = OutOfRange<T>(text);
    } else if (result.ec != std::errc()) {
      return false;
    }
  }
  if (negative) value = -value;
  return true;
}

Result<Bytes> ParseBoolean(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (lower == "true") return Bytes(1, '\1');
  if (lower == "false" || lower.empty()) return Bytes(1, '\0');
  return Unable("Unable to make boolean from", text);
}

Result<Bytes> ParseUuid(bool timeuuid, std::string_view text) {
  const std::optional<Uuid> uuid = Uuid::FromString(text);
  if (!uuid) {
    if (timeuuid) return InvalidError("Unknown timeuuid representation: " + std::string(text));
    return Unable("Unable to make UUID from", text);
  }
  if (timeuuid && uuid->version() != 1) return InvalidError("TimeUUID supports only version 1 UUIDs");
  return Bytes(uuid->view());
}

// Parses one to four decimal parts; the last part fills the remaining bytes: 1.2.3 is 1.2.0.3.
bool ParseInet4(std::string_view text, Bytes& bytes) {
  bytes.assign(4, '\0');
  for (size_t part = 0; part < 4; ++part) {
    const size_t dot = text.find('.');
    const std::string_view digits = text.substr(0, dot);
    uint64_t value = 0;
    if (digits.empty() || digits[0] == '+' || digits.size() > 10 || !ParseInteger(digits, value)) return false;
    const bool last = dot == std::string_view::npos;
    const size_t width = last ? 4 - part : 1;
    if (value >= uint64_t{1} << (8 * width)) return false;
    for (size_t i = 0; i < width; ++i) bytes[part + i] = static_cast<char>(value >> (8 * (width - 1 - i)));
    if (last) return true;
    text.remove_prefix(dot + 1);
  }
  return false;
}

// Parses an IPv6 address, also in brackets. The number of a network interface after it, fe80::1%1, is no part of the
// value.
bool ParseInet6(std::string_view text, Bytes& bytes) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  const size_t percent = text.find('%');
  if (percent != std::string_view::npos) {
    const std::string_view digits = text.substr(percent + 1);
    int32_t interface = 0;
    const bool mapped = text.find('.') != std::string_view::npos;
    if (mapped || digits.empty() || digits[0] < '0' || digits[0] > '9' || !ParseInteger(digits, interface))
      return false;
  }
  const std::string address(text.substr(0, percent));
  bytes.assign(16, '\0');
  return address.size() == std::char_traits<char>::length(address.c_str()) &&
         inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1;
}

bool IsLocalhost(std::string_view text) {
  constexpr std::string_view kName = "localhost";
  return std::equal(text.begin(), text.end(), kName.begin(), kName.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

// Accepts addresses and localhost. Cassandra would look up any other host name; we refuse it.
Result<Bytes> ParseInet(std::string_view text) {
  Bytes bytes;
  if (ParseInet4(IsLocalhost(text) ? "127.0.0.1" : text, bytes)) return bytes;
  if (!ParseInet6(text, bytes)) {
    return InvalidError("Unable to make inet address from '" + std::string(text) + "'",
                        "write an address such as '192.168.0.1' or '2001:db8::1'; host names other than localhost are "
                        "not looked up");
  }
  return ContainsInet4(bytes) ? bytes.substr(12) : bytes;
}

Result<Bytes> ParseAscii(std::string_view text) {
  for (const char c : text) {
    if (static_cast<uint8_t>(c) < 0x80) continue;
    // Java counts UTF-16 units: a character beyond the first plane is two.
    return InvalidError(std::string("Invalid ASCII character in string literal: "
                                    "java.nio.charset.UnmappableCharacterException: Input length = ") +
                        (static_cast<uint8_t>(c) >= 0xF0 ? "2" : "1"));
  }
  return Bytes(text);
}

Result<Bytes> ParseBlob(std::string_view text) {
  Bytes bytes;
  const bool prefixed = text.size() >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (!FromHex(prefixed ? text.substr(2) : text, bytes)) {
    return InvalidError("cannot parse '" + std::string(text) + "' as hex bytes");
  }
  return bytes;
}

template <typename T>
Result<Bytes> ParseFloatingAs(const char* failure, std::string_view text, Bytes (*encode)(T)) {
  T value = 0;
  if (!ParseFloating(text, value)) return Unable(failure, text);
  return encode(value);
}

template <typename T>
std::string FloatingText(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

// True if Cassandra's fromString makes an empty value from an empty text.
bool EmptyTextIsEmptyValue(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kDecimal:
    case TypeKind::kDouble:
    case TypeKind::kFloat:
    case TypeKind::kInet:
    case TypeKind::kInt:
    case TypeKind::kTimestamp:
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid:
    case TypeKind::kVarint: return true;
    default: return false;
  }
}

}  // namespace

Result<Bytes> ParseScalar(const Type& type, std::string_view text) {
  if (text.empty() && EmptyTextIsEmptyValue(type.kind)) return Bytes();
  switch (type.kind) {
    case TypeKind::kAscii: return ParseAscii(text);
    case TypeKind::kText: {
      WR_RETURN_IF_ERROR(ValidateValue(type, text));
      return Bytes(text);
    }
    case TypeKind::kBlob: return ParseBlob(text);
    case TypeKind::kBoolean: return ParseBoolean(text);
    case TypeKind::kBigint:
    case TypeKind::kCounter: return ParseIntegerAs<int64_t>(type.kind, "Unable to make long from", text);
    case TypeKind::kInt: return ParseIntegerAs<int32_t>(type.kind, "Unable to make int from", text);
    case TypeKind::kSmallint: return ParseIntegerAs<int16_t>(type.kind, "Unable to make short from", text);
    case TypeKind::kTinyint: return ParseIntegerAs<int8_t>(type.kind, "Unable to make byte from", text);
    case TypeKind::kDate: return ParseDate(text);
    case TypeKind::kTime: return ParseTime(text);
    case TypeKind::kTimestamp: return ParseTimestamp(text);
    case TypeKind::kDuration: return ParseDuration(text);
    case TypeKind::kDecimal: {
      const std::optional<Decimal> value = ParseDecimalText(text);
      if (!value) return Unable("unable to make BigDecimal from", text);
      return EncodeDecimal(*value);
    }
    case TypeKind::kVarint: {
      const std::optional<Decimal> value = ParseVarintText(text);
      if (!value) return Unable("unable to make int from", text);
      return EncodeVarint(*value);
    }
    case TypeKind::kDouble: return ParseFloatingAs<double>("Unable to make double from", text, &EncodeDouble);
    case TypeKind::kFloat: return ParseFloatingAs<float>("Unable to make float from", text, &EncodeFloat);
    case TypeKind::kInet: return ParseInet(text);
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid: return ParseUuid(type.kind == TypeKind::kTimeuuid, text);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kUdt:
    case TypeKind::kVector: break;
  }
  return Unable(("Unable to make " + TypeText(type) + " from").c_str(), text);
}

bool ContainsInet4(ByteView bytes) { return bytes.size() == 16 && bytes == Inet6Containing(bytes.substr(12)); }

Bytes Inet6Containing(ByteView inet4) { return Bytes(10, '\0') + "\xFF\xFF" + Bytes(inet4); }

std::string InetText(ByteView bytes) {
  char buffer[INET6_ADDRSTRLEN] = "";
  inet_ntop(bytes.size() == 4 ? AF_INET : AF_INET6, bytes.data(), buffer, sizeof buffer);
  return buffer;
}

std::string InetLongText(ByteView bytes) {
  if (bytes.size() == 4) return InetText(bytes);
  std::string out;
  for (size_t i = 0; i < 16; i += 2) {
    char buffer[8];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, ReadBigEndian<uint16_t>(bytes.data() + i), 16);
    if (i > 0) out += ':';
    out.append(buffer, result.ptr);
  }
  return out;
}

std::string DoubleText(double value) { return FloatingText(value); }
std::string FloatText(float value) { return FloatingText(value); }

}  // namespace widerow
