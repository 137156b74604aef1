// Windows of time or of numbers: the longest-used bucket of all. A window is named by its beginning: window(ts, '1d') of
// 2026-11-22 09:30 is 2026-11-22 00:00. Days and hours are counted from 1970-01-01 00:00 UTC, months and years are the
// calendar's, numbers are counted from 0.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow::functions {

class Window {
 public:
  // `width` as it is written or bound: a duration, a text such as '1d', '15m', '1mo', or, for integers, an integer. kInvalid if
  // it is none of these, not positive, mixes months with shorter units, or is finer than values of `source` are.
  static Result<Window> Make(const Type& source, const Type& width_type, ByteView width);

  // Of which type beginnings are: timestamp for timestamp and timeuuid; otherwise that of the value.
  static TypePtr BeginningType(const TypePtr& source);

  // The beginning of the window that holds `value`.
  Bytes Of(ByteView value) const;
  // The beginning of the window behind the one that begins with `beginning`; nullopt: there is none.
  Value Next(ByteView beginning) const;

 private:
  int64_t Floor(int64_t units) const;

  TypeKind source_ = TypeKind::kTimestamp;
  int64_t units_ = 0;   // Milliseconds, days, numbers; or
  int64_t months_ = 0;  // months.
};

}  // namespace widerow::functions
