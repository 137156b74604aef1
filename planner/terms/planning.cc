#include "planner/terms/planning.h"

#include <algorithm>

#include "base/text.h"

namespace widerow {

void Planning::UseExtension(std::string_view name) {
  if (std::find(extensions.begin(), extensions.end(), name) == extensions.end()) extensions.emplace_back(name);
}

Result<TablePtr> FindTable(const QualifiedName& name, const Planning& planning) {
  const std::string& keyspace = name.keyspace ? name.keyspace->text : planning.context.current_keyspace;
  if (keyspace.empty()) {
    return InvalidAt(name.range,
                     "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
  }
  const KeyspaceSchema* schema = planning.schema.FindKeyspace(keyspace);
  if (schema == nullptr) return InvalidAt(name.range, "keyspace " + keyspace + " does not exist");
  TablePtr table = planning.schema.FindTable(keyspace, name.name.text);
  if (table == nullptr) {
    return InvalidAt(name.range, "table " + name.name.text + " does not exist",
                     name.keyspace ? "" : "looked for it in keyspace " + keyspace);
  }
  return table;
}

Result<uint32_t> FindColumn(const TableSchema& table, const Identifier& name) {
  if (const ColumnSchema* const found = table.Find(name.text)) {
    return static_cast<uint32_t>(found - table.columns.data());
  }
  std::vector<std::string> names;
  for (const ColumnSchema& column : table.columns) {
    if (names.size() == 12) {
      names.emplace_back("…");
      break;
    }
    names.push_back(QuoteIdentifier(column.name));
  }
  return InvalidAt(name.range,
                   "Undefined column name " + QuoteIdentifier(name.text) + " in table " +
                       QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name),
                   "the table's columns are " + JoinNames(names));
}

Error NotSupportedYet(SourceRange range, std::string_view what, bool plural) {
  return InvalidAt(range, std::string(what) + (plural ? " are" : " is") + " not supported yet");
}

Expression MakeMarker(const BindMarker& marker, SourceRange range, const Receiver& receiver, Planning& planning) {
  if (planning.markers.size() <= marker.index) planning.markers.resize(marker.index + 1);
  MarkerSpec& spec = planning.markers[marker.index];
  if (planning.table != nullptr) {
    spec.keyspace = planning.table->keyspace;
    spec.table = planning.table->name;
    for (uint32_t i = 0; i < planning.table->partition_key_size; ++i) {
      if (planning.table->partition_key(i).name == receiver.name) spec.key_position = static_cast<uint16_t>(i);
    }
  } else {  // The marker is the timestamp of a batch.
    spec.keyspace = spec.table = "[batch]";
  }
  spec.name = marker.name ? marker.name->text : receiver.name;
  spec.type = receiver.type;
  return {MarkerExpression{marker.index}, receiver.type, range};
}

std::vector<std::string> ExtensionWarnings(const Planning& planning) {
  if (planning.extensions.empty() || !planning.context.language.extension_warnings) return {};
  const bool one = planning.extensions.size() == 1;
  return {JoinNames(planning.extensions) + (one ? " is a Widerow extension" : " are Widerow extensions")};
}

}  // namespace widerow
