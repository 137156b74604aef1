// A Window divides time or numbers into periods of one width. A period is named by its beginning: window(ts, '1d') of
// 2026-11-22 09:30 is 2026-11-22 00:00. Days and shorter units count from 1970-01-01 00:00 UTC. Months and years follow
// the calendar. Numbers count from 0. Immutable; any thread.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow::functions {

class Window {
 public:
  // `width` is a duration or a text such as '1d', '15m', '1mo'; for integers, it is an integer. `source` is the type of
  // the values. kInvalid if the width has another form, is not positive, mixes months with shorter units, or is shorter
  // than the unit of `source`.
  static Result<Window> Make(const Type& source, const Type& width_type, ByteView width);

  // Returns the type of beginnings: timestamp for timestamp and timeuuid, else the type of the value.
  static TypePtr BeginningType(const TypePtr& source);

  // Returns the beginning of the window that contains `value`.
  Bytes Of(ByteView value) const;
  // Returns the beginning of the window after the one that begins at `beginning`; nullopt if there is none.
  Value Next(ByteView beginning) const;

 private:
  int64_t Floor(int64_t units) const;

  TypeKind source_ = TypeKind::kTimestamp;
  int64_t units_ = 0;  // Milliseconds, days or numbers. Either units_ or months_ is 0.
  int64_t months_ = 0;
};

}  // namespace widerow::functions
