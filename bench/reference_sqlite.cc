#include <sqlite3.h>

#include "bench/must.h"
#include "bench/reference_store.h"

namespace widerow::bench {

namespace {

constexpr const char* kSchema =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -262144; PRAGMA mmap_size = 4294967296;"
    "CREATE TABLE flights (origin TEXT, month INTEGER, time_hour INTEGER, carrier TEXT, flight INTEGER, dest TEXT,"
    " tailnum TEXT, sched_dep_time INTEGER, dep_delay INTEGER, arr_delay INTEGER, distance INTEGER,"
    " PRIMARY KEY (origin, month, time_hour, carrier, flight)) WITHOUT ROWID;";
constexpr const char* kInsert = "INSERT OR REPLACE INTO flights VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char* kGet =
    "SELECT dest, tailnum, sched_dep_time, dep_delay, arr_delay, distance FROM flights"
    " WHERE origin = ? AND month = ? AND time_hour = ? AND carrier = ? AND flight = ?";
constexpr const char* kScan =
    "SELECT dest, tailnum, sched_dep_time, dep_delay, arr_delay, distance FROM flights"
    " WHERE origin = ? AND month = ? AND (time_hour, carrier, flight) >= (?, ?, ?)"
    " ORDER BY time_hour, carrier, flight LIMIT ?";
constexpr int kColumns = 6;

class SqliteStore final : public ReferenceStore {
 public:
  explicit SqliteStore(const std::filesystem::path& directory) {
    // NOMUTEX is the cheapest mode for one thread.
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    Check(sqlite3_open_v2((directory / "flights.db").c_str(), &file_, flags, nullptr));
    Check(sqlite3_exec(file_, kSchema, nullptr, nullptr, nullptr));
    insert_ = Prepare(kInsert), get_ = Prepare(kGet), scan_ = Prepare(kScan);
  }
  ~SqliteStore() override {
    for (sqlite3_stmt* statement : {insert_, get_, scan_}) sqlite3_finalize(statement);
    sqlite3_close(file_);
  }

  const char* name() const override { return "sqlite"; }

  void Put(std::span<const Flight> flights) override {
    Check(sqlite3_exec(file_, "BEGIN", nullptr, nullptr, nullptr));
    for (const Flight& flight : flights) {
      BindKey(insert_, flight);
      BindText(insert_, 6, flight.dest);
      if (flight.tailnum.empty())
        Check(sqlite3_bind_null(insert_, 7));
      else
        BindText(insert_, 7, flight.tailnum);
      BindNumber(insert_, 8, flight.sched_dep_time);
      BindNumber(insert_, 9, flight.dep_delay);
      BindNumber(insert_, 10, flight.arr_delay);
      BindNumber(insert_, 11, flight.distance);
      if (sqlite3_step(insert_) != SQLITE_DONE) Die(sqlite3_errmsg(file_));
      sqlite3_reset(insert_);
    }
    Check(sqlite3_exec(file_, "COMMIT", nullptr, nullptr, nullptr));
  }

  size_t Get(const Flight& flight) override {
    BindKey(get_, flight);
    return ReadRows(get_).bytes;
  }

  size_t Scan(const Flight& flight, size_t rows) override {
    BindKey(scan_, flight);
    BindNumber(scan_, 6, static_cast<int32_t>(rows));
    return ReadRows(scan_).rows;
  }

 private:
  struct Found {
    size_t rows = 0, bytes = 0;
  };

  void Check(int status) const {
    if (status != SQLITE_OK) Die(std::string("sqlite: ") + sqlite3_errmsg(file_));
  }
  sqlite3_stmt* Prepare(const char* text) const {
    sqlite3_stmt* statement = nullptr;
    Check(sqlite3_prepare_v3(file_, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    return statement;
  }
  void BindText(sqlite3_stmt* statement, int at, const std::string& text) const {
    Check(sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
  }
  void BindNumber(sqlite3_stmt* statement, int at, std::optional<int32_t> number) const {
    Check(number ? sqlite3_bind_int(statement, at, *number) : sqlite3_bind_null(statement, at));
  }
  void BindKey(sqlite3_stmt* statement, const Flight& flight) const {
    BindText(statement, 1, flight.origin);
    BindNumber(statement, 2, flight.month);
    Check(sqlite3_bind_int64(statement, 3, flight.time_hour_ms));
    BindText(statement, 4, flight.carrier);
    BindNumber(statement, 5, flight.flight);
  }
  // Runs the statement and reads the two texts and the four integers of each row.
  Found ReadRows(sqlite3_stmt* statement) const {
    Found found;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      ++found.rows;
      for (int column = 0; column < 2; ++column) {
        if (sqlite3_column_text(statement, column) != nullptr) found.bytes += sqlite3_column_bytes(statement, column);
      }
      for (int column = 2; column < kColumns; ++column) {
        sink_ = sqlite3_column_int(statement, column);
        found.bytes += sizeof(sink_);
      }
    }
    Check(sqlite3_reset(statement));
    return found;
  }

  sqlite3* file_ = nullptr;
  sqlite3_stmt *insert_ = nullptr, *get_ = nullptr, *scan_ = nullptr;
  static inline volatile int sink_;  // Values are stored here, so that the compiler does not remove the reads.
};

}  // namespace

std::unique_ptr<ReferenceStore> OpenSqlite(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  return std::make_unique<SqliteStore>(directory);
}

}  // namespace widerow::bench
