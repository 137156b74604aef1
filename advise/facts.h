// The input of the rules of ADVISE: the declared schema, a sample of the stored data, and the statements that clients
// have sent. exec/advise/ gathers these facts. Unit tests of the rules make up such facts.
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

// The rows that have one value of the partition key. first_written and last_written are writetimes in microseconds.
struct SampledPartition {
  std::vector<Bytes> key;  // One value for each partition key column.
  uint64_t rows = 0;
  bool counted = true;  // False: the partition may have more rows than `rows`.
  uint64_t bytes = 0;   // The size of the values in these rows.
  int64_t first_written = 0, last_written = 0;
  // The least and the greatest value of the first clustering column that is a time; 0 if there is no such column.
  int64_t first_event = 0, last_event = 0;
  bool ends_seen = true;  // False: the last rows of the partition were not read. They may have other times.
};

struct SampledRow {
  uint32_t partition = 0;         // Index into TableSample::partitions.
  std::vector<Bytes> clustering;  // One value for each clustering column.
  int64_t written = 0;
  bool expires = false;
  uint64_t bytes = 0;
  uint64_t largest_value = 0;  // Bytes of the largest value outside of the key.
};

struct ColumnSample {
  uint64_t values = 0;  // The number of values that are not null.
  uint64_t bytes = 0, bytes_max = 0;
  uint64_t elements_max = 0;  // The largest number of elements; for collections only.
  // Only for columns with an index: the number of values that were compared, and the number of different values among
  // them.
  uint64_t compared = 0, distinct = 0;
};

struct TableSample {
  uint64_t rows_total = 0, bytes_total = 0;  // For the whole table. The bytes are estimated from the rows read.
  double partitions_total = 0;               // The number of partition key values; an estimate unless `all_partitions`.
  bool all_partitions = false;               // `partitions` contains all of them.
  // Partitions chosen at random (in a table in key order: spread over the keys), and the largest partitions known.
  std::vector<SampledPartition> partitions;
  std::vector<SampledRow> rows;       // A random choice of the rows that were read in sampled partitions.
  std::vector<ColumnSample> columns;  // One per column of the schema, computed from the rows that were read.
  uint64_t rows_looked_at = 0;

  bool empty() const { return partitions.empty(); }
};

// An entry of the table's partition map (TableSchema::partition_map).
struct MapEntry {
  std::string name;
  uint64_t rows = 0, bytes = 0, reads = 0, writes = 0;
};

// --- Statements -----------------------------------------------------------------------------------------------------

enum class Access : uint8_t { kRow, kSlice, kPartitions, kTokenRange, kScan, kIndex };

// An index that a statement needs, and that its table does not have.
struct WantedIndex {
  uint32_t column = 0;  // Index into the schema's columns.
  std::string clause;   // The clause that needs the index: "LIKE", "':'", "ORDER BY", "ANN OF" or "BM25 OF".
  std::string create;   // The statement that makes the index.
};

// All statements with the same text: how often clients sent them, and what they read or write.
struct StatementLoad {
  enum class Kind : uint8_t { kRead, kInsert, kUpdate, kDelete };
  std::string text;
  Kind kind = Kind::kRead;
  uint64_t calls = 0;
  uint64_t rows_examined = 0, rows_returned = 0, micros = 0;
  // The following are for reads.
  Access access = Access::kRow;
  bool filtered = false;                   // Rows are read and then dropped by a filter.
  bool filters_by_equality = false;        // All conditions of the filter are =.
  std::vector<std::string> indexes;        // kIndex: the indexes that serve WHERE; one or more of them are read.
  std::vector<std::string> order_indexes;  // Indexes that serve ORDER BY.
  std::vector<WantedIndex> wanted;         // Without these indexes the statement is refused.
  // Columns whose condition LIKE '%x' or '%x%' reads every entry of an index that stores whole texts, not words.
  std::vector<uint32_t> examined_texts;
  bool of_one_partition = false;                          // kIndex: the statement also gives the partition key.
  bool reversed = false;                                  // Rows are read in the reverse of the declared order.
  bool limited = false, ordered = false, counts = false;  // Has LIMIT, ORDER BY, count(…).
  uint64_t partitions_named = 1;          // The number of partitions that IN names, if the text shows it.
  bool names_list = false;                // The partition key has IN ?: the text does not show how many partitions.
  std::vector<uint32_t> filter_columns;   // The filter's columns. The lists of columns contain positions in the schema.
  std::vector<uint32_t> clustering_used;  // Clustering columns in WHERE or ORDER BY.
  std::vector<uint32_t> partition_in;     // Partition key columns with an IN.
  std::vector<uint32_t> columns_read;
  // The following are for writes.
  std::vector<uint32_t> columns_written;
  bool sets_ttl = false;
  std::vector<uint32_t> random_columns;  // Key columns that are written as random(n).
};

// --- Heat -----------------------------------------------------------------------------------------------------------

// A description of the shape of a table's heat map.
struct HeatWords {
  bool of_writes = true;  // False: the description is about reads.
  std::string shape;      // "sequential", "hot keys", "even", …
  double share = 0;       // The description is about this share of the operations.
  uint64_t operations = 0;
  std::string words;
};
// A partition with more operations than one partition should have. The true numbers of reads and writes differ from the
// given ones by at most reads_error and writes_error.
struct HotPartition {
  std::string key;
  double reads_a_second = 0, writes_a_second = 0;
  double reads_error = 0, writes_error = 0;
};
struct HeatFacts {
  std::vector<HeatWords> shapes;  // The shapes of the heat map whose axis is in key order, not in token order.
  std::vector<HotPartition> hot;
};

// --- A table --------------------------------------------------------------------------------------------------------

// The way in which rows are assigned to partitions of the table.
enum class Layout : uint8_t { kToken, kKey, kHash, kList, kRange };

struct TableFacts {
  TablePtr table;
  bool exists = true;  // If false, the table is only proposed. A fix is then a better CREATE TABLE statement.
  // For each column the expression of GENERATED ALWAYS AS; null for an ordinary column.
  std::vector<std::shared_ptr<const Term>> derivations;
  Layout layout = Layout::kToken;
  std::vector<uint32_t> partition_columns;  // The columns of PARTITION BY; in token tables the partition key.
  uint32_t partition_count = 0;             // PARTITIONS n; 0 if it is not declared.
  std::string partition_clause;             // "PARTITION BY KEY (k) PARTITIONS 97", or empty.
  std::vector<MapEntry> map;
  TableSample sample;
  std::vector<StatementLoad> load;
  HeatFacts heat;

  const ColumnSchema& column(uint32_t index) const { return table->columns[index]; }
  const Term* derivation(uint32_t index) const {
    return index < derivations.size() ? derivations[index].get() : nullptr;
  }
  // True if rows are stored in key order: neighbors in the key are neighbors on disk.
  bool in_key_order() const { return layout == Layout::kRange; }
  uint32_t key_columns() const { return table->partition_key_size + table->clustering_size; }
};

struct Facts {
  SchemaPtr schema;        // The rules use it to find names that are not in use.
  bool extensions = true;  // Fixes may use extensions of CQL, such as PARTITION BY.
  bool generated = true;   // Fixes may use GENERATED ALWAYS AS; otherwise clients must fill the column that a fix adds.
  std::vector<TableFacts> tables;
};

}  // namespace widerow::advise
