// instruction_counts OPERATION DIRECTORY: sets up a database, does one of its most frequent operations many times, and
// prints how many times. instruction_counts.py runs this program under valgrind's callgrind, which counts the
// instructions of CountedOperations() and of functions of the storage's threads. Rows, their order, the clocks and the
// groups of writes are the same in every run, so the counts are the same too. bench/README.md describes the operations.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "bench/counting_clock.h"
#include "bench/must.h"
#include "exec/engine/engine.h"
#include "net/native/run_request.h"
#include "types/value_bytes.h"
#include "widerow/bulk_writer.h"
#include "widerow/database.h"

namespace widerow::bench {

constexpr int kRepeats = 200;
constexpr int kPartitions = 20, kRows = 500;
constexpr int kSmallPartitions = 2'000;

// Two semaphores by which CountWriter() stops the writer's thread between two groups of writes.
struct WriterGate {
  std::binary_semaphore held{0}, may_go{0};
};

// callgrind finds the next two functions by their names, so they must not be inlined.
[[gnu::noinline]] void CountedOperations(const std::function<void()>& operations) { operations(); }

// Stops the writer's thread: the callback of a group's last write calls this function. callgrind leaves out the wait.
[[gnu::noinline]] void HoldWriter(WriterGate& gate) {
  gate.held.release();
  gate.may_go.acquire();
}

namespace {

constexpr const char* kSchema =
    "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
    "CREATE TABLE bench.t (k int, c int, name text, amount bigint, ratio double, PRIMARY KEY (k, c));"
    "CREATE TABLE bench.loaded (k int, c int, name text, amount bigint, ratio double, PRIMARY KEY (k, c));"
    "CREATE TABLE bench.cells (k blob, q blob, t bigint, v blob, PRIMARY KEY (k, q, t))"
    " WITH CLUSTERING ORDER BY (q ASC, t DESC) PARTITION BY RANGE (k);"
    "CREATE TABLE bench.small (k int PRIMARY KEY, name text, amount bigint, ratio double);";
constexpr const char* kPoint = "SELECT name, amount, ratio FROM bench.t WHERE k = ? AND c = ?";
constexpr const char* kSlice = "SELECT name, amount, ratio FROM bench.t WHERE k = ? AND c >= ? LIMIT 100";
constexpr const char* kCells = "SELECT k, q, t, v FROM bench.cells WHERE k >= ? ORDER BY k LIMIT 100";
constexpr const char* kSmall = "SELECT k, name, amount, ratio FROM bench.small LIMIT 100";
constexpr const char* kInsert = "INSERT INTO bench.t (k, c, name, amount, ratio) VALUES (?, ?, ?, ?, ?)";

class FixedClock final : public Clock {
 public:
  int64_t NowMicros() override { return 1'700'000'000'000'000; }
};

std::unique_ptr<Database> OpenDatabase(const std::filesystem::path& directory) {
  return Must(
      Database::Open({.directory = directory, .durability = "none", .clock = [] { return FixedClock().NowMicros(); }}));
}

// Returns a key of bench.cells. The keys have the order of the numbers.
std::string RowKey(int number) { return "row" + std::to_string(100'000'000 + number); }

// Fills the tables. Closing the database moves the rows from the memtable into the data file, so later reads find
// empty memtables.
void Fill(const std::filesystem::path& directory) {
  const auto database = OpenDatabase(directory);
  Must(database->ExecuteScript(kSchema));
  const PreparedQuery insert = Must(database->Prepare(kInsert));
  for (int k = 0; k < kPartitions; ++k) {
    for (int c = 0; c < kRows; ++c) {
      Must(database->Execute(insert, {k, c, "a name of some length", long{1} << 40, 0.5 * c}));
    }
  }
  const PreparedQuery insert_cell = Must(database->Prepare("INSERT INTO bench.cells (k, q, t, v) VALUES (?, ?, ?, ?)"));
  const PreparedQuery insert_small =
      Must(database->Prepare("INSERT INTO bench.small (k, name, amount, ratio) VALUES (?, ?, ?, ?)"));
  const std::string value(100, 'v');
  for (int k = 0; k < kSmallPartitions; ++k) {
    const std::string row_key = RowKey(k);
    Must(
        database->Execute(insert_cell, {Parameter::Raw(row_key), Parameter::Raw("q"), long{k}, Parameter::Raw(value)}));
    Must(database->Execute(insert_small, {k, "a name of some length", long{1} << 40, 0.5 * k}));
  }
}

// Counts the instructions of kRepeats operations and returns kRepeats. First it runs operations that are not counted,
// for two reasons: the first operations fill pools, and the server measures the first statements of each second
// (exec/load/operation_sampler.h). The clock stands still, so no other second begins.
int Count(const std::function<void(int)>& operation) {
  for (int i = 0; i < kRepeats / 2; ++i) operation(i);
  CountedOperations([&] {
    for (int i = 0; i < kRepeats; ++i) operation(i);
  });
  return kRepeats;
}

// Reads all rows. When a page is first used, its checksum is checked (storage/lmdb/page_checks.h). Running this SELECT
// before the count keeps these checks out of the count.
constexpr const char* kReadAll[] = {"SELECT count(amount) FROM bench.t", "SELECT count(v) FROM bench.cells",
                                    "SELECT count(amount) FROM bench.small"};

// Counts a SELECT that returns `rows_wanted` rows. `set` makes the parameters of its i-th execution.
int CountReads(const std::filesystem::path& directory, const char* text, size_t rows_wanted,
               const std::function<void(int i, std::vector<Parameter>& parameters)>& set) {
  const auto database = OpenDatabase(directory);
  for (const char* const read_all : kReadAll) Must(database->Execute(read_all));
  const PreparedQuery query = Must(database->Prepare(text));
  std::vector<Parameter> parameters;
  return Count([&](int i) {
    parameters.clear();
    set(i, parameters);
    ResultSet rows = Must(database->Execute(query, parameters));
    size_t count = 0;
    while (rows.Next()) count += !rows.row().Raw(0).empty();
    if (count != rows_wanted) Die("rows are missing");
  });
}

int CountReadsOfT(const std::filesystem::path& directory, const char* text, size_t rows_wanted) {
  return CountReads(directory, text, rows_wanted, [](int i, std::vector<Parameter>& parameters) {
    parameters.insert(parameters.end(), {i % kPartitions, i * 7 % (kRows - 100)});
  });
}

// Counts a scan of 100 partitions that have one row each, in the order of their keys.
int CountRangeScan(const std::filesystem::path& directory) {
  std::string key;
  return CountReads(directory, kCells, 100, [&](int i, std::vector<Parameter>& parameters) {
    key = RowKey(i * 7 % (kSmallPartitions - 100));
    parameters.push_back(Parameter::Raw(key));
  });
}

// Counts a scan of 100 partitions that have one row each, in the order of their tokens.
int CountTokenScan(const std::filesystem::path& directory) {
  return CountReads(directory, kSmall, 100, [](int /*i*/, std::vector<Parameter>& /*parameters*/) {});
}

// Opens an engine with guardrails, as a server does.
std::unique_ptr<Engine> OpenEngine(const std::filesystem::path& directory) {
  return std::make_unique<Engine>(
      Must(OpenLmdbEngine(
          {.directory = directory, .clock = std::make_shared<FixedClock>(), .durability = Durability::kNone})),
      LanguageOptions(), EngineOptions{.guardrails = Guardrails()});
}

BoundValue Integer(TypeKind kind, int64_t value) { return {BoundValue::Kind::kValue, EncodeInteger(kind, value)}; }

RequestParameters InsertValues(int k, int c) {
  RequestParameters parameters;
  parameters.values = {Integer(TypeKind::kInt, k), Integer(TypeKind::kInt, c),
                       BoundValue{BoundValue::Kind::kValue, "a name of some length"}, Integer(TypeKind::kBigint, 7),
                       BoundValue{BoundValue::Kind::kValue, EncodeDouble(0.25)}};
  return parameters;
}

// Counts the work of the calling thread for a prepared INSERT: until the write is queued, and after it is answered. The
// writer's thread is not counted.
int CountPreparedInsert(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  const PreparedPtr insert = Must(engine->Prepare(kInsert, ""));
  return Count([&](int i) { Must(engine->ExecutePrepared(*insert, InsertValues(i % kPartitions, i))); });
}

// Counts the INSERT of CountPreparedInsert, sent as text with bind markers.
int CountMarkerInsert(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  return Count([&](int i) { Must(engine->Execute(kInsert, InsertValues(i % kPartitions, i))); });
}

// Counts the INSERT of CountPreparedInsert, sent as text with literals. The literals differ each time.
int CountTextInsert(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  return Count([&](int i) {
    Must(engine->Execute("INSERT INTO bench.t (k, c, name, amount, ratio) VALUES (" + std::to_string(i % kPartitions) +
                             ", " + std::to_string(i) + ", 'a name of some length', 7, 0.25)",
                         {}));
  });
}

// Counts an EXECUTE message of the native protocol, from its body to the frame of the answer, without a socket.
int CountNativeRead(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  for (const char* const read_all : kReadAll) Must(engine->Execute(read_all, {}));
  const PreparedPtr point = Must(engine->Prepare(kPoint, ""));
  return Count([&](int i) {
    NativeRequest request;
    request.opcode = Opcode::kExecute;
    request.to.version = 4;
    AppendBigEndian(request.body, static_cast<uint16_t>(point->id.size()));
    request.body += point->id;
    AppendBigEndian(request.body, uint16_t{1});  // Consistency ONE.
    request.body.push_back('\x03');              // Flags: values follow, and the answer needs no metadata.
    AppendBigEndian(request.body, uint16_t{2});
    for (const int value : {i % kPartitions, i * 7 % kRows}) {
      AppendBigEndian(request.body, uint32_t{4});
      AppendBigEndian(request.body, static_cast<uint32_t>(value));
    }
    NativeAnswer answer;
    const QuickRun run = RunIfQuick(
        *engine, request, nullptr, [] { return nullptr; }, answer);
    if (run != QuickRun::kDone || answer.frame.size() < 50) Die("no row in the answer");
  });
}

// Returns the i-th of the numbers from 0 to `all` - 1 in a scattered order, in which each number occurs once.
int Scattered(int i, int all) { return static_cast<int>(int64_t{i} * 7'919 % all); }

// Counts the bulk load of rows in scattered order into an empty table, on all threads that work for it.
int CountBulkLoad(const std::filesystem::path& directory) {
  constexpr int kLoaded = 20'000;
  const auto database = OpenDatabase(directory);
  const auto writer = Must(BulkWriter::Open(*database, "bench.loaded", {"k", "c", "name", "amount", "ratio"}));
  CountedOperations([&] {
    for (int i = 0; i < kLoaded; ++i) {
      const int row = Scattered(i, kLoaded);
      Must(writer->Add({row % kPartitions, row / kPartitions, "a name of some length", long{1} << 40, 0.5 * row}));
    }
    if (Must(writer->Finish()) != kLoaded) Die("rows have not been stored");
  });
  return kLoaded;
}

void Submit(Engine& engine, const PreparedPtr& insert, int k, int c, std::function<void()> done) {
  const auto answered = [done = std::move(done)](auto outcome) {
    Must(std::move(outcome));
    if (done) done();
  };
  if (!Must(engine.Submit(insert, InsertValues(k, c), answered))) Die("the INSERT could not be submitted");
}

// Counts the work of the writer's thread. To make all groups of writes equally large, the writer is stopped at the end
// of each group until the next group is queued. The last fifth of the writes changes rows that are in the memtable
// already.
int CountWriter(const std::filesystem::path& directory) {
  constexpr int kGroups = 100, kGroupWrites = 100, kWrites = kGroups * kGroupWrites, kKeys = kWrites / 5 * 4;
  WriterGate gate;  // Declared before the engine, because the engine's destructor ends the thread that uses the gate.
  const auto engine = OpenEngine(directory);
  const PreparedPtr insert = Must(engine->Prepare(kInsert, ""));
  const auto hold = [&] { HoldWriter(gate); };
  Submit(*engine, insert, 0, kWrites, hold);
  gate.held.acquire();
  for (int i = 0; i < kWrites; ++i) {
    const int row = Scattered(i, kKeys);
    const bool last = (i + 1) % kGroupWrites == 0;
    Submit(*engine, insert, row % kPartitions, row / kPartitions, last ? hold : std::function<void()>());
    if (!last) continue;
    gate.may_go.release();
    gate.held.acquire();
  }
  gate.may_go.release();
  return kWrites;
}

// Counts the fold of a memtable. Its rows were written in scattered order, and half of them are in the data file
// already. Flush() folds only writes that have been answered, so this function first waits for the last answer.
int CountFold(const std::filesystem::path& directory) {
  constexpr int kFolded = 10'000, kFirst = kRows / 2;
  std::binary_semaphore answered{0};
  const auto engine = OpenEngine(directory);
  const PreparedPtr insert = Must(engine->Prepare(kInsert, ""));
  for (int i = 0; i < kFolded; ++i) {
    const int row = Scattered(i, kFolded);
    const bool last = i + 1 == kFolded;
    Submit(*engine, insert, row % kPartitions, kFirst + row / kPartitions,
           last ? [&] { answered.release(); } : std::function<void()>());
  }
  answered.acquire();
  Must(engine->Flush());
  return kFolded;
}

using Operation = int (*)(const std::filesystem::path& directory);
constexpr std::pair<const char*, Operation> kOperations[] = {
    {"point_read", [](const std::filesystem::path& directory) { return CountReadsOfT(directory, kPoint, 1); }},
    {"slice_100_rows", [](const std::filesystem::path& directory) { return CountReadsOfT(directory, kSlice, 100); }},
    {"range_scan_100", CountRangeScan},
    {"token_scan_100", CountTokenScan},
    {"prepared_insert", CountPreparedInsert},
    {"marker_insert", CountMarkerInsert},
    {"text_insert", CountTextInsert},
    {"native_point_read", CountNativeRead},
    {"bulk_row", CountBulkLoad},
    {"writer_mutation", CountWriter},
    {"folded_row", CountFold},
};

}  // namespace

int Run(const std::string& operation, const std::filesystem::path& directory) {
  if (!CountingClockIsUsed()) Die("clock_gettime could not be replaced");
  if (operation == "fill") return Fill(directory), 0;
  for (const auto& [name, count] : kOperations) {
    if (operation != name) continue;
    std::printf("%d\n", count(directory));
    return 0;
  }
  return 2;
}

}  // namespace widerow::bench

int main(int argc, char** argv) {
  if (argc == 3) return widerow::bench::Run(argv[1], argv[2]);
  std::fprintf(stderr, "usage: instruction_counts OPERATION DIRECTORY\n");
  return 2;
}
