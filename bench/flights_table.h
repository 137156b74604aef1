// The table of flights in an embedded Database. flights_bench reads and writes it by prepared statements.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/flights_csv.h"
#include "widerow/database.h"

namespace widerow::bench {

class FolderHold;

// Opens the database in a directory and makes the table if it does not exist. Rows of an earlier FlightsTable stay.
// For use by one thread.
class FlightsTable {
 public:
  explicit FlightsTable(DatabaseOptions options);
  ~FlightsTable();

  // Writes the flights in batches of `batch_rows`. With the default durability, each batch is durable before the next.
  void Import(const std::vector<Flight>& flights, size_t batch_rows);
  void Put(const Flight& flight);
  // Get, GetSet, Slice and SliceSet read every value of the rows and return the number of rows. Get and Slice use
  // Database::ForEachRow, which does not copy values. GetSet and SliceSet use a ResultSet.
  // Get and GetSet read the row of one flight.
  size_t Get(const Flight& flight) { return Show(point_, flight); }
  size_t GetSet(const Flight& flight) { return Read(point_, flight); }
  // Slice and SliceSet read up to kSliceRows rows of the flight's partition, from this flight on.
  size_t Slice(const Flight& flight) { return Show(slice_, flight); }
  size_t SliceSet(const Flight& flight) { return Read(slice_, flight); }
  // Freezes the memtable: later writes go to another memtable. The frozen one is not folded into the data file before
  // this object is destroyed.
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
