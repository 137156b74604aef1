// Compares words with those of Cassandra's analyzers. tests/data/words/RecordWords.java recorded them and describes the
// files.
#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include <fstream>

#include "base/text.h"
#include "tests/unit/types/vector_file.h"
#include "types/analyzer_options.h"
#include "types/word_breaks.h"

namespace widerow {
namespace {

class Hash {
 public:
  void Add(ByteView word) {
    for (const unsigned char byte : word) hash_ = (hash_ ^ byte) * kPrime;
    hash_ *= kPrime;
  }
  std::string Text() const {
    char text[17];
    snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(hash_));
    return text;
  }

 private:
  static constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t hash_ = 0xcbf29ce484222325;
};

std::string HashOf(const std::vector<Bytes>& words) {
  Hash hash;
  for (const Bytes& word : words) hash.Add(word);
  return hash.Text();
}

std::vector<std::string> LinesOf(const char* name) {
  std::ifstream file(std::string(WR_TEST_DATA) + "/words/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

AnalyzerPtr Recorded(const char* analyzer, std::map<std::string, std::string> options) {
  options["class_name"] = "org.apache.cassandra.index.sasi.SASIIndex";
  options["analyzer_class"] = std::string("org.apache.cassandra.index.sasi.analyzer.") + analyzer;
  return AnalyzerOf(options);
}

std::vector<Bytes> Standard(const std::string& locale, const std::string& text, const std::vector<const char*>& names) {
  std::map<std::string, std::string> options{{"tokenization_locale", locale == "fi" ? "fl" : locale}};
  for (const char* const name : names) options[std::string("tokenization_") + name] = "true";
  return Recorded("StandardAnalyzer", options)->Words(text);
}

std::string Unescaped(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    ++i;
    out += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : '\\';
  }
  return out;
}

TEST(CassandraWordsTest, TextsInManyLanguagesHaveCassandrasWords) {
  const std::vector<std::string> texts = LinesOf("texts.txt"), words = LinesOf("words.txt");
  ASSERT_GE(texts.size(), 1'000U);
  ASSERT_EQ(texts.size(), words.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1) + ": " + texts[i]);
    const std::string locale = texts[i].substr(0, texts[i].find('\t'));
    const std::string text = Unescaped(texts[i].substr(locale.size() + 1));
    const std::vector<std::string> expected = testing::SplitAt(words[i], '\t');
    ASSERT_EQ(expected.size(), 5U);
    EXPECT_EQ(JoinNames(Standard(locale, text, {"normalize_lowercase", "skip_stop_words", "enable_stemming"}), " "),
              expected[0]);
    EXPECT_EQ(HashOf(Standard(locale, text, {})), expected[1]) << JoinNames(Standard(locale, text, {}), " ");
    EXPECT_EQ(HashOf(Standard(locale, text, {"normalize_uppercase", "skip_stop_words"})), expected[2]);
    EXPECT_EQ(HashOf(Standard(locale, text, {"enable_stemming"})), expected[3])
        << JoinNames(Standard(locale, text, {"enable_stemming"}), " ");
    EXPECT_EQ(HashOf(Recorded("DelimiterAnalyzer", {{"delimiter", " "}})->Words(text)), expected[4]);
  }
}

TEST(CassandraWordsTest, EveryCharacterIsInCassandrasWords) {
  const char16_t* const kAround[] = {u"c",   u"ac", u"ca",  u"aca", u"1c1", u"カcカ", u"_c_", u"אcא", u"cc",  u"漢c",
                                     u"ひc", u"กc", u"가c", u"1ca", u"ac1", u"acカ",  u"c1",  u"cカ", u"א\"c"};
  const std::vector<std::string> hashes = LinesOf("characters.txt");
  ASSERT_EQ(hashes.size(), 0x110U);
  // Only one of the blocks after 0x2F is compared: the block of tags, 0xE0. The others have no letters.
  for (size_t block = 0; block < hashes.size(); block = block == 0x2F ? 0xE0 : block == 0xE0 ? 0x110 : block + 1) {
    Hash hash;
    for (UChar32 c = static_cast<UChar32>(block) << 12; c >> 12 == static_cast<UChar32>(block); ++c) {
      if (c == 0 || (c >= 0xD800 && c < 0xE000)) continue;
      for (const char16_t* const around : kAround) {
        icu::UnicodeString text;
        for (const char16_t* at = around; *at != 0; ++at) {
          if (*at == u'c')
            text.append(c);
          else
            text.append(*at);
        }
        ForEachWord({text.getBuffer(), static_cast<size_t>(text.length())}, [&](std::u16string_view word) {
          Bytes bytes;
          icu::UnicodeString(word.data(), static_cast<int32_t>(word.size())).toUTF8String(bytes);
          hash.Add(bytes);
          return true;
        });
        hash.Add("");
      }
    }
    EXPECT_EQ(hash.Text(), hashes[block]) << "characters from " << std::hex << (block << 12);
  }
}

}  // namespace
}  // namespace widerow
