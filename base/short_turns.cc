#include "base/short_turns.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace widerow {
namespace {

constexpr uint64_t kTurnNanos = 200'000;

// The struct sched_attr of linux/sched/types.h. That header cannot be included, because it conflicts with the C
// library's.
struct Attributes {
  uint32_t size = sizeof(Attributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime = 0, deadline = 0, period = 0;
};

}  // namespace

void AskForShortTurns() {
  constexpr uint32_t kShared = 0;  // SCHED_OTHER; in other policies `runtime` has another meaning.
  Attributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 || attributes.policy != kShared) return;
  attributes.runtime = kTurnNanos;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace widerow
