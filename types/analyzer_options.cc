// ReadAnalyzer takes the class of the index from `class_name`. ReadSasi reads Cassandra's options with Cassandra's
// meanings, including its mistakes: the Finnish stemmer has the locale "fl". ReadAttached reads index_analyzer: a name,
// or a JSON object with a tokenizer and filters.
#include "types/analyzer_options.h"

#include <unicode/unistr.h>

#include <algorithm>

#include "base/text.h"
#include "types/json_document.h"
#include "types/stemmer.h"

namespace widerow {
namespace {

using IndexOptions = std::map<std::string, std::string>;
using Filter = TextAnalyzer::Filter;
using Tokenizer = TextAnalyzer::Tokenizer;

std::string ToLowerAscii(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const std::string& OptionOf(const IndexOptions& options, const char* name) {
  static const std::string kNone;
  const auto found = options.find(name);
  return found == options.end() ? kNone : found->second;
}

bool IsTrue(const IndexOptions& options, const char* name) { return ToLowerAscii(OptionOf(options, name)) == "true"; }

Filter Form(TextAnalysis form) { return {.kind = Filter::Kind::kForm, .form = form}; }
Filter Lower() { return Form({.letters = TextAnalysis::Case::kLower}); }
Filter Upper() { return Form({.letters = TextAnalysis::Case::kUpper}); }

// Adds a filter for stop words or stems. A language without a list or an algorithm gets none, as in Cassandra.
void AddStopWords(std::string_view language, TextAnalyzer& analyzer) {
  const StopWords* const stop = StopWordsOf(language);
  if (stop != nullptr) analyzer.filters.push_back({.kind = Filter::Kind::kStopWords, .stop = stop});
}
void AddStemmer(std::string_view algorithm, TextAnalyzer& analyzer, bool as_cassandra = false) {
  if (!algorithm.empty())
    analyzer.filters.push_back(
        {.kind = Filter::Kind::kStem, .stemmer = std::string(algorithm), .as_cassandra = as_cassandra});
}

// --- SASI -----------------------------------------------------------------------------------------------------------

constexpr std::string_view kClasses = "org.apache.cassandra.index.sasi.analyzer.";
constexpr std::string_view kStandard = "StandardAnalyzer", kDelimiter = "DelimiterAnalyzer";

// Returns the algorithm that Cassandra's StemmerFactory has for a locale.
std::string_view StemmerOfLocale(std::string_view language) {
  static constexpr std::pair<std::string_view, std::string_view> kStemmers[] = {
      {"da", "danish"},     {"de", "german"},    {"en", "english"}, {"es", "spanish"}, {"fl", "finnish"},
      {"fr", "french"},     {"hu", "hungarian"}, {"it", "italian"}, {"nl", "dutch"},   {"no", "norwegian"},
      {"pt", "portuguese"}, {"ro", "romanian"},  {"ru", "russian"}, {"sv", "swedish"}, {"tr", "turkish"}};
  const auto* const found =
      std::ranges::find(kStemmers, language, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kStemmers) ? std::string_view() : found->second;
}

// Returns the name of the analyzer's class, without its package; empty if the index has none.
std::string_view SasiClass(const IndexOptions& options) {
  std::string_view name = OptionOf(options, "analyzer_class");
  const bool analyzed = IsTrue(options, "analyzed");
  if (name.empty()) return analyzed ? kStandard : "";
  if (options.contains("analyzed") && !analyzed) return "";
  if (name.starts_with(kClasses)) name.remove_prefix(kClasses.size());
  return name;
}

Result<AnalyzerPtr> ReadStandard(const IndexOptions& options) {
  auto analyzer = std::make_shared<TextAnalyzer>();
  analyzer->name = kStandard;
  const bool lower = IsTrue(options, "tokenization_normalize_lowercase");
  const bool upper = IsTrue(options, "tokenization_normalize_uppercase");
  if (lower && upper)
    return ConfigError("IndexOptions to normalize terms cannot be both uppercase and lowercase at the same time");
  if (lower || upper) analyzer->filters.push_back(lower ? Lower() : Upper());
  const bool stop = IsTrue(options, "tokenization_skip_stop_words");
  const bool stem = IsTrue(options, "tokenization_enable_stemming");
  if (options.contains("tokenization_locale") && (stop || stem)) {
    const std::string locale = ToLowerAscii(OptionOf(options, "tokenization_locale"));
    if (locale.size() < 2) return ConfigError("tokenization_locale '" + locale + "' is no locale");
    const std::string language = locale.substr(0, 2);
    if (stop) AddStopWords(language, *analyzer);
    if (stem) AddStemmer(StemmerOfLocale(language), *analyzer, /*as_cassandra=*/true);
  }
  analyzer->filters.push_back(Form({.normalize = true}));
  return AnalyzerPtr(std::move(analyzer));
}

// Returns the UTF-16 unit of a text that has exactly one; otherwise nullopt.
std::optional<char16_t> OnlyUnit(const std::string& text) {
  const icu::UnicodeString units = icu::UnicodeString::fromUTF8(text);
  return units.length() == 1 ? std::optional(units[0]) : std::nullopt;
}

Result<AnalyzerPtr> ReadDelimiter(const IndexOptions& options) {
  auto analyzer = std::make_shared<TextAnalyzer>();
  analyzer->name = kDelimiter;
  analyzer->tokenizer = Tokenizer::kDelimiter;
  if (options.contains("delimiter")) {
    const std::string& delimiter = OptionOf(options, "delimiter");
    const std::optional<char16_t> unit = OnlyUnit(delimiter);
    if (!unit) return ConfigError("Only single character delimiters supported, was " + delimiter);
    analyzer->delimiter = *unit;
  }
  return AnalyzerPtr(std::move(analyzer));
}

Result<AnalyzerPtr> ReadSasi(const IndexOptions& options) {
  const std::string_view name = SasiClass(options);
  if (name == kStandard) return ReadStandard(options);
  if (name == kDelimiter) return ReadDelimiter(options);
  return AnalyzerPtr();
}

// --- Storage-attached indexes ---------------------------------------------------------------------------------------

struct Language {
  std::string_view name, stop_words;  // `stop_words`: a file of types/stop_words, or empty.
};
// The languages of the built-in analyzers. The name is also that of the stemming algorithm.
constexpr Language kLanguages[] = {
    {"arabic", "ar"},   {"armenian", ""},        {"basque", ""},     {"catalan", ""},     {"danish", ""},
    {"dutch", ""},      {"english", "en_short"}, {"estonian", ""},   {"finnish", "fi"},   {"french", "fr"},
    {"german", "de"},   {"greek", ""},           {"hindi", "hi"},    {"hungarian", "hu"}, {"indonesian", ""},
    {"irish", ""},      {"italian", "it"},       {"lithuanian", ""}, {"norwegian", ""},   {"portuguese", "pt"},
    {"romanian", "ro"}, {"russian", "ru"},       {"spanish", "es"},  {"swedish", "sv"},   {"turkish", ""},
};

Error Unknown(std::string_view what, const std::string& name, std::string hint) {
  Error error = ConfigError(StrCat("index_analyzer has no ", what, " '", name, "'"));
  error.hint = std::move(hint);
  return error;
}

Result<AnalyzerPtr> ReadName(const std::string& written) {
  const std::string name = ToLowerAscii(written);
  auto analyzer = std::make_shared<TextAnalyzer>();
  analyzer->name = name;
  if (name == "standard") {
    analyzer->filters = {Lower()};
  } else if (name == "simple" || name == "stop") {
    analyzer->tokenizer = Tokenizer::kLetters;
    analyzer->filters = {Lower()};
    if (name == "stop") AddStopWords("en_short", *analyzer);
  } else if (name == "whitespace") {
    analyzer->tokenizer = Tokenizer::kWhitespace;
  } else if (name == "keyword" || name == "lowercase") {
    analyzer->tokenizer = Tokenizer::kWhole;
    if (name == "lowercase") analyzer->filters = {Lower()};
  } else {
    const auto* const language = std::ranges::find(kLanguages, name, &Language::name);
    if (language == std::end(kLanguages)) {
      return Unknown("analyzer", written,
                     "there are standard, simple, whitespace, stop, lowercase, keyword, languages such as english, and "
                     "a JSON object with a tokenizer and filters");
    }
    analyzer->filters = {Lower()};
    AddStopWords(language->stop_words, *analyzer);
    AddStemmer(name, *analyzer);
  }
  analyzer->filters.push_back(Form({.normalize = true}));
  return AnalyzerPtr(std::move(analyzer));
}

const JsonValue* Member(const JsonValue& object, std::string_view name) {
  const auto found = std::ranges::find(object.members, name, &JsonValue::Member::name);
  return found == object.members.end() ? nullptr : &found->value;
}

// Returns the text of a member, or an empty one.
std::string TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* const value = Member(object, name);
  return value != nullptr && value->kind == JsonValue::Kind::kString ? value->text : std::string();
}

// Refuses members that have no meaning, so that a typing error is not ignored.
Status CheckMembers(const JsonValue& object, std::string_view what, const std::vector<std::string_view>& known) {
  if (object.kind != JsonValue::Kind::kObject)
    return ConfigError(StrCat("index_analyzer: ", what, " is not a JSON object"));
  for (const JsonValue::Member& member : object.members) {
    if (std::ranges::find(known, member.name) == known.end())
      return ConfigError(StrCat("index_analyzer: ", what, " has no member '", member.name, "'"));
  }
  return OkStatus();
}

Status ReadTokenizer(const JsonValue& json, TextAnalyzer& analyzer) {
  WR_RETURN_IF_ERROR(CheckMembers(json, "tokenizer", {"name", "args"}));
  static constexpr std::pair<std::string_view, Tokenizer> kTokenizers[] = {{"standard", Tokenizer::kWords},
                                                                           {"whitespace", Tokenizer::kWhitespace},
                                                                           {"letter", Tokenizer::kLetters},
                                                                           {"keyword", Tokenizer::kWhole}};
  const std::string name = TextOf(json, "name");
  const auto* const found =
      std::ranges::find(kTokenizers, ToLowerAscii(name), &std::pair<std::string_view, Tokenizer>::first);
  if (found == std::end(kTokenizers))
    return Unknown("tokenizer", name, "there are standard, whitespace, letter and keyword");
  const JsonValue* const args = Member(json, "args");
  if (args != nullptr) WR_RETURN_IF_ERROR(CheckMembers(*args, "args of a tokenizer", {}));
  analyzer.tokenizer = found->second;
  return OkStatus();
}

Status ReadFilter(const JsonValue& json, TextAnalyzer& analyzer) {
  WR_RETURN_IF_ERROR(CheckMembers(json, "filter", {"name", "args"}));
  const std::string written = TextOf(json, "name"), name = ToLowerAscii(written);
  const bool of_language = name == "snowballporter" || name == "stop";
  std::string language = "english";
  if (const JsonValue* const args = Member(json, "args"); args != nullptr) {
    WR_RETURN_IF_ERROR(
        CheckMembers(*args, "args of a filter",
                     of_language ? std::vector<std::string_view>{"language"} : std::vector<std::string_view>{}));
    if (const std::string given = TextOf(*args, "language"); !given.empty()) language = ToLowerAscii(given);
  }
  if (name == "lowercase") {
    analyzer.filters.push_back(Lower());
  } else if (name == "uppercase") {
    analyzer.filters.push_back(Upper());
  } else if (name == "asciifolding") {
    analyzer.filters.push_back(Form({.ascii = true}));
  } else if (name == "porterstem") {
    AddStemmer("porter", analyzer);
  } else if (of_language) {
    const auto* const found = std::ranges::find(kLanguages, language, &Language::name);
    if (found == std::end(kLanguages)) return Unknown("language", language, "write it as english");
    if (name == "stop" && found->stop_words.empty()) return Unknown("stop words of the language", language, "");
    if (name == "stop") AddStopWords(found->stop_words, analyzer);
    if (name == "snowballporter") AddStemmer(language, analyzer);
  } else {
    return Unknown("filter", written, "there are lowercase, uppercase, asciifolding, stop, porterstem, snowballporter");
  }
  return OkStatus();
}

Result<AnalyzerPtr> ReadJson(const std::string& written) {
  WR_ASSIGN_OR_RETURN(const JsonValue json, ParseJsonDocument(written));
  WR_RETURN_IF_ERROR(CheckMembers(json, "the analyzer", {"tokenizer", "filters", "charFilters"}));
  auto analyzer = std::make_shared<TextAnalyzer>();
  const JsonValue* const tokenizer = Member(json, "tokenizer");
  if (tokenizer == nullptr) return ConfigError("index_analyzer needs a tokenizer");
  WR_RETURN_IF_ERROR(ReadTokenizer(*tokenizer, *analyzer));
  analyzer->name = TextOf(*tokenizer, "name");
  if (const JsonValue* const filters = Member(json, "filters"); filters != nullptr) {
    for (const JsonValue& filter : filters->items) {
      WR_RETURN_IF_ERROR(ReadFilter(filter, *analyzer));
      analyzer->name += ", " + TextOf(filter, "name");
    }
  }
  const JsonValue* const changed = Member(json, "charFilters");
  if (changed != nullptr && !changed->items.empty())
    return Unknown("charFilters", TextOf(changed->items[0], "name"), "filters change the words of a text");
  analyzer->filters.push_back(Form({.normalize = true}));
  return AnalyzerPtr(std::move(analyzer));
}

Result<AnalyzerPtr> ReadAttached(const IndexOptions& options) {
  const auto found = options.find("index_analyzer");
  if (found == options.end()) return AnalyzerPtr();
  const size_t begin = found->second.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && found->second[begin] == '{') return ReadJson(found->second);
  return ReadName(found->second);
}

}  // namespace

Result<AnalyzerPtr> ReadAnalyzer(const std::map<std::string, std::string>& options) {
  if (OptionOf(options, "class_name") == "org.apache.cassandra.index.sasi.SASIIndex") return ReadSasi(options);
  return ReadAttached(options);
}

AnalyzerPtr AnalyzerOf(const std::map<std::string, std::string>& options) {
  Result<AnalyzerPtr> read = ReadAnalyzer(options);
  return read.ok() ? std::move(*read) : AnalyzerPtr();
}

}  // namespace widerow
