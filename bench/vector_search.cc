// vector_search DIRECTORY [ROWS [DIMENSION]]: compares ORDER BY … ANN OF with one pass over the same vectors in one
// array. It also compares writes to a table that has an index on vectors with writes to a table that has none.
// DIRECTORY must not exist. Prints one line for each figure. The pass is the least work of any exact search: it
// multiplies each vector with the query, with SIMD and one thread, and keeps the ten nearest. The program checks that
// the SELECT and the pass find the same rows.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/must.h"
#include "types/similarity.h"
#include "types/value_bytes.h"
#include "widerow/bulk_writer.h"
#include "widerow/database.h"

namespace widerow::bench {
namespace {

constexpr size_t kNearest = 10;
constexpr size_t kQueries = 20;
constexpr size_t kWrites = 5'000;
constexpr int kGroups = 1'000;

// Sixteen floats; the compiler divides them into registers of the processor.
typedef float Lanes __attribute__((vector_size(64)));
constexpr size_t kLanes = sizeof(Lanes) / sizeof(float);

double Now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Vectors in one array, each followed by zeros up to a multiple of kLanes elements.
class Vectors {
 public:
  // The vectors form clusters around 300 centers, as the vectors of texts and pictures do.
  Vectors(size_t rows, size_t dimension) : rows_(rows), dimension_(dimension) {
    constexpr size_t kCenters = 300;
    stride_ = (dimension + kLanes - 1) / kLanes * kLanes;
    floats_.resize(rows * stride_ + kLanes);
    std::mt19937_64 random(5);
    std::normal_distribution<float> normal;
    std::vector<float> centers(kCenters * dimension);
    for (float& element : centers) element = normal(random);
    for (size_t i = 0; i < rows; ++i) {
      const size_t center = random() % kCenters;
      for (size_t d = 0; d < dimension; ++d)
        floats_[i * stride_ + d] = centers[center * dimension + d] + 0.7F * normal(random);
    }
  }
  size_t rows() const { return rows_; }
  size_t dimension() const { return dimension_; }
  size_t stride() const { return stride_; }
  const float* row(size_t i) const { return floats_.data() + i * stride_; }
  std::vector<float> Copy(size_t i) const { return {row(i), row(i) + dimension_}; }
  std::string Encoded(size_t i) const {
    std::string bytes;
    for (size_t d = 0; d < dimension_; ++d) bytes += EncodeFloat(row(i)[d]);
    return bytes;
  }

 private:
  size_t rows_, dimension_, stride_;
  std::vector<float> floats_;
};

using Found = std::pair<float, size_t>;  // The product of the query and a row's vector, and the number of the row.

// Adds the row to `nearest` if it is one of the kNearest nearest rows so far.
void Keep(float product, size_t row, std::vector<Found>& nearest) {
  if (nearest.size() == kNearest && product <= nearest.back().first) return;
  const auto at =
      std::upper_bound(nearest.begin(), nearest.end(), product, [](float p, const Found& f) { return p > f.first; });
  nearest.insert(at, {product, row});
  if (nearest.size() > kNearest) nearest.pop_back();
}

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2,fma", "default")))
#endif
float Product(const float* a, const float* b, size_t count) {
  Lanes sums[2] = {};
  for (size_t i = 0; i < count; i += kLanes) {
    Lanes left, right;
    std::memcpy(&left, a + i, sizeof left);
    std::memcpy(&right, b + i, sizeof right);
    sums[i / kLanes % 2] += left * right;
  }
  float sum = 0;
  for (size_t lane = 0; lane < kLanes; ++lane) sum += sums[0][lane] + sums[1][lane];
  return sum;
}

std::vector<Found> Pass(const Vectors& vectors, const std::vector<float>& query) {
  std::vector<Found> nearest;
  std::vector<float> padded(query);
  padded.resize(vectors.stride());
  for (size_t i = 0; i < vectors.rows(); ++i)
    Keep(Product(vectors.row(i), padded.data(), vectors.stride()), i, nearest);
  return nearest;
}

template <typename Work>
double Median(const Work& work) {
  std::vector<double> times;
  for (size_t i = 0; i < kQueries; ++i) {
    const double begin = Now();
    work(i);
    times.push_back(Now() - begin);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::vector<size_t> Rows(Database& database, const PreparedQuery& select, const std::vector<Parameter>& parameters) {
  std::vector<size_t> rows;
  ResultSet result = Must(database.Execute(select, parameters));
  while (result.Next()) rows.push_back(static_cast<size_t>(result.row().Get<int32_t>(0)));
  if (result.failure()) Die(result.failure()->message);
  return rows;
}

// Prepares and executes the statement again and again until it succeeds. It fails until its index has been built in the
// background.
PreparedQuery WaitFor(Database& database, const std::string& text, const std::vector<Parameter>& parameters) {
  while (true) {
    PreparedQuery select = Must(database.Prepare(text));
    if (database.Execute(select, parameters).ok()) return select;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

class Bench {
 public:
  Bench(const std::filesystem::path& directory, size_t rows, size_t dimension)
      : vectors_(rows, dimension),
        database_(Must(Database::Open({.directory = directory, .durability = "none"}))),
        directory_(directory) {
    std::mt19937_64 random(9);
    for (size_t i = 0; i < kQueries; ++i) {
      std::vector<float> query = vectors_.Copy(random() % rows);
      for (float& element : query) element += 0.5F * std::normal_distribution<float>()(random);
      encoded_.emplace_back();
      for (const float element : query) encoded_.back() += EncodeFloat(element);
      queries_.push_back(std::move(query));
    }
  }

  void Load() {
    const std::string type = "vector<float, " + std::to_string(vectors_.dimension()) + ">";
    Must(database_->Execute(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"));
    for (const char* const table : {"k.t", "k.plain", "k.indexed"})
      Must(database_->Execute(std::string("CREATE TABLE ") + table + " (id int PRIMARY KEY, g int, h int, v " + type +
                              ")"));
    const auto writer = Must(BulkWriter::Open(*database_, "k.t", {"id", "g", "h", "v"}));
    for (size_t i = 0; i < vectors_.rows(); ++i) {
      const std::string vector = vectors_.Encoded(i);
      Must(writer->Add(
          {static_cast<int>(i), static_cast<int>(i) % kGroups, static_cast<int>(i) % 2, Parameter::Raw(vector)}));
    }
    Must(writer->Finish());
    const double begin = Now();
    for (const char* const column : {"g", "h"})
      Must(database_->Execute(std::string("CREATE INDEX ON k.t (") + column + ") USING 'sai'"));
    for (const char* const table : {"k.t", "k.indexed"}) {
      Must(database_->Execute(std::string("CREATE INDEX ON ") + table +
                              " (v) USING 'sai' WITH OPTIONS = {'similarity_function': 'dot_product'}"));
    }
    WaitFor(*database_, "SELECT id FROM k.t WHERE g = 1 AND h = 1 ORDER BY v ANN OF ? LIMIT 1", {Query(0)});
    std::printf("%-58s %9.0f ms\n", "building three indexes", Now() - begin);
  }

  // Compares the SELECT with the pass. All data is in memory.
  void Search() {
    const PreparedQuery select = Must(database_->Prepare("SELECT id FROM k.t ORDER BY v ANN OF ? LIMIT 10"));
    for (size_t i = 0; i < kQueries; ++i) {
      std::vector<size_t> expected;
      for (const Found& found : Pass(vectors_, queries_[i])) expected.push_back(found.second);
      if (Rows(*database_, select, {Query(i)}) != expected) Die("ANN OF and the pass find different rows");
    }
    const auto pass = [&](size_t i) {
      if (Pass(vectors_, queries_[i]).size() != kNearest) Die("too few rows");
    };
    const auto search = [&](size_t i) {
      if (Rows(*database_, select, {Query(i)}).size() != kNearest) Die("too few rows");
    };
    double best_pass = Median(pass), best_search = Median(search);
    for (int round = 0; round < 4; ++round) {
      best_pass = std::min(best_pass, Median(pass));
      best_search = std::min(best_search, Median(search));
    }
    std::printf("%-58s %9.2f ms\n", "one SIMD pass over an array, one thread", best_pass);
    std::printf("%-58s %9.2f ms\n", "ANN OF … LIMIT 10", best_search);
    std::printf("%-58s %9.2f\n", "ANN OF / pass", best_search / best_pass);
    Filtered("LIMIT 100", "SELECT id FROM k.t ORDER BY v ANN OF ? LIMIT 100");
    Filtered("LIMIT 1000", "SELECT id FROM k.t ORDER BY v ANN OF ? LIMIT 1000");
    Filtered("g = 7 (one row of 1,000)", "SELECT id FROM k.t WHERE g = 7 ORDER BY v ANN OF ? LIMIT 10");
    Filtered("h = 1 (half of the rows)", "SELECT id FROM k.t WHERE h = 1 ORDER BY v ANN OF ? LIMIT 10");
    for (const Row& row :
         Must(database_->Execute(Must(database_->Prepare("EXPLAIN ANALYZE SELECT id FROM k.t ORDER BY v "
                                                         "ANN OF ? LIMIT 10")),
                                 {Query(0)})))
      std::printf("    %s\n", row.Text(0).substr(0, 120).c_str());
  }

  void Write(const char* table) {
    const PreparedQuery insert =
        Must(database_->Prepare(std::string("INSERT INTO ") + table + " (id, g, h, v) VALUES (?, 1, 1, ?)"));
    const double begin = Now();
    for (size_t i = 0; i < kWrites; ++i) {
      const std::string vector = vectors_.Encoded(i % vectors_.rows());
      Must(database_->Execute(insert, {static_cast<int>(i), Parameter::Raw(vector)}));
    }
    std::printf("%-58s %9.0f /s\n", (std::string("INSERTs, one after the other, into ") + table).c_str(),
                1e3 * kWrites / (Now() - begin));
  }

  void Size() const {
    uintmax_t bytes = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory_)) {
      if (file.is_regular_file()) bytes += file.file_size();
    }
    std::printf("%-58s %9.0f MiB\n", "the array",
                static_cast<double>(vectors_.rows() * vectors_.stride() * 4) / (1 << 20));
    std::printf("%-58s %9.0f MiB\n", "the data directory", static_cast<double>(bytes) / (1 << 20));
  }

 private:
  Parameter Query(size_t i) const { return Parameter::Raw(encoded_[i]); }
  void Filtered(const char* title, const char* text) {
    const PreparedQuery select = Must(database_->Prepare(text));
    std::printf("%-58s %9.2f ms\n", (std::string("ANN OF, ") + title).c_str(),
                Median([&](size_t i) { Rows(*database_, select, {Query(i)}); }));
  }

  const Vectors vectors_;
  const std::unique_ptr<Database> database_;
  const std::filesystem::path directory_;
  std::vector<std::vector<float>> queries_;
  std::vector<std::string> encoded_;
};

int Run(const std::filesystem::path& directory, size_t rows, size_t dimension) {
  if (std::filesystem::exists(directory)) Die("DIRECTORY exists");
  std::printf("%zu vectors of %zu floats\n", rows, dimension);
  {
    Bench bench(directory, rows, dimension);
    bench.Load();
    bench.Search();
    bench.Write("k.plain");
    bench.Write("k.indexed");
    bench.Size();
  }
  std::filesystem::remove_all(directory);
  return 0;
}

}  // namespace
}  // namespace widerow::bench

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: vector_search DIRECTORY [ROWS [DIMENSION]]\n");
    return 2;
  }
  const size_t rows = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'000;
  const size_t dimension = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 384;
  return widerow::bench::Run(argv[1], rows, dimension);
}
