// BM25: how relevant a text is to the words of a query. A word counts more if it is frequent in the text, if few texts
// have it, and if the text is short. The formula is the one of Lucene 8 and later:
//   score = sum over the words: idf * tf / (tf + k1 * (1 - b + b * length / average length))
//   idf   = ln(1 + (texts - texts with the word + 0.5) / (texts with the word + 0.5))
// with k1 = 1.2 and b = 0.75. tf is the number of times that the text has the word, and length the number of its words.
#pragma once

#include "types/analyzer_options.h"
#include "types/text_analyzer.h"

namespace widerow {

// Figures about a collection of texts. Texts without words do not count.
struct WordStatistics {
  uint64_t texts = 0;
  uint64_t words = 0;                // The number of words in all texts; a repeated word counts each time.
  std::vector<uint64_t> texts_with;  // For each word of the query: the number of texts that have it.
};

// Immutable; any thread.
class Relevance {
 public:
  // `words`: the words of the query, ascending, each once.
  Relevance(AnalyzerPtr analyzer, std::vector<Bytes> words, const WordStatistics& statistics);

  double Of(ByteView text) const;

 private:
  const AnalyzerPtr analyzer_;
  const std::vector<Bytes> words_;
  std::vector<double> idf_;  // One for each word of the query.
  double average_length_ = 1;
};

}  // namespace widerow
