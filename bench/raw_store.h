// The same flights in bare LMDB: what the disk format, the query language and the engine cost is measured against this.
// Keys are the key columns' bytes side by side, values the other columns'; nothing is checked or decoded. One thread.
#pragma once

#include <lmdb.h>

#include <span>
#include <string>

#include "bench/flights_csv.h"

namespace widerow::bench {

class RawStore {
 public:
  explicit RawStore(const std::string& directory);
  ~RawStore();
  RawStore(const RawStore&) = delete;
  RawStore& operator=(const RawStore&) = delete;

  // One synced transaction.
  void Put(std::span<const Flight> flights);
  // Bytes of the row's value; a read transaction of its own, as every query has.
  size_t Get(const Flight& flight);
  // Up to `rows` rows from `flight` on, each value's bytes read. Gives how many there were.
  size_t Scan(const Flight& flight, size_t rows);

 private:
  MDB_env* env_ = nullptr;
  MDB_dbi dbi_ = 0;
  MDB_txn* reader_ = nullptr;
  MDB_cursor* cursor_ = nullptr;
};

}  // namespace widerow::bench
