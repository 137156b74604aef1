// Counts the purchases of the student card (student_card.h) for one design of the table: their number in each range of
// partition keys and in each slice of time. It counts the purchases themselves and does not ask the database, so the
// server's heat map and ADVISE can be compared with these counts.
#pragma once

#include <openssl/evp.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "bench/student_card.h"

namespace widerow::bench {

class StudentCardMap {
 public:
  static constexpr size_t kRanges = 64, kSlices = 56;

  StudentCardMap(std::string_view design, const Campus& campus) : design_(design), campus_(campus) {
    // All ranges get the same number of sampled keys. If the key is the seller, there are fewer keys than kRanges, and
    // each seller is a range of its own.
    constexpr uint64_t kSampled = 40;
    std::set<Bytes> keys;
    StudentCard purchases(campus);
    Purchase purchase;
    for (uint64_t i = 0; purchases.Next(purchase); ++i) {
      if (i % kSampled == 0) keys.insert(KeyOf(purchase));
    }
    const std::vector<Bytes> sorted(keys.begin(), keys.end());
    const size_t ranges = std::min(kRanges, sorted.size());
    for (size_t i = 0; i < ranges; ++i) firsts_.push_back(sorted[sorted.size() * i / ranges]);
    counts_.assign(ranges, std::vector<uint64_t>(kSlices, 0));
    Count();
  }

  // Writes one JSON list of lists: for each range, the number of writes in each slice of time.
  void Write(std::FILE* out) const {
    std::fprintf(out, "[");
    for (size_t i = 0; i < counts_.size(); ++i) {
      std::fprintf(out, "%s\n[", i == 0 ? "" : ",");
      for (size_t j = 0; j < kSlices; ++j)
        std::fprintf(out, "%s%llu", j == 0 ? "" : ",", static_cast<unsigned long long>(counts_[i][j]));
      std::fprintf(out, "]");
    }
    std::fprintf(out, "]");
  }

 private:
  Bytes KeyOf(const Purchase& purchase) const {
    Bytes key;
    if (design_ == "by_seller") return purchase.seller_id;
    if (design_ == "by_card") AppendBigEndian(key, purchase.card_id);
    if (design_ == "by_device") AppendBigEndian(key, purchase.device_id);
    if (design_ == "by_order_hashed") key = HashPrefix(purchase.order_no);
    if (design_ == "by_order_bucketed") key.push_back(static_cast<char>(purchase.order_no % 16));
    if (design_.starts_with("by_order")) AppendBigEndian(key, purchase.order_no);
    return key;
  }

  static Bytes HashPrefix(int64_t order_no) {
    const std::string digits = std::to_string(order_no);
    unsigned char digest[EVP_MAX_MD_SIZE];
    EVP_Digest(digits.data(), digits.size(), digest, nullptr, EVP_md5(), nullptr);
    return ToHex(ByteView(reinterpret_cast<const char*>(digest), 2));
  }

  void Count() {
    StudentCard purchases(campus_);
    Purchase purchase;
    const int64_t span = int64_t{campus_.days} * 86'400'000'000;
    while (purchases.Next(purchase)) {
      const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), KeyOf(purchase));
      const size_t range = after == firsts_.begin() ? 0 : static_cast<size_t>(after - firsts_.begin()) - 1;
      const auto slice =
          static_cast<size_t>((purchase.at_micros - campus_.begin_micros) * static_cast<int64_t>(kSlices) / span);
      ++counts_[range][std::min(slice, kSlices - 1)];
    }
  }

  const std::string design_;
  const Campus campus_;
  std::vector<Bytes> firsts_;
  std::vector<std::vector<uint64_t>> counts_;
};

}  // namespace widerow::bench
