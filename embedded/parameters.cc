#include "embedded/parameters.h"

#include <cmath>
#include <limits>

#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

struct IntegerRange {
  int64_t least, greatest;
};

template <typename T>
constexpr IntegerRange RangeOf() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

Result<Bytes> CheckedInteger(TypeKind kind, int64_t value, IntegerRange range) {
  if (value >= range.least && value <= range.greatest) return EncodeInteger(kind, value);
  return InvalidError(std::to_string(value) + " is out of range: " + std::to_string(range.least) + " to " +
                      std::to_string(range.greatest));
}

Error Unfit(const char* what, const char* advice) {
  return InvalidError(std::string("cannot be given as ") + what, advice);
}

Result<Bytes> IntegerBytes(const Type& type, int64_t value) {
  constexpr int64_t kDayNanos = 86'400'000'000'000;
  switch (type.kind) {
    case TypeKind::kTinyint: return CheckedInteger(type.kind, value, RangeOf<int8_t>());
    case TypeKind::kSmallint: return CheckedInteger(type.kind, value, RangeOf<int16_t>());
    case TypeKind::kInt: return CheckedInteger(type.kind, value, RangeOf<int32_t>());
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTimestamp: return EncodeInteger(type.kind, value);
    case TypeKind::kTime: return CheckedInteger(type.kind, value, {0, kDayNanos - 1});
    case TypeKind::kVarint:
    case TypeKind::kDecimal: return ParseText(type, std::to_string(value));
    case TypeKind::kDouble: return EncodeDouble(static_cast<double>(value));
    case TypeKind::kFloat: return EncodeFloat(static_cast<float>(value));
    default: return Unfit("an integer", "give the value as text or with Parameter::Raw");
  }
}

Result<Bytes> DoubleBytes(const Type& type, double value) {
  if (type.kind == TypeKind::kDouble) return EncodeDouble(value);
  if (type.kind == TypeKind::kFloat) {
    if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max()) {
      return InvalidError("the value is out of range of a float");
    }
    return EncodeFloat(static_cast<float>(value));
  }
  if (type.kind == TypeKind::kDecimal) {
    return Unfit("a double, which does not hold decimals exactly", "give the value as text: \"12.50\"");
  }
  return Unfit("a double", "give the value as text or with Parameter::Raw");
}

Result<Bytes> ValueBytes(const Type& type, const Parameter& parameter) {
  switch (parameter.kind()) {
    case Parameter::Kind::kInteger: return IntegerBytes(type, parameter.integer());
    case Parameter::Kind::kDouble: return DoubleBytes(type, parameter.floating());
    case Parameter::Kind::kBoolean:
      if (type.kind == TypeKind::kBoolean) return Bytes(1, parameter.integer() != 0 ? '\1' : '\0');
      return Unfit("a boolean", "give the value as text or with Parameter::Raw");
    case Parameter::Kind::kText:
      if (type.kind == TypeKind::kText) return Bytes(parameter.text());  // The engine checks the UTF-8.
      return ParseText(type, parameter.text());
    case Parameter::Kind::kBytes:
    case Parameter::Kind::kNull:
    case Parameter::Kind::kUnset: break;
  }
  return Bytes(parameter.text());
}

Result<BoundValue> Bind(const Parameter& parameter, size_t number, const MarkerSpec& marker) {
  if (parameter.kind() == Parameter::Kind::kNull) return BoundValue{};
  if (parameter.kind() == Parameter::Kind::kUnset) return BoundValue{BoundValue::Kind::kUnset, {}};
  Result<Bytes> bytes = ValueBytes(*marker.type, parameter);
  if (bytes.ok()) return BoundValue{BoundValue::Kind::kValue, std::move(*bytes)};
  Error error = std::move(bytes).error();
  error.message = "parameter " + std::to_string(number) + " (" + marker.name + ", " + TypeText(*marker.type) +
                  "): " + error.message;
  error.range.reset();  // It is about the value, not about the statement.
  return error;
}

}  // namespace

Result<std::vector<BoundValue>> BindParameters(const std::vector<Parameter>& parameters,
                                               const std::vector<MarkerSpec>& markers) {
  if (parameters.size() != markers.size()) {
    return InvalidError("there were " + std::to_string(markers.size()) + " markers(?) in CQL but " +
                        std::to_string(parameters.size()) + " bound variables");
  }
  std::vector<BoundValue> values;
  values.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    WR_ASSIGN_OR_RETURN(BoundValue value, Bind(parameters[i], i + 1, markers[i]));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace widerow
