#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace widerow {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "widerow: broken invariant: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace widerow
