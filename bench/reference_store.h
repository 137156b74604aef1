// A store that holds the same flights and is read beside the database. One thread.
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

  // As results call it.
  virtual const char* name() const = 0;
  // One synced transaction.
  virtual void Put(std::span<const Flight> flights) = 0;
  // Bytes of the row's columns outside its key; a read transaction of its own, as every query has. Zero: there is no such row.
  virtual size_t Get(const Flight& flight) = 0;
  // Up to `rows` rows of the partition from `flight` on, each value read. Gives how many there were.
  virtual size_t Scan(const Flight& flight, size_t rows) = 0;
};

// Bare LMDB: what the disk format, the query language and the engine cost is measured against this. Keys are the key columns'
// bytes side by side, values the other columns'; nothing is checked or decoded.
std::unique_ptr<ReferenceStore> OpenRawLmdb(const std::filesystem::path& directory);

// SQLite through its C API: a table WITHOUT ROWID of the same primary key, WAL, every commit synced, prepared statements, the
// file mapped, a cache that holds it all, no mutexes.
std::unique_ptr<ReferenceStore> OpenSqlite(const std::filesystem::path& directory);

}  // namespace widerow::bench
