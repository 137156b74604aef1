#include "exec/nearest/top_candidates.h"

namespace widerow {

void TopCandidates::Add(Candidate candidate) {
  if (after_ && !Candidate::Before(*after_, candidate)) return;
  if (left_out_ && !kept_.empty() && !Candidate::Before(candidate, kept_.front())) return;
  bytes_ += BytesOf(candidate);
  kept_.push_back(std::move(candidate));
  std::push_heap(kept_.begin(), kept_.end(), Candidate::Before);
  while (kept_.size() > room_ || (bytes_ > bytes_max_ && kept_.size() > 1)) {
    RemoveLast();
    left_out_ = true;
  }
  full_ = left_out_ || kept_.size() == room_;
}

void TopCandidates::RemoveLast() {
  std::pop_heap(kept_.begin(), kept_.end(), Candidate::Before);
  bytes_ -= BytesOf(kept_.back());
  kept_.pop_back();
}

std::vector<Candidate> TopCandidates::Take() && {
  std::sort_heap(kept_.begin(), kept_.end(), Candidate::Before);
  return std::move(kept_);
}

void TopCandidates::Merge(TopCandidates&& part) {
  const bool left_out = part.left_out_;
  const std::optional<Candidate> last = left_out ? std::optional(part.kept_.front()) : std::nullopt;
  for (Candidate& candidate : part.kept_) Add(std::move(candidate));
  if (!left_out) return;
  // `part` has left out candidates for lack of room. All of them come after *last, the last candidate that `part` kept.
  // A candidate of this object that also comes after *last may come after one that `part` left out. So all candidates
  // after *last are removed.
  left_out_ = full_ = true;
  while (!kept_.empty() && Candidate::Before(*last, kept_.front())) RemoveLast();
}

}  // namespace widerow
