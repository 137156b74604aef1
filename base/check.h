// WR_CHECK stops the process in every build, WR_DCHECK in debug builds only. Both are for broken invariants, which are
// our bugs. Bytes from a client, a file or a disk must never be able to trigger one.
#pragma once

namespace widerow {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}  // namespace widerow

#define WR_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::widerow::CheckFailed(#condition, __FILE__, __LINE__))
#ifdef NDEBUG
#define WR_DCHECK(condition) static_cast<void>(sizeof(!(condition)))
#else
#define WR_DCHECK(condition) WR_CHECK(condition)
#endif
