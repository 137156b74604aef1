// flights_bench FLIGHTS.csv [SECONDS]: imports the flights of 2013 into an embedded Database and into bare LMDB, then
// reads both the same way in turn, in one process, and prints what each costs and the ratio; then the database's own records
// through bare LMDB. See README.md here.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/flights_csv.h"
#include "bench/raw_store.h"
#include "bench/record_store.h"
#include "bench/timing.h"
#include "widerow/database.h"

namespace widerow::bench {
namespace {

constexpr size_t kBatchRows = 500;  // As COPY sends them.
constexpr size_t kSliceRows = 100;
constexpr int kRounds = 3;
constexpr size_t kSamples = 20'000;
constexpr size_t kRecordStep = 17;  // About as many of the records.

constexpr const char* kSchema =
    "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
    "CREATE TABLE bench.flights (origin text, month int, time_hour timestamp, carrier text, flight int, dest text,"
    " tailnum text, sched_dep_time int, dep_delay int, arr_delay int, distance int,"
    " PRIMARY KEY ((origin, month), time_hour, carrier, flight));";
constexpr const char* kInsert =
    "INSERT INTO bench.flights (origin, month, time_hour, carrier, flight, dest, tailnum, sched_dep_time, dep_delay,"
    " arr_delay, distance) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);";
constexpr const char* kPoint =
    "SELECT dest, tailnum, sched_dep_time, dep_delay, arr_delay, distance FROM bench.flights"
    " WHERE origin = ? AND month = ? AND time_hour = ? AND carrier = ? AND flight = ?";
constexpr const char* kSlice =
    "SELECT dest, tailnum, sched_dep_time, dep_delay, arr_delay, distance FROM bench.flights"
    " WHERE origin = ? AND month = ? AND (time_hour, carrier, flight) >= (?, ?, ?) LIMIT 100";

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

template <typename T>
T Must(Expected<T> result) {
  if (!result.ok()) Die(result.error().message);
  return std::move(result).value();
}

Parameter OrNull(const std::optional<int32_t>& number) { return number ? Parameter(*number) : Parameter(nullptr); }

void AppendKey(const Flight& flight, std::vector<Parameter>& parameters) {
  parameters.insert(parameters.end(),
                    {std::string_view(flight.origin), flight.month, static_cast<long>(flight.time_hour_ms),
                     std::string_view(flight.carrier), flight.flight});
}

void AppendRow(const Flight& flight, std::vector<Parameter>& parameters) {
  AppendKey(flight, parameters);
  const Parameter tailnum = flight.tailnum.empty() ? Parameter(nullptr) : Parameter(std::string_view(flight.tailnum));
  parameters.insert(parameters.end(), {std::string_view(flight.dest), tailnum, flight.sched_dep_time,
                                       OrNull(flight.dep_delay), OrNull(flight.arr_delay), flight.distance});
}

std::string BatchText(size_t rows) {
  std::string text = "BEGIN UNLOGGED BATCH ";
  for (size_t i = 0; i < rows; ++i) text += kInsert;
  return text + " APPLY BATCH";
}

void ImportIntoDatabase(Database& database, const std::vector<Flight>& flights) {
  const PreparedQuery full = Must(database.Prepare(BatchText(kBatchRows)));
  std::vector<Parameter> parameters;
  for (size_t begin = 0; begin < flights.size(); begin += kBatchRows) {
    const size_t rows = std::min(kBatchRows, flights.size() - begin);
    parameters.clear();
    for (size_t i = 0; i < rows; ++i) AppendRow(flights[begin + i], parameters);
    if (rows == kBatchRows)
      Must(database.Execute(full, parameters));
    else
      Must(database.Execute(BatchText(rows), parameters));
  }
}

void ImportIntoRaw(RawStore& raw, const std::vector<Flight>& flights) {
  for (size_t begin = 0; begin < flights.size(); begin += kBatchRows) {
    raw.Put(std::span(flights).subspan(begin, std::min(kBatchRows, flights.size() - begin)));
  }
}

volatile char sink;  // What is read must not be optimized away.

size_t Read(Database& database, const PreparedQuery& query, const Flight& flight, std::vector<Parameter>& parameters) {
  parameters.clear();
  AppendKey(flight, parameters);
  ResultSet rows = Must(database.Execute(query, parameters));
  size_t count = 0;
  while (rows.Next()) {
    const std::string_view dest = rows.row().Raw(0);
    if (!dest.empty()) sink = dest.back();
    ++count;
  }
  if (rows.failure()) Die(rows.failure()->message);
  return count;
}

void PrintRatio(const char* what, const Cost& database, const char* against, const Cost& raw) {
  std::printf("%-20s widerow %8.2f us (cpu %7.2f)   %-18s %8.2f us (cpu %7.2f)   %5.2fx (cpu %.2fx)\n", what,
              database.wall_us, database.cpu_us, against, raw.wall_us, raw.cpu_us, database.wall_us / raw.wall_us,
              database.cpu_us / raw.cpu_us);
  std::fflush(stdout);
}

// Flights whose partition holds at least kSliceRows rows from them on.
std::vector<Flight> SliceStarts(RawStore& raw, Database& database, const PreparedQuery& slice,
                                const std::vector<Flight>& sample) {
  std::vector<Flight> starts;
  std::vector<Parameter> parameters;
  for (const Flight& flight : sample) {
    if (starts.size() == kSamples / 10) break;
    if (Read(database, slice, flight, parameters) == kSliceRows && raw.Scan(flight, kSliceRows) == kSliceRows) {
      starts.push_back(flight);
    }
  }
  if (starts.empty()) Die("no partition of 100 rows: is this all of flights.csv?");
  return starts;
}

// Rounds of both in turn; the cheapest of each. Gives the database's.
template <typename DatabaseRead, typename RawRead>
Cost Compare(const char* what, double seconds, const std::vector<Flight>& flights, DatabaseRead read,
             RawRead read_raw) {
  Cost best{1e12, 1e12}, best_raw{1e12, 1e12};
  for (int round = 0; round < kRounds; ++round) {
    Random random(7 + round), random_raw(7 + round);
    best = Cheaper(best, Measure(seconds, [&] { read(flights[random.Below(flights.size())]); }));
    best_raw = Cheaper(best_raw, Measure(seconds, [&] { read_raw(flights[random_raw.Below(flights.size())]); }));
  }
  PrintRatio(what, best, "lmdb, short keys", best_raw);
  return best;
}

// Point reads and slices beside bare LMDB's. Gives the database's costs.
std::pair<Cost, Cost> CompareReads(Database& database, RawStore& raw, double seconds, const std::vector<Flight>& sample) {
  const PreparedQuery point = Must(database.Prepare(kPoint)), slice = Must(database.Prepare(kSlice));
  std::vector<Parameter> parameters;
  const Cost point_cost = Compare(
      "prepared point read", seconds, sample,
      [&](const Flight& flight) {
        if (Read(database, point, flight, parameters) != 1) Die("a row is missing");
      },
      [&](const Flight& flight) { raw.Get(flight); });
  const std::vector<Flight> starts = SliceStarts(raw, database, slice, sample);
  const Cost slice_cost = Compare(
      "slice of 100 rows", seconds, starts,
      [&](const Flight& flight) {
        if (Read(database, slice, flight, parameters) != kSliceRows) Die("rows are missing");
      },
      [&](const Flight& flight) { raw.Scan(flight, kSliceRows); });
  return {point_cost, slice_cost};
}

// The same reads of the database's own records, without the database.
void CompareRecords(const std::filesystem::path& directory, double seconds, const Cost& point, const Cost& slice) {
  RecordStore records(directory);
  const std::vector<Bytes> points = records.Keys(kRecordStep, 0), starts = records.Keys(10 * kRecordStep, kSliceRows);
  Cost best_point{1e12, 1e12}, best_slice{1e12, 1e12};
  for (int round = 0; round < kRounds; ++round) {
    Random random(7 + round);
    best_point = Cheaper(best_point, Measure(seconds, [&] { records.Get(points[random.Below(points.size())]); }));
    best_slice =
        Cheaper(best_slice, Measure(seconds, [&] { records.Scan(starts[random.Below(starts.size())], kSliceRows); }));
  }
  PrintRatio("prepared point read", point, "lmdb, same records", best_point);
  PrintRatio("slice of 100 rows", slice, "lmdb, same records", best_slice);
}

void Run(const std::string& csv, double seconds) {
  const std::vector<Flight> flights = ReadFlights(csv);
  const std::filesystem::path directory = std::filesystem::path("build") / "bench-data";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory / "lmdb");
  auto database = Must(Database::Open({.directory = directory / "widerow", .clock = {}}));
  Must(database->ExecuteScript(kSchema));
  RawStore raw((directory / "lmdb").string());

  const Cost import = MeasureOnce(flights.size(), [&] { ImportIntoDatabase(*database, flights); });
  const Cost import_raw = MeasureOnce(flights.size(), [&] { ImportIntoRaw(raw, flights); });
  std::printf("%zu rows, %zu a batch, each batch synced: widerow %.0f rows/s, lmdb %.0f rows/s\n", flights.size(),
              kBatchRows, 1e6 / import.wall_us, 1e6 / import_raw.wall_us);
  PrintRatio("import, a row", import, "lmdb, short keys", import_raw);

  std::vector<Flight> sample;
  Random random(1);
  for (size_t i = 0; i < kSamples; ++i) sample.push_back(flights[random.Below(flights.size())]);
  std::printf("reads while the last writes lie in the memtable\n");
  CompareReads(*database, raw, seconds, sample);
  database.reset();
  database = Must(Database::Open({.directory = directory / "widerow", .clock = {}}));
  std::printf("reads of what is in the data file\n");
  const auto [point_cost, slice_cost] = CompareReads(*database, raw, seconds, sample);
  database.reset();
  CompareRecords(directory / "widerow", seconds, point_cost, slice_cost);
}

}  // namespace
}  // namespace widerow::bench

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: flights_bench FLIGHTS.csv [SECONDS]\n");
    return 2;
  }
  widerow::bench::Run(argv[1], argc == 3 ? std::atof(argv[2]) : 2.0);
  return 0;
}
