// merge_bench DIRECTORY [ROWS_PER_BUCKET]: measures the cost of merging buckets. Two tables have the same rows: one
// divides them into 16 buckets, the other has them in one partition. Both are read in the order of time from random
// times on, with `WHERE ts >= ? LIMIT n`, and backwards with ORDER BY ts DESC. Prints CPU time of the whole process in
// µs for one statement. DIRECTORY must not exist, and the program does not delete it.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/must.h"
#include "bench/timing.h"
#include "widerow/bulk_writer.h"
#include "widerow/database.h"

namespace widerow::bench {
namespace {

constexpr double kSeconds = 3;
constexpr size_t kBuckets = 16;

void Fill(Database& database, const std::string& table, size_t rows) {
  auto writer = Must(BulkWriter::Open(database, table,
                                      table == "m.plain" ? std::vector<std::string>{"all_rows", "ts", "id", "v"}
                                                         : std::vector<std::string>{"ts", "id", "v"}));
  for (size_t i = 0; i < rows; ++i) {
    const auto ts = static_cast<int64_t>(i), id = static_cast<int64_t>(i * 7919);
    const std::string value = "a line of a log, number " + std::to_string(i);
    Must(table == "m.plain" ? writer->Add({int64_t{0}, ts, id, value}) : writer->Add({ts, id, value}));
  }
  Must(writer->Finish());
}

Cost Read(Database& database, const std::string& text, size_t rows) {
  const PreparedQuery query = Must(database.Prepare(text));
  Random random(3);
  const auto read = [&] {
    ResultSet result = Must(database.Execute(query, {static_cast<int64_t>(random.Below(rows))}));
    size_t bytes = 0;
    while (result.Next()) bytes += result.row().Raw(0).size();
    if (bytes == SIZE_MAX) Die("no");
  };
  Measure(kSeconds / 2, read);  // Warm-up.
  return Cheaper(Measure(kSeconds, read), Measure(kSeconds, read));
}

void Compare(Database& database, const char* what, const std::string& behind, size_t rows) {
  const Cost plain = Read(database, "SELECT ts, id, v FROM m.plain WHERE all_rows = 0 AND ts " + behind, rows);
  const Cost bucketed = Read(database, "SELECT ts, id, v FROM m.bucketed WHERE ts " + behind, rows);
  std::printf("%-34s one partition %8.2f µs, %zu buckets %8.2f µs: %.2f times\n", what, plain.cpu_us, kBuckets,
              bucketed.cpu_us, bucketed.cpu_us / plain.cpu_us);
}

int Main(int argc, char** argv) {
  if (argc < 2 || std::filesystem::exists(argv[1])) {
    std::fprintf(stderr, "usage: merge_bench DIRECTORY [ROWS_PER_BUCKET]; the directory must not exist\n");
    return 2;
  }
  const size_t rows = kBuckets * (argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000);
  auto database = Must(Database::Open({.directory = argv[1], .durability = "none", .extension_warnings = false}));
  Must(database->Execute("CREATE KEYSPACE m WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"));
  Must(database->Execute(
      "CREATE TABLE m.plain (all_rows bigint, ts bigint, id bigint, v text, PRIMARY KEY (all_rows, ts, id))"));
  Must(database->Execute(
      "CREATE TABLE m.bucketed (bucket int GENERATED ALWAYS AS (bucket(ts, 16)), ts bigint, id bigint, v text, "
      "PRIMARY KEY ((bucket), ts, id))"));
  for (const std::string table : {"m.plain", "m.bucketed"}) Fill(*database, table, rows);
  std::printf("%zu rows each\n", rows);
  Compare(*database, "the first row", ">= ? LIMIT 1", rows);
  Compare(*database, "the first 100 rows", ">= ? LIMIT 100", rows);
  Compare(*database, "the last 100 rows, newest first", "<= ? ORDER BY ts DESC LIMIT 100", rows);
  Compare(*database, "the first 10,000 rows", ">= ? LIMIT 10000", rows);
  return 0;
}

}  // namespace
}  // namespace widerow::bench

int main(int argc, char** argv) { return widerow::bench::Main(argc, argv); }
