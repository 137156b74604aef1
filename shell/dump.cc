// Describe executes a DESCRIBE. For a dump of one table, WriteTableDescription picks the types and the table group that
// the table needs from the description of its keyspace. table_dump.h writes the rows.
#include "shell/dump.h"

#include <algorithm>

#include "base/text.h"
#include "planner/ddl/edit/type_use.h"
#include "planner/system_keyspaces.h"
#include "shell/table_dump.h"

namespace widerow {
namespace {

// A row of the answer to DESCRIBE.
struct Described {
  std::string type, name, statements;
};

Result<std::vector<Described>> Describe(Session& session, const std::string& describe) {
  SessionRequest request{.text = describe, .parameters = {}, .value_types = {}};
  std::vector<Described> elements;
  do {
    WR_ASSIGN_OR_RETURN(Outcome outcome, session.Execute(request));
    RowsPage* const page = std::get_if<RowsPage>(&outcome.result);
    if (page == nullptr || page->columns->size() != 4) return ServerError("The answer to DESCRIBE has no statements");
    PageReader reader(*page);
    std::vector<ValueView> values;
    const auto text = [&](size_t i) { return std::string(values[i].value_or(ByteView())); };
    while (reader.Next(values)) elements.push_back({text(1), text(2), text(3)});
    request.parameters.paging_state = std::move(page->paging_state);
  } while (!request.parameters.paging_state.empty());
  return elements;
}

Status WriteDescription(Session& session, const std::string& describe, std::ostream& out) {
  WR_ASSIGN_OR_RETURN(const std::vector<Described> elements, Describe(session, describe));
  for (const Described& element : elements) out << element.statements << "\n\n";
  return OkStatus();
}

// Returns the names, as DESCRIBE shows them, of the types that the table needs. A column contains such a type, or the
// expression of a generated column may name it.
std::vector<std::string> NeededTypes(const TableSchema& table, const KeyspaceSchema& keyspace) {
  std::vector<std::string> names;
  for (const auto& [name, type] : keyspace.types) {
    const auto uses = [&name = name, &table](const Type& other) { return ddl::UsesUdt(other, table.keyspace, name); };
    const auto needs = [&](const ColumnSchema& column) {
      return uses(*column.type) || std::any_of(keyspace.types.begin(), keyspace.types.end(), [&](const auto& named) {
               return column.generated_as.find(named.first) != std::string::npos && uses(*named.second);
             });
    };
    if (std::any_of(table.columns.begin(), table.columns.end(), needs)) names.push_back(QuoteIdentifier(name));
  }
  return names;
}

// Returns the statements with IF NOT EXISTS after `create`.
std::string IfNotExists(std::string statements, const std::string& create) {
  const size_t at = statements.find(create);
  return at == std::string::npos ? statements : statements.insert(at + create.size(), "IF NOT EXISTS ");
}

// Writes the description of the table, its indexes and its views. The types and the table group that it needs come
// first, with IF NOT EXISTS, because other tables may use them too.
Status WriteTableDescription(Session& session, const TableSchema& table, const KeyspaceSchema& keyspace,
                             std::ostream& out) {
  const std::string name = QuoteIdentifier(keyspace.name);
  const std::vector<std::string> types = NeededTypes(table, keyspace);
  WR_ASSIGN_OR_RETURN(const std::vector<Described> elements, Describe(session, "DESCRIBE KEYSPACE " + name));
  for (const Described& element : elements) {
    if (element.type == "type" && std::find(types.begin(), types.end(), element.name) != types.end()) {
      out << IfNotExists(element.statements, "CREATE TYPE ") << "\n\n";
    } else if (element.type == "tablegroup" && element.name == QuoteIdentifier(table.tablegroup)) {
      out << IfNotExists(element.statements, "CREATE TABLEGROUP ") << "\n\n";
    }
  }
  return WriteDescription(session, "DESCRIBE TABLE " + name + "." + QuoteIdentifier(table.name), out);
}

}  // namespace

Result<DumpFigures> Dump(Session& session, const DumpSelection& selection, std::ostream& out,
                         const std::function<void(const std::string& table, uint64_t rows)>& progress) {
  WR_ASSIGN_OR_RETURN(const SchemaPtr schema, session.Schema());
  DumpFigures figures;
  bool found = false;
  for (const auto& [name, keyspace] : schema->keyspaces) {
    if (IsSystemKeyspace(name) || (!selection.keyspace.empty() && name != selection.keyspace)) continue;
    if (selection.table.empty()) {
      found = true;
      WR_RETURN_IF_ERROR(WriteDescription(session, "DESCRIBE KEYSPACE " + QuoteIdentifier(name), out));
    }
    for (const auto& [table_name, table] : keyspace->tables) {
      if (table->view != nullptr || (!selection.table.empty() && table_name != selection.table)) continue;
      found = true;
      if (!selection.table.empty()) WR_RETURN_IF_ERROR(WriteTableDescription(session, *table, *keyspace, out));
      WR_RETURN_IF_ERROR(DumpTable(session, *table, out, figures, progress));
    }
  }
  if (found || selection.keyspace.empty()) return figures;
  return InvalidError("There is no keyspace or table '" + selection.keyspace +
                      (selection.table.empty() ? "" : "." + selection.table) + "'");
}

}  // namespace widerow
