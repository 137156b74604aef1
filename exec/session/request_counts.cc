#include "exec/session/request_counts.h"

#include <algorithm>

namespace widerow {

namespace {

// All error codes.
constexpr std::array kAllCodes = {ErrorCode::kServerError,   ErrorCode::kProtocolError,   ErrorCode::kBadCredentials,
                                  ErrorCode::kUnavailable,   ErrorCode::kOverloaded,      ErrorCode::kIsBootstrapping,
                                  ErrorCode::kTruncateError, ErrorCode::kWriteTimeout,    ErrorCode::kReadTimeout,
                                  ErrorCode::kReadFailure,   ErrorCode::kFunctionFailure, ErrorCode::kWriteFailure,
                                  ErrorCode::kSyntaxError,   ErrorCode::kUnauthorized,    ErrorCode::kInvalid,
                                  ErrorCode::kConfigError,   ErrorCode::kAlreadyExists,   ErrorCode::kUnprepared};

}  // namespace

void RequestCounts::CountError(Protocol protocol, ErrorCode code) {
  static_assert(kAllCodes.size() == kCodes);
  const auto* const found = std::find(kAllCodes.begin(), kAllCodes.end(), code);
  if (found == kAllCodes.end()) return;
  errors_[static_cast<size_t>(protocol)][static_cast<size_t>(found - kAllCodes.begin())].fetch_add(
      1, std::memory_order_relaxed);
}

uint64_t RequestCounts::requests(Kind kind) const {
  uint64_t sum = 0;
  for (const Stripe& stripe : stripes_)
    sum += stripe.requests[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  return sum;
}

std::vector<RequestCounts::ErrorCount> RequestCounts::errors() const {
  std::vector<ErrorCount> counts;
  for (const Protocol protocol : {Protocol::kCql, Protocol::kHttp}) {
    for (size_t i = 0; i < kCodes; ++i) {
      counts.push_back({.protocol = protocol,
                        .name = ErrorCodeName(kAllCodes[i]),
                        .count = errors_[static_cast<size_t>(protocol)][i].load(std::memory_order_relaxed)});
    }
  }
  return counts;
}

}  // namespace widerow
