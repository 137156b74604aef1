#include "bench/flights_table.h"

#include <algorithm>
#include <future>
#include <thread>

#include "bench/must.h"
#include "exec/engine/engine.h"
#include "storage/engine/lmdb_engine.h"
#include "tests/storage_of.h"

namespace widerow::bench {
namespace {

constexpr const char* kSchema =
    "CREATE KEYSPACE IF NOT EXISTS bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
    "CREATE TABLE IF NOT EXISTS bench.flights (origin text, month int, time_hour timestamp, carrier text, flight int, "
    "dest text,"
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
constexpr size_t kColumnsRead = 6;  // The number of columns that kPoint and kSlice select.
constexpr const char* kCount = "SELECT count(*) FROM bench.flights WHERE distance > 4000 ALLOW FILTERING";

volatile char sink;  // Values are stored here, so that the compiler does not remove the reads.

void ReadValues(const Row& row) {
  for (size_t column = 0; column < kColumnsRead; ++column) {
    const std::string_view value = row.Raw(column);
    if (!value.empty()) sink = value.back();
  }
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

}  // namespace

// While it exists, it keeps the thread busy that folds memtables. So a frozen memtable is not folded.
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

FlightsTable::~FlightsTable() = default;

void FlightsTable::KeepFrozen() {
  auto& engine = dynamic_cast<LmdbEngine&>(StorageOf(database_->engine()));
  hold_ = std::make_unique<FolderHold>(engine);
  if (Status frozen = engine.Freeze(); !frozen.ok()) Die(frozen.error().message);
}

FlightsTable::FlightsTable(DatabaseOptions options) : database_(Must(Database::Open(std::move(options)))) {
  Must(database_->ExecuteScript(kSchema));
  insert_ = Must(database_->Prepare(kInsert));
  point_ = Must(database_->Prepare(kPoint));
  slice_ = Must(database_->Prepare(kSlice));
  count_ = Must(database_->Prepare(kCount));
}

void FlightsTable::Import(const std::vector<Flight>& flights, size_t batch_rows) {
  const PreparedQuery full = Must(database_->Prepare(BatchText(batch_rows)));
  for (size_t begin = 0; begin < flights.size(); begin += batch_rows) {
    const size_t rows = std::min(batch_rows, flights.size() - begin);
    parameters_.clear();
    for (size_t i = 0; i < rows; ++i) AppendRow(flights[begin + i], parameters_);
    if (rows == batch_rows)
      Must(database_->Execute(full, parameters_));
    else
      Must(database_->Execute(BatchText(rows), parameters_));
  }
}

void FlightsTable::Put(const Flight& flight) {
  parameters_.clear();
  AppendRow(flight, parameters_);
  Must(database_->Execute(insert_, parameters_));
}

size_t FlightsTable::Read(const PreparedQuery& query, const Flight& flight) {
  parameters_.clear();
  AppendKey(flight, parameters_);
  ResultSet rows = Must(database_->Execute(query, parameters_));
  size_t count = 0;
  while (rows.Next()) {
    ReadValues(rows.row());
    ++count;
  }
  if (rows.failure()) Die(rows.failure()->message);
  return count;
}

size_t FlightsTable::Show(const PreparedQuery& query, const Flight& flight) {
  parameters_.clear();
  AppendKey(flight, parameters_);
  return Must(database_->ForEachRow(query, parameters_, [](const Row& row) {
    ReadValues(row);
    return true;
  }));
}

size_t FlightsTable::CountLongFlights() {
  ResultSet rows = Must(database_->Execute(count_));
  if (!rows.Next()) Die("no count");
  return static_cast<size_t>(rows.row().Get<int64_t>(0));
}

}  // namespace widerow::bench
