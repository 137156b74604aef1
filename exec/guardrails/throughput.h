// How much of each table may be read and written: its limits (read_limit, write_limit), what is kept for it of the server's
// capacity (read_reserved, write_reserved), and what it has used. All in units: a row, and one more for each 4 KiB begun beyond
// the first. A second's worth may come at once; what a read turns out to have used beyond that is paid back by those after it.
//
// A table's units come out of what is reserved for it first, then out of what the server's capacity has beyond all that is
// reserved, which all tables share. Where there are none left, kOverloaded. Thread-safe. Tables without limits, on a server
// without a capacity, pass without a lock.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "types/schema.h"

namespace widerow {

enum class Access : uint8_t { kRead, kWrite };

// Units a second that the server can do; 0: nobody has said.
struct Capacity {
  int64_t reads = 0, writes = 0;
  bool any() const { return reads != 0 || writes != 0; }
  int64_t of(Access access) const { return access == Access::kRead ? reads : writes; }
};

int64_t UnitsOf(uint64_t rows, uint64_t bytes);

class Throughput {
 public:
  struct Used {
    uint64_t units = 0, reserved_units = 0;  // All, and those of them that came out of what is reserved.
    uint64_t refused = 0;                    // Statements.
  };
  struct TableUse {
    std::string keyspace, table;
    TableThroughput declared;
    std::array<Used, 2> used;  // By Access; since start, or since the table got a limit.
  };

  Throughput(Clock& clock, Capacity capacity) : clock_(clock), capacity_(capacity) {}

  // Whether statements about the table are metered.
  bool Meters(const TableSchema& table) const { return table.options.throughput.any() || capacity_.any(); }
  // kOverloaded if none are left. Only of tables that are metered.
  Status Admit(const TableSchema& table, Access access) WR_EXCLUDES(mutex_);
  // After it was admitted.
  void Charge(const TableSchema& table, Access access, int64_t units) WR_EXCLUDES(mutex_);

  // What is reserved by the tables of `schema` must fit into the capacity. kConfigError otherwise.
  Status CheckReserved(const SchemaSnapshot& schema) const;
  // Before the schema is used.
  void SetSchema(const SchemaSnapshot& schema) WR_EXCLUDES(mutex_);
  std::vector<TableUse> List(const SchemaSnapshot& schema) const WR_EXCLUDES(mutex_);
  const Capacity& capacity() const { return capacity_; }

 private:
  // Fills at `rate` units a second, up to a second's worth.
  class Bucket {
   public:
    // What it holds at `now`; at a new rate it begins full.
    double Fill(int64_t rate, int64_t now_micros);
    void Take(double units) { units_ -= units; }

   private:
    int64_t rate_ = 0, filled_at_ = 0;
    double units_ = 0;
  };
  struct Table {
    std::array<Bucket, 2> limit, reserved;
    std::array<Used, 2> used;
  };

  Clock& clock_;
  const Capacity capacity_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Table> tables_ WR_GUARDED_BY(mutex_);  // By the bytes of their ids.
  std::array<Bucket, 2> shared_ WR_GUARDED_BY(mutex_);
  std::array<int64_t, 2> reserved_ WR_GUARDED_BY(mutex_) = {0, 0};  // By all tables.
};

}  // namespace widerow
