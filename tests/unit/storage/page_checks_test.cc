// Tests damaged pages of data.mdb: what notices the damage, and what the errors say. Also tests files of earlier
// versions, whose pages have no checksums.
#include "storage/lmdb/page_checks.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "storage/engine/compact.h"
#include "storage/lmdb/map_faults.h"
#include "storage/lmdb/page_layout.h"
#include "storage/lmdb/page_walk.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using lmdb::NodeView;
using lmdb::PageView;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr unsigned kPageBytes = 4'096;

class PageChecksTest : public EngineFixture {
 protected:
  static constexpr int kRows = 2'000, kRowsOfPartition = 20, kPartitions = kRows / kRowsOfPartition;

  // Writes rows and closes the database. The file then has no free pages, so each page belongs to some data.
  void SetUp() override {
    Open();
    WriteRows(Insert(1, {MakeCell(kA, 1, Bytes(100, 'v'))}));
    Write(Row(table_, "long", "c", Insert(1, {MakeCell(kA, 1, Bytes(900'000, 'w'))})));
    engine_.reset();
    ASSERT_TRUE(Compact().ok());
  }
  void WriteRows(const RowFragment& content) {
    for (int i = 0; i < kPartitions; ++i) {
      PartitionMutation partition = Partition(table_, Int(i));
      for (int k = 0; k < kRowsOfPartition; ++k) partition.rows.push_back({false, "c" + Int(k), content});
      Write(std::move(partition));
    }
  }
  fs::path data() { return directory_.path() / "data.mdb"; }
  std::string Content() {
    std::ifstream file(data(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void Overwrite(uint64_t offset, const std::string& bytes) {
    std::fstream file(data(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void Flip(uint64_t offset) { Overwrite(offset, std::string(1, static_cast<char>(Content()[offset] ^ 4))); }
  Status Compact() {
    const auto done = CompactDataDirectory(options(), [](const std::string&, uint64_t, uint64_t) {});
    return done.ok() ? OkStatus() : Status(done.error());
  }
  // Returns the number of a page that contains many rows.
  uint64_t LeafPage() {
    const std::string content = Content();
    for (uint64_t page = content.size() / kPageBytes - 1; page > 1; --page) {
      const PageView view(content.data() + page * kPageBytes);
      if (view.number() == page && view.flags() == PageView::kLeaf && view.nodes() > 15) return page;
    }
    ADD_FAILURE() << "no leaf page";
    return 0;
  }
  static void RemoveTags(char* page) {
    const PageView view(page);
    for (unsigned i = 0; i < view.nodes(); ++i) {
      char* const at = page + view.node_offset(i);
      const NodeView node(at);
      char* const value = at + NodeView::kHeaderBytes + node.key_bytes();
      if ((view.flags() & PageView::kBranch) != 0)
        std::memset(at + 4, 0, 2);
      else if (node.is_long())
        std::memset(value + 4, 0, 4);
      else if ((node.flags() & NodeView::kDatabase) != 0)
        std::memset(value, 0, 4);
    }
  }
  // Removes all checksums, so that the file looks as if an earlier version had written it.
  void RemoveChecksums() {
    std::string content = Content();
    for (const unsigned meta : {0u, kPageBytes}) {
      char* const record = content.data() + meta + PageView::kHeaderBytes;
      const uint32_t version = 1;
      std::memcpy(record + 4, &version, sizeof version);
      std::memset(record + lmdb::MetaView::kBytesWithoutSum, 0, 2 * lmdb::MetaView::kBytes);
      std::memset(record + 72, 0, 4);  // The tag of the root page of LMDB's tree of databases.
    }
    for (uint64_t page = 2; page < content.size() / kPageBytes;) {
      char* const at = content.data() + page * kPageBytes;
      const PageView view(at);
      ASSERT_EQ(view.number(), page) << "a file without free pages";
      std::memset(at + PageView::kSumAt, 0, 4);
      if ((view.flags() & PageView::kOverflow) == 0) RemoveTags(at);
      page += (view.flags() & PageView::kOverflow) != 0 ? view.overflow_pages() : 1;
    }
    std::ofstream(data(), std::ios::binary | std::ios::trunc) << content;
  }
  // Returns the number of pages that have no checksum.
  uint64_t Unsealed() {
    const auto walk = lmdb::WalkPages(data(), [](uint64_t, uint64_t) {});
    EXPECT_TRUE(walk->damaged.empty());
    return walk->unsealed;
  }
  // Returns the number of rows that can be read, and the first error.
  std::pair<int, std::string> ReadRows() {
    int rows = 0;
    std::string error;
    for (int i = 0; i < kPartitions; ++i) {
      const std::string read = ReadPartition(Int(i));
      if (read.find("error: ") == read.npos)
        rows += static_cast<int>(std::count(read.begin(), read.end(), '\n'));
      else if (error.empty())
        error = read;
    }
    return {rows, error};
  }
  std::string Place(uint64_t page) {
    return "data.mdb' is damaged: page " + std::to_string(page) + " at offset " + std::to_string(page * kPageBytes) +
           " ";
  }
};

TEST_F(PageChecksTest, EveryBitOfAPageCounts) {
  std::string content = Content();
  const uint64_t page = LeafPage();
  char* const at = content.data() + page * kPageBytes;
  const lmdb::FileShape file{kPageBytes, content.size() / kPageBytes, true};
  const auto damage = [&] { return lmdb::FindDamage(at, {page, PageView(at).tag()}, file); };
  ASSERT_EQ(damage(), nullptr);
  for (size_t bit = 0; bit < 8 * kPageBytes; ++bit) {
    const auto mask = static_cast<char>(1 << bit % 8);
    at[bit / 8] = static_cast<char>(at[bit / 8] ^ mask);
    EXPECT_NE(damage(), nullptr) << bit;
    at[bit / 8] = static_cast<char>(at[bit / 8] ^ mask);
  }
  EXPECT_NE(lmdb::FindDamage(at, {page + 1, 0}, file), nullptr) << "the page of another number";
  EXPECT_NE(lmdb::FindDamage(at, {page, 9}, file), nullptr) << "a page of another commit";
}

TEST_F(PageChecksTest, TheErrorNamesTableFilePageAndOffset) {
  const uint64_t page = LeafPage();
  Flip(page * kPageBytes + 3'000);
  Open();
  EXPECT_THAT(ReadAll(), AllOf(HasSubstr("error: Storage failed while reading rows of ks.t: '" + data().string()),
                               HasSubstr(Place(page) + "does not match its checksum")));
  const auto [rows, error] = ReadRows();
  EXPECT_THAT(error, HasSubstr(Place(page)));
  EXPECT_GT(rows, kRows - 200);
  EXPECT_LT(rows, kRows);
  // Only the statement has failed. The same cursors and snapshots can be used again.
  EXPECT_EQ(ReadRows(), std::pair(rows, error));
}

TEST_F(PageChecksTest, AFoldThatNeedsADamagedPageFailsAndReadsGoOn) {
  const uint64_t page = LeafPage();
  Flip(page * kPageBytes + 2'000);
  Open();
  const auto [rows, error] = ReadRows();
  WriteRows(Update({MakeCell(kB, 2, "b")}));
  EXPECT_THAT(ErrorText(engine().Flush()), AllOf(HasSubstr(Place(page)), HasSubstr("(table ks.t)")));
  EXPECT_THAT(ErrorText(engine().Flush()), HasSubstr(Place(page)));
  EXPECT_EQ(ReadRows(), std::pair(rows, error));
  Reopen();  // The writes are still in the commit log.
  EXPECT_THAT(ReadAll(), HasSubstr("4=b@2"));
  EXPECT_EQ(ReadRows().first, rows);
}

// If a fold fails at the root of a tree, its error must also name the damaged page, and not a consequence of the
// damage.
TEST_F(PageChecksTest, AFoldThatNeedsADamagedBranchNamesIt) {
  const std::string before = Content();
  int needed = 0;
  for (uint64_t page = 2; page < before.size() / kPageBytes; ++page) {
    const PageView view(before.data() + page * kPageBytes);
    if (view.number() != page || view.flags() != PageView::kBranch) continue;
    Flip(page * kPageBytes + 4'000);
    Open();
    WriteRows(Update({MakeCell(kB, 2, "b")}));
    const Status flushed = engine().Flush();
    if (!flushed.ok()) {
      ++needed;
      EXPECT_THAT(ErrorText(flushed), HasSubstr(Place(page)));
      EXPECT_THAT(ErrorText(engine().Flush()), HasSubstr(Place(page)));
    }
    engine_.reset();
    Overwrite(0, before);
    fs::remove_all(directory_.path() / "log");
  }
  EXPECT_GT(needed, 0);
}

TEST_F(PageChecksTest, LongValues) {
  const std::string content = Content();
  uint64_t page = 2;
  while ((PageView(content.data() + page * kPageBytes).flags() & PageView::kOverflow) == 0) ++page;
  ASSERT_GT(PageView(content.data() + page * kPageBytes).overflow_pages(), 1u);
  Flip((page + 1) * kPageBytes + 77);  // This is the second page of the value. Such pages have no header.
  Open();
  EXPECT_THAT(ReadPartition("long"), HasSubstr(Place(page)));
  EXPECT_EQ(ReadRows().first, kRows);
}

TEST_F(PageChecksTest, CompactingNamesAllDamagedPages) {
  const uint64_t page = LeafPage();
  const std::string before = Content();
  Overwrite(page * kPageBytes, std::string(kPageBytes, '\0'));
  Overwrite((page - 1) * kPageBytes + 100, "???");
  const Status compacted = Compact();
  ASSERT_FALSE(compacted.ok());
  EXPECT_THAT(compacted.error().message, AllOf(HasSubstr(" 2 are damaged"), HasSubstr(Place(page)),
                                               HasSubstr(Place(page - 1)), HasSubstr("(of the database 'data')")));
  Overwrite(0, before);
  EXPECT_TRUE(Compact().ok());
}

TEST_F(PageChecksTest, PagesOfEarlierVersionsAreReadAndGetChecksums) {
  EXPECT_EQ(Unsealed(), 0u);
  RemoveChecksums();
  const uint64_t all = Unsealed();
  EXPECT_GT(all, 60u);
  Open();
  EXPECT_EQ(ReadRows(), std::pair(kRows, std::string()));
  Write(Row(table_, Int(7), "c" + Int(7), Update({MakeCell(kB, 2, "b")})));
  Reopen();
  EXPECT_EQ(ReadRows(), std::pair(kRows, std::string()));
  engine_.reset();
  EXPECT_LT(Unsealed(), all);
  EXPECT_GT(Unsealed(), all / 2);
  ASSERT_TRUE(Compact().ok());
  EXPECT_EQ(Unsealed(), 0u);
  Open();
  EXPECT_EQ(ReadRows(), std::pair(kRows, std::string()));
}

// Without checksums, wrong rows cannot be noticed. But damage must not lead a read outside the file.
TEST_F(PageChecksTest, DamageToPagesOfEarlierVersionsDoesNotEndTheProcess) {
  RemoveChecksums();
  const std::string before = Content();
  std::minstd_rand random(1);
  for (int i = 0; i < 20; ++i) {
    std::string content = before;
    for (int flips = 0; flips < 30; ++flips) {
      const uint64_t page = 2 + random() % (before.size() / kPageBytes - 2);
      content[page * kPageBytes + random() % 64] ^= 4;
    }
    Overwrite(0, content);
    const pid_t child = fork();
    if (child == 0) {
      close(STDERR_FILENO);
      auto opened = OpenLmdbEngine(options());
      if (opened.ok()) {
        engine_.reset(static_cast<LmdbEngine*>(opened.value().release()));
        ReadAll();
        ReadRows();
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == lmdb::kExitDamaged))
        << status << " in round " << i;
  }
}

TEST_F(PageChecksTest, AFailedReadOfAMapIsCaught) {
  const int fd = open(data().c_str(), O_RDONLY);
  const size_t bytes = fs::file_size(data());
  const auto* map = static_cast<const char*>(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0));
  close(fd);
  const std::string name = data().string();
  lmdb::WatchMap(map, bytes, name.c_str());
  fs::resize_file(data(), 5 * kPageBytes);
  volatile char byte = 0;
  EXPECT_TRUE(lmdb::WithFaultsCaught([&] { byte = map[4 * kPageBytes]; }));
  EXPECT_FALSE(lmdb::WithFaultsCaught([&] { byte = map[6 * kPageBytes]; }));
  EXPECT_FALSE(lmdb::WithFaultsCaught([&] { byte = map[7 * kPageBytes]; })) << "the handler stays";
  lmdb::UnwatchMap(map);
  munmap(const_cast<char*>(map), bytes);
}

// A page is checked when it is read for the first time. If a later read of the page fails, it cannot return an error:
// the process ends.
TEST_F(PageChecksTest, AFileThatIsShortenedWhileItIsOpenEndsTheProcess) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    Open();
    ReadAll();
    fs::resize_file(data(), 5 * kPageBytes);
    ReadAll();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4'096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(size));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == lmdb::kExitDamaged) << status;
  EXPECT_THAT(text, HasSubstr("data.mdb' cannot be read at offset "));
  EXPECT_THAT(text, HasSubstr("`widerow check`, which lists the damaged pages"));
}

}  // namespace
}  // namespace widerow
