// varint and decimal as decimal digits, the form in which text, order and JSON want them. A varint's bytes are
// big-endian two's complement; a decimal's are a 4-byte scale and then such a varint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace widerow {

// (-1)^negative * digits * 10^-scale. No leading zeros, except that zero itself is "0" and never negative.
struct Decimal {
  bool negative = false;
  std::string digits = "0";
  int32_t scale = 0;

  bool is_zero() const { return digits == "0"; }
};

// Of any bytes; none at all are zero.
Decimal DecodeVarint(ByteView bytes);
// The shortest two's complement, at least one byte. `scale` is not looked at.
Bytes EncodeVarint(const Decimal& value);
// The shortest bytes of an integer.
Bytes EncodeVarint(int64_t value);

// `bytes`: at least four, which ValidateValue has seen to.
Decimal DecodeDecimal(ByteView bytes);
Bytes EncodeDecimal(const Decimal& value);

// Java's BigInteger(String) and BigDecimal(String): nullopt where they throw.
std::optional<Decimal> ParseVarintText(std::string_view text);
std::optional<Decimal> ParseDecimalText(std::string_view text);
std::string VarintText(const Decimal& value);
// Java's BigDecimal.toString(): plain, or with an exponent when the scale is negative or far beyond the digits.
std::string DecimalText(const Decimal& value);

// By value: 1.0 equals 1.00.
int CompareDecimals(const Decimal& a, const Decimal& b);

}  // namespace widerow
