#include "types/text_analysis.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>

namespace widerow {
namespace {

bool IsTrue(const std::map<std::string, std::string>& options, const char* name, bool otherwise) {
  const auto found = options.find(name);
  if (found == options.end()) return otherwise;
  std::string text = found->second;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text == "true";
}

// True if the index's class reads the options of TextAnalysis. A SASI index reads them only with NonTokenizingAnalyzer,
// and only if its option `analyzed` is true, which is the default.
bool AppliesTo(const std::map<std::string, std::string>& options) {
  const auto of_index = options.find("class_name");
  if (of_index == options.end() || of_index->second != "org.apache.cassandra.index.sasi.SASIIndex") return true;
  const auto of_analyzer = options.find("analyzer_class");
  return of_analyzer != options.end() && of_analyzer->second.ends_with(".NonTokenizingAnalyzer") &&
         IsTrue(options, "analyzed", true);
}

// Returns the thread's own transliterator. Creating one is slow, and several threads must not use the same one.
const icu::Transliterator* LatinToAscii() {
  thread_local const std::unique_ptr<icu::Transliterator> made = [] {
    UErrorCode status = U_ZERO_ERROR;
    return std::unique_ptr<icu::Transliterator>(
        icu::Transliterator::createInstance("Latin-ASCII", UTRANS_FORWARD, status));
  }();
  return made.get();
}

}  // namespace

TextAnalysis TextAnalysis::FromOptions(const std::map<std::string, std::string>& options) {
  TextAnalysis analysis;
  if (!AppliesTo(options)) return analysis;
  if (!IsTrue(options, "case_sensitive", true) || IsTrue(options, "normalize_lowercase", false))
    analysis.letters = Case::kLower;
  if (IsTrue(options, "normalize_uppercase", false)) analysis.letters = Case::kUpper;
  analysis.normalize = IsTrue(options, "normalize", false);
  analysis.ascii = IsTrue(options, "ascii", false);
  return analysis;
}

std::string TextAnalysis::Name() const {
  std::string name = letters == Case::kLower ? "lower" : letters == Case::kUpper ? "upper" : "";
  const auto add = [&](const char* part) { name += (name.empty() ? "" : ", ") + std::string(part); };
  if (normalize) add("normalize");
  if (ascii) add("ascii");
  return name;
}

Bytes TextAnalysis::Apply(ByteView text) const {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (plain) {
    Bytes out(text);
    if (letters == Case::kLower)
      std::transform(out.begin(), out.end(), out.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (letters == Case::kUpper)
      std::transform(out.begin(), out.end(), out.begin(),
                     [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
  }
  icu::UnicodeString string =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  if (letters == Case::kLower) string.toLower(icu::Locale::getRoot());
  if (letters == Case::kUpper) string.toUpper(icu::Locale::getRoot());
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form = normalize ? icu::Normalizer2::getNFCInstance(status) : nullptr;
  if (form != nullptr) string = form->normalize(string, status);
  if (ascii && LatinToAscii() != nullptr) LatinToAscii()->transliterate(string);
  if (U_FAILURE(status)) return Bytes(text);
  std::string out;
  string.toUTF8String(out);
  return out;
}

std::optional<LikePattern> LikePattern::Parse(ByteView pattern) {
  LikePattern parsed{.term = pattern};
  const bool front = !pattern.empty() && pattern.front() == '%';
  if (front) parsed.term.remove_prefix(1);
  const bool back = !parsed.term.empty() && parsed.term.back() == '%';
  if (back) parsed.term.remove_suffix(1);
  parsed.kind = front && back ? Kind::kContains : front ? Kind::kSuffix : back ? Kind::kPrefix : Kind::kMatches;
  if (parsed.term.empty()) return std::nullopt;
  return parsed;
}

bool LikePattern::Matches(ByteView value) const {
  switch (kind) {
    case Kind::kMatches: return value == term;
    case Kind::kPrefix: return value.starts_with(term);
    case Kind::kSuffix: return value.ends_with(term);
    case Kind::kContains: return value.find(term) != ByteView::npos;
  }
  return false;
}

}  // namespace widerow
