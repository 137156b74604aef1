#include "server/limits_check.h"

#include <gmock/gmock.h>

#include "tests/unit/server/program.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kMebibyte = uint64_t{1} << 20;
constexpr ServerNeeds kNeeds{
    .map_bytes = 1'048'576 * kMebibyte, .memtable_bytes = 64 * kMebibyte, .servers = {.io_threads = 2}};

TEST(LimitsCheck, EachLimitNamesItsRemedy) {
  EXPECT_THAT(CheckLimits({.descriptors = 8'192}, kNeeds), IsEmpty());
  EXPECT_THAT(CheckLimits({.descriptors = 1'024}, kNeeds), ElementsAre(HasSubstr("LimitNOFILE=")));
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .address_space = 64 * kMebibyte}, kNeeds),
              ElementsAre(HasSubstr("LimitAS=infinity")));
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .memory = 512 * kMebibyte}, kNeeds),
              ElementsAre(HasSubstr("is 512 MiB, but up to 1792 MiB may be needed: 128 MiB for memtables")));
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .memory = 1'792 * kMebibyte}, kNeeds), IsEmpty());
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .threads = 100}, kNeeds), ElementsAre(HasSubstr("TasksMax=")));
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .file_bytes = kMebibyte}, kNeeds),
              ElementsAre(HasSubstr("LimitFSIZE=infinity")));
}

TEST(LimitsCheck, HBaseAndThriftNeedMore) {
  ServerNeeds needs = kNeeds;
  needs.servers.hbase = needs.servers.thrift = true;
  EXPECT_THAT(CheckLimits({.descriptors = 8'192}, needs), IsEmpty());
  EXPECT_THAT(CheckLimits({.descriptors = 1'024}, needs), ElementsAre(HasSubstr("of HBase's clients")));
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .memory = 1'792 * kMebibyte}, needs),
              ElementsAre(HasSubstr("up to 2304 MiB may be needed")));
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .threads = 300}, kNeeds), IsEmpty());
  EXPECT_THAT(CheckLimits({.descriptors = 8'192, .threads = 300}, needs), ElementsAre(HasSubstr("up to 662 may be")));
}

TEST(LimitsCheck, Text) {
  EXPECT_EQ(LimitsText({.descriptors = 1'024, .memory = 512 * kMebibyte, .threads = 100}),
            "limits: open files 1024, address space none, memory 512 MiB, threads 100, size of a file none");
}

class LimitsFilesTest : public ServeTest {
 protected:
  void Write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((directory_ / file).parent_path());
    std::ofstream(directory_ / file) << text;
  }
  SystemLimits Read() const { return ReadSystemLimits(directory_ / "cgroup", directory_ / "own"); }
};

TEST_F(LimitsFilesTest, TheLowestLimitOfAllGroupsCounts) {
  Write("own", "1:name=systemd:/x\n0::/system.slice/widerow.service\n");
  EXPECT_EQ(Read().memory, std::nullopt);
  Write("cgroup/system.slice/memory.max", "2147483648\n");
  Write("cgroup/system.slice/widerow.service/memory.max", "max\n");
  Write("cgroup/system.slice/widerow.service/pids.max", "100\n");
  EXPECT_EQ(Read().memory, 2'147'483'648u);
  EXPECT_LE(Read().threads, 100u);
  Write("cgroup/system.slice/widerow.service/memory.max", "1073741824\n");
  EXPECT_EQ(Read().memory, 1'073'741'824u);
}

// In a container, the process's own control group is the root of the mounted cgroup file system.
TEST_F(LimitsFilesTest, RootOfTheMount) {
  Write("own", "0::/\n");
  Write("cgroup/memory.max", "536870912\n");
  EXPECT_EQ(Read().memory, 536'870'912u);
}

}  // namespace
}  // namespace widerow
