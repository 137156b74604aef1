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

template <typename Integer>
Status PutInteger(Integer value, Bytes& out) {
  const Integer big = ToBigEndian(value);
  if (out.size() != sizeof big) out.resize(sizeof big);  // `out` is reused and often has this size already.
  std::memcpy(out.data(), &big, sizeof big);
  return OkStatus();
}

template <typename Integer>
Status PutChecked(int64_t value, Bytes& out, IntegerRange range = RangeOf<Integer>()) {
  if (value >= range.least && value <= range.greatest) return PutInteger(static_cast<Integer>(value), out);
  return InvalidError(std::to_string(value) + " is out of range: " + std::to_string(range.least) + " to " +
                      std::to_string(range.greatest));
}

Status Put(Result<Bytes> made, Bytes& out) {
  if (!made.ok()) return std::move(made).error();
  out = std::move(*made);
  return OkStatus();
}

Error Unfit(const char* what, const char* advice) {
  return InvalidError(std::string("cannot be given as ") + what, advice);
}

Status PutIntegerOf(const Type& type, int64_t value, Bytes& out) {
  constexpr int64_t kDayNanos = 86'400'000'000'000;
  switch (type.kind) {
    case TypeKind::kTinyint: return PutChecked<int8_t>(value, out);
    case TypeKind::kSmallint: return PutChecked<int16_t>(value, out);
    case TypeKind::kInt: return PutChecked<int32_t>(value, out);
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kTimestamp: return PutInteger(value, out);
    case TypeKind::kTime: return PutChecked<int64_t>(value, out, {0, kDayNanos - 1});
    case TypeKind::kVarint:
    case TypeKind::kDecimal: return Put(ParseText(type, std::to_string(value)), out);
    case TypeKind::kDouble: return Put(EncodeDouble(static_cast<double>(value)), out);
    case TypeKind::kFloat: return Put(EncodeFloat(static_cast<float>(value)), out);
    default: return Unfit("an integer", "give the value as text or with Parameter::Raw");
  }
}

Status PutDouble(const Type& type, double value, Bytes& out) {
  if (type.kind == TypeKind::kDouble) return Put(EncodeDouble(value), out);
  if (type.kind == TypeKind::kFloat) {
    if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max()) {
      return InvalidError("the value is out of range of a float");
    }
    return Put(EncodeFloat(static_cast<float>(value)), out);
  }
  if (type.kind == TypeKind::kDecimal) {
    return Unfit("a double, which does not hold decimals exactly", "give the value as text: \"12.50\"");
  }
  return Unfit("a double", "give the value as text or with Parameter::Raw");
}

Status PutValue(const Type& type, const Parameter& parameter, Bytes& out) {
  switch (parameter.kind()) {
    case Parameter::Kind::kInteger: return PutIntegerOf(type, parameter.integer(), out);
    case Parameter::Kind::kDouble: return PutDouble(type, parameter.floating(), out);
    case Parameter::Kind::kBoolean:
      if (type.kind != TypeKind::kBoolean) return Unfit("a boolean", "give the value as text or with Parameter::Raw");
      out.assign(1, parameter.integer() != 0 ? '\1' : '\0');
      return OkStatus();
    case Parameter::Kind::kText:
      if (type.kind != TypeKind::kText) return Put(ParseText(type, parameter.text()), out);
      break;  // The engine checks that it is UTF-8.
    case Parameter::Kind::kBytes:
    case Parameter::Kind::kNull:
    case Parameter::Kind::kUnset: break;
  }
  out.assign(parameter.text());
  return OkStatus();
}

Error About(Error error, size_t number, const MarkerSpec& marker) {
  error.message = "parameter " + std::to_string(number) + " (" + marker.name + ", " + TypeText(*marker.type) +
                  "): " + error.message;
  error.range.reset();  // The range would refer to the value, not to the statement.
  return error;
}

Status Bind(const Parameter& parameter, size_t number, const MarkerSpec& marker, BoundValue& value) {
  switch (parameter.kind()) {
    case Parameter::Kind::kNull: value.kind = BoundValue::Kind::kNull; break;
    case Parameter::Kind::kUnset: value.kind = BoundValue::Kind::kUnset; break;
    default: {
      value.kind = BoundValue::Kind::kValue;
      Status put = PutValue(*marker.type, parameter, value.bytes);
      return put.ok() ? std::move(put) : Status(About(std::move(put).error(), number, marker));
    }
  }
  value.bytes.clear();
  return OkStatus();
}

}  // namespace

Status BindParameters(const std::vector<Parameter>& parameters, const std::vector<MarkerSpec>& markers,
                      std::vector<BoundValue>& values) {
  if (parameters.size() != markers.size()) {
    return InvalidError("there were " + std::to_string(markers.size()) + " markers(?) in CQL but " +
                        std::to_string(parameters.size()) + " bound variables");
  }
  values.resize(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    WR_RETURN_IF_ERROR(Bind(parameters[i], i + 1, markers[i], values[i]));
  }
  return OkStatus();
}

}  // namespace widerow
