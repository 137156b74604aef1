#include "net/hbase/service/request_times.h"

#include <algorithm>

namespace widerow::hbase {

LatencyHistogram::Counts RequestTimes::Times(size_t kind) const {
  LatencyHistogram::Counts sum;
  for (const Stripe& stripe : stripes_) {
    MutexLock lock(stripe.mutex);
    const LatencyHistogram::Counts counts = stripe.times[kind].Read();
    sum.count += counts.count;
    sum.total_micros += counts.total_micros;
    sum.max_micros = std::max(sum.max_micros, counts.max_micros);
    for (size_t i = 0; i < LatencyHistogram::kBuckets; ++i) sum.buckets[i] += counts.buckets[i];
  }
  return sum;
}

uint64_t RequestTimes::failures(size_t kind) const {
  uint64_t sum = 0;
  for (const Stripe& stripe : stripes_) {
    MutexLock lock(stripe.mutex);
    sum += stripe.failures[kind];
  }
  return sum;
}

}  // namespace widerow::hbase
