// kSanitized says whether a test runs under a sanitizer. A sanitizer makes tests 3 to 15 times as slow, so they do less
// work then.
#pragma once

namespace widerow {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace widerow
