// flights_bench FLIGHTS.csv [SECONDS]: imports the flights of 2013 into an embedded Database, into bare LMDB and into SQLite, then
// reads them all the same way in turn, in one process, and prints what each costs and the ratios; then the database's own records
// through bare LMDB, and the database again under one memtable that is written and one that waits. See README.md here.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "bench/flights_csv.h"
#include "bench/raw_store.h"
#include "bench/record_store.h"
#include "bench/sqlite_store.h"
#include "bench/timing.h"
#include "exec/engine.h"
#include "storage/lmdb_engine.h"
#include "widerow/database.h"

namespace widerow::bench {
namespace {

constexpr size_t kBatchRows = 500;  // As COPY sends them.
constexpr size_t kSliceRows = 100;
constexpr size_t kColumnsRead = 6;  // Of both SELECTs.
constexpr int kRounds = 3;
constexpr size_t kSamples = 20'000;
constexpr size_t kRecordStep = 17;  // About as many of the records.
constexpr size_t kRoomyMemtable = size_t{256} << 20;  // Never full by itself, nor full enough to slow writers down.

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

template <typename Store>
void ImportInto(Store& store, const std::vector<Flight>& flights) {
  for (size_t begin = 0; begin < flights.size(); begin += kBatchRows) {
    store.Put(std::span(flights).subspan(begin, std::min(kBatchRows, flights.size() - begin)));
  }
}

volatile char sink;  // What is read must not be optimized away.

size_t Read(Database& database, const PreparedQuery& query, const Flight& flight, std::vector<Parameter>& parameters) {
  parameters.clear();
  AppendKey(flight, parameters);
  ResultSet rows = Must(database.Execute(query, parameters));
  size_t count = 0;
  while (rows.Next()) {
    for (size_t column = 0; column < kColumnsRead; ++column) {
      const std::string_view value = rows.row().Raw(column);
      if (!value.empty()) sink = value.back();
    }
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

using ReadFlight = std::function<void(const Flight&)>;
struct Contender {
  const char* name;
  ReadFlight read;
};

// Rounds of all in turn; the cheapest of each. The first is the database, and what is returned is its cost.
Cost Compare(const char* what, double seconds, const std::vector<Flight>& flights, const std::vector<Contender>& contenders) {
  std::vector<Cost> best(contenders.size(), Cost{1e12, 1e12});
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < contenders.size(); ++i) {
      Random random(7 + round);
      best[i] =
          Cheaper(best[i], Measure(seconds, [&] { contenders[i].read(flights[random.Below(flights.size())]); }));
    }
  }
  for (size_t i = 1; i < contenders.size(); ++i) PrintRatio(what, best[0], contenders[i].name, best[i]);
  return best[0];
}

struct Stores {
  Database& database;
  RawStore& raw;
  SqliteStore& sqlite;
};
struct ReadCosts {
  Cost point, slice;
};

// Point reads and slices beside bare LMDB's and SQLite's. Gives the database's costs.
ReadCosts CompareReads(const Stores& stores, double seconds, const std::vector<Flight>& sample) {
  const auto& [database, raw, sqlite] = stores;
  const PreparedQuery point = Must(database.Prepare(kPoint)), slice = Must(database.Prepare(kSlice));
  std::vector<Parameter> parameters;
  const auto reads = [&](const PreparedQuery& query, size_t rows) {
    return [&, rows](const Flight& flight) {
      if (Read(database, query, flight, parameters) != rows) Die("rows are missing");
    };
  };
  const Cost point_cost = Compare("prepared point read", seconds, sample,
                                  {{"widerow", reads(point, 1)},
                                   {"lmdb, short keys", [&](const Flight& flight) { raw.Get(flight); }},
                                   {"sqlite", [&](const Flight& flight) {
                                      if (sqlite.Get(flight) != 1) Die("sqlite: a row is missing");
                                    }}});
  const std::vector<Flight> starts = SliceStarts(raw, database, slice, sample);
  const Cost slice_cost = Compare("slice of 100 rows", seconds, starts,
                                  {{"widerow", reads(slice, kSliceRows)},
                                   {"lmdb, short keys", [&](const Flight& flight) { raw.Scan(flight, kSliceRows); }},
                                   {"sqlite", [&](const Flight& flight) {
                                      if (sqlite.Scan(flight, kSliceRows) != kSliceRows) Die("sqlite: rows are missing");
                                    }}});
  return {point_cost, slice_cost};
}

// The same reads of the database's own records, without the database, which must be closed.
ReadCosts ReadRecords(const std::filesystem::path& directory, double seconds) {
  RecordStore records(directory);
  const std::vector<Bytes> points = records.Keys(kRecordStep, 0), starts = records.Keys(10 * kRecordStep, kSliceRows);
  ReadCosts best{{1e12, 1e12}, {1e12, 1e12}};
  for (int round = 0; round < kRounds; ++round) {
    Random random(7 + round);
    best.point = Cheaper(best.point, Measure(seconds, [&] { records.Get(points[random.Below(points.size())]); }));
    best.slice =
        Cheaper(best.slice, Measure(seconds, [&] { records.Scan(starts[random.Below(starts.size())], kSliceRows); }));
  }
  return best;
}

void PrintAgainstRecords(const ReadCosts& database, const ReadCosts& records) {
  PrintRatio("prepared point read", database.point, "lmdb, same records", records.point);
  PrintRatio("slice of 100 rows", database.slice, "lmdb, same records", records.slice);
}

// Keeps the database's folder busy with nothing, so that a frozen memtable stays.
class FolderHold {
 public:
  explicit FolderHold(LmdbEngine& engine)
      : held_([this, &engine] {
          const Status ran = engine.RunOnFolder([this](StoreWriter&) {
            reached_.set_value();
            release_.get_future().wait();
            return OkStatus();
          });
          if (!ran.ok()) Die(ran.error().message);
        }) {
    reached_.get_future().wait();
  }
  ~FolderHold() { release_.set_value(); }

 private:
  std::promise<void> reached_, release_;
  std::jthread held_;
};

// Every third flight from `first` on, in random order.
std::vector<Flight> ThirdOf(const std::vector<Flight>& flights, size_t first) {
  std::vector<Flight> third;
  for (size_t i = first; i < flights.size(); i += 3) third.push_back(flights[i]);
  Random random(first);
  for (size_t i = third.size(); i > 1; --i) std::swap(third[i - 1], third[random.Below(i)]);
  return third;
}

std::unique_ptr<Database> OpenAt(const std::filesystem::path& directory, size_t memtable_bytes) {
  return Must(Database::Open({.directory = directory / "widerow", .memtable_bytes = memtable_bytes, .clock = {}}));
}

// A third of the rows is written again and frozen, a third is written again after that, a third is in the data file alone.
void UnderMemtables(const std::filesystem::path& directory, const std::vector<Flight>& flights, double seconds,
                    const std::vector<Flight>& sample, RawStore& raw, SqliteStore& sqlite, const ReadCosts& records) {
  const auto database = OpenAt(directory, kRoomyMemtable);
  auto& engine = dynamic_cast<LmdbEngine&>(database->engine().storage());
  const FolderHold hold(engine);
  ImportIntoDatabase(*database, ThirdOf(flights, 0));
  if (Status frozen = engine.Freeze(); !frozen.ok()) Die(frozen.error().message);
  ImportIntoDatabase(*database, ThirdOf(flights, 1));
  std::printf("reads under two memtables, one of them frozen, each of a third of the rows\n");
  PrintAgainstRecords(CompareReads({*database, raw, sqlite}, seconds, sample), records);
}

void Run(const std::string& csv, double seconds) {
  const std::vector<Flight> flights = ReadFlights(csv);
  const std::filesystem::path directory = std::filesystem::path("build") / "bench-data";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory / "lmdb");
  auto database = OpenAt(directory, kMemtableBytesDefault);
  Must(database->ExecuteScript(kSchema));
  RawStore raw((directory / "lmdb").string());
  SqliteStore sqlite(directory.string());

  const Cost import = MeasureOnce(flights.size(), [&] { ImportIntoDatabase(*database, flights); });
  const Cost import_raw = MeasureOnce(flights.size(), [&] { ImportInto(raw, flights); });
  const Cost import_sqlite = MeasureOnce(flights.size(), [&] { ImportInto(sqlite, flights); });
  std::printf("%zu rows, %zu a batch, each batch synced: widerow %.0f rows/s, lmdb %.0f rows/s, sqlite %.0f rows/s\n",
              flights.size(), kBatchRows, 1e6 / import.wall_us, 1e6 / import_raw.wall_us, 1e6 / import_sqlite.wall_us);
  PrintRatio("import, a row", import, "lmdb, short keys", import_raw);
  PrintRatio("import, a row", import, "sqlite", import_sqlite);

  std::vector<Flight> sample;
  Random random(1);
  for (size_t i = 0; i < kSamples; ++i) sample.push_back(flights[random.Below(flights.size())]);
  database.reset();  // Folds all there is.
  database = OpenAt(directory, kMemtableBytesDefault);
  std::printf("reads of what is in the data file, under empty memtables\n");
  const ReadCosts costs = CompareReads({*database, raw, sqlite}, seconds, sample);
  database.reset();
  const ReadCosts records = ReadRecords(directory / "widerow", seconds);
  PrintAgainstRecords(costs, records);
  UnderMemtables(directory, flights, seconds, sample, raw, sqlite, records);
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
