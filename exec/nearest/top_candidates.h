// A bounded number of candidates for the rows that are nearest to a vector: those with the greatest similarity, in the
// order of (similarity descending, stored key). Used by one thread.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace widerow {

struct Candidate {
  float similarity = 0;  // The row's own, or an upper bound of it.
  Bytes entry;           // EntryClustering of the row (exec/derived/index_entries.h).

  // True if `a` comes before `b`.
  static bool Before(const Candidate& a, const Candidate& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.entry < b.entry;
  }
};

class TopCandidates {
 public:
  // Keeps the first `room` candidates that come after `after`; nullopt: the first ones of all. They take at most about
  // `bytes_max` bytes, unless the first of them alone takes more.
  TopCandidates(size_t room, size_t bytes_max, std::optional<Candidate> after)
      : room_(room), bytes_max_(bytes_max), after_(std::move(after)) {}

  void Offer(float similarity, ByteView entry) {
    if (full_ && similarity < kept_.front().similarity) [[likely]] {
      left_out_ = true;
      return;
    }
    Add({similarity, Bytes(entry)});
  }
  void Add(Candidate candidate);

  // True if a candidate has been left out because there was no room for it.
  bool left_out() const { return left_out_; }
  size_t room() const { return room_; }
  // Returns the candidates in order.
  std::vector<Candidate> Take() &&;
  // Adds the candidates of another part of the rows.
  void Merge(TopCandidates&& part);

 private:
  static size_t BytesOf(const Candidate& candidate) { return sizeof(Candidate) + candidate.entry.size(); }
  void RemoveLast();

  const size_t room_, bytes_max_;
  const std::optional<Candidate> after_;
  std::vector<Candidate> kept_;  // A heap; the last candidate in order is in front.
  size_t bytes_ = 0;
  bool full_ = false;  // True if there is no room for one more.
  bool left_out_ = false;
};

}  // namespace widerow
