// Meters the reads and writes of each table. Enforces the limits of each table (read_limit, write_limit). A table can
// reserve a part of the server's capacity (read_reserved, write_reserved), which other tables then cannot use.
// Everything is counted in units. A statement costs one unit for each row, and at least one unit. If its rows have more
// than 4 KiB on average, it costs one unit for each 4 KiB of their total size, rounded up. The units of one second may
// be used at once. The units of a statement are known only after it ran; if it used too many, later statements pay them
// back.
//
// A table's units come first from its reservation, then from the unreserved rest of the server's capacity, which all
// tables share. If no units are left, statements fail with kOverloaded. Thread-safe. Tables without limits on a server
// without a capacity take no lock.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "types/schema.h"

namespace widerow {

enum class Access : uint8_t { kRead, kWrite };

// Units a second that the server can do; 0: not given.
struct Capacity {
  int64_t reads = 0, writes = 0;
  bool any() const { return reads != 0 || writes != 0; }
  int64_t of(Access access) const { return access == Access::kRead ? reads : writes; }
};

// Returns the units of a statement with this many rows and bytes; at least one.
int64_t UnitsOf(uint64_t rows, uint64_t bytes);

class Throughput {
 public:
  struct Used {
    uint64_t units = 0, reserved_units = 0;  // All units, and those from the reservation.
    uint64_t refused = 0;                    // Refused statements.
  };
  struct TableUse {
    std::string keyspace, table;
    TableThroughput declared;
    std::array<Used, 2> used;  // By Access. Counted since the start, or since the table got a limit.
  };

  Throughput(Clock& clock, Capacity capacity) : clock_(clock), capacity_(capacity) {}

  // True if statements on the table are metered.
  bool Meters(const TableSchema& table) const { return table.options.throughput.any() || capacity_.any(); }
  // Fails with kOverloaded if no units are left. Called only for metered tables.
  Status Admit(const TableSchema& table, Access access) WR_EXCLUDES(mutex_);
  // Takes the units that an admitted statement has used.
  void Charge(const TableSchema& table, Access access, int64_t units) WR_EXCLUDES(mutex_);

  // Fails with kConfigError if the reservations of all tables in `schema` exceed the capacity.
  Status CheckReserved(const SchemaSnapshot& schema) const;
  // Updates the reservations, and forgets tables that are not in `schema`. Must be called before the schema is used.
  void SetSchema(const SchemaSnapshot& schema) WR_EXCLUDES(mutex_);
  std::vector<TableUse> List(const SchemaSnapshot& schema) const WR_EXCLUDES(mutex_);
  const Capacity& capacity() const { return capacity_; }

 private:
  // Units that refill at `rate` a second, up to one second's worth.
  class Bucket {
   public:
    // Refills and returns the units at `now`; after a change of the rate the bucket is full.
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
  absl::flat_hash_map<Uuid, Table> tables_ WR_GUARDED_BY(mutex_);  // By the tables' ids.
  std::array<Bucket, 2> shared_ WR_GUARDED_BY(mutex_);
  std::array<int64_t, 2> reserved_ WR_GUARDED_BY(mutex_) = {0, 0};  // Units that all tables together reserve.
};

}  // namespace widerow
