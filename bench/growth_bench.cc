// growth_bench CURVE SIZE DIRECTORY: creates a database of one size, measures the cost of operations on it, and prints
// one JSON object. DIRECTORY must not exist. growth.py runs the program for many sizes. CURVE says what SIZE counts:
//   rows        the rows of a table; a row has 20 bytes, and a partition has 1,000 rows
//   row_bytes   the bytes of a row; a partition has 100 rows
//   partition   the rows of a partition; the table has a million rows, or one partition if SIZE is larger
//   tables      the tables of a keyspace; each has one row
// The figures named …_cpu_us are CPU time of the whole process, in µs for one operation.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/must.h"
#include "bench/timing.h"
#include "widerow/bulk_writer.h"
#include "widerow/database.h"

namespace widerow::bench {
namespace {

constexpr double kSeconds = 2;
constexpr size_t kBatchRows = 100;
constexpr size_t kScanRowsMax = 10'000'000;
constexpr const char* kKeyspace =
    "CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
constexpr const char* kColumns = " (k int, c int, v blob, PRIMARY KEY (k, c))";

struct Shape {
  size_t rows, rows_per_partition, value_bytes;
  size_t slice_rows;    // The LIMIT of the SELECT that reads a slice.
  size_t rows_written;  // The number of rows, chosen at random, that are overwritten.
};

class Figures {
 public:
  void Add(const std::string& name, double value) { figures_.emplace_back(name, value); }
  void Add(const std::string& name, const Cost& cost) {
    Add(name + "_cpu_us", cost.cpu_us);
    Add(name + "_wall_us", cost.wall_us);
  }
  void Print() const {
    std::printf("{");
    for (size_t i = 0; i < figures_.size(); ++i) {
      std::printf("%s\"%s\": %.4f", i == 0 ? "" : ", ", figures_[i].first.c_str(), figures_[i].second);
    }
    std::printf("}\n");
  }

 private:
  std::vector<std::pair<std::string, double>> figures_;
};

// Returns the number that follows "`name`:" in the file /proc/self/`file`.
double OfProcess(const std::string& file, const std::string& name) {
  std::ifstream in("/proc/self/" + file);
  for (std::string word; in >> word;) {
    double value = 0;
    if (word == name + ":" && in >> value) return value;
  }
  Die(name + " is not in /proc/self/" + file);
}

double PrivateMib() { return OfProcess("status", "RssAnon") / 1024; }

std::string ValueOf(Random& random, size_t bytes) {
  std::string value(bytes, '\0');
  for (char& byte : value) byte = static_cast<char>(random.Below(256));
  return value;
}

std::unique_ptr<Database> OpenAt(const std::filesystem::path& directory, const char* durability = "none") {
  return Must(Database::Open({.directory = directory, .durability = durability}));
}

void Fill(Database& database, const Shape& shape) {
  Must(database.Execute(kKeyspace));
  Must(database.Execute(std::string("CREATE TABLE g.t") + kColumns));
  const auto writer = Must(BulkWriter::Open(database, "g.t", {"k", "c", "v"}));
  Random random(1);
  const std::string pool = ValueOf(random, shape.value_bytes + 4096);  // Each row's value is a part of these bytes.
  for (size_t i = 0; i < shape.rows; ++i) {
    const auto value = std::string_view(pool).substr(random.Below(4096), shape.value_bytes);
    Must(writer->Add({static_cast<long>(i / shape.rows_per_partition), static_cast<long>(i % shape.rows_per_partition),
                      Parameter::Raw(value)}));
  }
  if (Must(writer->Finish()) != shape.rows) Die("rows are missing");
}

size_t Count(Database& database, const PreparedQuery& query, const std::vector<Parameter>& parameters) {
  ResultSet rows = Must(database.Execute(query, parameters));
  size_t count = 0;
  while (rows.Next()) count += rows.row().Raw(0).size() > 0;
  if (rows.failure()) Die(rows.failure()->message);
  return count;
}

// Measures reads. All rows are in the data file, and the memtables are empty.
void Read(Database& database, const Shape& shape, Figures& figures) {
  const PreparedQuery point = Must(database.Prepare("SELECT v FROM g.t WHERE k = ? AND c = ?"));
  const PreparedQuery slice =
      Must(database.Prepare("SELECT v FROM g.t WHERE k = ? AND c >= ? LIMIT " + std::to_string(shape.slice_rows)));
  Random random(2);
  const auto read_point = [&] {
    const size_t row = random.Below(shape.rows);
    if (Count(database, point,
              {static_cast<long>(row / shape.rows_per_partition), static_cast<long>(row % shape.rows_per_partition)}) !=
        1)
      Die("a row is missing");
  };
  const size_t in_slice = std::min(shape.slice_rows, shape.rows_per_partition);
  const auto read_slice = [&] {
    const size_t partition = random.Below(shape.rows / shape.rows_per_partition);
    const size_t first = random.Below(shape.rows_per_partition - in_slice + 1);
    if (Count(database, slice, {static_cast<long>(partition), static_cast<long>(first)}) != in_slice)
      Die("rows are missing");
  };
  Measure(kSeconds / 2, read_point);  // Warm-up.
  figures.Add("point_read", Measure(kSeconds, read_point));
  figures.Add("slice", Measure(kSeconds, read_slice));
  figures.Add("slice_rows", static_cast<double>(in_slice));
  if (shape.rows <= kScanRowsMax) {
    const PreparedQuery scan = Must(database.Prepare("SELECT count(*) FROM g.t WHERE v = 0x00 ALLOW FILTERING"));
    figures.Add("filtered_scan_row", MeasureOnce(shape.rows, [&] { Must(database.Execute(scan)); }));
  }
  figures.Add("private_mib", PrivateMib());
}

// Measures overwriting random rows in batches. The measured time ends when all written rows are in the data file.
void Write(std::unique_ptr<Database> database, const Shape& shape, Figures& figures) {
  const size_t batch_rows = std::clamp<size_t>((size_t{1} << 20) / (shape.value_bytes + 64), 1, kBatchRows);
  std::string text = "BEGIN UNLOGGED BATCH ";
  for (size_t i = 0; i < batch_rows; ++i) text += "INSERT INTO g.t (k, c, v) VALUES (?, ?, ?);";
  const PreparedQuery batch = Must(database->Prepare(text + " APPLY BATCH"));
  Random random(3);
  const std::string value = ValueOf(random, shape.value_bytes);
  const size_t batches = std::max<size_t>(1, shape.rows_written / batch_rows), rows = batches * batch_rows;
  // `wchar` counts the bytes given to write calls. `write_bytes` is not used: it is larger if the page cache has large
  // folios.
  const double before = OfProcess("io", "wchar");
  figures.Add("write_row", MeasureOnce(rows, [&] {
                std::vector<Parameter> parameters;
                for (size_t i = 0; i < batches; ++i) {
                  parameters.clear();
                  for (size_t j = 0; j < batch_rows; ++j) {
                    const size_t row = random.Below(shape.rows);
                    parameters.insert(parameters.end(),
                                      {static_cast<long>(row / shape.rows_per_partition),
                                       static_cast<long>(row % shape.rows_per_partition), Parameter::Raw(value)});
                  }
                  Must(database->Execute(batch, parameters));
                }
                database.reset();
              }));
  const double written = (OfProcess("io", "wchar") - before) / static_cast<double>(rows);
  figures.Add("written_bytes_row", written);
  figures.Add("written_bytes_data_byte", written / static_cast<double>(shape.value_bytes + 8));
}

void MeasureShape(const Shape& shape, const std::filesystem::path& directory, Figures& figures) {
  {
    const auto database = OpenAt(directory);
    figures.Add("bulk_row", MeasureOnce(shape.rows, [&] { Fill(*database, shape); }));
  }
  figures.Add("file_bytes_row", static_cast<double>(std::filesystem::file_size(directory / "data.mdb")) /
                                    static_cast<double>(shape.rows));
  std::unique_ptr<Database> database;
  figures.Add("open", MeasureOnce(1, [&] { database = OpenAt(directory); }));
  Read(*database, shape, figures);
  Write(std::move(database), shape, figures);
}

void MeasureTables(size_t tables, const std::filesystem::path& directory, Figures& figures) {
  auto database = OpenAt(directory);
  Must(database->Execute(kKeyspace));
  const auto name = [](size_t i) { return "g.t" + std::to_string(i); };
  const size_t last = std::min<size_t>(tables, 100);
  for (size_t i = 0; i < tables - last; ++i) Must(database->Execute("CREATE TABLE " + name(i) + kColumns));
  figures.Add("create_table", MeasureOnce(last, [&] {
                for (size_t i = tables - last; i < tables; ++i)
                  Must(database->Execute("CREATE TABLE " + name(i) + kColumns));
              }));
  database.reset();
  figures.Add("open", MeasureOnce(1, [&] { database = OpenAt(directory); }));
  figures.Add("open_private_mib", PrivateMib());
  std::vector<PreparedQuery> inserts, reads;
  figures.Add("prepare", MeasureOnce(2 * tables, [&] {
                for (size_t i = 0; i < tables; ++i) {
                  inserts.push_back(Must(database->Prepare("INSERT INTO " + name(i) + " (k, c, v) VALUES (1, 2, ?)")));
                  reads.push_back(Must(database->Prepare("SELECT v FROM " + name(i) + " WHERE k = 1 AND c = 2")));
                }
              }));
  for (const PreparedQuery& insert : inserts) Must(database->Execute(insert, {Parameter::Raw("a value of 20 bytes.")}));
  Random random(2);
  figures.Add("insert", Measure(kSeconds, [&] {
                Must(database->Execute(inserts[random.Below(tables)], {Parameter::Raw("a value of 20 bytes!")}));
              }));
  figures.Add("point_read", Measure(kSeconds, [&] {
                if (Count(*database, reads[random.Below(tables)], {}) != 1) Die("a row is missing");
              }));
  figures.Add("text_read", Measure(kSeconds / 2, [&] {
                Must(database->Execute("SELECT v FROM " + name(random.Below(tables)) + " WHERE k = 1 AND c = 2"));
              }));
  const PreparedQuery columns =
      Must(database->Prepare("SELECT keyspace_name, table_name, column_name, type FROM system_schema.columns"));
  figures.Add("schema_table", MeasureOnce(tables, [&] { Count(*database, columns, {}); }));
  const PreparedQuery one = Must(
      database->Prepare("SELECT column_name FROM system_schema.columns WHERE keyspace_name = 'g' AND table_name = ?"));
  figures.Add("schema_of_one", Measure(kSeconds / 4, [&] {
                if (Count(*database, one, {"t" + std::to_string(random.Below(tables))}) != 3)
                  Die("columns are missing");
              }));
  figures.Add("private_mib", PrivateMib());
  figures.Add("drop_table", MeasureOnce(last, [&] {
                for (size_t i = 0; i < last; ++i) Must(database->Execute("DROP TABLE " + name(i)));
              }));
}

int Run(const std::string& curve, size_t size, const std::filesystem::path& directory) {
  if (size == 0 || std::filesystem::exists(directory)) Die("a size, and a directory that is not there");
  Figures figures;
  figures.Add("size", static_cast<double>(size));
  if (curve == "rows") {
    MeasureShape({size, std::min<size_t>(size, 1'000), 20, 100, 500'000}, directory, figures);
  } else if (curve == "row_bytes") {
    const size_t rows = std::clamp<size_t>((size_t{256} << 20) / size, 200, 200'000) / 100 * 100;
    MeasureShape({rows, 100, size, 10, std::clamp<size_t>((size_t{128} << 20) / size, 200, 200'000)}, directory,
                 figures);
  } else if (curve == "partition") {
    MeasureShape({std::max<size_t>(size, 1'000'000) / size * size, size, 20, 100, 500'000}, directory, figures);
  } else if (curve == "tables") {
    MeasureTables(size, directory, figures);
  } else {
    return 2;
  }
  figures.Print();
  std::filesystem::remove_all(directory);
  return 0;
}

}  // namespace
}  // namespace widerow::bench

int main(int argc, char** argv) {
  if (argc == 4) {
    const int status = widerow::bench::Run(argv[1], std::strtoull(argv[2], nullptr, 10), argv[3]);
    if (status == 0) return 0;
  }
  std::fprintf(stderr, "usage: growth_bench rows|row_bytes|partition|tables SIZE DIRECTORY\n");
  return 2;
}
