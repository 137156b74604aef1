// The designs of tables in tests/data/advise/designs*.txt, which publications call good or bad. This header reads them,
// makes their tables, loads their rows in some order of arrival, and asks ADVISE.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "advise/finding.h"
#include "exec/advise/advisor.h"
#include "tests/designs/made_rows.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {

// The order in which rows are written, and their timestamps:
// - kInOrder: in the order of time. The timestamp of each row is the row's own time.
// - kRandom: in random order. All timestamps are in the hour after the last row's time.
// - kImport: in the order of the primary key. The timestamps are in the same hour as with kRandom.
enum class Arrival { kInOrder, kRandom, kImport };
const char* ArrivalName(Arrival arrival);  // Returns "in_order", "random" or "import".

struct Design {
  std::string name, verdict, source, rule, table;
  uint64_t rows = 0, days = 1;
  MadeRows::Rules columns;
  std::vector<std::string> also;  // These statements run after CREATE TABLE.
  std::string write;              // The statement that writes a row. If it is empty, INSERT writes all columns.
  uint64_t deleted_percent = 0;   // The percentage of the rows that are deleted. They are the first to arrive.
  std::vector<Arrival> arrivals;
  std::vector<RecordedStatement> load;
  std::vector<std::string> expect;  // The codes that ADVISE must find, or "info", "warning" or "critical".
  std::string fault;                // The fault of a bad design in the words of its author.

  bool good() const { return verdict == "good"; }
};

// Reads a file of tests/data/advise. With WR_DESIGN in the environment, only designs with this text in their names are
// returned. WR_ROWS limits the number of their rows.
std::vector<Design> ReadDesigns(const std::string& file);

// A database that holds one design at a time. If a statement fails, the test fails.
class DesignDatabase {
 public:
  DesignDatabase();

  // Makes the table of the design and loads its rows.
  void Load(const Design& design, Arrival arrival);
  void Drop(const Design& design);
  // Returns the findings of ADVISE TABLE. ADVISE is told that clients have sent the statements of the design.
  advise::Findings Judge(const Design& design);
  // Runs the statements of the finding's fix, and then drops the tables that they made.
  void ExecuteFix(const advise::Finding& finding);

 private:
  Outcome Run(const std::string& text);
  void Delete(const Design& design, const std::vector<std::vector<BoundValue>>& rows);

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace widerow
