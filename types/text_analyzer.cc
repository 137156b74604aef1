#include "types/text_analyzer.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>

#include <algorithm>

#include "types/stemmer.h"
#include "types/word_breaks.h"

namespace widerow {
namespace {

using VisitPiece = std::function<bool(std::u16string_view)>;

// Divides `text` at the characters for which `within` is false. Visits the pieces between them that are not empty.
template <typename Within>
void ForEachRun(std::u16string_view text, const Within& within, const VisitPiece& visit) {
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    size_t next = at;
    UChar32 character = 0;
    U16_NEXT(text.data(), next, text.size(), character);
    if (!within(character)) {
      if (at > begin && !visit(text.substr(begin, at - begin))) return;
      begin = next;
    }
    at = next;
  }
  if (begin < text.size()) visit(text.substr(begin));
}

void Divide(const TextAnalyzer& analyzer, std::u16string_view text, const VisitPiece& visit) {
  switch (analyzer.tokenizer) {
    case TextAnalyzer::Tokenizer::kWords: {
      constexpr size_t kWordMax = 255;
      ForEachWord(text, [&](std::u16string_view word) { return word.size() > kWordMax || visit(word); });
      return;
    }
    case TextAnalyzer::Tokenizer::kDelimiter:
      return ForEachRun(
          text, [&](UChar32 c) { return c != analyzer.delimiter; }, visit);
    case TextAnalyzer::Tokenizer::kWhitespace:
      return ForEachRun(
          text, [](UChar32 c) { return !u_isWhitespace(c); }, visit);
    case TextAnalyzer::Tokenizer::kLetters:
      return ForEachRun(
          text, [](UChar32 c) { return u_isalpha(c); }, visit);
    case TextAnalyzer::Tokenizer::kWhole:
      if (!text.empty()) visit(text);
      return;
  }
}

// Applies the filters; false if one of them drops the word.
bool Keep(const TextAnalyzer& analyzer, Bytes& word) {
  for (const TextAnalyzer::Filter& filter : analyzer.filters) {
    switch (filter.kind) {
      case TextAnalyzer::Filter::Kind::kForm: word = filter.form.Apply(word); break;
      case TextAnalyzer::Filter::Kind::kStopWords:
        if (filter.stop->contains(word)) return false;
        break;
      case TextAnalyzer::Filter::Kind::kStem:
        filter.as_cassandra ? StemAsCassandra(filter.stemmer, word) : Stem(filter.stemmer, word);
        break;
    }
  }
  return !word.empty();
}

void SortDistinct(std::vector<Bytes>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

}  // namespace

void TextAnalyzer::ForEachWord(ByteView text, const std::function<bool(Bytes word)>& visit) const {
  const icu::UnicodeString decoded =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const std::u16string_view whole(decoded.getBuffer(), static_cast<size_t>(decoded.length()));
  Divide(*this, whole, [&](std::u16string_view piece) {
    Bytes word;
    icu::UnicodeString(false, piece.data(), static_cast<int32_t>(piece.size())).toUTF8String(word);
    return !Keep(*this, word) || visit(std::move(word));
  });
}

std::vector<Bytes> TextAnalyzer::Words(ByteView text) const {
  std::vector<Bytes> words;
  ForEachWord(text, [&](Bytes word) {
    words.push_back(std::move(word));
    return true;
  });
  return words;
}

std::vector<Bytes> TextAnalyzer::DistinctWords(ByteView text) const {
  std::vector<Bytes> words = Words(text);
  SortDistinct(words);
  return words;
}

bool TextAnalyzer::MatchesLike(ByteView text, const LikePattern& pattern) const {
  std::vector<Bytes> missing = DistinctWords(pattern.term);
  if (missing.empty()) return false;
  ForEachWord(text, [&](const Bytes& word) {
    std::erase_if(missing, [&](const Bytes& part) { return LikePattern{pattern.kind, part}.Matches(word); });
    return !missing.empty();
  });
  return missing.empty();
}

WordQuery WordQuery::Parse(ByteView query, const TextAnalyzer& analyzer) {
  WordQuery parsed;
  while (!query.empty()) {
    const size_t open = query.find('"');
    const size_t close = open == ByteView::npos ? open : query.find('"', open + 1);
    // A quote without a second one is an ordinary character.
    const ByteView outside = close == ByteView::npos ? query : query.substr(0, open);
    for (Bytes& word : analyzer.Words(outside)) parsed.phrases.push_back({std::move(word)});
    if (close == ByteView::npos) break;
    std::vector<Bytes> phrase = analyzer.Words(query.substr(open + 1, close - open - 1));
    if (!phrase.empty()) parsed.phrases.push_back(std::move(phrase));
    query.remove_prefix(close + 1);
  }
  return parsed;
}

std::vector<Bytes> WordQuery::DistinctWords() const {
  std::vector<Bytes> words;
  for (const std::vector<Bytes>& phrase : phrases) words.insert(words.end(), phrase.begin(), phrase.end());
  SortDistinct(words);
  return words;
}

bool WordQuery::Matches(ByteView text, const TextAnalyzer& analyzer) const {
  if (phrases.empty()) return false;
  std::vector<Bytes> missing;
  for (const std::vector<Bytes>& phrase : phrases) {
    if (phrase.size() == 1) missing.push_back(phrase[0]);
  }
  const bool any_long = missing.size() < phrases.size();
  std::vector<Bytes> words;
  analyzer.ForEachWord(text, [&](Bytes word) {
    std::erase(missing, word);
    if (any_long) words.push_back(std::move(word));
    return any_long || !missing.empty();
  });
  return missing.empty() && std::ranges::all_of(phrases, [&](const std::vector<Bytes>& phrase) {
           return phrase.size() == 1 || !std::ranges::search(words, phrase).empty();
         });
}

}  // namespace widerow
