// BlobWriter and BlobReader, and the memory that they take.
#include "widerow/blob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

std::string PartOf(size_t bytes, uint64_t from) {
  std::string part(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) part[i] = static_cast<char>((from + i) * 2'654'435'761u >> 11);
  return part;
}

// Returns the private memory of this process in bytes, without the pages of mapped files: the page cache belongs to the
// system.
uint64_t PrivateBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stoull(line.substr(8)) * 1'024;
  }
  return 0;
}

class BlobTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Database::Open({.directory = directory_.path()});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
    Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Must("CREATE TABLE k.files (id int PRIMARY KEY, name text, data longblob)");
  }
  void Must(const std::string& cql) {
    auto result = db_->Execute(cql);
    ASSERT_TRUE(result.ok()) << result.error().message;
  }
  std::string Refusal(const std::string& cql, const std::vector<Parameter>& parameters) {
    auto writer = BlobWriter::Open(*db_, cql, parameters);
    return writer.ok() ? "accepted" : writer.error().message;
  }

  // Writes and reads a value of this size. Returns the greatest number of bytes of memory that this took.
  uint64_t MemoryOf(uint64_t size) {
    constexpr size_t kPart = 1u << 20;
    const uint64_t before = PrivateBytes();
    uint64_t most = before;
    auto writer = BlobWriter::Open(*db_, "INSERT INTO k.files (id, name, data) VALUES (1, 'film', ?)", {nullptr});
    EXPECT_TRUE(writer.ok()) << writer.error().message;
    for (uint64_t at = 0; at < size; at += kPart) {
      auto written = writer.value()->Write(PartOf(std::min<uint64_t>(kPart, size - at), at));
      EXPECT_TRUE(written.ok()) << written.error().message;
      most = std::max(most, PrivateBytes());
    }
    auto finished = writer.value()->Finish();
    EXPECT_TRUE(finished.ok()) << finished.error().message;
    EXPECT_EQ(finished.value(), size);
    auto reader = BlobReader::Open(*db_, "SELECT data FROM k.files WHERE id = ?", {1});
    EXPECT_TRUE(reader.ok() && reader.value() != nullptr);
    EXPECT_EQ(reader.value()->size(), size);
    std::string part(kPart, '\0');
    for (uint64_t at = 0; at < size; at += kPart) {
      const auto read = reader.value()->Read(at, part.data(), part.size());
      EXPECT_TRUE(read.ok() && part.substr(0, read.value()) == PartOf(std::min<uint64_t>(kPart, size - at), at)) << at;
      most = std::max(most, PrivateBytes());
    }
    return most - before;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(BlobTest, AValueAndItsRowAreWrittenTogether) {
  auto writer = BlobWriter::Open(*db_, "INSERT INTO k.files (id, name, data) VALUES (?, ?, ?)", {7, "film", nullptr});
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(writer.value()->Write(PartOf(300'000, i * 300'000)).ok());
  EXPECT_FALSE(db_->Execute("SELECT name FROM k.files").value().Next()) << "nothing is visible before Finish";
  EXPECT_EQ(writer.value()->Finish().value(), 3'000'000u);
  EXPECT_FALSE(writer.value()->Finish().ok());
  auto rows = db_->Execute("SELECT name, data FROM k.files WHERE id = 7");
  ASSERT_TRUE(rows.value().Next());
  EXPECT_EQ(rows.value().row().Get<std::string>("name"), "film");
  EXPECT_TRUE(rows.value().row().Raw(1) == PartOf(3'000'000, 0));
  auto reader = BlobReader::Open(*db_, "SELECT data FROM k.files WHERE id = ?", {7});
  char part[1'000];
  EXPECT_EQ(reader.value()->Read(2'999'500, part, sizeof part).value(), 500u);
  EXPECT_EQ(reader.value()->Read(3'000'000, part, sizeof part).value(), 0u);
  EXPECT_EQ(BlobReader::Open(*db_, "SELECT data FROM k.files WHERE id = 8").value(), nullptr);
}

TEST_F(BlobTest, ForEachRowAndConditionsSeeTheValue) {
  auto writer = BlobWriter::Open(*db_, "UPDATE k.files SET data = ? WHERE id = 7", {nullptr});
  ASSERT_TRUE(writer.value()->Write(PartOf(600'000, 0)).ok());
  ASSERT_TRUE(writer.value()->Finish().ok());
  size_t bytes = 0;
  auto shown = db_->ForEachRow(db_->Prepare("SELECT data FROM k.files WHERE id = 7").value(), {}, [&](const Row& row) {
    bytes = row.Raw(0).size();
    return true;
  });
  EXPECT_TRUE(shown.ok());
  EXPECT_EQ(bytes, 600'000u);
  const std::string same = PartOf(600'000, 0);
  auto query = db_->Prepare("UPDATE k.files SET name = 'x' WHERE id = 7 IF data = ?");
  auto applied = db_->Execute(query.value(), {Parameter::Raw(same)});
  ASSERT_TRUE(applied.ok() && applied.value().Next());
  EXPECT_TRUE(applied.value().row().Get<bool>(0));
}

TEST_F(BlobTest, ViewsShowTheValue) {
  Must(
      "CREATE MATERIALIZED VIEW k.by_name AS SELECT * FROM k.files WHERE name IS NOT NULL AND id IS NOT NULL "
      "PRIMARY KEY (name, id)");
  auto writer = BlobWriter::Open(*db_, "INSERT INTO k.files (id, name, data) VALUES (7, 'film', ?)", {nullptr});
  ASSERT_TRUE(writer.value()->Write(PartOf(600'000, 0)).ok());
  ASSERT_TRUE(writer.value()->Finish().ok());
  auto rows = db_->Execute("SELECT data FROM k.by_name WHERE name = 'film'");
  ASSERT_TRUE(rows.ok() && rows.value().Next());
  EXPECT_TRUE(rows.value().row().Raw(0) == PartOf(600'000, 0));
}

TEST_F(BlobTest, StatementsThatCannotBeWrittenInParts) {
  Must("CREATE TABLE k.two (p int, c int, s longblob static, v longblob, w longblob, PRIMARY KEY (p, c))");
  EXPECT_THAT(Refusal("UPDATE k.two SET v = ? WHERE p = 1 AND c = 1 IF EXISTS", {nullptr}), HasSubstr("with IF"));
  EXPECT_THAT(Refusal("UPDATE k.two SET s = ? WHERE p = 1", {nullptr}), HasSubstr("into a static column"));
  EXPECT_THAT(Refusal("UPDATE k.two SET v = ? WHERE p = 1 AND c IN (1, 2)", {nullptr}), HasSubstr("several rows"));
  EXPECT_THAT(Refusal("UPDATE k.two SET v = ? WHERE p IN (1, 2) AND c = 1", {nullptr}), HasSubstr("several rows"));
  EXPECT_THAT(Refusal("UPDATE k.two SET v = ?, w = ? WHERE p = 1 AND c = 1", {nullptr, nullptr}),
              HasSubstr("2 markers of type longblob"));
  EXPECT_THAT(Refusal("DELETE FROM k.two WHERE p = ? AND c = 1", {1}), HasSubstr("0 markers of type longblob"));
  EXPECT_THAT(Refusal("SELECT v FROM k.two", {}), HasSubstr("with an INSERT or UPDATE"));
  EXPECT_FALSE(BlobReader::Open(*db_, "SELECT v FROM k.two WHERE p = 1").ok());
  EXPECT_FALSE(BlobReader::Open(*db_, "SELECT v, w FROM k.two WHERE p = 1 AND c = 1").ok());
}

TEST_F(BlobTest, ATruncatedTableRefusesTheValue) {
  auto writer = BlobWriter::Open(*db_, "UPDATE k.files SET data = ? WHERE id = 7", {nullptr});
  ASSERT_TRUE(writer.value()->Write(PartOf(600'000, 0)).ok());
  Must("TRUNCATE k.files");
  auto finished = writer.value()->Finish();
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(finished.error().code, 0x2200u);
  EXPECT_FALSE(db_->Execute("SELECT id FROM k.files").value().Next());
}

TEST_F(BlobTest, GuardrailsSeeTheWholeSize) {
  db_.reset();
  auto opened = Database::Open(
      {.directory = directory_.path(), .guardrails = "enforce", .guardrail_settings = {"value_bytes=1000:500000"}});
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  db_ = std::move(opened).value();
  auto writer = BlobWriter::Open(*db_, "UPDATE k.files SET data = ? WHERE id = 7", {nullptr});
  ASSERT_TRUE(writer.value()->Write(PartOf(600'000, 0)).ok());
  auto finished = writer.value()->Finish();
  ASSERT_FALSE(finished.ok());
  EXPECT_THAT(finished.error().message, HasSubstr("600,000 bytes"));
}

// A sanitizer keeps freed memory for a while, so only the other builds measure.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The value must not be gathered in memory. That would take at least as many bytes as the value has.
TEST_F(BlobTest, MemoryDoesNotDependOnTheSizeOfTheValue) {
  const char* const long_form = std::getenv("WIDEROW_BLOB_MEGABYTES");
  const uint64_t size = long_form == nullptr ? 64 : std::stoull(long_form);
  const uint64_t most = MemoryOf(size << 20);
  RecordProperty("bytes", std::to_string(most));
  EXPECT_LE(most, 32u << 20);
}
#endif

}  // namespace
}  // namespace widerow
