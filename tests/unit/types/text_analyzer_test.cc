#include "types/text_analyzer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/analyzer_options.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AnalyzerPtr Attached(const std::string& analyzer) { return AnalyzerOf({{"index_analyzer", analyzer}}); }

AnalyzerPtr Sasi(const std::string& name, std::map<std::string, std::string> options = {}) {
  options["class_name"] = "org.apache.cassandra.index.sasi.SASIIndex";
  if (!name.empty()) options["analyzer_class"] = "org.apache.cassandra.index.sasi.analyzer." + name;
  return AnalyzerOf(options);
}

std::string ErrorOf(std::map<std::string, std::string> options) {
  const Result<AnalyzerPtr> read = ReadAnalyzer(options);
  return read.ok() ? "" : read.error().message;
}

TEST(TextAnalyzerTest, ATextHasWordsInItsOrder) {
  const AnalyzerPtr standard = Sasi("StandardAnalyzer");
  EXPECT_THAT(standard->Words("Don't stop: 3.14 of foo_bar at x@y.com!"),
              ElementsAre("Don't", "stop", "3.14", "of", "foo_bar", "at", "x", "y.com"));
  EXPECT_THAT(standard->DistinctWords("b a b a"), ElementsAre("a", "b"));
  EXPECT_THAT(standard->Words(""), IsEmpty());
  EXPECT_THAT(standard->Words(" .,;-\n😀"), IsEmpty());
  EXPECT_THAT(standard->Words("数据库ひらカタカナ"), ElementsAre("数", "据", "库", "ひ", "ら", "カタカナ"));
}

TEST(TextAnalyzerTest, LongWordsAreNoWords) {
  const AnalyzerPtr standard = Sasi("StandardAnalyzer");
  EXPECT_THAT(standard->Words(std::string(255, 'a') + " " + std::string(256, 'b')), ElementsAre(std::string(255, 'a')));
}

TEST(TextAnalyzerTest, MalformedTextDoesNoHarm) {
  EXPECT_THAT(Sasi("StandardAnalyzer")->Words("ab\xFF\xC3 cd\xE2\x82"), ElementsAre("ab", "cd"));
  EXPECT_THAT(Sasi("DelimiterAnalyzer")->Words("ab\xFF,cd"), ElementsAre("ab\uFFFD", "cd"));
}

TEST(TextAnalyzerTest, ALongTextHasAllItsWords) {
  std::string text;
  while (text.size() < 10u << 20) text += "word" + std::to_string(text.size() % 1'000) + " ";
  EXPECT_LE(Attached("standard")->DistinctWords(text).size(), 1'000U);
}

TEST(TextAnalyzerTest, DelimitersDivide) {
  EXPECT_THAT(Sasi("DelimiterAnalyzer")->Words(",a,,b c,"), ElementsAre("a", "b c"));
  EXPECT_THAT(Sasi("DelimiterAnalyzer", {{"delimiter", "、"}})->Words("東、京,都"), ElementsAre("東", "京,都"));
}

TEST(TextAnalyzerTest, OptionsOfSasi) {
  EXPECT_EQ(Sasi(""), nullptr);
  EXPECT_EQ(Sasi("NonTokenizingAnalyzer"), nullptr);
  EXPECT_EQ(Sasi("StandardAnalyzer", {{"analyzed", "false"}}), nullptr);
  EXPECT_NE(Sasi("", {{"analyzed", "TRUE"}}), nullptr);
  const AnalyzerPtr english =
      Sasi("StandardAnalyzer", {{"tokenization_locale", "EN_us"}, {"tokenization_enable_stemming", "true"}});
  EXPECT_THAT(english->Words("the Running runs"), ElementsAre("the", "Run", "run"));
  const AnalyzerPtr stop =
      Sasi("StandardAnalyzer", {{"tokenization_locale", "de"}, {"tokenization_skip_stop_words", "true"}});
  EXPECT_THAT(stop->Words("das Haus Das"), ElementsAre("Haus", "Das"));
}

TEST(TextAnalyzerTest, TurkishPluralsKeepTheirFormAsInCassandra) {
  const std::map<std::string, std::string> stems{{"tokenization_locale", "tr"},
                                                 {"tokenization_enable_stemming", "true"}};
  EXPECT_THAT(Sasi("StandardAnalyzer", stems)->Words("kitaplar evlerimiz"), ElementsAre("kitaplar", "ev"));
  EXPECT_THAT(Attached("turkish")->Words("kitaplar"), ElementsAre("kitap"));
}

TEST(TextAnalyzerTest, OptionsOfStorageAttachedIndexes) {
  EXPECT_THAT(Attached("standard")->Words("The Foxes"), ElementsAre("the", "foxes"));
  EXPECT_THAT(Attached("English")->Words("The Foxes"), ElementsAre("fox"));
  EXPECT_THAT(Attached("whitespace")->Words(" a-b\tC "), ElementsAre("a-b", "C"));
  EXPECT_THAT(Attached("simple")->Words("a1b C"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Attached("keyword")->Words("a b"), ElementsAre("a b"));
  const char* const json = R"({"tokenizer": {"name": "letter"}, "filters": [{"name": "asciifolding"},
                              {"name": "lowercase"}, {"name": "stop", "args": {"language": "german"}}]})";
  EXPECT_THAT(Attached(json)->Words("Das Äpfelchen"), ElementsAre("apfelchen"));
}

TEST(TextAnalyzerTest, WrongOptionsAreRefused) {
  EXPECT_EQ(ErrorOf({{"index_analyzer", "klingon"}}), "index_analyzer has no analyzer 'klingon'");
  EXPECT_EQ(ErrorOf({{"index_analyzer", "{}"}}), "index_analyzer needs a tokenizer");
  EXPECT_EQ(ErrorOf({{"index_analyzer", R"({"tokenizer": {"name": "standard"}, "filters": [{"name": "x"}]})"}}),
            "index_analyzer has no filter 'x'");
  std::map<std::string, std::string> sasi{
      {"class_name", "org.apache.cassandra.index.sasi.SASIIndex"},
      {"analyzer_class", "org.apache.cassandra.index.sasi.analyzer.DelimiterAnalyzer"},
      {"delimiter", "ab"}};
  EXPECT_EQ(ErrorOf(sasi), "Only single character delimiters supported, was ab");
}

bool Like(ByteView text, ByteView pattern) {
  return Sasi("StandardAnalyzer")->MatchesLike(text, *LikePattern::Parse(pattern));
}

TEST(TextAnalyzerTest, LikeMatchesEachWordOfThePattern) {
  EXPECT_TRUE(Like("quick brown fox", "fox quick"));
  EXPECT_FALSE(Like("quick brown fox", "fox quic"));
  EXPECT_TRUE(Like("quick brown fox", "fox qui%"));
  EXPECT_TRUE(Like("quick brown fox", "%own ick"));
  EXPECT_TRUE(Like("quick brown fox", "%row fox%"));
  EXPECT_FALSE(Like("quick brown fox", "%., ;%"));
}

bool Matches(ByteView text, ByteView query) {
  const AnalyzerPtr english = Attached("english");
  return WordQuery::Parse(query, *english).Matches(text, *english);
}

TEST(WordQueryTest, WordsAndPhrasesMustOccur) {
  const ByteView text = "The quick brown fox is over the lazy dogs; brown dogs.";
  EXPECT_TRUE(Matches(text, "dog FOXES"));
  EXPECT_FALSE(Matches(text, "dog cat"));
  EXPECT_TRUE(Matches(text, "\"quick brown fox\""));
  EXPECT_TRUE(Matches(text, "\"brown dog\" quick"));
  EXPECT_FALSE(Matches(text, "\"quick fox\""));
  EXPECT_TRUE(Matches(text, "\"over lazy\""));
  EXPECT_FALSE(Matches(text, ""));
  EXPECT_FALSE(Matches(text, "the \"of\""));
  EXPECT_TRUE(Matches(text, "quick \"fox"));
  EXPECT_THAT(WordQuery::Parse("fox \"dog fox\"", *Attached("english")).DistinctWords(), ElementsAre("dog", "fox"));
}

}  // namespace
}  // namespace widerow
