// instruction_counts OPERATION DIRECTORY: sets up a database and does one of the hottest operations kRepeats times
// inside CountedOperations(). instruction_counts.py lets callgrind count the instructions of this function only, on the
// calling thread. Rows, their order and the clock are fixed. See bench/README.md.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/must.h"
#include "exec/engine/engine.h"
#include "net/native/run_request.h"
#include "types/value_bytes.h"
#include "widerow/database.h"

namespace widerow::bench {

constexpr int kRepeats = 200;
constexpr int kPartitions = 20, kRows = 500;

// callgrind finds it by its name, so it must not be inlined.
[[gnu::noinline]] void CountedOperations(const std::function<void(int)>& operation) {
  for (int i = 0; i < kRepeats; ++i) operation(i);
}

namespace {

constexpr const char* kSchema =
    "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
    "CREATE TABLE bench.t (k int, c int, name text, amount bigint, ratio double, PRIMARY KEY (k, c));";
constexpr const char* kPoint = "SELECT name, amount, ratio FROM bench.t WHERE k = ? AND c = ?";
constexpr const char* kSlice = "SELECT name, amount, ratio FROM bench.t WHERE k = ? AND c >= ? LIMIT 100";
constexpr const char* kInsert = "INSERT INTO bench.t (k, c, name, amount, ratio) VALUES (?, ?, ?, ?, ?)";

class FixedClock final : public Clock {
 public:
  int64_t NowMicros() override { return 1'700'000'000'000'000; }
};

// Fills the table. Rows to be read are in the data file, under empty memtables; closing the database folds them.
void Fill(const std::filesystem::path& directory) {
  auto database = Must(
      Database::Open({.directory = directory, .durability = "none", .clock = [] { return FixedClock().NowMicros(); }}));
  Must(database->ExecuteScript(kSchema));
  const PreparedQuery insert = Must(database->Prepare(kInsert));
  for (int k = 0; k < kPartitions; ++k) {
    for (int c = 0; c < kRows; ++c) {
      Must(database->Execute(insert, {k, c, "a name of some length", long{1} << 40, 0.5 * c}));
    }
  }
}

// Runs some operations first: they fill pools, create what is created once, and use up the second's statements that are
// looked at closely (exec/load/operation_sampler.h). The clock stands still, so this second does not end.
void Count(const std::function<void(int)>& operation) {
  for (int i = 0; i < kRepeats / 2; ++i) operation(i);
  CountedOperations(operation);
}

void CountReads(const std::filesystem::path& directory, const char* text, size_t rows_wanted) {
  auto database = Must(
      Database::Open({.directory = directory, .durability = "none", .clock = [] { return FixedClock().NowMicros(); }}));
  const PreparedQuery query = Must(database->Prepare(text));
  std::vector<Parameter> parameters;
  Count([&](int i) {
    parameters.clear();
    parameters.insert(parameters.end(), {i % kPartitions, i * 7 % (kRows - 100)});
    ResultSet rows = Must(database->Execute(query, parameters));
    size_t count = 0;
    while (rows.Next()) count += !rows.row().Raw(0).empty();
    if (count != rows_wanted) Die("rows are missing");
  });
}

// With guardrails, as in a server.
std::unique_ptr<Engine> OpenEngine(const std::filesystem::path& directory) {
  return std::make_unique<Engine>(
      Must(OpenLmdbEngine(
          {.directory = directory, .clock = std::make_shared<FixedClock>(), .durability = Durability::kNone})),
      LanguageOptions(), EngineOptions{.guardrails = Guardrails()});
}

BoundValue Integer(TypeKind kind, int64_t value) { return {BoundValue::Kind::kValue, EncodeInteger(kind, value)}; }

RequestParameters InsertValues(int i) {
  RequestParameters parameters;
  parameters.values = {Integer(TypeKind::kInt, i % kPartitions), Integer(TypeKind::kInt, i),
                       BoundValue{BoundValue::Kind::kValue, "a name of some length"}, Integer(TypeKind::kBigint, 7),
                       BoundValue{BoundValue::Kind::kValue, EncodeDouble(0.25)}};
  return parameters;
}

// Measures the way to the writer's queue and back; the writer's thread is not counted.
void CountPreparedInsert(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  const PreparedPtr insert = Must(engine->Prepare(kInsert, ""));
  Count([&](int i) { Must(engine->ExecutePrepared(*insert, InsertValues(i))); });
}

// The same write as a text with bind markers.
void CountMarkerInsert(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  Count([&](int i) { Must(engine->Execute(kInsert, InsertValues(i))); });
}

// The same write as a text with literals, different ones each time.
void CountTextInsert(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  Count([&](int i) {
    Must(engine->Execute("INSERT INTO bench.t (k, c, name, amount, ratio) VALUES (" + std::to_string(i % kPartitions) +
                             ", " + std::to_string(i) + ", 'a name of some length', 7, 0.25)",
                         {}));
  });
}

// A native EXECUTE from its body to the answer's frame, without a socket.
void CountNativeRead(const std::filesystem::path& directory) {
  const auto engine = OpenEngine(directory);
  const PreparedPtr point = Must(engine->Prepare(kPoint, ""));
  Count([&](int i) {
    NativeRequest request;
    request.opcode = Opcode::kExecute;
    request.to.version = 4;
    AppendBigEndian(request.body, static_cast<uint16_t>(point->id.size()));
    request.body += point->id;
    AppendBigEndian(request.body, uint16_t{1});  // Consistency ONE.
    request.body.push_back('\x03');              // Values follow; no metadata.
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

}  // namespace

int Run(const std::string& operation, const std::filesystem::path& directory) {
  if (operation == "fill")
    Fill(directory);
  else if (operation == "point_read")
    CountReads(directory, kPoint, 1);
  else if (operation == "slice_100_rows")
    CountReads(directory, kSlice, 100);
  else if (operation == "prepared_insert")
    CountPreparedInsert(directory);
  else if (operation == "marker_insert")
    CountMarkerInsert(directory);
  else if (operation == "text_insert")
    CountTextInsert(directory);
  else if (operation == "native_point_read")
    CountNativeRead(directory);
  else
    return 2;
  return 0;
}

}  // namespace widerow::bench

int main(int argc, char** argv) {
  if (argc == 3) return widerow::bench::Run(argv[1], argv[2]);
  std::fprintf(stderr, "usage: instruction_counts OPERATION DIRECTORY\n");
  return 2;
}
