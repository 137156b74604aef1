// Counts the requests of clients, and the errors that answer them, for /metrics. A count costs a few instructions: each
// thread adds to one of several stripes. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/thread_number.h"

namespace widerow {

class RequestCounts {
 public:
  enum class Kind : uint8_t { kQuery, kPrepare, kExecute, kBatch, kLogin, kHttp };
  static constexpr size_t kKinds = 6;
  enum class Protocol : uint8_t { kCql, kHttp };

  void CountRequest(Kind kind) {
    stripes_[ThreadNumber() % kStripes].requests[static_cast<size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
  }
  void CountError(Protocol protocol, ErrorCode code);

  uint64_t requests(Kind kind) const;

  struct ErrorCount {
    Protocol protocol;
    std::string_view name;  // ErrorCodeName.
    uint64_t count;
  };
  // Returns a count for each protocol and each code, also if it is 0.
  std::vector<ErrorCount> errors() const;

 private:
  static constexpr size_t kStripes = 8, kCodes = 18;
  struct alignas(64) Stripe {
    std::array<std::atomic<uint64_t>, kKinds> requests{};
  };

  std::array<Stripe, kStripes> stripes_;
  std::array<std::array<std::atomic<uint64_t>, kCodes>, 2> errors_{};
};

}  // namespace widerow
