// Tests that ADVISE uses the counts of the heat map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/finding.h"
#include "parser/parse.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

TEST(AdviseHeat, PartitionWrittenTooOftenIsNamed) {
  ScratchDirectory directory;
  auto clock = std::make_shared<ManualClock>(int64_t{1'700'000'000'000'000});
  auto storage = OpenLmdbEngine(
      {.directory = directory.path(), .map_bytes = uint64_t{1} << 34, .clock = clock, .durability = Durability::kNone});
  Engine engine(std::move(storage.value()), LanguageOptions{.extension_warnings = false});
  const auto run = [&](const std::string& text) {
    const Result<Outcome> outcome = engine.Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  };
  run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  run("CREATE TABLE ks.visits (page text, visitor int, PRIMARY KEY (page, visitor))");
  const auto codes = [&] {
    const Statement statement = Parse("ADVISE TABLE ks.visits").value();
    return engine.Advise(std::get<AdviseStatement>(statement.node), "", {}).value();
  };
  const auto hot = [&] {
    const advise::Findings findings = codes();
    const auto found =
        std::ranges::find_if(findings, [](const advise::Finding& finding) { return finding.code == "hot-partition"; });
    return found == findings.end() ? std::string() : found->evidence + " / " + found->fix;
  };
  // Writes for twenty seconds: 2,000 times a second to one page, and a few times to other pages.
  for (int second = 0; second < 20; ++second) {
    for (int i = 0; i < 2'000; ++i)
      run("INSERT INTO ks.visits (page, visitor) VALUES ('front', " + std::to_string(i) + ")");
    run("INSERT INTO ks.visits (page, visitor) VALUES ('page" + std::to_string(second) + "', 1)");
    clock->Set(clock->NowMicros() + 1'000'000);
    if (second == 0) { EXPECT_EQ(hot(), "") << "a second is too little to judge by"; }
  }
  EXPECT_THAT(hot(), HasSubstr("partition front had "));
  EXPECT_THAT(hot(), HasSubstr("PRIMARY KEY ((page, bucket), visitor)"));
}

}  // namespace
}  // namespace widerow
