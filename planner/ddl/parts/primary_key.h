// PRIMARY KEY and CLUSTERING ORDER BY of CREATE TABLE.
#pragma once


namespace widerow::ddl {

struct DeclaredKey {
  std::vector<Identifier> partition, clustering;
};
// The one key a table must have, wherever it was written. `written_name` as messages show the table.
Result<DeclaredKey> FindDeclaredKey(const CreateTableStatement& statement, const std::string& written_name);
// Gives the key columns of `columns` their kind, position and direction; all columns hold resolved types by now.
Status ApplyKey(const CreateTableStatement& statement, const DeclaredKey& key, std::vector<ColumnSchema>& columns);

}  // namespace widerow::ddl
