// PRIMARY KEY and CLUSTERING ORDER BY of CREATE TABLE.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "parser/ast_table.h"
#include "types/schema.h"

namespace widerow::ddl {

struct DeclaredKey {
  std::vector<Identifier> partition, clustering;
};
// Finds the one key of a table, wherever it is written. `written_name` is the table's name in messages.
Result<DeclaredKey> FindDeclaredKey(const CreateTableStatement& statement, const std::string& written_name);
// Sets kind, position and direction of the key columns in `columns`, whose types are all resolved.
Status ApplyKey(const CreateTableStatement& statement, const DeclaredKey& key, std::vector<ColumnSchema>& columns);

}  // namespace widerow::ddl
