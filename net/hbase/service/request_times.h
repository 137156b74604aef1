// Counts the requests of HBase's clients by kind, with their times and failures, for /metrics. The counters are divided
// into stripes, and threads are spread over the stripes. So a thread that counts a request seldom waits for the lock of
// its stripe. Thread-safe.
#pragma once

#include <array>
#include <string_view>

#include "base/latency_histogram.h"
#include "base/mutex.h"
#include "base/thread_number.h"

namespace widerow::hbase {

class RequestTimes {
 public:
  // The methods of ClientService. "other" stands for the methods of the other services.
  static constexpr std::array<std::string_view, 5> kKindNames = {"get", "mutate", "multi", "scan", "other"};
  static size_t KindOf(std::string_view service, std::string_view method) {
    constexpr std::array<std::string_view, 4> kMethods = {"Get", "Mutate", "Multi", "Scan"};
    size_t kind = 0;
    while (kind < kMethods.size() && (service != "ClientService" || method != kMethods[kind])) ++kind;
    return kind;
  }

  void Add(size_t kind, uint64_t micros, bool failed) {
    Stripe& stripe = stripes_[ThreadNumber() % kStripes];
    MutexLock lock(stripe.mutex);
    stripe.times[kind].Add(micros);
    stripe.failures[kind] += failed ? 1 : 0;
  }

  LatencyHistogram::Counts Times(size_t kind) const;
  uint64_t failures(size_t kind) const;

 private:
  static constexpr size_t kStripes = 4;
  struct Stripe {
    mutable Mutex mutex;
    std::array<LatencyHistogram, kKindNames.size()> times WR_GUARDED_BY(mutex);
    std::array<uint64_t, kKindNames.size()> failures WR_GUARDED_BY(mutex) = {};
  };
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace widerow::hbase
