// COPY … FROM … WITH RESUME=TRUE continues an import that was stopped. The table must be the same as after an import
// without a stop.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "session_fixture.h"
#include "shell/csv.h"
#include "shell/import_checkpoint.h"
#include "shell_process.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Contents = std::map<std::string, std::string>;

constexpr int kRows = 24'000, kKeys = 20'000, kBadEvery = 997;

// Makes a CSV file with repeated keys, values of several lines, and bad rows. Stores the rows that the table must have
// in `expected`, and the number of bad rows in `bad`.
std::string MakeCsv(Contents& expected, size_t& bad) {
  std::string csv = "k,v\n";
  for (int i = 1; i <= kRows; ++i) {
    if (i % kBadEvery == 0) {
      csv += "bad" + std::to_string(i) + ",x\n";
      ++bad;
      continue;
    }
    const std::string key = std::to_string(i % kKeys),
                      value = "row " + std::to_string(i) + (i % 7 == 0 ? "\nand \"more\", of it" : "");
    expected[key] = value;
    csv += key + ",";
    AppendCsvField(value, true, {}, csv);
    csv += '\n';
  }
  return csv;
}

std::vector<std::vector<std::string>> ReadCsv(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  CsvReader reader([&](char* to, size_t size) {
    file.read(to, static_cast<std::streamsize>(size));
    return static_cast<size_t>(file.gcount());
  });
  std::vector<std::vector<std::string>> records;
  CsvRecord record;
  while (reader.Next(record) == CsvReader::Found::kRecord) {
    for (auto& fields = records.emplace_back(); const CsvField& field : record.fields) fields.emplace_back(field.text);
  }
  return records;
}

// The parameters of the test: whether the import goes over HTTP, and the signal that stops it.
class StoppedImportTest : public ::testing::TestWithParam<std::tuple<bool, int>> {
 protected:
  StoppedImportTest() : over_http_(std::get<0>(GetParam())), signal_(std::get<1>(GetParam())) {
    static int made = 0;
    keyspace_ = "stopped" + std::to_string(++made);
    directory_ =
        std::filesystem::temp_directory_path() / ("widerow_resume_" + std::to_string(::getpid()) + "_" + keyspace_);
    std::filesystem::create_directories(directory_);
    door_ = over_http_ ? "address=" + Server().http_address() : "data=" + (directory_ / "data").string();
  }
  ~StoppedImportTest() override { std::filesystem::remove_all(directory_); }

  pid_t Start(const std::string& statements) { return StartShell({door_, "e=" + statements}, directory_); }
  void Run(const std::string& statements) {
    const ShellEnded ended = EndOfShell(Start(statements), directory_);
    ASSERT_EQ(ended.code, 0) << ended.err;
  }
  uint64_t RowsDone() {
    auto checkpoint = ReadCheckpoint(directory_ / "in.csv.progress");
    EXPECT_TRUE(checkpoint.ok()) << checkpoint.error().message;
    return checkpoint.ok() && checkpoint.value() ? checkpoint.value()->rows : 0;
  }
  // Waits until the import has passed `done` rows, and stops it a little later. Returns false if the import ended
  // before.
  bool Stop(pid_t import, uint64_t done, std::minstd_rand& random) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto ended = [&] {
      siginfo_t info = {};
      return ::waitid(P_PID, static_cast<id_t>(import), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
             info.si_pid == import;
    };
    while (RowsDone() <= done && !ended() && std::chrono::steady_clock::now() < patience) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15'000));
    if (ended()) return false;
    ::kill(import, signal_);
    return true;
  }

  const bool over_http_;
  const int signal_;
  std::string keyspace_, door_;
  std::filesystem::path directory_;
};

INSTANTIATE_TEST_SUITE_P(Doors, StoppedImportTest,
                         ::testing::Combine(::testing::Values(false, true), ::testing::Values(SIGKILL, SIGINT)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param) ? "Http" : "InProcess") +
                                  (std::get<1>(test.param) == SIGKILL ? "Killed" : "Interrupted");
                         });

TEST_P(StoppedImportTest, GoesOnUntilAllIsInAsItWouldBeWithoutAStop) {
  Contents expected;
  size_t bad = 0;
  std::ofstream(directory_ / "in.csv", std::ios::binary) << MakeCsv(expected, bad);
  const std::string table = keyspace_ + ".t";
  Run("CREATE KEYSPACE " + keyspace_ +
      " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; CREATE TABLE " + table +
      " (k int PRIMARY KEY, v text);");
  const std::string copy = "COPY " + table + " FROM '" + (directory_ / "in.csv").string() +
                           "' WITH HEADER=TRUE AND RESUME=TRUE AND STOREROWS=400 AND CHUNKSIZE=50 AND WORKERS=3;";
  std::minstd_rand random(static_cast<unsigned>(signal_) + over_http_);
  int went_on = 0;
  uint64_t done = 0;
  ShellEnded ended;
  for (int stops = 0; stops < 200; ++stops) {
    const pid_t import = Start(copy);
    const bool stopped = stops < 12 && Stop(import, done, random);
    ended = EndOfShell(import, directory_);
    went_on += ended.out.find("Continuing after row ") != std::string::npos;
    if (ended.code == 0) break;
    ASSERT_TRUE(stopped) << ended.err;
    if (signal_ == SIGINT) { ASSERT_THAT(ended.err, HasSubstr("Error: Interrupted\nhint: ")); }
    ASSERT_GE(RowsDone(), done);
    done = RowsDone();
  }
  EXPECT_GE(went_on, 1);
  const std::string in_all = ", " + std::to_string(kRows - bad) + " in all, " + std::to_string(bad) + " bad rows → ";
  EXPECT_THAT(ended.out, HasSubstr(in_all));
  EXPECT_THAT(ended.out, HasSubstr("(first: line "));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "in.csv.progress"));

  std::vector<std::string> bad_keys, bad_found;
  for (int i = kBadEvery; i <= kRows; i += kBadEvery) bad_keys.push_back("bad" + std::to_string(i));
  for (const auto& row : ReadCsv(directory_ / "in.csv.err")) bad_found.push_back(row.at(3));
  ASSERT_EQ(bad_found.at(0), "k");
  bad_found.erase(bad_found.begin());
  EXPECT_THAT(bad_found, ::testing::UnorderedElementsAreArray(bad_keys));
  Run("COPY " + table + " (k, v) TO '" + (directory_ / "out.csv").string() + "'");
  Contents found;
  for (const auto& row : ReadCsv(directory_ / "out.csv")) found[row.at(0)] = row.at(1);
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_TRUE(found == expected);
}

class ResumeTest : public SessionTest {
 protected:
  // Imports a file whose twelfth row is bad. The import ends at this row; the first ten rows are stored by then.
  void StopAnImport(const std::string& options = "") {
    Run("CREATE TABLE t (k int PRIMARY KEY, v int);");
    path_ = Write("in.csv", "1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n7,7\n8,8\n9,9\n10,10\n11,11\nx,12\n13,13\n");
    const std::string text =
        Run("COPY t FROM '" + path_ + "' WITH STOREROWS=5 AND CHUNKSIZE=2 AND MAXERRORS=0" + options + ";");
    ASSERT_THAT(text, HasSubstr("continue WITH RESUME=TRUE or SKIPROWS="));
    ASSERT_TRUE(std::filesystem::exists(path_ + ".progress"));
  }
  std::string Resume(const std::string& options = "") {
    return Run("COPY t FROM '" + path_ + "' WITH RESUME=TRUE" + options + ";");
  }
  void ExpectRefused(const std::string& text, const std::string& why) {
    EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
    EXPECT_THAT(text, HasSubstr("The import that stopped after row 10 " + why));
    EXPECT_THAT(text, HasSubstr("without RESUME the import starts at the beginning"));
    EXPECT_TRUE(std::filesystem::exists(path_ + ".progress"));
  }

  std::string path_;
};

INSTANTIATE_TEST_SUITE_P(Doors, ResumeTest, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Http" : "InProcess"; });

TEST_P(ResumeTest, GoesOnBehindTheLastStoredRow) {
  StopAnImport();
  Run("DELETE FROM t WHERE k = 3;");
  const std::string text = Resume(" AND MAXERRORS=-1");
  EXPECT_THAT(text, StartsWith("Continuing after row 10 (line 11); 10 rows are in\n2 rows imported in "));
  EXPECT_THAT(text, HasSubstr(", 12 in all, 1 bad row → "));
  // The deleted row 3 was not imported again.
  EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 11\n"));
  EXPECT_EQ(Read("in.csv.err"), "12,k,\"Unable to make int from 'x'\",x,12\n");
  // The import is complete. So the next import starts at the beginning.
  EXPECT_THAT(Resume(), HasSubstr("Starting at the beginning\n12 rows imported in "));
  EXPECT_THAT(Run("SELECT COUNT(*) FROM t;"), HasSubstr(" 12\n"));
}

TEST_P(ResumeTest, WithoutItAnImportBeginsAnewAndTheOldOneIsForgotten) {
  StopAnImport();
  EXPECT_THAT(Run("COPY t FROM '" + path_ + "' WITH MAXERRORS=0;"),
              StartsWith("An earlier import stopped after row 10 (RESUME=TRUE would continue there)"));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".progress"));
  EXPECT_THAT(Run("COPY t FROM '" + path_ + "';"), StartsWith("12 rows imported in "));
}

TEST_P(ResumeTest, AFileThatHasChangedIsRefused) {
  StopAnImport();
  const std::string before = Read("in.csv");
  struct stat info = {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  Write("in.csv", before + "14,14\n");
  ExpectRefused(Resume(), "was of another file: " + path_ + " has been changed");
  // Replaces the content of the file, but keeps its size and its time of change.
  std::string other = before;
  other[2] = '7';
  const auto write_as_old = [&](const std::string& text) {
    Write("in.csv", text);
    const timespec times[2] = {info.st_atim, info.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  };
  write_as_old(other);
  ExpectRefused(Resume(), "was of another file: " + path_ + " has been changed");
  write_as_old(before);
  EXPECT_THAT(Resume(), HasSubstr(", 12 in all"));
}

TEST_P(ResumeTest, AnotherWayToReadItIsRefused) {
  StopAnImport();
  for (const char* options : {" AND NULL='1'", " AND HEADER=TRUE AND IGNOREUNKNOWN=TRUE AND SET={'k': '1', 'v': '2'}",
                              " AND SKIPROWS=1", " AND QUOTE=''''"}) {
    ExpectRefused(Resume(options), "had other columns or another HEADER, DELIMITER, QUOTE, ESCAPE, NULL, SET");
  }
  ExpectRefused(Run("COPY t (v, k) FROM '" + path_ + "' WITH RESUME=TRUE;"), "had other columns");
  EXPECT_THAT(Resume(" AND WORKERS=1 AND CHUNKSIZE=3 AND MAXROWS=11 AND STOREROWS=2"), HasSubstr("1 row imported in "));
}

TEST_P(ResumeTest, AnotherTableIsRefused) {
  StopAnImport();
  Run("CREATE TABLE u (k int PRIMARY KEY, v int);");
  ExpectRefused(Run("COPY u FROM '" + path_ + "' WITH RESUME=TRUE;"), "was into " + keyspace_ + ".t");
  Run("TRUNCATE t;");
  ExpectRefused(Resume(), "had put 10 rows into " + keyspace_ + ".t, which is empty now");
  Run("DROP TABLE t; CREATE TABLE t (k int PRIMARY KEY, v int);");
  ExpectRefused(Resume(), "was into another table " + keyspace_ + ".t: it was dropped, or is in another database");
}

TEST_P(ResumeTest, AProgressFileOfItsOwn) {
  StopAnImport();
  EXPECT_THAT(Resume(" AND PROGRESSFILE='" + Path("mine") + "' AND MAXERRORS=0 AND STOREROWS=6 AND CHUNKSIZE=2"),
              StartsWith("No import to resume: " + Path("mine") + " does not exist. Starting at the beginning\n"));
  EXPECT_THAT(Resume(" AND PROGRESSFILE='" + Path("mine") + "'"), StartsWith("Continuing after row 6 "));
  Write("damaged", "widerow import 1\ntable t\n");
  EXPECT_THAT(Resume(" AND PROGRESSFILE='" + Path("damaged") + "'"),
              HasSubstr(Path("damaged") + " is not the progress of an import"));
  EXPECT_THAT(Resume(" AND PROGRESSFILE='" + Path("") + "'"), HasSubstr(Path("")));
  EXPECT_EQ(ran_, Interpreter::Ran::kFailed);
  // If the progress file cannot be written, the import continues without one.
  const std::string text = Run("COPY t FROM '" + path_ + "' WITH STOREROWS=5 AND PROGRESSFILE='/nowhere/x';");
  EXPECT_THAT(
      text,
      StartsWith(
          "Cannot write /nowhere/x.new: No such file or directory; if this import stops, RESUME cannot go on here\n"));
  EXPECT_THAT(text, HasSubstr("12 rows imported in "));
}

TEST_P(ResumeTest, StandardInputCannotBeReadAgain) {
  Run("CREATE TABLE t (k int PRIMARY KEY);");
  in_.str("1\n2\n");
  EXPECT_THAT(Run("COPY t FROM STDIN WITH RESUME=TRUE;"), HasSubstr("RESUME needs a regular file"));
}

}  // namespace
}  // namespace widerow
