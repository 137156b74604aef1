// Another store with the same flights, for comparison with the database. One thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "bench/flights_csv.h"

namespace widerow::bench {

class ReferenceStore {
 public:
  virtual ~ReferenceStore() = default;

  // Returns the name in the results.
  virtual const char* name() const = 0;
  // Writes the flights in one synced transaction.
  virtual void Put(std::span<const Flight> flights) = 0;
  // Returns the size of the row's columns outside the key; zero if there is no such row. Uses a read transaction of its
  // own, like a query.
  virtual size_t Get(const Flight& flight) = 0;
  // Reads up to `rows` rows of the partition from `flight` on, with all values. Returns their number.
  virtual size_t Scan(const Flight& flight, size_t rows) = 0;
};

// Opens bare LMDB, the baseline for the cost of the disk format, the query language and the engine. Keys are the bytes
// of the key columns, values those of the other columns; nothing is checked or decoded.
std::unique_ptr<ReferenceStore> OpenRawLmdb(const std::filesystem::path& directory);

// Opens SQLite through its C API: a table WITHOUT ROWID with the same primary key, WAL, every commit synced, prepared
// statements, a mapped file, a cache for all of it, no mutexes.
std::unique_ptr<ReferenceStore> OpenSqlite(const std::filesystem::path& directory);

}  // namespace widerow::bench
