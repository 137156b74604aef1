// Counts the memory allocations of prepared reads, by replacing operator new. A read of one row through Database makes
// none. An EXECUTE message of the native protocol makes a few. A slice makes a fixed number, however many rows it has.
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
    Open();  // Opening the database again moves the rows from the memtable into the data file.
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
  // Returns the smallest number of allocations in kRuns runs. Other runs make more: the first ones fill caches, and the
  // engine measures some operations (exec/load/operation_sampler.h).
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
  EXPECT_EQ(Count(point, {kId, 1'000}, 0), 0u);  // There is no row with this key.
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
  // The buffer of the page doubles when it is full, so a larger page may need a few more allocations.
  EXPECT_LE(of_many, of_few + 8) << "only the page may grow";
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
    request.body.push_back('\x03');              // Flags: values follow, and the answer needs no metadata.
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
