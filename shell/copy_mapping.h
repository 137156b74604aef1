// COPY FROM: the assignment of CSV fields to columns, and the statement that stores a row. A pure function of the
// command, the table and the header line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "shell/copy_command.h"
#include "types/schema.h"

namespace widerow {

// A value from the row, for one bind marker of the statement.
struct CopySlot {
  size_t field = 0;  // Index in the CSV record.
  std::string name;  // The column's name, or the field's name in an expression: for messages.
  TypePtr type;
  ColumnKind kind = ColumnKind::kRegular;  // The kind of the column that the slot fills.
  bool key = false;                        // True: a null is refused.
  bool in_expression = false;
};

struct CopyMapping {
  // One column of the statement. Its value in the statement consists of pieces of text, with a slot between each two
  // pieces. The value of a plain column is one slot between two empty pieces. The value of a computed column is an
  // expression with any number of slots.
  struct Column {
    std::string quoted_name;
    std::vector<std::string> pieces;  // The text around the slots: slots.size() + 1 pieces.
    std::vector<size_t> slots;        // Indexes into CopyMapping::slots.
    bool computed = false;
    ColumnKind kind = ColumnKind::kRegular;
    bool adds_elements = false;  // True for a list that is not frozen: two INSERTs with one timestamp add up.
    bool is_key() const { return kind == ColumnKind::kPartitionKey || kind == ColumnKind::kClustering; }
    // True if the column belongs to a partition, not to a row.
    bool of_partition() const { return kind == ColumnKind::kPartitionKey || kind == ColumnKind::kStatic; }
  };

  std::string table;  // "ks.t"
  bool adds = false;  // True for a table of counters: values are added, and key columns come last.
  std::vector<Column> columns;
  std::vector<CopySlot> slots;
  std::vector<size_t> key_slots;  // The slots from which the primary key is made.
  size_t field_count = 0;         // The number of fields that each record must have.
  // True if a record whose fields of clustering and regular columns are all null writes the static columns alone. COPY
  // TO writes such a record for a partition that has no rows.
  bool allows_statics_alone = false;

  // Returns the INSERT, with a marker for each slot; for counters an UPDATE.
  std::string Statement() const;
  // Returns this mapping without the clustering and regular columns. Its columns refer to the same slots.
  CopyMapping OfPartition() const;
  // Returns such a statement (INSERT or UPDATE) for some of the columns, with their values as text.
  std::string StatementOf(const std::vector<std::pair<const Column*, std::string>>& values) const;
};

// Maps the fields. `header` has the names in the first line; it is empty without HEADER=TRUE. kInvalid if a name is no
// column, if a key column gets no value, or if an expression uses an unknown field. `schema` resolves types written in
// expressions.
Result<CopyMapping> MapCopyColumns(const CopyCommand& command, const TableSchema& table, const SchemaSnapshot& schema,
                                   const std::vector<std::string>& header);

}  // namespace widerow
