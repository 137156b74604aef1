// Counts memory allocations of prepared reads: none for one row through Database, a few for an EXECUTE from its body to
// the answer's frame, and a number per statement, not per row, for a slice. This file replaces operator new to count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "exec/engine/engine.h"
#include "net/native/run_request.h"
#include "widerow/database.h"

namespace {
thread_local size_t allocations = 0;
}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCounted = false;  // The sanitizers replace operator new themselves.
#else
constexpr bool kCounted = true;
void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size); memory != nullptr) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
#endif

namespace widerow {
namespace {

constexpr const char* kPoint = "SELECT name, amount FROM k.t WHERE id = ? AND c = ?";
constexpr const char* kId = "a partition key of more than a few bytes";

class AllocationsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kCounted) GTEST_SKIP() << "not counted in this build";
    std::string name = (std::filesystem::temp_directory_path() / "widerow-alloc-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    Open();
    Exec("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("CREATE TABLE k.t (id text, c int, name text, amount bigint, PRIMARY KEY (id, c))");
    for (int c = 0; c < 200; ++c)
      Exec("INSERT INTO k.t (id, c, name, amount) VALUES (?, ?, 'of some length or other', 7)", {kId, c});
    Open();  // The rows are in the data file, the memtable is empty.
  }
  void TearDown() override {
    db_.reset();
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }
  void Open() {
    db_.reset();
    auto opened = Database::Open({.directory = directory_, .map_bytes = uint64_t{1} << 34});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
  }
  void Exec(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db_->Execute(cql, parameters);
    ASSERT_TRUE(result.ok()) << cql << ": " << result.error().message;
  }
  // Returns the least number of allocations of kRuns runs: the first runs fill caches, and the first operations of a
  // second and one of 64 others are measured (exec/load/operation_sampler.h).
  static constexpr int kRuns = 200;
  size_t Count(const PreparedQuery& query, const std::vector<Parameter>& parameters, size_t rows_wanted) {
    size_t counted = SIZE_MAX;
    for (int run = 0; run < kRuns; ++run) {
      const size_t before = allocations;
      size_t rows = 0;
      {
        ResultSet result = db_->Execute(query, parameters).value();
        while (result.Next()) rows += result.row().Raw(0).empty() ? 0 : 1;
      }
      counted = std::min(counted, allocations - before);
      EXPECT_EQ(rows, rows_wanted);
    }
    return counted;
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(AllocationsTest, APreparedReadOfOneRowHasNone) {
  const PreparedQuery point = db_->Prepare(kPoint).value();
  EXPECT_EQ(Count(point, {kId, 17}, 1), 0u);
  EXPECT_EQ(Count(point, {kId, 1'000}, 0), 0u);  // This row does not exist.
}

TEST_F(AllocationsTest, AShownRowHasNoneAndASliceThatIsShownAFew) {
  const PreparedQuery point = db_->Prepare(kPoint).value();
  const PreparedQuery slice = db_->Prepare("SELECT name, amount FROM k.t WHERE id = ? AND c >= ? LIMIT ?").value();
  size_t rows = 0;
  const std::function<bool(const Row&)> count = [&](const Row& row) {
    rows += row.Raw(0).empty() ? 0 : 1;
    return true;
  };
  const auto counted = [&](const PreparedQuery& query, const std::vector<Parameter>& parameters) {
    size_t least = SIZE_MAX;
    for (int run = 0; run < kRuns; ++run) {
      const size_t before = allocations;
      rows = 0;
      EXPECT_TRUE(db_->ForEachRow(query, parameters, count).ok());
      least = std::min(least, allocations - before);
    }
    return least;
  };
  EXPECT_EQ(counted(point, {kId, 17}), 0u);
  EXPECT_EQ(rows, 1u);
  const size_t of_few = counted(slice, {kId, 10, 10}), of_many = counted(slice, {kId, 10, 160});
  EXPECT_EQ(rows, 160u);
  EXPECT_EQ(of_many, of_few) << "none is a row's";
}

TEST_F(AllocationsTest, ASliceHasThemByStatementNotByRow) {
  const PreparedQuery slice = db_->Prepare("SELECT name, amount FROM k.t WHERE id = ? AND c >= ? LIMIT ?").value();
  const size_t of_few = Count(slice, {kId, 10, 10}, 10), of_many = Count(slice, {kId, 10, 160}, 160);
  EXPECT_LE(of_many, of_few + 8) << "only the page may grow";  // The page's buffer doubles.
  EXPECT_LE(of_many, 80u);
}

TEST_F(AllocationsTest, AnExecuteOfOneRowHasAFew) {
  Engine& engine = db_->engine();
  const PreparedPtr point = engine.Prepare(kPoint, "").value();
  size_t counted = SIZE_MAX;
  for (int run = 0; run < kRuns; ++run) {
    NativeRequest request;
    request.opcode = Opcode::kExecute;
    request.body.reserve(256);
    AppendBigEndian(request.body, static_cast<uint16_t>(point->id.size()));
    request.body += point->id;
    AppendBigEndian(request.body, uint16_t{1});  // Consistency ONE.
    request.body.push_back('\x03');              // Values follow; no metadata is requested.
    AppendBigEndian(request.body, uint16_t{2});
    AppendBigEndian(request.body, static_cast<uint32_t>(std::strlen(kId)));
    request.body += kId;
    AppendBigEndian(request.body, uint32_t{4});
    AppendBigEndian(request.body, uint32_t{17});
    NativeAnswer answer;
    const size_t before = allocations;
    const QuickRun ran = RunIfQuick(
        engine, request, nullptr, [] { return nullptr; }, answer);
    counted = std::min(counted, allocations - before);
    ASSERT_EQ(ran, QuickRun::kDone);
    EXPECT_NE(answer.frame.find("of some length or other"), Bytes::npos);
  }
  EXPECT_LE(counted, 3u) << "the values, a long one of them, the frame";
}

}  // namespace
}  // namespace widerow
