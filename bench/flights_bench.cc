// flights_bench FLIGHTS.csv [SECONDS] [--json FILE]: compares Widerow with bare LMDB and with SQLite. It imports the
// flights of 2013 into all three. Then it runs the same reads and writes on each of them in turn, in one process, and
// prints costs and ratios. It also reads Widerow's own data file through bare LMDB, and reads Widerow while rows are in
// two memtables. bench/README.md describes the measurements.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/flights_csv.h"
#include "bench/flights_table.h"
#include "bench/must.h"
#include "bench/record_store.h"
#include "bench/reference_store.h"
#include "bench/timing.h"

namespace widerow::bench {
namespace {

constexpr size_t kBatchRows = 500;
constexpr size_t kSliceRows = FlightsTable::kSliceRows;
constexpr int kRounds = 3;
constexpr size_t kSamples = 20'000;
constexpr size_t kRecordStep = 17;  // Every 17th of the 336,776 records gives about kSamples records.
// A memtable of this size never fills up, so it is frozen only by KeepFrozen().
constexpr size_t kRoomyMemtable = size_t{256} << 20;

struct Line {
  std::string what, state, subject;
  Cost cost;
};

struct Subject {
  std::string name;
  std::function<void(const Flight&)> operation;
};

// Collects the measurements, and prints each of them when it is added. Widerow must be the first subject of each
// operation, because the other lines show their ratios to Widerow.
class Results {
 public:
  void Add(const std::string& what, const std::string& state, const std::string& subject, const Cost& cost) {
    const auto base = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) {
      return line.what == what && line.state == state && line.subject == "widerow";
    });
    std::printf("%-24s %-14s %-18s %9.2f us (cpu %8.2f)", what.c_str(), state.c_str(), subject.c_str(), cost.wall_us,
                cost.cpu_us);
    if (base != lines_.end())
      std::printf("   widerow / %s %.2f (cpu %.2f)", subject.c_str(), base->cost.wall_us / cost.wall_us,
                  base->cost.cpu_us / cost.cpu_us);
    std::printf("\n");
    std::fflush(stdout);
    lines_.push_back({what, state, subject, cost});
  }

  // Measures each subject once in each of kRounds rounds and adds the cost of its cheapest round.
  void Measure(const std::string& what, const std::string& state, double seconds, const std::vector<Flight>& flights,
               const std::vector<Subject>& subjects) {
    std::vector<Cost> best(subjects.size(), Cost{1e12, 1e12});
    for (int round = 0; round < kRounds; ++round) {
      for (size_t i = 0; i < subjects.size(); ++i) {
        Random random(7 + round);
        best[i] = Cheaper(
            best[i], bench::Measure(seconds, [&] { subjects[i].operation(flights[random.Below(flights.size())]); }));
      }
    }
    for (size_t i = 0; i < subjects.size(); ++i) Add(what, state, subjects[i].name, best[i]);
  }

  void WriteJson(const std::string& path) const {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) Die(path + ": cannot be written");
    std::fprintf(file, "[");
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      std::fprintf(
          file, "%s\n {\"what\": \"%s\", \"state\": \"%s\", \"subject\": \"%s\", \"wall_us\": %.4f, \"cpu_us\": %.4f}",
          i == 0 ? "" : ",", line.what.c_str(), line.state.c_str(), line.subject.c_str(), line.cost.wall_us,
          line.cost.cpu_us);
    }
    std::fprintf(file, "\n]\n");
    if (std::fclose(file) != 0) Die(path + ": cannot be written");
  }

 private:
  std::vector<Line> lines_;
};

class Bench {
 public:
  Bench(std::vector<Flight> flights, double seconds) : flights_(std::move(flights)), seconds_(seconds) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    Random random(1);
    for (size_t i = 0; i < kSamples; ++i) sample_.push_back(flights_[random.Below(flights_.size())]);
    references_.push_back(OpenRawLmdb(directory_ / "lmdb"));
    references_.push_back(OpenSqlite(directory_ / "sqlite"));
  }

  void Run() {
    Open({});
    Import();
    Open({});  // Everything is in the data file; the memtables are empty.
    FindSliceStarts();
    Reads("data file");
    Scans("data file");
    table_.reset();
    Records();
    Open({.memtable_bytes = kRoomyMemtable});
    table_->Import(ThirdOf(0), kBatchRows);
    table_->KeepFrozen();
    table_->Import(ThirdOf(1), kBatchRows);
    Reads("two memtables");  // Each memtable has a third of the rows; a third is in the data file only.
    Scans("two memtables");
    Open({});
    Writes();
    table_.reset();
    std::filesystem::remove_all(directory_);
  }

  const Results& results() const { return results_; }

 private:
  void Open(DatabaseOptions options) {
    table_.reset();
    options.directory = directory_ / "widerow";
    table_.emplace(std::move(options));
  }

  void Import() {
    results_.Add("import, a row", "", "widerow",
                 MeasureOnce(flights_.size(), [&] { table_->Import(flights_, kBatchRows); }));
    for (const auto& reference : references_) {
      results_.Add(
          "import, a row", "", reference->name(), MeasureOnce(flights_.size(), [&] {
            for (size_t begin = 0; begin < flights_.size(); begin += kBatchRows) {
              reference->Put(std::span(flights_).subspan(begin, std::min(kBatchRows, flights_.size() - begin)));
            }
          }));
    }
  }

  // Fills starts_ with flights at which a slice can begin: at least kSliceRows rows of the partition follow.
  void FindSliceStarts() {
    for (const Flight& flight : sample_) {
      if (starts_.size() == kSamples / 10) break;
      const auto all = [&](const auto& store) { return store->Scan(flight, kSliceRows) == kSliceRows; };
      if (table_->Slice(flight) == kSliceRows && std::all_of(references_.begin(), references_.end(), all)) {
        starts_.push_back(flight);
      }
    }
    if (starts_.empty()) Die("no partition of 100 rows: is this all of flights.csv?");
  }

  std::vector<Subject> Subjects(std::vector<Subject> subjects,
                                const std::function<void(ReferenceStore&, const Flight&)>& of_reference) {
    for (const auto& reference : references_) {
      subjects.push_back(
          {reference->name(), [&, of_reference](const Flight& flight) { of_reference(*reference, flight); }});
    }
    return subjects;
  }

  void Reads(const std::string& state) {
    const auto must_be = [](bool found) {
      if (!found) Die("a row is missing");
    };
    results_.Measure(
        "point read", state, seconds_, sample_,
        Subjects({{"widerow", [&](const Flight& flight) { must_be(table_->Get(flight) == 1); }},
                  {"widerow, a result set", [&](const Flight& flight) { must_be(table_->GetSet(flight) == 1); }}},
                 [&](ReferenceStore& store, const Flight& flight) { must_be(store.Get(flight) > 0); }));
    results_.Measure("slice of 100 rows", state, seconds_, starts_,
                     Subjects({{"widerow", [&](const Flight& flight) { must_be(table_->Slice(flight) == kSliceRows); }},
                               {"widerow, a result set",
                                [&](const Flight& flight) { must_be(table_->SliceSet(flight) == kSliceRows); }}},
                              [&](ReferenceStore& store, const Flight& flight) {
                                must_be(store.Scan(flight, kSliceRows) == kSliceRows);
                              }));
  }

  void Scans(const std::string& state) {
    const size_t expected =
        std::count_if(flights_.begin(), flights_.end(), [](const Flight& f) { return f.distance > 4000; });
    Cost best{1e12, 1e12};
    for (int round = 0; round < kRounds; ++round) {
      best = Cheaper(best, MeasureOnce(flights_.size(), [&] {
                       if (table_->CountLongFlights() != expected) Die("the count is wrong");
                     }));
    }
    results_.Add("filtered scan, a row", state, "widerow", best);
  }

  // Returns every third flight from `first` on, in random order.
  std::vector<Flight> ThirdOf(size_t first) const {
    std::vector<Flight> third;
    for (size_t i = first; i < flights_.size(); i += 3) third.push_back(flights_[i]);
    Random random(first);
    for (size_t i = third.size(); i > 1; --i) std::swap(third[i - 1], third[random.Below(i)]);
    return third;
  }

  // Reads the records of Widerow's data file through bare LMDB.
  void Records() {
    RecordStore records(directory_ / "widerow");
    const std::vector<Bytes> points = records.Keys(kRecordStep, 0), starts = records.Keys(10 * kRecordStep, kSliceRows);
    Cost best_point{1e12, 1e12}, best_slice{1e12, 1e12};
    for (int round = 0; round < kRounds; ++round) {
      Random random(7 + round);
      best_point = Cheaper(best_point, Measure(seconds_, [&] { records.Get(points[random.Below(points.size())]); }));
      best_slice = Cheaper(best_slice,
                           Measure(seconds_, [&] { records.Scan(starts[random.Below(starts.size())], kSliceRows); }));
    }
    results_.Add("point read", "data file", "lmdb, same records", best_point);
    results_.Add("slice of 100 rows", "data file", "lmdb, same records", best_slice);
  }

  // Overwrites existing rows one after another. Each write is durable before the next one begins. The folds that the
  // writes cause are included in the cost.
  void Writes() {
    results_.Measure("durable write of a row", "", seconds_, sample_,
                     Subjects({{"widerow", [&](const Flight& flight) { table_->Put(flight); }}},
                              [](ReferenceStore& store, const Flight& flight) { store.Put(std::span(&flight, 1)); }));
  }

  const std::filesystem::path directory_ = std::filesystem::path("build") / "bench-data";
  const std::vector<Flight> flights_;
  const double seconds_;
  std::vector<Flight> sample_, starts_;
  std::vector<std::unique_ptr<ReferenceStore>> references_;
  std::optional<FlightsTable> table_;
  Results results_;
};

}  // namespace
}  // namespace widerow::bench

int main(int argc, char** argv) {
  using namespace widerow::bench;
  std::string json;
  if (argc > 3 && std::strcmp(argv[argc - 2], "--json") == 0) json = argv[argc - 1], argc -= 2;
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: flights_bench FLIGHTS.csv [SECONDS] [--json FILE]\n");
    return 2;
  }
  Bench bench(ReadFlights(argv[1]), argc == 3 ? std::atof(argv[2]) : 2.0);
  bench.Run();
  if (!json.empty()) bench.results().WriteJson(json);
  return 0;
}
