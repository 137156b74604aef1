// student_card_load DIRECTORY [PURCHASES] [DESIGN…]: generates the purchases of the student card (student_card.h), and
// writes them into one table for each design. It writes them one by one, in the order of time, and sets the clock of
// the database to the time of each purchase. bench/student_card.py runs this program, and then asks ADVISE and the heat
// map. docs/measurements/student-card.md has the results.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <semaphore>

#include "base/clock.h"
#include "bench/must.h"
#include "bench/student_card.h"
#include "bench/student_card_map.h"
#include "exec/engine/engine.h"
#include "exec/heat/heat_key.h"
#include "exec/heat/heat_map.h"
#include "types/json_form.h"
#include "types/value_bytes.h"

namespace widerow::bench {
namespace {

BoundValue Number(TypeKind kind, int64_t value) { return {BoundValue::Kind::kValue, EncodeInteger(kind, value)}; }

// The busiest partitions of the heat map in the last 10 to 20 minutes.
struct Busy {
  struct One {
    std::string partition_key;
    uint64_t writes = 0;
  };
  std::vector<One> busiest;
  uint64_t writes = 0;  // Writes to all partitions.
};

Busy BusyNow(Engine& engine, const StudentCardDesign& design) {
  constexpr size_t kListed = 3;
  const TablePtr table = engine.schema()->FindTable("campus", std::string("purchases_") + design.name);
  const HeatSnapshot heat = Must(engine.Heat({}))->Snapshot(*table);
  Busy busy{{}, heat.busy_operations};  // The program does not read, so every operation is a write.
  for (size_t i = 0; i < std::min(kListed, heat.busy.size()); ++i) {
    busy.busiest.push_back({PartitionKeyText(*table, heat.busy[i].key), heat.busy[i].done.writes});
  }
  return busy;
}

// Loads the purchases into the table of the design. Returns the partitions that were busy at noon of the last day.
Busy Load(Engine& engine, ManualClock& clock, const StudentCardDesign& design, const Campus& campus) {
  Must(engine.Execute(CreateStudentCardTable(design), {}));
  PreparedPtr insert = Must(engine.Prepare(InsertStudentCardPurchase(design), ""));
  constexpr std::ptrdiff_t kInFlight = 4'096;
  std::counting_semaphore<kInFlight> room(kInFlight);
  StudentCard purchases(campus);
  Purchase purchase;
  Busy busy;
  const uint64_t noon = campus.purchases - campus.purchases / static_cast<uint64_t>(campus.days) / 2;
  const auto begun = std::chrono::steady_clock::now();
  for (uint64_t made = 0; purchases.Next(purchase); ++made) {
    if (made == noon) busy = BusyNow(engine, design);
    clock.Set(std::max(clock.NowMicros(), purchase.at_micros));
    RequestParameters parameters;
    parameters.names = {"card_id", "seller_id", "device_id", "order_no", "at", "cents"};
    parameters.values = {Number(TypeKind::kInt, purchase.card_id),
                         {BoundValue::Kind::kValue, purchase.seller_id},
                         Number(TypeKind::kInt, purchase.device_id),
                         Number(TypeKind::kBigint, purchase.order_no),
                         Number(TypeKind::kTimestamp, purchase.at_micros / 1'000),
                         Number(TypeKind::kInt, purchase.cents)};
    room.acquire();
    const auto done = [&](Result<Outcome> outcome) {
      if (!outcome.ok()) Die(outcome.error().message);
      room.release();
    };
    // Splitting a partition changes the schema, so the statement must be prepared again.
    while (!Must(engine.Submit(insert, parameters, done)))
      insert = Must(engine.Prepare(InsertStudentCardPurchase(design), ""));
  }
  for (std::ptrdiff_t i = 0; i < kInFlight; ++i) room.acquire();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%s: %llu purchases in %.0f s\n", design.name, static_cast<unsigned long long>(campus.purchases),
              seconds);
  std::fflush(stdout);
  return busy;
}

// Writes the file DIRECTORY/<design>.json, which says how the purchases are distributed over the keys: {"design": …,
// "busy": {"writes": …, "busiest": [[key, writes], …]}, "ranges": …}.
void WriteMap(const std::filesystem::path& directory, const StudentCardDesign& design, const Campus& campus,
              const Busy& busy) {
  const std::filesystem::path path = directory / (std::string(design.name) + ".json");
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) Die(path.string() + ": cannot be written");
  std::string busiest;
  for (const Busy::One& one : busy.busiest) {
    busiest += busiest.empty() ? "[" : ", [";
    AppendJsonString(one.partition_key, busiest);
    busiest += ", " + std::to_string(one.writes) + "]";
  }
  std::fprintf(file, "{\"design\": \"%s\", \"busy\": {\"writes\": %llu, \"busiest\": [%s]}, \"ranges\": ", design.name,
               static_cast<unsigned long long>(busy.writes), busiest.c_str());
  StudentCardMap(design.name, campus).Write(file);
  std::fprintf(file, "}\n");
  if (std::fclose(file) != 0) Die(path.string() + ": cannot be written");
}

int Run(int count, char** arguments) {
  if (count < 2) Die("student_card_load DIRECTORY [PURCHASES] [DESIGN…]");
  Campus campus;
  if (count > 2) campus.purchases = std::stoull(arguments[2]);
  const std::vector<std::string> wanted(arguments + std::min(count, 3), arguments + count);
  for (const StudentCardDesign& design : kStudentCardDesigns) {
    if (!wanted.empty() && std::ranges::find(wanted, design.name) == wanted.end()) continue;
    // Each design has a database of its own, because the clock of a database cannot go back to the first purchase.
    auto clock = std::make_shared<ManualClock>(campus.begin_micros);
    Engine engine(Must(OpenLmdbEngine({.directory = std::filesystem::path(arguments[1]) / design.name,
                                       .clock = clock,
                                       .durability = Durability::kNone})),
                  {.extension_warnings = false});
    Must(engine.Execute(
        "CREATE KEYSPACE campus WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", {}));
    const Busy busy = Load(engine, *clock, design, campus);
    if (!engine.Flush().ok()) Die("the rows cannot be stored");
    WriteMap(arguments[1], design, campus, busy);
  }
  return 0;
}

}  // namespace
}  // namespace widerow::bench

int main(int count, char** arguments) { return widerow::bench::Run(count, arguments); }
