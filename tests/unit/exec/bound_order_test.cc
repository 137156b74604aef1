// Clients may send the elements of sets and maps in any order, also inside other values. They may also send parts of
// collections in more bytes than needed. The server must find a value by each of these forms.
#include <gtest/gtest.h>

#include "exec/engine/engine.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class BoundOrderTest : public ::testing::Test {
 protected:
  BoundOrderTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TYPE ks.u (s frozen<set<int>>, n int)");
  }

  size_t Run(const std::string& text, const std::vector<BoundValue>& values = {}) {
    const PreparedPtr prepared = engine_->Prepare(text, "ks").value();
    const Result<Outcome> outcome = engine_->ExecutePrepared(*prepared, {.values = values});
    EXPECT_TRUE(outcome.ok()) << text << ": " << (outcome.ok() ? "" : outcome.error().message);
    const auto* page = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr;
    return page == nullptr ? 0 : page->row_count;
  }
  static Bytes Int(int32_t number) { return EncodeInteger(TypeKind::kInt, number); }
  static Bytes Sized(const Bytes& part) { return Int(static_cast<int32_t>(part.size())) + part; }
  static Bytes Parts(int32_t count, const std::vector<Bytes>& parts) {
    Bytes out = Int(count);
    for (const Bytes& part : parts) out += Sized(part);
    return out;
  }
  static BoundValue Bound(Bytes bytes) { return {BoundValue::Kind::kValue, std::move(bytes)}; }

  const Bytes sent_ = Parts(3, {Int(113), Int(112), Int(114)});
  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(BoundOrderTest, FrozenValuesAreFoundAsKeysAndAsValues) {
  const struct {
    std::string type;
    Bytes sent;
    std::string literal;
  } cases[] = {
      {"frozen<map<frozen<set<int>>, int>>", Parts(1, {sent_, Int(1)}), "{{112, 113, 114}: 1}"},
      {"frozen<map<int, frozen<set<int>>>>", Parts(1, {Int(1), sent_}), "{1: {112, 113, 114}}"},
      {"frozen<list<frozen<set<int>>>>", Parts(1, {sent_}), "[{112, 113, 114}]"},
      {"frozen<set<frozen<list<frozen<set<int>>>>>>", Parts(1, {Parts(1, {sent_})}), "{[{112, 113, 114}]}"},
      {"frozen<tuple<int, frozen<set<int>>>>", Sized(Int(1)) + Sized(sent_), "(1, {112, 113, 114})"},
      {"frozen<u>", Sized(sent_) + Sized(Int(1)), "{s: {112, 113, 114}, n: 1}"},
  };
  for (const auto& [type, sent, literal] : cases) {
    SCOPED_TRACE(type);
    Run("CREATE TABLE ks.t (k " + type + ", c " + type + ", v " + type + ", PRIMARY KEY (k, c))");
    Run("INSERT INTO ks.t (k, c, v) VALUES (?, ?, ?)", {Bound(sent), Bound(sent), Bound(sent)});
    EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k = " + literal), 1u);
    EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k = " + literal + " AND c = " + literal), 1u);
    EXPECT_EQ(Run("SELECT * FROM ks.t WHERE v = " + literal + " ALLOW FILTERING"), 1u);
    EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k = ? AND c = ?", {Bound(sent), Bound(sent)}), 1u);
    EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k IN ? AND c >= ?", {Bound(Parts(1, {sent})), Bound(sent)}), 1u);
    Run("DROP TABLE ks.t");
  }
}

// A client may send a null field with any negative length. In a literal, a field that is left out has the length -1.
TEST_F(BoundOrderTest, NullFieldsHaveOneForm) {
  Run("CREATE TYPE ks.pair (a int, b text)");
  Run("CREATE TABLE ks.t (k frozen<pair>, c frozen<pair>, PRIMARY KEY (k, c))");
  const Bytes sent = Sized(Int(9)) + Int(-5);
  Run("INSERT INTO ks.t (k, c) VALUES (?, ?)", {Bound(sent), Bound(sent)});
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k = {a: 9} AND c = {a: 9}"), 1u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k = ?", {Bound(sent)}), 1u);
}

TEST_F(BoundOrderTest, ElementsAreFoundByWhatTheyHold) {
  Run("CREATE TABLE ks.t (k int PRIMARY KEY, s set<frozen<set<int>>>, m map<frozen<set<int>>, frozen<set<int>>>, l "
      "list<frozen<set<int>>>, f u)");
  Run("UPDATE ks.t SET s = s + ?, m[?] = ?, l = l + ?, f.s = ? WHERE k = 1",
      {Bound(Parts(1, {sent_})), Bound(sent_), Bound(sent_), Bound(Parts(1, {sent_})), Bound(sent_)});
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE s CONTAINS {112, 113, 114} ALLOW FILTERING"), 1u);
  EXPECT_EQ(
      Run("SELECT * FROM ks.t WHERE m CONTAINS KEY {112, 113, 114} AND m CONTAINS {112, 113, 114} ALLOW FILTERING"),
      1u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE l CONTAINS {112, 113, 114} ALLOW FILTERING"), 1u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE m[?] = ? ALLOW FILTERING", {Bound(sent_), Bound(sent_)}), 1u);
  Run("UPDATE ks.t SET s = s - {{112, 113, 114}} WHERE k = 1");
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE s CONTAINS ? ALLOW FILTERING", {Bound(sent_)}), 0u);
}

// As in Cassandra, the elements of a list bound to IN ? are decoded and encoded anew. So an element in a longer
// encoding finds the row whose key has the shortest encoding. It does not find a row whose key has the longer one.
TEST_F(BoundOrderTest, ElementsOfBoundListsAreEncodedAnew) {
  Run("CREATE TABLE ks.t (k varint PRIMARY KEY, d duration)");
  Run("INSERT INTO ks.t (k, d) VALUES (5, 0s)");
  const Bytes longer = Bytes("\0\5", 2), eight_zeros(8, '\0');
  const BoundValue keys = Bound(Parts(1, {longer})), durations = Bound(Parts(1, {eight_zeros}));
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k IN ?", {keys}), 1u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k = ?", {Bound(longer)}), 0u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE d IN ? ALLOW FILTERING", {durations}), 1u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE d IN (?) ALLOW FILTERING", {Bound(eight_zeros)}), 0u);
  Run("INSERT INTO ks.t (k, d) VALUES (?, 1s)", {Bound(longer)});
  EXPECT_EQ(Run("SELECT * FROM ks.t"), 2u);
  EXPECT_EQ(Run("SELECT * FROM ks.t WHERE k IN ?", {keys}), 1u);
}

}  // namespace
}  // namespace widerow
