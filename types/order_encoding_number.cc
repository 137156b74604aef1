// bigint, varint and decimal: numbers whose encoding begins with their length. So a longer number sorts after the
// shorter ones if it is positive, and before them if it is negative. Each Take is the inverse of its Append and returns
// false for malformed bytes.
#include <algorithm>
#include <bit>
#include <limits>

#include "types/decimal.h"
#include "types/order_encoding.h"
#include "types/vint.h"

namespace widerow::order_encoding {
namespace {

// A varint of this many significant bytes or more has an explicit length; shorter ones are encoded as bigint.
constexpr size_t kLongVarint = 7;

// The first byte of a decimal holds its sign, and the sign and the length of its exponent of 100.
constexpr uint8_t kDecimalPositive = 0x80;
constexpr uint8_t kDecimalExponent = 0x40;
constexpr uint8_t kDecimalDigit = 0x80;

}  // namespace

// Writes the inverted sign bit. Then comes one more bit of the same value for each following byte, and then the number.
// With these bits, a positive number with more bytes sorts after those with fewer, and a negative one before.
void AppendOrderedBigint(int64_t value, Bytes& out) {
  const auto negative = static_cast<uint64_t>(value >> 63);
  uint64_t bits = static_cast<uint64_t>(value) ^ negative;
  const int size = std::min((64 - std::countl_zero(bits | 1)) / 7 + 1, 9);
  char buffer[9];
  // Only encodings of nine bytes use this byte. Each of its bits is then the inverted sign bit.
  buffer[0] = static_cast<char>(~negative);
  if (size == 9) {
    bits |= uint64_t{1} << 63;
  } else {
    bits |= (0xFF00ULL >> size & 0xFF) << (8 * (size - 1));
  }
  bits = ToBigEndian(bits ^ negative);
  std::memcpy(buffer + 1, &bits, 8);
  out.append(buffer + 9 - size, size);
}

bool TakeOrderedBigint(Reader& reader, int64_t& value) {
  if (reader.left() == 0) return false;
  const uint8_t first = reader.Peek();
  const uint8_t negative = first < 0x80 ? 0xFF : 0x00;
  int size = std::countl_one(static_cast<uint8_t>(first ^ negative));
  if (size == 8 && reader.left() > 1 && ((reader.Peek(1) ^ negative) & 0x80) != 0) size = 9;
  if (reader.left() < static_cast<size_t>(size)) return false;
  uint64_t bits = 0;
  for (int i = 0; i < size; ++i) bits = bits << 8 | static_cast<uint8_t>(reader.Peek(i) ^ negative);
  reader.Skip(size);
  const int payload = std::min(7 * size, 63);
  bits &= ~uint64_t{0} >> (64 - payload);
  value = static_cast<int64_t>(negative != 0 ? ~bits : bits);
  return true;
}

void AppendOrderedVarint(ByteView value, Bytes& out) {
  const char first = value[0];
  size_t start = 0;
  if (first == 0 || first == '\xFF') {
    while (start + 1 < value.size() && value[start] == first) ++start;
  }
  const bool negative = static_cast<int8_t>(first) < 0;
  const ByteView significant = value.substr(start);
  if (significant.size() < kLongVarint) {
    uint64_t bits = negative ? ~uint64_t{0} : 0;
    for (const char c : significant) bits = bits << 8 | static_cast<uint8_t>(c);
    AppendOrderedBigint(static_cast<int64_t>(bits), out);
    return;
  }
  out.push_back(negative ? '\x00' : '\xFF');
  const size_t length_at = out.size();
  AppendUnsignedVint(out, significant.size() - kLongVarint);
  if (negative) {
    for (size_t i = length_at; i < out.size(); ++i) out[i] = static_cast<char>(~out[i]);
  }
  out += significant;
}

bool TakeOrderedVarint(Reader& reader, Bytes& value) {
  if (reader.left() == 0) return false;
  const uint8_t first = reader.Peek();
  if (first != 0x00 && first != 0xFF) {
    int64_t number = 0;
    if (!TakeOrderedBigint(reader, number)) return false;
    value = EncodeVarint(number);
    return true;
  }
  reader.Skip(1);
  const bool negative = first == 0x00;
  // Reads the length. Its bytes are inverted for a negative number, and once more in a descending column (by `reader`).
  char length_bytes[9];
  const size_t available = std::min<size_t>(reader.left(), sizeof length_bytes);
  for (size_t i = 0; i < available; ++i) length_bytes[i] = static_cast<char>(reader.Peek(i) ^ (negative ? 0xFF : 0x00));
  ByteView length_view(length_bytes, available);
  uint64_t extra = 0;
  if (!TakeUnsignedVint(length_view, extra)) return false;
  reader.Skip(available - length_view.size());
  if (reader.left() < kLongVarint || extra > reader.left() - kLongVarint) return false;
  const size_t size = extra + kLongVarint;
  if ((reader.Peek() >= 0x80) != negative) value.push_back(negative ? '\xFF' : '\0');
  for (size_t i = 0; i < size; ++i) value.push_back(static_cast<char>(reader.Peek(i)));
  reader.Skip(size);
  return true;
}

// Writes the sign, the exponent and the digits of a decimal. Its absolute value is 0.d1d2d3… * 100^exponent, where d1,
// d2, … are digits of base 100 and d1 > 0. For a negative number, the digits of value + 100^exponent are written, with
// 100 subtracted from the first digit, so that a number with a larger absolute value sorts first.
void AppendOrderedDecimal(ByteView value, Bytes& out) {
  const Decimal decimal = value.size() < 4 ? Decimal() : DecodeDecimal(value);
  if (decimal.is_zero()) {
    out.push_back(static_cast<char>(kDecimalPositive));
    return;
  }
  // The absolute value is 0.DIGITS * 10^point, where DIGITS are decimal.digits. Two decimal digits are one digit of
  // base 100, so a leading zero is added if `point` is odd.
  const int64_t point = static_cast<int64_t>(decimal.digits.size()) - decimal.scale;
  const int64_t exponent = (point + 1) >> 1;
  std::string digits = (point & 1) != 0 ? "0" + decimal.digits : decimal.digits;
  digits.resize(digits.find_last_not_of('0') + 1);
  if (digits.size() % 2 != 0) digits += '0';

  const int64_t shown = decimal.negative ? -exponent : exponent;
  const auto magnitude = static_cast<uint32_t>(shown < 0 ? -shown : shown);
  const int length = (32 - std::countl_zero(magnitude) + 7) / 8;
  out.push_back(
      static_cast<char>((decimal.negative ? 0 : kDecimalPositive) + kDecimalExponent + (shown < 0 ? -length : length)));
  for (int i = length; i-- > 0;) out.push_back(static_cast<char>(static_cast<uint64_t>(shown) >> (8 * i)));
  for (size_t i = 0; i < digits.size(); i += 2) {
    int digit = (digits[i] - '0') * 10 + (digits[i + 1] - '0');
    // Computes 100^n - D by digits: the last digit is subtracted from 100, the others from 99. Then the first digit is
    // reduced by 100.
    if (decimal.negative) digit = (i + 2 == digits.size() ? 100 : 99) - digit - (i == 0 ? 100 : 0);
    out.push_back(static_cast<char>(digit + kDecimalDigit));
  }
  out.push_back('\0');
}

bool TakeOrderedDecimal(Reader& reader, Bytes& value) {
  uint8_t head = 0;
  if (!reader.Take(head)) return false;
  Decimal decimal;
  if (head == kDecimalPositive) {
    value = EncodeDecimal(decimal);
    return true;
  }
  decimal.negative = head < kDecimalPositive;
  const int length = static_cast<int>(head) - (decimal.negative ? 0 : kDecimalPositive) - kDecimalExponent;
  if (length < -4 || length > 4) return false;
  int64_t exponent = length < 0 ? -1 : 0;
  for (int i = 0; i < (length < 0 ? -length : length); ++i) {
    uint8_t byte = 0;
    if (!reader.Take(byte)) return false;
    exponent = static_cast<int64_t>(static_cast<uint64_t>(exponent) << 8 | byte);
  }
  if (decimal.negative) exponent = -exponent;

  std::vector<int> pairs;
  for (uint8_t byte = 0;;) {
    if (!reader.Take(byte)) return false;
    if (byte == 0) break;
    pairs.push_back(static_cast<int>(byte) - kDecimalDigit);
  }
  if (pairs.empty()) return false;
  decimal.digits.clear();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const int digit = decimal.negative ? (i + 1 == pairs.size() ? 100 : 99) - pairs[i] - (i == 0 ? 100 : 0) : pairs[i];
    if (digit < 0 || digit > 99) return false;
    decimal.digits += static_cast<char>('0' + digit / 10);
    decimal.digits += static_cast<char>('0' + digit % 10);
  }
  int64_t scale = static_cast<int64_t>(decimal.digits.size()) - 2 * exponent;
  if (decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    --scale;
  }
  const size_t first = decimal.digits.find_first_not_of('0');
  if (first == std::string::npos || first > 1) return false;
  decimal.digits.erase(0, first);
  // The digits have no trailing zeros: for each removed zero, the scale was reduced by one. If the scale is now below
  // the range of int, zeros are added again.
  for (; scale < std::numeric_limits<int32_t>::min(); ++scale) {
    if (scale < std::numeric_limits<int32_t>::min() - int64_t{1'000'000}) return false;
    decimal.digits += '0';
  }
  if (scale > std::numeric_limits<int32_t>::max()) return false;
  decimal.scale = static_cast<int32_t>(scale);
  value = EncodeDecimal(decimal);
  return true;
}

}  // namespace widerow::order_encoding
