// window(x, width): the beginning of the window of time or numbers that contains x. A width is a number of months, or
// of the units of the type (milliseconds, days or numbers). Of() rounds a value down to a multiple of the width; if the
// type has no such value, the result is the type's least value. Next() adds one width.
#include "planner/functions/window.h"

#include "base/uuid.h"
#include "planner/functions/calendar.h"
#include "planner/functions/registry.h"
#include "types/civil_time.h"
#include "types/scalar_text.h"
#include "types/value_bytes.h"
#include "types/vint.h"

namespace widerow::functions {

namespace {

__extension__ using Wide = __int128;  // Wide enough for intermediate results.

bool IsTime(TypeKind kind) {
  return kind == TypeKind::kTimestamp || kind == TypeKind::kTimeuuid || kind == TypeKind::kDate;
}

struct Width {
  int64_t months = 0, days = 0, nanos = 0;
};

Result<Width> ReadDuration(const Type& type, ByteView bytes) {
  Bytes parsed;
  if (type.kind == TypeKind::kText || type.kind == TypeKind::kAscii) {
    Result<Bytes> duration = ParseDuration(bytes);
    if (!duration.ok()) {
      return InvalidError("window: '" + std::string(bytes) + "' is no length of time",
                          "write '1d', '12h', '15m', '1w', '1mo' or '1y'");
    }
    parsed = std::move(*duration);
    bytes = parsed;
  }
  Width out;
  if (!TakeSignedVint(bytes, out.months) || !TakeSignedVint(bytes, out.days) || !TakeSignedVint(bytes, out.nanos)) {
    return InvalidError("window: the width is no duration");
  }
  return out;
}

Error BadWidth(const std::string& why) {
  return InvalidError("window: " + why, "write '1d', '12h', '15m', '1w', '1mo' or '1y'");
}

int64_t SaturatingFloor(int64_t value, int64_t n) {
  const Wide floor = static_cast<Wide>(FloorDivide(value, n)) * n;
  return floor < INT64_MIN ? INT64_MIN : static_cast<int64_t>(floor);
}

int64_t MonthsOf(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  return (date.year - 1970) * 12 + date.month - 1;
}

int64_t DaysOfMonth(int64_t months) {
  const int64_t year = 1970 + FloorDivide(months, 12);
  return DaysFromCivil({.year = year, .month = static_cast<int>(months - FloorDivide(months, 12) * 12) + 1, .day = 1});
}

// Returns the value in the units of its type: milliseconds, days or a number.
int64_t UnitsOf(TypeKind kind, ByteView value) {
  if (kind == TypeKind::kTimeuuid) {
    return FloorDivide(static_cast<int64_t>(Uuid::FromBytes(value).timestamp_100ns() - kUuidEpochOffset100ns), 10'000);
  }
  if (kind == TypeKind::kDate) return static_cast<int64_t>(static_cast<uint32_t>(DecodeInteger(value))) - kEpochDay;
  return DecodeInteger(value);
}

Bytes BytesOf(TypeKind kind, int64_t units) {
  if (kind == TypeKind::kTimeuuid) kind = TypeKind::kTimestamp;
  return EncodeInteger(kind, kind == TypeKind::kDate ? units + kEpochDay : units);
}

bool Fits(TypeKind kind, int64_t units) {
  switch (kind) {
    case TypeKind::kTinyint: return units <= INT8_MAX;
    case TypeKind::kSmallint: return units <= INT16_MAX;
    case TypeKind::kInt: return units <= INT32_MAX;
    case TypeKind::kDate: return units + kEpochDay <= UINT32_MAX;
    default: return true;  // NOLINT: eight bytes
  }
}

Result<Function> MakeWindow(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 2) return WrongArgumentCount("window", 2, arguments.size());
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "window(any, text)");
  const TypePtr source = arguments[0].type;
  if (!IsTime(source->kind) && !IsInteger(source->kind)) {
    return InvalidError("Type error: " + arguments[0].text +
                            " cannot be passed as argument 0 of function system.window of type timestamp",
                        "window takes timestamps, timeuuids, dates and integers");
  }
  TypePtr width = arguments[1].type;
  if (IsInteger(source->kind)) {
    width = ScalarType(TypeKind::kBigint);
  } else if (width == nullptr || width->kind != TypeKind::kDuration) {
    width = ScalarType(TypeKind::kText);
  }
  return Function{.name = "window",
                  .parameters = {source, width},
                  .returns = Window::BeginningType(source),
                  .body = [source, width](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
                    WR_ASSIGN_OR_RETURN(const Window window, Window::Make(*source, *width, *values[1]));
                    return Value(window.Of(*values[0]));
                  }};
}

}  // namespace

TypePtr Window::BeginningType(const TypePtr& source) {
  return source->kind == TypeKind::kTimeuuid ? ScalarType(TypeKind::kTimestamp) : source;
}

Result<Window> Window::Make(const Type& source, const Type& width_type, ByteView width) {
  Window window;
  window.source_ = source.kind;
  if (IsInteger(source.kind)) {
    window.units_ = width.empty() ? 0 : DecodeInteger(width);
    if (window.units_ < 1)
      return InvalidError("window: the width " + std::to_string(window.units_) + " is not positive");
    return window;
  }
  WR_ASSIGN_OR_RETURN(const Width duration, ReadDuration(width_type, width));
  if (duration.months < 0 || duration.days < 0 || duration.nanos < 0) return BadWidth("the width is negative");
  if (duration.months > 0) {
    if (duration.days > 0 || duration.nanos > 0) return BadWidth("months have no fixed length: they stand alone");
    window.months_ = duration.months;
    return window;
  }
  if (source.kind == TypeKind::kDate) {
    if (duration.nanos % kNanosPerDay != 0) {
      return InvalidError("window: a date has no hours: the width is whole days", "write '1d', '1w', '1mo' or '1y'");
    }
    window.units_ = duration.days + duration.nanos / kNanosPerDay;
  } else {
    if (duration.nanos % kNanosPerMilli != 0) return BadWidth("the width is whole milliseconds");
    window.units_ = duration.days * kMillisPerDay + duration.nanos / kNanosPerMilli;
  }
  if (window.units_ < 1) return BadWidth("the width is 0");
  return window;
}

int64_t Window::Floor(int64_t units) const {
  if (months_ == 0) return SaturatingFloor(units, units_);
  const bool days = source_ == TypeKind::kDate;
  const int64_t first =
      DaysOfMonth(SaturatingFloor(MonthsOf(days ? units : FloorDivide(units, kMillisPerDay)), months_));
  const Wide floor = static_cast<Wide>(first) * (days ? 1 : kMillisPerDay);
  return floor < INT64_MIN ? INT64_MIN : static_cast<int64_t>(floor);
}

Bytes Window::Of(ByteView value) const {
  int64_t floor = Floor(UnitsOf(source_, value));
  if (source_ == TypeKind::kDate) floor = std::max(floor, -kEpochDay);
  if (source_ == TypeKind::kTinyint) floor = std::max<int64_t>(floor, INT8_MIN);
  if (source_ == TypeKind::kSmallint) floor = std::max<int64_t>(floor, INT16_MIN);
  if (source_ == TypeKind::kInt) floor = std::max<int64_t>(floor, INT32_MIN);
  return BytesOf(source_, floor);
}

Value Window::Next(ByteView beginning) const {
  const TypeKind kind = source_ == TypeKind::kTimeuuid ? TypeKind::kTimestamp : source_;
  const int64_t from = UnitsOf(kind, beginning);
  Wide next = 0;
  if (months_ == 0) {
    // The first window may begin at the type's least value instead of at a multiple of the width.
    next = static_cast<Wide>(FloorDivide(from, units_)) * units_ + units_;
  } else {
    const bool days = kind == TypeKind::kDate;
    const int64_t month = MonthsOf(days ? from : FloorDivide(from, kMillisPerDay));
    next = static_cast<Wide>(DaysOfMonth(SaturatingFloor(month, months_) + months_)) * (days ? 1 : kMillisPerDay);
  }
  if (next > INT64_MAX || !Fits(kind, static_cast<int64_t>(next))) return std::nullopt;
  return BytesOf(kind, static_cast<int64_t>(next));
}

void AddWindow(FamilyMap& families) { families["window"].make = MakeWindow; }

}  // namespace widerow::functions
