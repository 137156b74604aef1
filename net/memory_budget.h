// One bound for the memory that the requests and answers of all clients of a server hold together. An answer counts
// before it is made. How much one client may hold depends on how much is free. So some memory stays free for others,
// even if many clients take as much as they can. Thread-safe, except where a class says otherwise.
//
//   MemoryBudget  <─ adds and removes ─  MemoryAccount  <─  HeldMemory  <─  AnswerMemory
//   one a server                         one a client       one a purpose    one an answer
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "exec/rows/answer_room.h"

namespace widerow {

class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes_max) : bytes_max_(bytes_max) {}

  void Add(size_t bytes) { held_.fetch_add(bytes, std::memory_order_relaxed); }
  void Remove(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t held_bytes() const { return held_.load(std::memory_order_relaxed); }
  size_t free_bytes() const { return bytes_max_ - std::min(held_bytes(), bytes_max_); }
  // part_max and whole_max bound what one client may hold. They depend on the memory that is free once the client has
  // added its new bytes. If less than a quarter of the budget is free, they also depend on the number of large clients,
  // because a large client may never free its memory. Suppose that n clients come one after another, and each takes all
  // that the bound allows. Then at least 3 / (n + 3) of this quarter stays free with part_max, and at least 1 / (n + 1)
  // with whole_max.
  //
  // The bound for memory that a client can do without for now: a further request, a longer page.
  size_t part_max() const { return free_bytes() / (scarce() ? large_clients() + 4 : 4); }
  // The bound for memory that cannot be divided: a long request, a result without pages, a large row.
  size_t whole_max() const { return scarce() ? free_bytes() / (large_clients() + 1) : 2 * free_bytes(); }

 private:
  friend class MemoryAccount;
  bool scarce() const { return free_bytes() < bytes_max_ / 4; }
  size_t large_clients() const { return large_clients_.load(std::memory_order_relaxed); }

  const size_t bytes_max_;
  std::atomic<size_t> held_{0};
  std::atomic<size_t> large_clients_{0};  // Clients that hold MemoryAccount::kLargeBytes or more.
};

// The memory that one client holds.
class MemoryAccount {
 public:
  static constexpr size_t kLargeBytes = 32u << 10;

  // `part_max`: a further bound, in addition to MemoryBudget::part_max.
  MemoryAccount(MemoryBudget& budget, size_t part_max) : budget_(budget), part_max_(part_max) {}
  ~MemoryAccount() { Remove(held_bytes()); }
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  size_t held_bytes() const { return held_.load(std::memory_order_relaxed); }
  void Add(size_t bytes) {
    const size_t before = held_.fetch_add(bytes, std::memory_order_relaxed);
    if (before < kLargeBytes && before + bytes >= kLargeBytes) ++budget_.large_clients_;
    budget_.Add(bytes);
  }
  void Remove(size_t bytes) {
    const size_t before = held_.fetch_sub(bytes, std::memory_order_relaxed);
    if (before >= kLargeBytes && before - bytes < kLargeBytes) --budget_.large_clients_;
    budget_.Remove(bytes);
  }
  // AddPart adds `bytes`, unless the client would then hold more than PartMax. AddWhole does the same with the bound
  // MemoryBudget::whole_max. They return true if they have added the bytes.
  bool AddPart(size_t bytes) {
    return AddWithin(bytes, [&] { return PartMax(); });
  }
  bool AddWhole(size_t bytes) {
    return AddWithin(bytes, [&] { return budget_.whole_max(); });
  }
  // True if another request of the client may start. A client that holds nothing may always start one.
  bool MayStart() const { return held_bytes() == 0 || held_bytes() < PartMax(); }
  size_t PartMax() const { return std::min(part_max_, budget_.part_max()); }

 private:
  // Adds first and compares then, so that threads that add at the same time do not exceed the bound together.
  template <typename Bound>
  bool AddWithin(size_t bytes, const Bound& bound) {
    Add(bytes);
    if (held_bytes() <= bound()) return true;
    Remove(bytes);
    return false;
  }

  MemoryBudget& budget_;
  const size_t part_max_;
  std::atomic<size_t> held_{0};
};

// Counts bytes in an account until its destructor removes them. Used by one thread at a time.
class HeldMemory {
 public:
  explicit HeldMemory(MemoryAccount& account) : account_(account) {}
  ~HeldMemory() { account_.Remove(bytes_); }
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  // Sets the number of bytes, even if it exceeds the bounds.
  void Set(size_t bytes) {
    account_.Add(bytes);
    account_.Remove(bytes_);
    bytes_ = bytes;
  }
  // RaisePart and RaiseWhole raise the number to `bytes`. They return false, and change nothing, if the client may not
  // hold so much (AddPart, AddWhole).
  bool RaisePart(size_t bytes) { return bytes <= bytes_ || (account_.AddPart(bytes - bytes_) && Raised(bytes)); }
  bool RaiseWhole(size_t bytes) { return bytes <= bytes_ || (account_.AddWhole(bytes - bytes_) && Raised(bytes)); }
  // Sets the number to 0 without removing the bytes from the account: the caller must remove them. Returns the number
  // of bytes.
  size_t Release() { return std::exchange(bytes_, 0); }

 private:
  bool Raised(size_t bytes) {
    bytes_ = bytes;
    return true;
  }

  MemoryAccount& account_;
  size_t bytes_ = 0;
};

// The memory of one answer. While the answer is made, this is the memory of its rows and of their encoded form, and
// afterwards that of the encoded form alone. Used by one thread at a time.
class AnswerMemory final : public AnswerRoom {
 public:
  // The bytes that are counted for a request from its start, before the size of its answer is known.
  static constexpr size_t kStartBytes = 64u << 10;

  // An answer counts as `copies` times the size of its rows, because the rows and their encoded form exist at the same
  // time. `alone`: the client has no other answer. Only such an answer may take the memory that AddWhole allows.
  AnswerMemory(MemoryAccount& account, size_t copies, bool alone) : held_(account), copies_(copies), alone_(alone) {}

  void Start() { held_.Set(kStartBytes); }
  bool GrowPage(size_t bytes) override { return held_.RaisePart(kept_ + copies_ * bytes); }
  Status GrowWhole(size_t bytes) override;
  // True if the request has failed because `alone` was false. It must then run again when the client has no other
  // answer.
  bool wants_alone() const { return wants_alone_; }
  // Tells that the answer, or a part of it, is encoded and takes `bytes`. Rows that follow belong to the next part.
  void Encoded(size_t bytes) {
    held_.Set(bytes);
    kept_ = bytes;
  }
  // Returns the number of counted bytes. They stay in the account, and the caller must remove them from it later.
  size_t Release() { return held_.Release(); }

 private:
  HeldMemory held_;
  const size_t copies_;
  const bool alone_;
  bool wants_alone_ = false;
  size_t kept_ = 0;
};

inline Status AnswerMemory::GrowWhole(size_t bytes) {
  const size_t wanted = kept_ + copies_ * bytes;
  if (held_.RaisePart(wanted) || (alone_ && held_.RaiseWhole(wanted))) return OkStatus();
  wants_alone_ = !alone_;
  return Error{.code = ErrorCode::kOverloaded,
               .message = "The server has no memory for an answer of this size",
               .hint = "ask for the result in pages, or for fewer columns or rows; or try again later"};
}

}  // namespace widerow
