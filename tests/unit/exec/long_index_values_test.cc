// Tests values of more than 64 KiB in plain indexes. Writes of such values are refused, but rows that are older than an
// index may have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class LongIndexValuesTest : public ::testing::Test {
 protected:
  // Returns the integers of the first column.
  std::vector<int64_t> Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    std::vector<int64_t> found;
    if (!outcome.ok()) ADD_FAILURE() << text.substr(0, 100) << ": " << outcome.error().message;
    const auto* const page = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr;
    if (page == nullptr) return found;
    PageReader reader(*page);
    for (std::vector<ValueView> row; reader.Next(row);) found.push_back(DecodeInteger(*row[0]));
    return found;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(LongIndexValuesTest, InFindsThoseThatAreOlderThanTheIndex) {
  const std::string value = "'" + std::string(70'000, 'a') + "'";
  Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Run("CREATE TABLE ks.t (p int PRIMARY KEY, v text)");
  Run(StrCat("INSERT INTO ks.t (p, v) VALUES (1, ", value, ")"));
  Run("INSERT INTO ks.t (p, v) VALUES (2, 'b')");
  Run("CREATE INDEX ON ks.t (v)");
  EXPECT_THAT(Run(StrCat("SELECT p FROM ks.t WHERE v IN (", value, ", 'b')")), testing::UnorderedElementsAre(1, 2));
}

}  // namespace
}  // namespace widerow
