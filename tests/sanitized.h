// Tells a test whether it runs under a sanitizer, which makes it 3 to 15 times as slow.
#pragma once

namespace widerow {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace widerow
