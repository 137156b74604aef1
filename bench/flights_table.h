// The flights in an embedded Database: the table, and reads and writes by prepared statements.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/flights_csv.h"
#include "widerow/database.h"

namespace widerow::bench {

class FolderHold;

// The database in one directory. If an earlier FlightsTable has filled it, the table is used as it was left. One
// thread.
class FlightsTable {
 public:
  explicit FlightsTable(DatabaseOptions options);
  ~FlightsTable();

  // Sends batches of `batch_rows`, as COPY does. Each is durable before the next, unless the database has another
  // durability.
  void Import(const std::vector<Flight>& flights, size_t batch_rows);
  void Put(const Flight& flight);
  // Returns the number of rows found; every value is read. Get shows the row in place, GetSet reads it through a
  // ResultSet.
  size_t Get(const Flight& flight) { return Show(point_, flight); }
  size_t GetSet(const Flight& flight) { return Read(point_, flight); }
  // Returns the number of rows found: kSliceRows rows of the flight's partition, from this flight on.
  size_t Slice(const Flight& flight) { return Show(slice_, flight); }
  size_t SliceSet(const Flight& flight) { return Read(slice_, flight); }
  // Freezes the memtable: everything written so far stays in it, and later writes go to another one, until the table is
  // destroyed.
  void KeepFrozen();
  // Counts the rows of the whole table that match a filter on a column outside the key.
  size_t CountLongFlights();

  static constexpr size_t kSliceRows = 100;

 private:
  size_t Read(const PreparedQuery& query, const Flight& flight);
  size_t Show(const PreparedQuery& query, const Flight& flight);

  std::unique_ptr<Database> database_;
  std::unique_ptr<FolderHold> hold_;
  PreparedQuery insert_, point_, slice_, count_;
  std::vector<Parameter> parameters_;
};

}  // namespace widerow::bench
