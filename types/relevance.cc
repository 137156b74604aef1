#include "types/relevance.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace widerow {
namespace {

constexpr double kK1 = 1.2, kB = 0.75;

}  // namespace

Relevance::Relevance(AnalyzerPtr analyzer, std::vector<Bytes> words, const WordStatistics& statistics)
    : analyzer_(std::move(analyzer)), words_(std::move(words)) {
  WR_CHECK(statistics.texts_with.size() == words_.size());
  const auto texts = static_cast<double>(statistics.texts);
  for (const uint64_t with : statistics.texts_with) {
    const double others = std::max(texts - static_cast<double>(with), 0.0);
    idf_.push_back(std::log(1 + (others + 0.5) / (static_cast<double>(with) + 0.5)));
  }
  if (statistics.words > 0) average_length_ = static_cast<double>(statistics.words) / texts;
}

double Relevance::Of(ByteView text) const {
  std::vector<uint32_t> times(words_.size());
  double length = 0;
  analyzer_->ForEachWord(text, [&](const Bytes& word) {
    ++length;
    const auto found = std::lower_bound(words_.begin(), words_.end(), word);
    if (found != words_.end() && *found == word) ++times[static_cast<size_t>(found - words_.begin())];
    return true;
  });
  const double damping = kK1 * (1 - kB + kB * length / average_length_);
  double score = 0;
  for (size_t i = 0; i < times.size(); ++i) score += idf_[i] * times[i] / (times[i] + damping);
  return score;
}

}  // namespace widerow
