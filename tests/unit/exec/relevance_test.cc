// ORDER BY … BM25 OF must give the rows that a plain computation of BM25 over all texts gives, in the same order.
#include "types/relevance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using Words = std::vector<std::string>;

std::string Join(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

size_t Times(const Words& text, const std::string& word) { return static_cast<size_t>(std::ranges::count(text, word)); }

// Computes BM25 of a query over all texts, directly by the definition.
class PlainBm25 {
 public:
  PlainBm25(const std::map<int, Words>& texts, Words query) : query_(std::move(query)) {
    statistics_.texts = texts.size();
    statistics_.texts_with.resize(query_.size());
    for (const auto& [key, words] : texts) {
      statistics_.words += words.size();
      for (size_t i = 0; i < query_.size(); ++i) statistics_.texts_with[i] += Times(words, query_[i]) > 0 ? 1 : 0;
    }
  }
  const WordStatistics& statistics() const { return statistics_; }

  double Score(const Words& text) const {
    const auto texts = static_cast<double>(statistics_.texts), length = static_cast<double>(statistics_.words);
    double score = 0;
    for (size_t i = 0; i < query_.size(); ++i) {
      const auto with = static_cast<double>(statistics_.texts_with[i]);
      const auto times = static_cast<double>(Times(text, query_[i]));
      const double idf = std::log(1 + (texts - with + 0.5) / (with + 0.5));
      score += idf * times / (times + 1.2 * (1 - 0.75 + 0.75 * static_cast<double>(text.size()) / (length / texts)));
    }
    return score;
  }

 private:
  const Words query_;
  WordStatistics statistics_;
};

class RelevanceTest : public testing::Test {
 protected:
  void SetUp() override {
    auto storage = OpenLmdbEngine(
        {.directory = directory_.path(), .map_bytes = uint64_t{1} << 32, .durability = Durability::kNone});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{});
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (k int PRIMARY KEY, a int, body text)");
    Run("CREATE CUSTOM INDEX ON ks.t (body) USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': "
        "'standard'}");
    Run("CREATE INDEX ON ks.t (a) USING 'sai'");
  }

  // Returns the first column, whose type is int.
  std::vector<int> Run(const std::string& text) {
    RequestParameters parameters;
    parameters.now_seconds = engine_->clock().NowSeconds() + seconds_later_;
    Result<Outcome> outcome = engine_->Execute(text, parameters);
    EXPECT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
    std::vector<int> keys;
    const auto* const page = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr;
    if (page == nullptr) return keys;
    PageReader reader(*page);
    for (std::vector<ValueView> row; reader.Next(row);) keys.push_back(static_cast<int>(DecodeInteger(*row[0])));
    return keys;
  }

  // Writes a text of random words. Word 0 is the most frequent one.
  void Write(int key, const std::string& more = "") {
    std::geometric_distribution<int> word(0.15);
    Words words(1 + random_() % 40);
    for (std::string& each : words) each = "w" + std::to_string(word(random_));
    Run("INSERT INTO ks.t (k, a, body) VALUES (" + std::to_string(key) + ", " + std::to_string(key % 5) + ", '" +
        Join(words) + "')" + more);
    if (more.empty()) texts_[key] = std::move(words);
  }
  void Delete(int key) {
    Run("DELETE FROM ks.t WHERE k = " + std::to_string(key));
    texts_.erase(key);
  }

  // Compares the first rows with those of the plain computation.
  void Compare(const Words& query, int of_a, size_t limit) {
    const PlainBm25 plain(texts_, query);
    const std::string where = of_a < 0 ? "" : " WHERE a = " + std::to_string(of_a);
    std::vector<std::pair<double, int>> expected;
    for (const int key : Run("SELECT k FROM ks.t" + where)) {  // In the order of the table.
      const auto found = texts_.find(key);
      if (found == texts_.end()) continue;
      const auto has = [&](const std::string& word) { return Times(found->second, word) > 0; };
      if (std::ranges::all_of(query, has)) expected.emplace_back(plain.Score(found->second), key);
    }
    std::ranges::stable_sort(expected, [](const auto& a, const auto& b) { return a.first > b.first; });
    expected.resize(std::min(expected.size(), limit));
    std::vector<int> keys;
    for (const auto& [score, key] : expected) keys.push_back(key);
    EXPECT_EQ(Run("SELECT k FROM ks.t" + where + " ORDER BY body BM25 OF '" + Join(query) + "' LIMIT " +
                  std::to_string(limit)),
              keys)
        << Join(query) << where;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
  std::map<int, Words> texts_;
  int64_t seconds_later_ = 0;  // Reads run at the time of the clock plus these seconds.
  std::mt19937 random_{3};
};

const std::vector<Words> kQueries = {{"w0"}, {"w7"}, {"w1", "w12"}, {"w0", "w20"}, {"w2", "w3", "w9"}, {"w99"}};

TEST_F(RelevanceTest, EqualsAPlainComputation) {
  for (int key = 0; key < 1'000; ++key) Write(key);
  const auto analyzer = AnalyzerOf({{"index_analyzer", "standard"}});
  ASSERT_NE(analyzer, nullptr);
  for (const Words& query : kQueries) {
    Words sorted = query;
    std::ranges::sort(sorted);
    const PlainBm25 plain(texts_, sorted);
    const Relevance relevance(analyzer, {sorted.begin(), sorted.end()}, plain.statistics());
    for (const auto& [key, words] : texts_)
      ASSERT_DOUBLE_EQ(relevance.Of(Join(words)), plain.Score(words)) << Join(sorted) << ": " << Join(words);
    for (const size_t limit : {1, 10, 1'000}) Compare(sorted, -1, limit);
    Compare(sorted, 3, 100);
  }
  // The statistics of BM25 follow each change of the texts. A text that has expired does not count.
  for (int key = 0; key < 200; ++key) Write(key * 2);
  for (int key = 0; key < 300; ++key) Delete(static_cast<int>(random_() % 1'000));
  for (int key = 2'000; key < 2'100; ++key) Write(key, " USING TTL 100");
  seconds_later_ = 1'000;
  for (Words query : kQueries) {
    std::ranges::sort(query);
    Compare(query, -1, 1'000);
    Compare(query, 1, 5);
  }
}

}  // namespace
}  // namespace widerow
