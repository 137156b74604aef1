// Divides texts into the words that an index stores and that LIKE and `:` look for. An analyzer has a tokenizer, which
// divides a text, and filters, which change or drop each word in the order of the list. The options of an index name
// its analyzer (types/analyzer_options.h). The same analyzer divides texts and queries. Safe on any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "types/stop_words.h"
#include "types/text_analysis.h"

namespace widerow {

struct TextAnalyzer {
  enum class Tokenizer : uint8_t {
    kWords,       // types/word_breaks.h. Drops words of more than 255 UTF-16 units.
    kDelimiter,   // Divides at one character.
    kWhitespace,  // Divides at white space.
    kLetters,     // Runs of letters.
    kWhole,       // The text is one word.
  };
  struct Filter {
    enum class Kind : uint8_t { kForm, kStopWords, kStem };
    Kind kind = Kind::kForm;
    TextAnalysis form;                // kForm: the form to bring a word into.
    const StopWords* stop = nullptr;  // kStopWords: the words to drop.
    std::string stemmer;              // kStem: the algorithm (types/stemmer.h).
    bool as_cassandra = false;        // kStem: uses StemAsCassandra instead of Stem.
  };

  Tokenizer tokenizer = Tokenizer::kWords;
  char16_t delimiter = u',';  // kDelimiter: the character that divides.
  std::vector<Filter> filters;
  std::string name;  // A short text for EXPLAIN.

  // Calls `visit` for each word of `text`, in the order of the text, until `visit` returns false. Malformed UTF-8
  // becomes U+FFFD, which is in no word of the tokenizer kWords.
  void ForEachWord(ByteView text, const std::function<bool(Bytes word)>& visit) const;
  std::vector<Bytes> Words(ByteView text) const;
  // Returns the words in ascending order, each once.
  std::vector<Bytes> DistinctWords(ByteView text) const;

  // True if `text LIKE pattern`: for each word of the pattern, a word of the text equals it, begins with it, ends with
  // it or contains it, according to the signs % of the pattern. False if the pattern has no words.
  bool MatchesLike(ByteView text, const LikePattern& pattern) const;
};

// A query of the operator `:`, such as 'fast "wide table"': all its phrases must occur in a text. The words between two
// double quotes are one phrase; each other word is a phrase of its own. The words of a phrase follow each other
// directly in the text, apart from words that the analyzer drops.
struct WordQuery {
  std::vector<std::vector<Bytes>> phrases;

  static WordQuery Parse(ByteView query, const TextAnalyzer& analyzer);
  // Returns the words of all phrases in ascending order, each once.
  std::vector<Bytes> DistinctWords() const;
  // False if the query has no words.
  bool Matches(ByteView text, const TextAnalyzer& analyzer) const;
};

}  // namespace widerow
