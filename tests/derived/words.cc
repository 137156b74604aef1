#include "tests/derived/words.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace widerow::derived_tables {

std::vector<std::string> WordsOf(const Value& text) {
  std::istringstream in(text.value_or(""));
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

bool Contains(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

std::function<double(const Row&)> Bm25(const std::vector<Row>& all, size_t at, std::vector<std::string> words) {
  double texts = 0, length = 0;
  std::vector<double> with(words.size());
  for (const Row& row : all) {
    const std::vector<std::string> of = WordsOf(row[at]);
    if (of.empty()) continue;
    ++texts;
    length += static_cast<double>(of.size());
    for (size_t i = 0; i < words.size(); ++i) with[i] += Contains(of, words[i]) ? 1 : 0;
  }
  return [=](const Row& row) {
    const std::vector<std::string> of = WordsOf(row[at]);
    double score = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto times = static_cast<double>(std::ranges::count(of, words[i]));
      const double idf = std::log(1 + (texts - with[i] + 0.5) / (with[i] + 0.5));
      score += idf * times / (times + 1.2 * (1 - 0.75 + 0.75 * static_cast<double>(of.size()) / (length / texts)));
    }
    return score;
  };
}

}  // namespace widerow::derived_tables
