// USING and WITH OPTIONS of CREATE INDEX: which kind of index it is, and what it may be told.
#pragma once

#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

struct IndexClass {
  IndexKind kind = IndexKind::kComposites;
  bool custom = false;
  std::map<std::string, std::string> options;  // class_name as written, if it is custom.
};

// "Cannot specify options for a non-CUSTOM index" and kin: what can be told without a schema.
Status CheckIndexAttributes(const CreateIndexStatement& statement, const Properties& properties);
// "Unable to find custom indexer class 'x'".
Result<IndexClass> ReadIndexClass(const CreateIndexStatement& statement);
// What the index's class refuses: options, types, a second index of its kind on the column.
Status CheckIndexClass(const CreateIndexStatement& statement, const IndexSchema& index, const TableSchema& table);

}  // namespace widerow::ddl
