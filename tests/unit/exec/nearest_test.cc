// ORDER BY … ANN OF must give the rows that a comparison of all vectors by the similarity function gives, in the same
// order.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "exec/nearest/top_candidates.h"
#include "tests/unit/scratch_engine.h"
#include "types/similarity.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class NearestTest : public testing::Test {
 protected:
  using Rows = std::vector<std::vector<Value>>;

  void SetUp() override {
    auto storage = OpenLmdbEngine({.directory = directory_.path(),
                                   .map_bytes = uint64_t{4} << 30,
                                   .durability = Durability::kNone,
                                   .memtable_bytes = size_t{4} << 20});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{});
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  Result<Rows> Execute(const std::string& text, std::vector<Bytes> values = {}) {
    RequestParameters parameters;
    for (Bytes& value : values) parameters.values.push_back({BoundValue::Kind::kValue, std::move(value)});
    WR_ASSIGN_OR_RETURN(const Outcome outcome, engine_->Execute(text, parameters));
    Rows rows;
    const auto* const page = std::get_if<RowsPage>(&outcome.result);
    if (page == nullptr) return rows;
    PageReader reader(*page);
    for (std::vector<ValueView> row; reader.Next(row);) {
      rows.emplace_back();
      for (const ValueView& value : row) rows.back().push_back(value ? Value(*value) : Value());
    }
    return rows;
  }
  Rows Run(const std::string& text, std::vector<Bytes> values = {}) {
    const Result<Rows> rows = Execute(text, std::move(values));
    EXPECT_TRUE(rows.ok()) << text << ": " << rows.error().message;
    return rows.ok() ? *rows : Rows();
  }
  // Waits until the index is built.
  void WaitFor(const std::string& select, const std::vector<Bytes>& values) {
    for (int i = 0; i < 1'000 && !Execute(select, values).ok(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  static Bytes Encode(const std::vector<float>& vector) {
    Bytes bytes;
    for (const float element : vector) bytes += EncodeFloat(element);
    return bytes;
  }
  std::vector<float> RandomVector(size_t dimension) {
    std::normal_distribution<float> normal;
    std::vector<float> vector(dimension);
    for (float& element : vector) element = normal(random_);
    return vector;
  }

  // Runs ANN OF, and compares its rows with those of a SELECT of all vectors, sorted by the similarity.
  void Compare(Similarity similarity, const std::vector<float>& query, const std::string& where, size_t limit) {
    const SimilarityTo measure(similarity, query);
    const Rows found = Run("SELECT k, c, v FROM ks.t " + where + " ORDER BY v ANN OF ? LIMIT " + std::to_string(limit),
                           {Encode(query)});
    std::vector<std::pair<float, std::vector<Value>>> expected;
    for (std::vector<Value>& row : Run("SELECT k, c, v FROM ks.t " + where + " ALLOW FILTERING")) {
      if (row[2]) expected.emplace_back(measure.Of(ToFloats(*row[2])), std::move(row));
    }
    std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    ASSERT_EQ(found.size(), std::min(limit, expected.size())) << where;
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(measure.Of(ToFloats(*found[i][2])), expected[i].first) << where << ", row " << i;
      ASSERT_EQ(found[i], expected[i].second) << where << ", row " << i;
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
  std::mt19937 random_{7};
};

Bytes EncodeInt(int64_t value) { return EncodeInteger(TypeKind::kInt, value); }

struct Measured {
  Similarity similarity;
  const char* name;
};
constexpr Measured kKinds[] = {
    {Similarity::kCosine, "cosine"}, {Similarity::kDotProduct, "dot_product"}, {Similarity::kEuclidean, "euclidean"}};

TEST_F(NearestTest, EqualsAComparisonOfAllVectors) {
  for (const size_t dimension : {1, 3, 384, 1536, 8192}) {
    const int rows = dimension > 1'000 ? 60 : dimension > 100 ? 300 : 1'500;
    for (const auto& [similarity, name] : kKinds) {
      if (dimension == 1 && similarity == Similarity::kCosine) continue;
      Run("CREATE TABLE ks.t (k int, c int, a int, v vector<float, " + std::to_string(dimension) +
          ">, PRIMARY KEY (k, c))");
      Run(std::string("CREATE INDEX ON ks.t (v) USING 'sai' WITH OPTIONS = {'similarity_function': '") + name + "'}");
      Run("CREATE INDEX ON ks.t (a) USING 'sai'");
      WaitFor("SELECT k FROM ks.t WHERE a = 1 ORDER BY v ANN OF ? LIMIT 1", {Encode(RandomVector(dimension))});
      for (int step = 0; step < rows; ++step) {
        const Bytes k = EncodeInt(random_() % 7), c = EncodeInt(random_() % 99);
        std::vector<float> vector = RandomVector(dimension);
        // One vector in five has equal elements, so several rows have the same similarity.
        if (step % 5 == 0) std::fill(vector.begin(), vector.end(), static_cast<float>(1 + random_() % 3));
        switch (step % 10) {
          case 7: Run("DELETE FROM ks.t WHERE k = ? AND c = ?", {k, c}); break;
          case 8: Run("UPDATE ks.t SET v = null WHERE k = ? AND c = ?", {k, c}); break;
          case 9: Run("UPDATE ks.t SET v = ? WHERE k = ? AND c = ?", {Encode(vector), k, c}); break;
          default:
            Run("INSERT INTO ks.t (k, c, a, v) VALUES (?, ?, ?, ?)", {k, c, EncodeInt(random_() % 4), Encode(vector)});
        }
      }
      for (int i = 0; i < 6; ++i) {
        const std::vector<float> query = RandomVector(dimension);
        Compare(similarity, query, "", 10);
        Compare(similarity, query, "", 1'000);
        Compare(similarity, query, "WHERE k = " + std::to_string(i), 20);
        Compare(similarity, query, "WHERE k = " + std::to_string(i) + " AND c > 40", 20);
        Compare(similarity, query, "WHERE k = " + std::to_string(i) + " AND c >= 10 AND c < 60", 20);
        Compare(similarity, query, "WHERE k = " + std::to_string(i) + " AND c IN (5, 70, 20)", 20);
        Compare(similarity, query, "WHERE k = " + std::to_string(i) + " AND c = 33", 20);
        Compare(similarity, query, "WHERE k = " + std::to_string(i) + " AND c IN ()", 20);
        Compare(similarity, query, "WHERE k = " + std::to_string(i) + " AND a = 1 AND c < 50", 20);
        Compare(similarity, query, "WHERE a = 1", 10);
        Compare(similarity, query, "WHERE a >= 1", 100);
        Compare(similarity, query, "WHERE a = 2 AND k = " + std::to_string(i), 10);
        Compare(similarity, query, "WHERE a IN (0, 3)", 10);
      }
      Compare(similarity, std::vector<float>(dimension, 2), "", 1'000);
      Run("DROP TABLE ks.t");
    }
  }
}

// The table has more rows than a search keeps as candidates at once. Three of four rows have the same vector, and most
// rows do not meet the conditions.
TEST_F(NearestTest, ManyCandidates) {
  Run("CREATE TABLE ks.t (k int, c int, a int, b int, v vector<float, 2>, PRIMARY KEY (k, c))");
  for (const char* const column : {"v", "a", "b"})
    Run(std::string("CREATE INDEX ON ks.t (") + column + ") USING 'sai'");
  WaitFor("SELECT k FROM ks.t WHERE a = 1 AND b = 1 ORDER BY v ANN OF [1, 1] LIMIT 1", {});
  for (int i = 0; i < 9'000; ++i) {
    const float x = static_cast<float>(i % 4 == 0 ? i + 1 : 3);
    Run("INSERT INTO ks.t (k, c, a, b, v) VALUES (?, ?, ?, ?, ?)",
        {EncodeInt(i % 700), EncodeInt(i), EncodeInt(i % 3), EncodeInt(i / 3), Encode({x, 3})});
  }
  for (const char* const where : {"", "WHERE a = 1", "WHERE b > 2900", "WHERE b < 2900 AND a = 2", "WHERE k = 8"}) {
    Compare(Similarity::kCosine, {1, 1}, where, 10);
    Compare(Similarity::kCosine, {1, 1}, where, 1'000);
    Compare(Similarity::kCosine, {5, -2}, where, 1'000);
  }
}

// Each write changes the vectors of two rows together. Each answer must show both changes or none.
TEST_F(NearestTest, ConcurrencyOfWritesAndSearches) {
  Run("CREATE TABLE ks.t (k int, c int, n int, v vector<float, 2>, PRIMARY KEY (k, c))");
  Run("CREATE INDEX ON ks.t (v) USING 'sai' WITH OPTIONS = {'similarity_function': 'euclidean'}");
  WaitFor("SELECT k FROM ks.t ORDER BY v ANN OF [0, 0] LIMIT 1", {});
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 1; i <= 1'500; ++i) {
      const std::string x = std::to_string(i % 50), n = std::to_string(i), k = std::to_string(i % 5);
      Run("BEGIN BATCH INSERT INTO ks.t (k, c, n, v) VALUES (" + k + ", 1, " + n + ", [" + x +
          ", 1]); INSERT INTO ks.t (k, c, n, v) VALUES (" + k + ", 2, " + n + ", [" + x + ", 1]); APPLY BATCH");
      if (i % 7 == 0) Run("DELETE FROM ks.t WHERE k = " + k);
    }
    done = true;
  });
  while (!done) {
    std::map<Value, std::vector<Value>> of_partitions;
    float last = 2;
    for (const std::vector<Value>& row :
         Run("SELECT k, n, similarity_euclidean(v, [3, 1]) FROM ks.t ORDER BY v ANN OF [3, 1] LIMIT 100")) {
      of_partitions[row[0]].push_back(row[1]);
      const float similarity = DecodeFloat(*row[2]);
      EXPECT_LE(similarity, last);
      last = similarity;
    }
    for (const auto& [k, numbers] : of_partitions) {
      ASSERT_EQ(numbers.size(), 2U);
      EXPECT_EQ(numbers[0], numbers[1]);
    }
  }
}

TEST_F(NearestTest, StaticVectors) {
  Run("CREATE TABLE ks.t (k int, c int, v vector<float, 2> static, PRIMARY KEY (k, c))");
  Run("CREATE INDEX ON ks.t (v) USING 'sai' WITH OPTIONS = {'similarity_function': 'dot_product'}");
  WaitFor("SELECT k FROM ks.t ORDER BY v ANN OF [0, 0] LIMIT 1", {});
  for (const char* const row : {"1, 1, [1, 1]", "2, 1, [2, 1]", "3, 1, [3, -9]"})
    Run(std::string("INSERT INTO ks.t (k, c, v) VALUES (") + row + ")");
  Run("INSERT INTO ks.t (k, c) VALUES (2, 2)");
  std::vector<int64_t> keys;
  for (const std::vector<Value>& row : Run("SELECT k, c, v FROM ks.t ORDER BY v ANN OF [1, 1] LIMIT 10")) {
    keys.push_back(DecodeInteger(*row[0]));
    EXPECT_TRUE(row[2]);
  }
  EXPECT_EQ(keys, (std::vector<int64_t>{2, 2, 1, 3}));
}

// An index for the cosine similarity cannot have the vector [0, 0]. It leaves out a row that has this vector already. A
// later write of this vector is refused.
TEST_F(NearestTest, VectorsThatCannotBeIndexed) {
  Run("CREATE TABLE ks.t (k int PRIMARY KEY, v vector<float, 2>)");
  Run("INSERT INTO ks.t (k, v) VALUES (1, [0, 0])");
  Run("INSERT INTO ks.t (k, v) VALUES (2, [1, 0])");
  Run("CREATE INDEX ON ks.t (v) USING 'sai'");
  WaitFor("SELECT k FROM ks.t ORDER BY v ANN OF [1, 1] LIMIT 1", {});
  EXPECT_EQ(Run("SELECT k FROM ks.t ORDER BY v ANN OF [1, 1] LIMIT 9").size(), 1U);
  const Result<Rows> refused = Execute("UPDATE ks.t SET v = [0, 0] WHERE k = 2");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "Zero vectors cannot be indexed or queried with cosine similarity");
}

TEST(TopCandidates, KeepsTheFirstOnesOfSeveralParts) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const size_t room = 1 + random() % 20, parts = 1 + random() % 3;
    std::optional<Candidate> after;
    if (round % 2 == 0) after = Candidate{0.5F, Bytes(1, static_cast<char>('a' + random() % 5))};
    TopCandidates whole(room, 1u << 20, after);
    std::vector<TopCandidates> tops(parts, whole);
    std::vector<Candidate> all;
    for (size_t i = 0; i < random() % 60; ++i) {
      Candidate candidate{static_cast<float>(random() % 5) / 4, Bytes(1, static_cast<char>('a' + i))};
      tops[random() % parts].Offer(candidate.similarity, candidate.entry);
      if (!after || Candidate::Before(*after, candidate)) all.push_back(std::move(candidate));
    }
    for (TopCandidates& part : tops) whole.Merge(std::move(part));
    std::sort(all.begin(), all.end(), Candidate::Before);
    const bool left_out = whole.left_out();
    const std::vector<Candidate> kept = std::move(whole).Take();
    EXPECT_EQ(left_out, kept.size() < all.size());
    if (!left_out) { EXPECT_EQ(kept.size(), all.size()); }
    for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i].entry, all[i].entry);
  }
}

}  // namespace
}  // namespace widerow
