// The flights in an embedded Database: the table, and reads and writes of it by prepared statements.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/flights_csv.h"
#include "widerow/database.h"

namespace widerow::bench {

class FolderHold;

// One directory's database, opened anew or with the table that an earlier one has left. One thread.
class FlightsTable {
 public:
  explicit FlightsTable(DatabaseOptions options);
  ~FlightsTable();

  // Batches of `batch_rows`, as COPY sends them; each is durable before the next, unless the database was opened otherwise.
  void Import(const std::vector<Flight>& flights, size_t batch_rows);
  void Put(const Flight& flight);
  // Rows that were found, every value read: shown where they lie, or walked in a ResultSet.
  size_t Get(const Flight& flight) { return Show(point_, flight); }
  size_t GetSet(const Flight& flight) { return Read(point_, flight); }
  size_t Slice(const Flight& flight) { return Show(slice_, flight); }  // kSliceRows from this one on, in its partition.
  size_t SliceSet(const Flight& flight) { return Read(slice_, flight); }
  // What has been written so far waits in a frozen memtable, later writes go into another one, until the table is destroyed.
  void KeepFrozen();
  // Rows of the whole table for which a filter on a column outside the key holds.
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
