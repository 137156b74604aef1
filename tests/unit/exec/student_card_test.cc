// The case of the student card (docs/measurements/student-card.md), with few rows. The purchases must be as the
// documents describe them, and ADVISE must come to the documents' conclusions. bench/student_card.py runs the case with
// all rows.
#include "bench/student_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/finding.h"
#include "exec/advise/advisor.h"
#include "parser/parse.h"
#include "tests/storage_of.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using advise::Finding;
using advise::Severity;
using ::testing::HasSubstr;

constexpr Campus kSmall{.purchases = 40'000, .cards = 1'000, .sellers = 12, .terminals = 80, .days = 28};

class StudentCardTest : public ::testing::Test {
 protected:
  StudentCardTest() {
    auto storage = OpenLmdbEngine({.directory = directory_.path(),
                                   .map_bytes = uint64_t{1} << 34,
                                   .clock = clock_,
                                   .durability = Durability::kNone});
    engine_ = std::make_unique<Engine>(std::move(storage.value()), LanguageOptions{.extension_warnings = false});
    Run("CREATE KEYSPACE campus WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  void Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }

  static const StudentCardDesign& DesignOf(const std::string& name) {
    return *std::ranges::find_if(kStudentCardDesigns,
                                 [&](const StudentCardDesign& design) { return design.name == name; });
  }

  void Load(const StudentCardDesign& design) {
    const auto number = [](TypeKind kind, int64_t value) {
      return BoundValue{BoundValue::Kind::kValue, EncodeInteger(kind, value)};
    };
    Run(CreateStudentCardTable(design));
    const PreparedPtr insert = engine_->Prepare(InsertStudentCardPurchase(design), "").value();
    StudentCard purchases(kSmall);
    std::vector<BatchEntry> batch;
    Purchase purchase;
    for (uint64_t made = 1; purchases.Next(purchase); ++made) {
      clock_->Set(std::max(clock_->NowMicros(), purchase.at_micros));
      batch.push_back({insert,
                       {number(TypeKind::kInt, purchase.card_id),
                        {BoundValue::Kind::kValue, purchase.seller_id},
                        number(TypeKind::kInt, purchase.device_id),
                        number(TypeKind::kBigint, purchase.order_no),
                        number(TypeKind::kTimestamp, purchase.at_micros / 1'000),
                        number(TypeKind::kInt, purchase.cents)},
                       {"card_id", "seller_id", "device_id", "order_no", "at", "cents"}});
      if (batch.size() < 20 && made < kSmall.purchases) continue;
      const Result<Outcome> written = engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, batch, {});
      ASSERT_TRUE(written.ok()) << written.error().message;
      batch.clear();
    }
  }

  // Loads the design. Returns the findings of ADVISE whose severity is above info.
  advise::Findings Found(const std::string& name) {
    Load(DesignOf(name));
    AdviceRequest request{.schema = engine_->schema(),
                          .storage = StorageOf(*engine_),
                          .language = {},
                          .current_keyspace = "campus",
                          .load = {}};
    request.limits.time = std::chrono::seconds(60);
    const Statement statement = Parse("ADVISE TABLE purchases_" + name).value();
    advise::Findings findings = Advise(std::get<AdviseStatement>(statement.node), request).value();
    std::erase_if(findings, [](const Finding& finding) { return finding.severity == Severity::kInfo; });
    return findings;
  }

  static std::vector<std::string> Codes(const advise::Findings& findings) {
    std::vector<std::string> codes;
    for (const Finding& finding : findings) codes.push_back(finding.code);
    return codes;
  }

  const std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(kSmall.begin_micros);
  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(StudentCardTest, TheGeneratorKeepsTheDocumentsConventions) {
  StudentCard purchases(kSmall);
  Purchase purchase;
  // For each terminal, the order number and the time of its last purchase.
  std::map<int32_t, std::pair<int64_t, int64_t>> last_of_terminal;
  std::map<int32_t, std::string> seller_of_terminal;
  std::map<int64_t, std::set<int32_t>> terminals_of_order;
  std::map<std::string, uint64_t> custom;
  std::set<int32_t> cards;
  int64_t now = 0;
  while (purchases.Next(purchase)) {
    EXPECT_GE(purchase.at_micros, now) << "written as they happen";
    now = purchase.at_micros;
    auto& [order, at] = last_of_terminal[purchase.device_id];
    EXPECT_GT(purchase.order_no, order) << "a terminal's next order number is larger";
    order = purchase.order_no;
    EXPECT_EQ(seller_of_terminal.emplace(purchase.device_id, purchase.seller_id).first->second, purchase.seller_id);
    terminals_of_order[purchase.order_no].insert(purchase.device_id);
    ++custom[purchase.seller_id];
    cards.insert(purchase.card_id);
  }
  EXPECT_EQ(last_of_terminal.size(), 80u);
  EXPECT_EQ(custom.size(), 12u);
  EXPECT_GT(cards.size(), 990u);
  EXPECT_TRUE(std::ranges::any_of(terminals_of_order, [](const auto& order) { return order.second.size() > 10; }))
      << "not unique";
  EXPECT_GT(std::ranges::max_element(custom, {}, [](const auto& seller) { return seller.second; })->second,
            kSmall.purchases / 5)
      << "some are large";
}

TEST_F(StudentCardTest, CardsAreAGoodPartitionKey) { EXPECT_THAT(Codes(Found("by_card")), ::testing::IsEmpty()); }

TEST_F(StudentCardTest, TerminalsAreAGoodPartitionKey) { EXPECT_THAT(Codes(Found("by_device")), ::testing::IsEmpty()); }

TEST_F(StudentCardTest, SellersAreFewAndSomeAreLarge) {
  const advise::Findings findings = Found("by_seller");
  EXPECT_THAT(Codes(findings), ::testing::IsSupersetOf({"few-values", "skewed-values"}));
  for (const Finding& finding : findings) {
    if (finding.code != "few-values") continue;
    EXPECT_THAT(finding.evidence, HasSubstr("40,000 rows under 12 values of seller_id"));
    EXPECT_THAT(finding.fix, HasSubstr("PRIMARY KEY (card_id, seller_id, ")) << "the documents' own recommendation";
  }
}

TEST_F(StudentCardTest, OrderNumbersAreATailHotspot) {
  const advise::Findings findings = Found("by_order");
  ASSERT_THAT(Codes(findings), ::testing::ElementsAre("tail-hotspot"));
  EXPECT_EQ(findings[0].severity, Severity::kCritical);
  EXPECT_THAT(findings[0].fix, HasSubstr("PRIMARY KEY ((hash_prefix, order_no), ")) << "the documents' own way out";
}

TEST_F(StudentCardTest, AHashPrefixRemovesTheTail) {
  EXPECT_THAT(Codes(Found("by_order_hashed")), ::testing::IsEmpty());
}

TEST_F(StudentCardTest, BucketsRemoveTheTail) { EXPECT_THAT(Codes(Found("by_order_bucketed")), ::testing::IsEmpty()); }

}  // namespace
}  // namespace widerow
