#include "bench/sqlite_store.h"

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace widerow::bench {
namespace {

void Check(int code, int wanted, const char* what) {
  if (code == wanted) return;
  std::fprintf(stderr, "sqlite: %s: %s\n", what, sqlite3_errstr(code));
  std::exit(1);
}

void BindText(sqlite3_stmt* statement, int index, const std::string& text) {
  sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void BindOptional(sqlite3_stmt* statement, int index, const std::optional<int32_t>& number) {
  if (number) sqlite3_bind_int(statement, index, *number);
  else sqlite3_bind_null(statement, index);
}

volatile int sink;  // What is read must not be optimized away.

}  // namespace

SqliteStore::SqliteStore(const std::string& directory) {
  // As cheap as SQLite can be for one thread: no mutexes.
  Check(sqlite3_open_v2((directory + "/flights.db").c_str(), &database_,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr),
        SQLITE_OK, "open");
  Run("PRAGMA journal_mode = WAL");
  Run("PRAGMA synchronous = FULL");
  Run("PRAGMA cache_size = -262144");  // All of it: 256 MiB.
  Run("CREATE TABLE flights (origin TEXT, month INTEGER, time_hour INTEGER, carrier TEXT, flight INTEGER, dest TEXT,"
      " tailnum TEXT, sched_dep_time INTEGER, dep_delay INTEGER, arr_delay INTEGER, distance INTEGER,"
      " PRIMARY KEY (origin, month, time_hour, carrier, flight)) WITHOUT ROWID");
  insert_ = Prepare("INSERT OR REPLACE INTO flights VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  get_ = Prepare("SELECT dest, tailnum, sched_dep_time, dep_delay, arr_delay, distance FROM flights"
                 " WHERE origin = ? AND month = ? AND time_hour = ? AND carrier = ? AND flight = ?");
  scan_ = Prepare("SELECT dest, tailnum, sched_dep_time, dep_delay, arr_delay, distance FROM flights"
                  " WHERE origin = ? AND month = ? AND (time_hour, carrier, flight) >= (?, ?, ?)"
                  " ORDER BY time_hour, carrier, flight LIMIT ?");
}

SqliteStore::~SqliteStore() {
  for (sqlite3_stmt* statement : {insert_, get_, scan_}) sqlite3_finalize(statement);
  sqlite3_close(database_);
}

void SqliteStore::Run(const char* sql) { Check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr), SQLITE_OK, sql); }

sqlite3_stmt* SqliteStore::Prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  Check(sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr), SQLITE_OK, sql);
  return statement;
}

void SqliteStore::BindKey(sqlite3_stmt* statement, const Flight& flight) {
  BindText(statement, 1, flight.origin);
  sqlite3_bind_int(statement, 2, flight.month);
  sqlite3_bind_int64(statement, 3, flight.time_hour_ms);
  BindText(statement, 4, flight.carrier);
  sqlite3_bind_int(statement, 5, flight.flight);
}

void SqliteStore::Put(std::span<const Flight> flights) {
  Run("BEGIN");
  for (const Flight& flight : flights) {
    BindKey(insert_, flight);
    BindText(insert_, 6, flight.dest);
    if (flight.tailnum.empty()) sqlite3_bind_null(insert_, 7);
    else BindText(insert_, 7, flight.tailnum);
    sqlite3_bind_int(insert_, 8, flight.sched_dep_time);
    BindOptional(insert_, 9, flight.dep_delay);
    BindOptional(insert_, 10, flight.arr_delay);
    sqlite3_bind_int(insert_, 11, flight.distance);
    Check(sqlite3_step(insert_), SQLITE_DONE, "insert");
    sqlite3_reset(insert_);
  }
  Run("COMMIT");
}

size_t SqliteStore::ReadRows(sqlite3_stmt* statement) {
  size_t count = 0;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (const int text : {0, 1}) {
      const unsigned char* bytes = sqlite3_column_text(statement, text);
      sink = bytes == nullptr ? 0 : bytes[0] + sqlite3_column_bytes(statement, text);
    }
    for (const int number : {2, 3, 4, 5}) sink = sqlite3_column_int(statement, number);
    ++count;
  }
  Check(code, SQLITE_DONE, "select");
  sqlite3_reset(statement);
  return count;
}

size_t SqliteStore::Get(const Flight& flight) {
  BindKey(get_, flight);
  return ReadRows(get_);
}

size_t SqliteStore::Scan(const Flight& flight, size_t rows) {
  BindKey(scan_, flight);
  sqlite3_bind_int64(scan_, 6, static_cast<sqlite3_int64>(rows));
  return ReadRows(scan_);
}

}  // namespace widerow::bench
