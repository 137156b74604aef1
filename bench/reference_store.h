// A store with which flights_bench compares Widerow: bare LMDB or SQLite. It stores the same flights. For use by one
// thread.
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

  // Returns the name of the store in the printed results.
  virtual const char* name() const = 0;
  // Writes the flights in one synced transaction.
  virtual void Put(std::span<const Flight> flights) = 0;
  // Reads the row of `flight` in a read transaction of its own. Returns the bytes of its columns outside the key, or
  // zero if there is no such row.
  virtual size_t Get(const Flight& flight) = 0;
  // Reads all values of up to `rows` rows of the partition, from `flight` on. Returns the number of rows.
  virtual size_t Scan(const Flight& flight, size_t rows) = 0;
};

// Opens bare LMDB. Keys are the bytes of the key columns, and values are the bytes of the other columns. Nothing is
// checked or decoded, so the difference to Widerow is the cost of the disk format, the query language and the engine.
std::unique_ptr<ReferenceStore> OpenRawLmdb(const std::filesystem::path& directory);

// Opens SQLite through its C API, with the settings that make it fastest for this comparison: a table WITHOUT ROWID
// with the same primary key, a WAL, prepared statements, a mapped file, a cache for the whole file, no mutexes. Every
// commit is synced.
std::unique_ptr<ReferenceStore> OpenSqlite(const std::filesystem::path& directory);

}  // namespace widerow::bench
