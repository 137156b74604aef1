// The same flights in SQLite, as one would keep them there: WITHOUT ROWID, so that rows lie in the order of their key, WAL, every
// commit synced; statements prepared once. Reads go through every column of each row, as text or integer. One thread.
#pragma once

#include <sqlite3.h>

#include <span>
#include <string>

#include "bench/flights_csv.h"

namespace widerow::bench {

class SqliteStore {
 public:
  explicit SqliteStore(const std::string& directory);
  ~SqliteStore();
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  // One synced transaction.
  void Put(std::span<const Flight> flights);
  // Rows found: 0 or 1. A read transaction of its own.
  size_t Get(const Flight& flight);
  // Up to `rows` rows of its partition from `flight` on. Gives how many there were.
  size_t Scan(const Flight& flight, size_t rows);

 private:
  void Run(const char* sql);
  sqlite3_stmt* Prepare(const char* sql);
  static void BindKey(sqlite3_stmt* statement, const Flight& flight);
  size_t ReadRows(sqlite3_stmt* statement);

  sqlite3* database_ = nullptr;
  sqlite3_stmt *insert_ = nullptr, *get_ = nullptr, *scan_ = nullptr;
};

}  // namespace widerow::bench
