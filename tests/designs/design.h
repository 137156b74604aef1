// Designs of tables with verdicts (tests/data/advise/designs*.txt): reads them, makes their tables, loads their rows in
// the order of an arrival, and asks ADVISE.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "advise/finding.h"
#include "exec/advise/advisor.h"
#include "tests/designs/made_rows.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {

// The order in which rows arrive. In order: by time, each row with its own time as timestamp. Random and import: in the
// hour after the last row's time, shuffled, or sorted by their primary keys.
enum class Arrival { kInOrder, kRandom, kImport };
const char* ArrivalName(Arrival arrival);  // "in_order", "random", "import".

struct Design {
  std::string name, verdict, source, rule, table;
  uint64_t rows = 0, days = 1;
  MadeRows::Rules columns;
  std::vector<std::string> also;  // Statements that follow the CREATE TABLE.
  std::string write;              // Writes a row; empty: an INSERT of all columns.
  uint64_t deleted_percent = 0;   // Of the rows, the first ones in order of arrival.
  std::vector<Arrival> arrivals;
  std::vector<RecordedStatement> load;
  std::vector<std::string> expect;  // Codes, or one of "info", "warning", "critical".
  std::string fault;                // The fault in the author's words.

  bool good() const { return verdict == "good"; }
};

// Reads a file of tests/data/advise. The environment variable WR_DESIGN selects designs by a part of their names, and
// WR_ROWS limits the number of their rows.
std::vector<Design> ReadDesigns(const std::string& file);

// A database for one design after another. Failures of statements are failures of the test.
class DesignDatabase {
 public:
  DesignDatabase();

  // Makes the design's table and loads its rows.
  void Load(const Design& design, Arrival arrival);
  void Drop(const Design& design);
  // Returns the findings of ADVISE TABLE, as if clients had sent the design's statements.
  advise::Findings Judge(const Design& design);
  // Runs the statements of a fix, then drops the tables that they made.
  void ExecuteFix(const advise::Finding& finding);

 private:
  Outcome Run(const std::string& text);
  void Delete(const Design& design, const std::vector<std::vector<BoundValue>>& rows);

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace widerow
