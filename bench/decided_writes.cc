// decided_writes DIRECTORY [COUNT]: compares the cost of conditional writes and counter updates, which read the row
// first, with the cost of a plain UPDATE. It runs COUNT writes of each kind over 10,000 rows, with 64 in flight, and
// does not wait for the disk. It prints the CPU time of the whole process for one write, in the cheapest of three
// rounds.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <semaphore>
#include <string>
#include <vector>

#include "bench/must.h"
#include "bench/timing.h"
#include "exec/engine/engine.h"
#include "types/value_bytes.h"

namespace widerow::bench {
namespace {

constexpr int kRows = 10'000, kInFlight = 64, kRounds = 3;

struct Kind {
  const char* name;
  const char* statement;
  // The first `numbers` bind markers have the type `number`. The last two bind markers are the key.
  int numbers;
  TypeKind number;
};
constexpr std::array<Kind, 6> kKinds{{
    {"UPDATE", "UPDATE bench.t SET v = ? WHERE k = ? AND c = ?", 1, TypeKind::kBigint},
    {"UPDATE … IF EXISTS", "UPDATE bench.t SET v = ? WHERE k = ? AND c = ? IF EXISTS", 1, TypeKind::kBigint},
    {"UPDATE … IF v != null", "UPDATE bench.t SET v = ? WHERE k = ? AND c = ? IF v != null", 1, TypeKind::kBigint},
    {"UPDATE … IF v = null, refused", "UPDATE bench.t SET v = ? WHERE k = ? AND c = ? IF v = null", 1,
     TypeKind::kBigint},
    {"counter", "UPDATE bench.n SET a = a + ? WHERE k = ? AND c = ?", 1, TypeKind::kCounter},
    {"two counters", "UPDATE bench.n SET a = a + ?, b = b - ? WHERE k = ? AND c = ?", 2, TypeKind::kCounter},
}};

BoundValue Number(TypeKind kind, int64_t value) { return {BoundValue::Kind::kValue, EncodeInteger(kind, value)}; }

void RunAll(Engine& engine, const Kind& kind, const PreparedPtr& statement, int count) {
  std::counting_semaphore<kInFlight> room(kInFlight);
  for (int i = 0; i < count; ++i) {
    RequestParameters parameters;
    for (int n = 0; n < kind.numbers; ++n) parameters.values.push_back(Number(kind.number, 1));
    parameters.values.push_back(Number(TypeKind::kInt, i % 100));
    parameters.values.push_back(Number(TypeKind::kInt, i / 100 % (kRows / 100)));
    room.acquire();
    const bool taken = Must(engine.Submit(statement, parameters, [&room](const Result<Outcome>& outcome) {
      if (!outcome.ok()) Die(outcome.error().message);
      room.release();
    }));
    if (!taken) Die("not taken");
  }
  for (int i = 0; i < kInFlight; ++i) room.acquire();
}

int Run(const char* directory, int count) {
  Engine engine(Must(OpenLmdbEngine({.directory = directory, .durability = Durability::kNone})));
  for (const char* text :
       {"CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE bench.t (k int, c int, v bigint, PRIMARY KEY (k, c))",
        "CREATE TABLE bench.n (k int, c int, a counter, b counter, PRIMARY KEY (k, c))"}) {
    Must(engine.Execute(text, {}));
  }
  std::vector<Cost> costs(kKinds.size());
  for (int round = 0; round <= kRounds; ++round) {  // The first round fills the tables and is not measured.
    for (size_t i = 0; i < kKinds.size(); ++i) {
      const PreparedPtr statement = Must(engine.Prepare(kKinds[i].statement, ""));
      const Cost cost = MeasureOnce(static_cast<size_t>(count), [&] { RunAll(engine, kKinds[i], statement, count); });
      if (round > 0) costs[i] = round == 1 ? cost : Cheaper(costs[i], cost);
    }
  }
  for (size_t i = 0; i < kKinds.size(); ++i) {
    std::printf("%-32s %6.2f us CPU, %6.2f us\n", kKinds[i].name, costs[i].cpu_us, costs[i].wall_us);
  }
  return 0;
}

}  // namespace
}  // namespace widerow::bench

int main(int argc, char** argv) {
  if (argc == 2 || argc == 3) return widerow::bench::Run(argv[1], argc == 3 ? std::atoi(argv[2]) : 200'000);
  std::fprintf(stderr, "usage: decided_writes DIRECTORY [COUNT]\n");
  return 2;
}
