// COPY FROM: which CSV field goes into which column, and the statement that a row becomes. A pure function of the
// command, the table and the header line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "shell/copy_command.h"
#include "types/schema.h"

namespace widerow {

// A value taken from the row: a bind marker of the statement.
struct CopySlot {
  size_t field = 0;  // Of the CSV record.
  std::string name;  // Of the column, or of the field an expression uses: for messages.
  TypePtr type;
  bool key = false;  // A null is refused.
  bool in_expression = false;
};

struct CopyMapping {
  // One column of the statement: `text_before` slot `text_after`; a plain column is "?", a computed one an expression with
  // none or several slots.
  struct Column {
    std::string quoted_name;
    std::vector<std::string> pieces;  // Text around the slots: slots.size() + 1.
    std::vector<size_t> slots;        // Indices into CopyMapping::slots.
    bool computed = false;
    bool key = false;
  };

  std::string table;  // "ks.t"
  bool adds = false;  // A table of counters: what the rows have is added to them. Columns of the key stand last then.
  std::vector<Column> columns;
  std::vector<CopySlot> slots;
  std::vector<size_t> key_fields;  // CSV fields that the primary key is made of, or derived from.
  size_t field_count = 0;          // That each record must have.

  // The INSERT with a marker for each slot; of counters an UPDATE.
  std::string Statement() const;
  // The same of some columns, with their values as texts.
  std::string StatementOf(const std::vector<std::pair<const Column*, std::string>>& values) const;
};

// `header`: the names of the first line; empty without HEADER=TRUE. kInvalid if a name is no column, a key column gets
// no value, or an expression uses a field that is not there. `schema` is for types written in expressions.
Result<CopyMapping> MapCopyColumns(const CopyCommand& command, const TableSchema& table, const SchemaSnapshot& schema,
                                   const std::vector<std::string>& header);

}  // namespace widerow
