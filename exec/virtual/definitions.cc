#include "exec/virtual/definitions.h"

#include <openssl/evp.h>

#include "base/check.h"
#include "exec/virtual/virtual_tables.h"
#include "parser/parse.h"
#include "planner/ddl/edit/apply_ddl.h"

namespace widerow {

namespace {

// Returns the version 3 UUID of the names' bytes, as Cassandra does for its own tables. So a table has the same id in
// every process.
Uuid TableId(const std::string& keyspace, const std::string& table) {
  const Bytes input = keyspace + table;
  Bytes digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  WR_CHECK(EVP_Digest(input.data(), input.size(), reinterpret_cast<unsigned char*>(digest.data()), &size, EVP_md5(),
                      nullptr) == 1);
  Uuid id = Uuid::FromBytes(ByteView(digest).substr(0, 16));
  id.bytes[6] = static_cast<uint8_t>((id.bytes[6] & 0x0F) | 0x30);
  id.bytes[8] = static_cast<uint8_t>((id.bytes[8] & 0x3F) | 0x80);
  return id;
}

KeyspacePtr BuildKeyspace(const KeyspaceDefinition& definition) {
  auto snapshot = std::make_shared<SchemaSnapshot>();
  KeyspaceSchema empty{.name = definition.name};
  empty.replication = {{"class", "org.apache.cassandra.locator.LocalStrategy"}};
  if (definition.replication_factor != nullptr) {
    empty.replication = {{"class", "org.apache.cassandra.locator.SimpleStrategy"},
                         {"replication_factor", definition.replication_factor}};
  }
  snapshot->keyspaces[definition.name] = std::make_shared<const KeyspaceSchema>(std::move(empty));

  SchemaPtr schema = std::move(snapshot);
  const DdlContext context{.new_storage_id = [] { return kVirtualStorageId; }, .by_server = true};
  const std::string_view text = definition.tables;
  for (const StatementSpan& span : SplitStatements(text)) {
    const auto statement = Parse(text.substr(span.range.begin, span.range.end - span.range.begin));
    WR_CHECK(statement.ok());
    auto result = ApplyDdl(*statement, schema, context);
    WR_CHECK(result.ok());
    schema = std::move(result->schema);
  }

  KeyspaceSchema keyspace = *schema->FindKeyspace(definition.name);
  for (auto& [name, table] : keyspace.tables) {
    TableSchema finished = *table;
    finished.id = TableId(finished.keyspace, finished.name);
    finished.options.gc_grace_seconds = definition.gc_grace_seconds;
    finished.options.memtable_flush_period_in_ms = definition.memtable_flush_period_in_ms;
    table = std::make_shared<const TableSchema>(std::move(finished));
  }
  return std::make_shared<const KeyspaceSchema>(std::move(keyspace));
}

}  // namespace

const std::vector<KeyspacePtr>& SystemKeyspaces() {
  static const std::vector<KeyspacePtr> keyspaces = [] {
    std::vector<KeyspacePtr> made;
    for (const KeyspaceDefinition* definition :
         {&kSystemDefinition, &kSystemAuthDefinition, &kSystemDistributedDefinition, &kSystemSchemaDefinition,
          &kSystemTracesDefinition, &kSystemViewsDefinition, &kSystemVirtualSchemaDefinition}) {
      made.push_back(BuildKeyspace(*definition));
    }
    return made;
  }();
  return keyspaces;
}

}  // namespace widerow
