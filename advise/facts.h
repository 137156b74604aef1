// What the rules judge by: the declared schema, a sample of the stored data, and the statements that clients sent. Plain
// values: exec gathers them (exec/advise/), rules only read them, tests write them down.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parser/ast_term.h"
#include "types/schema.h"

namespace widerow::advise {

// --- Stored data ----------------------------------------------------------------------------------------------------

// One partition-key value. Times are writetimes in microseconds.
struct SampledPartition {
  std::vector<Bytes> key;  // One value a partition key column.
  uint64_t rows = 0;
  bool counted = true;     // False: it has at least `rows`.
  uint64_t bytes = 0;      // Of its `rows`, as values are.
  int64_t first_written = 0, last_written = 0;
  // By the first clustering column that is a time; 0 where there is none.
  int64_t first_event = 0, last_event = 0;
  bool ends_seen = true;   // False: the times are not of all rows.
};

struct SampledRow {
  uint32_t partition = 0;         // Index into TableSample::partitions.
  std::vector<Bytes> clustering;  // One value a clustering column.
  int64_t written = 0;
  bool expires = false;
  uint64_t bytes = 0;
};

struct ColumnSample {
  uint64_t values = 0;  // Not null.
  uint64_t bytes = 0, bytes_max = 0;
  uint64_t elements_max = 0;  // Collections.
};

struct TableSample {
  uint64_t rows_total = 0, bytes_total = 0;  // Of the whole table: the partition map's counters, or counted.
  double partitions_total = 0;   // Partition-key values; an estimate unless `all_partitions`.
  bool all_partitions = false;   // `partitions` holds every one of them.
  std::vector<SampledPartition> partitions;  // A random choice; of tables in key order, spread over it.
  std::vector<SampledRow> rows;              // A random choice of those from both ends of sampled partitions.
  std::vector<ColumnSample> columns;         // By column of the schema, over the rows looked at.
  uint64_t rows_looked_at = 0;

  bool empty() const { return partitions.empty(); }
};

// An entry of the partition map.
struct MapEntry {
  std::string name;
  uint64_t rows = 0, bytes = 0, reads = 0, writes = 0;
};

// --- Statements -----------------------------------------------------------------------------------------------------

enum class Access : uint8_t { kRow, kSlice, kPartitions, kTokenRange, kScan, kIndex };

// A kind of statement, and how often it ran.
struct StatementLoad {
  enum class Kind : uint8_t { kRead, kInsert, kUpdate, kDelete };
  std::string text;
  Kind kind = Kind::kRead;
  uint64_t calls = 0;
  uint64_t rows_examined = 0, rows_returned = 0, micros = 0;
  // Reads.
  Access access = Access::kRow;
  bool filtered = false;                     // Rows are read and dropped.
  bool filters_by_equality = false;          // By = alone.
  std::vector<std::string> indexes;          // kIndex: those that would do; one of them is read.
  bool reversed = false;                     // Against the declared clustering order.
  bool limited = false, ordered = false, counts = false;
  uint64_t partitions_named = 1;             // IN on the partition key, as far as the text tells.
  std::vector<uint32_t> filter_columns;      // Indexes into the schema's columns, as all that follow.
  std::vector<uint32_t> clustering_used;     // Restricted or ordered by.
  std::vector<uint32_t> partition_in;        // Partition key columns given by IN.
  std::vector<uint32_t> columns_read;
  // Writes.
  std::vector<uint32_t> columns_written;
  bool sets_ttl = false;
  std::vector<uint32_t> random_columns;      // Key columns written as random(n).
};

// --- Heat -----------------------------------------------------------------------------------------------------------

// What the heat map of a table looks like in words.
struct HeatWords {
  bool of_writes = true;   // Else of reads.
  std::string shape;       // "sequential", "hot keys", "even", …
  double share = 0;        // Of the operations.
  uint64_t operations = 0;
  std::string words;
};
// A partition that has had more operations than one should.
struct HotPartition {
  std::string key;
  double reads_a_second = 0, writes_a_second = 0;
};
struct HeatFacts {
  std::vector<HeatWords> shapes;  // By key order.
  std::vector<HotPartition> hot;
};

// --- A table --------------------------------------------------------------------------------------------------------

// How rows find their partition of the table.
enum class Layout : uint8_t { kToken, kKey, kHash, kList, kRange };

struct TableFacts {
  TablePtr table;
  bool exists = true;  // False: it is only proposed, and fixes say how to create it instead.
  // By column: the expression of GENERATED ALWAYS AS; null for ordinary columns.
  std::vector<std::shared_ptr<const Term>> derivations;
  Layout layout = Layout::kToken;
  std::vector<uint32_t> partition_columns;  // PARTITION BY's; of token tables the partition key.
  uint32_t partition_count = 0;             // PARTITIONS n; 0 where none is declared.
  std::string partition_clause;             // "PARTITION BY KEY (k) PARTITIONS 97", or empty.
  std::vector<MapEntry> map;
  TableSample sample;
  std::vector<StatementLoad> load;
  HeatFacts heat;

  const ColumnSchema& column(uint32_t index) const { return table->columns[index]; }
  const Term* derivation(uint32_t index) const {
    return index < derivations.size() ? derivations[index].get() : nullptr;
  }
  // Rows lie in key order: what is next to each other in the key is next to each other on disk.
  bool in_key_order() const { return layout == Layout::kRange; }
  uint32_t key_columns() const { return table->partition_key_size + table->clustering_size; }
};

struct Facts {
  SchemaPtr schema;          // For names that are still free.
  bool extensions = true;    // Whether fixes may go beyond CQL: PARTITION BY, and
  bool generated = true;     // GENERATED ALWAYS AS; without it the column is an ordinary one that clients fill.
  std::vector<TableFacts> tables;
};

}  // namespace widerow::advise
