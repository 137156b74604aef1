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
  bool key = false;  // True: a null is refused.
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
    bool key = false;
  };

  std::string table;  // "ks.t"
  bool adds = false;  // True for a table of counters: values are added, and key columns come last.
  std::vector<Column> columns;
  std::vector<CopySlot> slots;
  std::vector<size_t> key_slots;  // The slots from which the primary key is made.
  size_t field_count = 0;         // The number of fields that each record must have.

  // Returns the INSERT, with a marker for each slot; for counters an UPDATE.
  std::string Statement() const;
  // Returns such a statement (INSERT or UPDATE) for some of the columns, with their values as text.
  std::string StatementOf(const std::vector<std::pair<const Column*, std::string>>& values) const;
};

// Maps the fields. `header` has the names in the first line; it is empty without HEADER=TRUE. kInvalid if a name is no
// column, if a key column gets no value, or if an expression uses an unknown field. `schema` resolves types written in
// expressions.
Result<CopyMapping> MapCopyColumns(const CopyCommand& command, const TableSchema& table, const SchemaSnapshot& schema,
                                   const std::vector<std::string>& header);

}  // namespace widerow
