// varint and decimal as decimal digits, the form that text, order and JSON need. A varint's bytes are big-endian two's
// complement; a decimal's bytes are a 4-byte scale and then such a varint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace widerow {

// The value (-1)^negative * digits * 10^-scale. There are no leading zeros, except in zero, which is "0" and never
// negative.
struct Decimal {
  bool negative = false;
  std::string digits = "0";
  int32_t scale = 0;

  bool is_zero() const { return digits == "0"; }
};

// Accepts any bytes. Empty bytes are the number zero.
Decimal DecodeVarint(ByteView bytes);
// Returns the shortest two's complement, at least one byte. Ignores `scale`.
Bytes EncodeVarint(const Decimal& value);
// Returns the shortest two's complement.
Bytes EncodeVarint(int64_t value);

// Decodes a value of type decimal. It must have at least four bytes, which ValidateValue ensures.
Decimal DecodeDecimal(ByteView bytes);
Bytes EncodeDecimal(const Decimal& value);

// Parse like Java's BigInteger(String) and BigDecimal(String); nullopt if these throw.
std::optional<Decimal> ParseVarintText(std::string_view text);
std::optional<Decimal> ParseDecimalText(std::string_view text);
std::string VarintText(const Decimal& value);
// Prints like Java's BigDecimal.toString(): plain, or with an exponent if the scale is negative or far larger than the
// number of digits.
std::string DecimalText(const Decimal& value);

// Compares by value: 1.0 equals 1.00.
int CompareDecimals(const Decimal& a, const Decimal& b);

}  // namespace widerow
