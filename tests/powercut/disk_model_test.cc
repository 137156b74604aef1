#include "disk_model.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

class DiskModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // The tests make thousands of small files, which is quicker in memory.
    const fs::path memory = "/dev/shm";
    std::string name =
        ((access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path()) / "widerow-disk-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    base_ = name;
  }
  void TearDown() override { fs::remove_all(base_); }

  void Create(uint32_t node, const std::string& name) { Apply({EventKind::kCreate, node}, name); }
  void Write(uint32_t node, uint64_t offset, const std::string& bytes) {
    Apply({EventKind::kWrite, node, offset}, bytes);
  }
  void Sync(uint32_t node, bool failed = false) {
    BeginSync(node, ++syncs_);
    EndSync(syncs_, failed);
  }
  void BeginSync(uint32_t node, uint64_t sync) { Apply({EventKind::kSyncBegin, node, sync}); }
  void EndSync(uint64_t sync, bool failed = false) { Apply({EventKind::kSyncEnd, 0, sync, failed ? 1u : 0u}); }
  void SyncDirectory() {
    Apply({EventKind::kSyncBegin, 0, ++syncs_, static_cast<uint64_t>(SyncScope::kDirectory)});
    EndSync(syncs_);
  }
  void Apply(EventHeader header, const std::string& payload = {}) {
    payloads_.push_back(payload);
    Event event;
    static_cast<EventHeader&>(event) = header;
    event.payload = payloads_.back();
    disk_.Apply(event);
  }

  // Returns the content of the file after a power cut, or "absent" if the file does not exist.
  std::string File(const std::string& name, Pattern pattern, uint64_t seed = 1) {
    const fs::path state = base_ / "state";
    fs::remove_all(state);
    fs::create_directory(state);
    disk_.Build(pattern, Random(seed), state);
    if (!fs::exists(state / name)) return "absent";
    std::ifstream in(state / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::set<std::string> AllFiles(const std::string& name) {
    std::set<std::string> all;
    for (uint64_t seed = 0; seed < 60; ++seed) {
      for (uint32_t pattern = 0; pattern < kPatterns; ++pattern)
        all.insert(File(name, static_cast<Pattern>(pattern), seed));
    }
    return all;
  }

  fs::path base_;
  DiskModel disk_;
  std::deque<std::string> payloads_;
  uint64_t syncs_ = 0;
};

TEST_F(DiskModelTest, NothingIsCertainBeforeItsSync) {
  Create(1, "a");
  Write(1, 0, "one");
  EXPECT_EQ(File("a", Pattern::kNothing), "absent");
  EXPECT_EQ(File("a", Pattern::kEverything), "one");
  SyncDirectory();
  EXPECT_EQ(File("a", Pattern::kNothing), "");
  Sync(1);
  EXPECT_EQ(AllFiles("a"), std::set<std::string>{"one"});
}

TEST_F(DiskModelTest, ASyncOfTheFileAloneDoesNotKeepItsName) {
  Create(1, "a");
  Write(1, 0, "one");
  Sync(1);
  EXPECT_EQ(AllFiles("a"), (std::set<std::string>{"absent", "one"}));
}

TEST_F(DiskModelTest, ASyncCoversWhatWasWrittenBeforeItBegan) {
  Create(1, "a");
  SyncDirectory();
  Write(1, 0, "one");
  BeginSync(1, 77);
  Write(1, 512, "two");
  EndSync(77);
  const std::string both = "one" + std::string(509, '\0') + "two";
  EXPECT_EQ(File("a", Pattern::kNothing), "one");
  EXPECT_EQ(File("a", Pattern::kEverything), both);
}

TEST_F(DiskModelTest, SectorsStandForThemselvesAndEachHoldsOneVersion) {
  Create(1, "a");
  Write(1, 0, std::string(1'024, '.'));
  SyncDirectory();
  Sync(1);
  Write(1, 0, std::string(1'024, 'x'));
  Write(1, 256, std::string(16, 'y'));
  std::set<std::string> firsts, seconds;
  for (const std::string& all : AllFiles("a")) {
    firsts.insert(all.substr(0, 512));
    seconds.insert(all.substr(512));
  }
  const std::string before(512, '.'), after(512, 'x');
  std::string last = after;
  last.replace(256, 16, std::string(16, 'y'));
  EXPECT_EQ(firsts, (std::set<std::string>{before, after, last})) << "never the second write without the first";
  EXPECT_EQ(seconds, (std::set<std::string>{before, after}));
  EXPECT_EQ(AllFiles("a").size(), 6u) << "and every mix of the two sectors";
}

TEST_F(DiskModelTest, WhatAFailedSyncShouldHaveWrittenStaysUncertain) {
  Create(1, "a");
  SyncDirectory();
  Write(1, 0, "one");
  Sync(1, true);
  Sync(1);
  EXPECT_EQ(File("a", Pattern::kNothing), "");
  Write(1, 0, "two");
  Sync(1);
  EXPECT_EQ(File("a", Pattern::kNothing), "two");
}

TEST_F(DiskModelTest, ARenameIsWholeOrNot) {
  Create(1, "a");
  Write(1, 0, "old");
  Create(2, "b");
  Write(2, 0, "new");
  Sync(1);
  Sync(2);
  SyncDirectory();
  Apply({EventKind::kRename}, std::string("b\0a", 3));
  EXPECT_EQ(AllFiles("a"), (std::set<std::string>{"old", "new"}));
  SyncDirectory();
  EXPECT_EQ(AllFiles("a"), std::set<std::string>{"new"});
  EXPECT_EQ(AllFiles("b"), std::set<std::string>{"absent"});
}

TEST_F(DiskModelTest, WhatWasCutOffReadsAsZeros) {
  Create(1, "a");
  SyncDirectory();
  Write(1, 0, "abcdef");
  Apply({EventKind::kResize, 1, 2});
  Apply({EventKind::kResize, 1, 4});
  Sync(1);
  EXPECT_EQ(AllFiles("a"), std::set<std::string>{std::string("ab\0\0", 4)});
}

}  // namespace
}  // namespace widerow::powercut
