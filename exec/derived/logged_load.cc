#include "exec/derived/logged_load.h"

#include <utility>

namespace widerow {

Status LoggedLoad::Add(size_t lane, const PartitionMutation& mutation) {
  Mutation& gathered = lanes_[lane];
  gathered.push_back(mutation);
  entries_.fetch_add(mutation.rows.size(), std::memory_order_relaxed);
  if (gathered.size() < kRowsInWrite) return OkStatus();
  return storage_.Apply({.mutation = std::exchange(gathered, {}), .decide = {}});
}

Status LoggedLoad::Store(const std::function<void(uint64_t)>& progress) {
  for (Mutation& gathered : lanes_) {
    if (!gathered.empty()) WR_RETURN_IF_ERROR(storage_.Apply({.mutation = std::exchange(gathered, {}), .decide = {}}));
  }
  const uint64_t stored = entries_.exchange(0);
  if (progress) progress(stored);
  return OkStatus();
}

}  // namespace widerow
