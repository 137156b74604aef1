// The tables that hold the same rows. Their logical columns are a text, b int, c int, v int, w text, and s int, which
// is static where the design permits it. A row is identified by (a, b, c). The designs differ in keys, generated
// columns, partitions, indexes and order.
#pragma once

#include <string>
#include <vector>

namespace widerow::alike {

// The writes that a design permits.
enum class Permits : uint8_t {
  kAll,           // All writes, also of ranges, partitions and a static `s`: each partition key has one value of `a`.
  kRows,          // Only writes of single rows.
  kWholeInserts,  // Only INSERTs of all columns and deletions of rows, because b and c are no key columns.
};

// The columns and the permitted writes of a case.
struct Columns {
  Permits permits = Permits::kAll;
  bool times = false;  // True if b is a timestamp. Its values are 11 days apart.
};

struct Design {
  std::string name;
  Permits permits = Permits::kAll;
  // The rest of CREATE TABLE after the logical columns: a generated column, if any, and `PRIMARY KEY (…)) …`.
  std::string rest;
  std::vector<std::string> indexes;  // `v` or `(a), v`: the text in the parentheses of CREATE INDEX.
  bool reversed = false;             // True if clustering columns descend.
  bool changes_partitions = false;   // True if RANGE partitions are split and merged between the statements.
  // The primary key of a materialized view of the table, such as `(b, a, c)`. If set, questions read the view.
  std::string view_key;
};

// The first design is the plain one, with which the others are compared.
const std::vector<Design>& Designs();

// Returns the columns and the key of the design's table: `(a text, … PRIMARY KEY (…)) …`.
std::string Definition(const Design& design, const Columns& columns);

// The values of `a`, ascending.
const std::vector<std::string>& NamesOfA();

}  // namespace widerow::alike
