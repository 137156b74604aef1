// CREATE INDEX and DROP INDEX. CREATE first checks the attributes, the names, the table, and the index's class and
// target (ReadIndex). Then it checks that no equal index exists, and the rules of the class (CheckIndexClass). Then the
// index gets a table for its entries (MakeEntries) and becomes a part of the indexed table's schema. exec fills the
// table of entries.
#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "base/uuid.h"
#include "planner/analyzed.h"
#include "planner/ddl/edit/properties.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/index/index_options.h"
#include "planner/terms/planning.h"
#include "types/vector_code.h"

namespace widerow::ddl {
namespace {

using Options = std::map<std::string, std::string>;
using Clause = IndexTargetClause;

constexpr std::string_view kIndexProperties[] = {"options"};

// Returns the name of a target in messages and in system_schema.indexes.
const char* TargetName(IndexTarget target) {
  switch (target) {
    case IndexTarget::kValues: return "values";
    case IndexTarget::kKeys: return "keys";
    case IndexTarget::kEntries: return "entries";
    case IndexTarget::kFull: return "full";
  }
  return "";
}

// Returns the indexed part of a column. A collection without KEYS, ENTRIES or FULL is indexed by its values.
IndexTarget TargetOf(const Clause& clause) {
  switch (clause.kind) {
    case Clause::Kind::kKeys: return IndexTarget::kKeys;
    case Clause::Kind::kEntries: return IndexTarget::kEntries;
    case Clause::Kind::kFull: return IndexTarget::kFull;
    case Clause::Kind::kSimple:
    case Clause::Kind::kValues: break;
  }
  return IndexTarget::kValues;
}

bool HoldsDuration(const Type& type) {
  return type.kind == TypeKind::kDuration || std::any_of(type.arguments.begin(), type.arguments.end(),
                                                         [](const TypePtr& part) { return HoldsDuration(*part); });
}

Status RefuseDurations(const Type& type, SourceRange range) {
  if (!HoldsDuration(type)) return OkStatus();
  const std::string begin = "Secondary indexes are not supported on ";
  if (type.is_collection()) return InvalidAt(range, begin + "collections containing durations");
  if (type.kind == TypeKind::kTuple) return InvalidAt(range, begin + "tuples containing durations");
  if (type.kind == TypeKind::kUdt) return InvalidAt(range, begin + "UDTs containing durations");
  return InvalidAt(range, begin + "duration columns");
}

// Makes Cassandra's checks of the target, in Cassandra's order.
Status CheckTarget(const Clause& clause, const ColumnSchema& column, const TableSchema& table) {
  const Type& type = *column.type;
  const SourceRange range = clause.column.range;
  const std::string& name = column.name;
  const IndexTarget target = TargetOf(clause);
  const bool frozen_collection = type.is_collection() && type.frozen;
  WR_RETURN_IF_ERROR(RefuseDurations(type, range));
  if (type.bytes_max == limits::kLongBlobBytesMax) {
    return InvalidAt(range, "Secondary indexes are not supported on longblob columns",
                     "index a column that has a digest or a name of the value");
  }
  if (column.kind == ColumnKind::kPartitionKey && table.partition_key_size == 1) {
    return InvalidAt(range, "Cannot create secondary index on the only partition key column " + name);
  }
  if (frozen_collection && target != IndexTarget::kFull) {
    return InvalidAt(range, std::string("Cannot create ") + TargetName(target) + "() index on frozen column " + name +
                                ". Frozen collections are immutable and must be fully indexed by using the 'full(" +
                                name + ")' modifier");
  }
  if (!frozen_collection && target == IndexTarget::kFull) {
    return InvalidAt(range, "full() indexes can only be created on frozen collections");
  }
  if (!type.is_collection() && clause.kind != Clause::Kind::kSimple) {
    return InvalidAt(range, std::string("Cannot create ") + TargetName(target) + "() index on " + name +
                                ". Non-collection columns only support simple indexes");
  }
  if (type.kind != TypeKind::kMap && (target == IndexTarget::kKeys || target == IndexTarget::kEntries)) {
    return InvalidAt(range, std::string("Cannot create index on ") + TargetName(target) + " of column " + name +
                                " with non-map type");
  }
  if (type.kind == TypeKind::kUdt && !type.frozen) {
    return InvalidAt(range, "Cannot create index on non-frozen UDT column " + name);
  }
  if (column.is_generated()) {
    return InvalidAt(range, "Cannot create index on generated column " + name,
                     "index a column that it is derived from");
  }
  return OkStatus();
}

// Returns table_column_idx, with letters, digits and underscores only, and with a number if the name is taken.
std::string DefaultName(const KeyspaceSchema& keyspace, const TableSchema& table, const std::string& column) {
  std::string base = table.name + "_" + column;
  std::erase_if(base, [](unsigned char c) { return !std::isalnum(c) && c != '_'; });
  base += "_idx";
  const auto taken = [&](const std::string& name) {
    return std::any_of(keyspace.tables.begin(), keyspace.tables.end(),
                       [&](const auto& other) { return other.second->FindIndex(name) != nullptr; });
  };
  std::string name = base;
  for (int i = 1; taken(name); ++i) name = base + "_" + std::to_string(i);
  return name;
}

// Makes the table of entries (exec/derived/index_entries.h). Its partition key is the indexed value, and its clustering
// column is the key of the base row. Both are stored as bytes that sort as the values do. Entries of vectors also have
// columns for the pieces of the vector's code. A piece is so short that storage keeps it in the row. Entries of words
// also have a column for the length of a text.
TablePtr MakeEntries(const TableSchema& table, const IndexSchema& index, const DdlContext& context) {
  TableSchema entries{
      .id = Uuid::TimeBased(context.now_micros), .keyspace = table.keyspace, .name = table.name + "." + index.name};
  entries.storage_id = context.new_storage_id();
  entries.columns.push_back(
      {.name = "term", .id = 0, .kind = ColumnKind::kPartitionKey, .type = ScalarType(TypeKind::kBlob)});
  entries.columns.push_back(
      {.name = "row", .id = 1, .kind = ColumnKind::kClustering, .type = ScalarType(TypeKind::kBlob)});
  entries.partition_key_size = entries.clustering_size = 1;
  entries.next_column_id = 2;
  const ColumnSchema& column = *table.FindId(index.column);
  const size_t pieces = IsVectorIndex(index, column) ? CodePieces(column.type->dimension) : 0;
  for (size_t i = 0; i < pieces; ++i) {
    std::string number = std::to_string(i);
    number.insert(0, 8 - number.size(), '0');
    entries.columns.push_back(
        {.name = "code" + number, .id = entries.next_column_id++, .type = ScalarType(TypeKind::kBlob)});
  }
  if (WordsOf(index, column) != nullptr) {
    entries.columns.push_back({.name = "length", .id = entries.next_column_id++, .type = ScalarType(TypeKind::kBlob)});
  }
  // Entries are written by one thread, in the order of the writes. So no old write can come after a deletion, and
  // deletions need no grace period.
  entries.options.gc_grace_seconds = 0;
  entries.partitioning.kind = PartitionKind::kRange;
  entries.partitioning.columns = {0};
  entries.partitioning.next_id = 1;
  entries.partitioning.auto_split = false;
  entries.partition_map = {PartitionRange{}};
  return std::make_shared<const TableSchema>(std::move(entries));
}

bool SameButForName(const IndexSchema& a, const IndexSchema& b) {
  return a.kind == b.kind && a.target == b.target && a.column == b.column && a.options == b.options;
}

// Checks all columns, and parts of columns, that a CREATE INDEX names. The caller has checked that the columns exist.
Status CheckTargets(const CreateIndexStatement& statement, bool custom, const TableSchema& table) {
  const std::vector<Clause>& targets = statement.targets;
  if (!custom && targets.empty()) {
    return InvalidAt(statement.table.range, "Only CUSTOM indexes can be created without specifying a target column");
  }
  if (!custom && targets.size() > 1) {
    return InvalidAt(
        targets[1].column.range, "Only CUSTOM indexes support multiple columns",
        statement.unique ? "a UNIQUE index is on one column, which may be a frozen tuple of several values" : "");
  }
  for (auto clause = targets.begin(); clause != targets.end(); ++clause) {
    const std::string& name = clause->column.text;
    const auto same = [&](const Clause& other) { return other.column.text == name; };
    if (std::none_of(targets.begin(), clause, same)) continue;
    return InvalidAt(clause->column.range, "Duplicate column '" + name + "' in index target list");
  }
  for (const Clause& clause : targets) {
    const ColumnSchema& column = *table.Find(clause.column.text);
    if (custom && !IsName(column.name)) {
      return InvalidAt(clause.column.range,
                       "Column '" + column.name + "' contains non-alphanumeric-underscore characters");
    }
    WR_RETURN_IF_ERROR(CheckTarget(clause, column, table));
  }
  return OkStatus();
}

// Returns the error for a custom index on no column, or on several.
Error WrongTargets(const CreateIndexStatement& statement, const TableSchema& table, const IndexClass& index,
                   const Options& options, bool extended) {
  const SourceRange range = statement.targets.empty() ? statement.table.range : statement.targets[1].column.range;
  std::vector<std::string> names;
  for (const Clause& clause : statement.targets) {
    const std::string name = QuoteIdentifier(clause.column.text);
    const bool collection = table.Find(clause.column.text)->type->is_collection();
    names.push_back(collection ? StrCat(TargetName(TargetOf(clause)), "(", name, ")") : name);
  }
  if (index.kind == IndexKind::kSasi)
    return ConfigErrorAt(range, "failed to retrieve target column for: " + JoinNames(names));
  if (Status known = CheckOptionNames(index.kind, options, extended, range); !known.ok()) return known.error();
  if (names.empty()) return InvalidAt(range, "Failed to retrieve target column for: ");
  return InvalidAt(range, "A storage-attached index cannot be created over multiple columns: " + JoinNames(names));
}

Result<IndexSchema> ReadIndex(const CreateIndexStatement& statement, const KeyspaceSchema& keyspace,
                              const TableSchema& table, const Options& options, bool extended) {
  // As in Cassandra, a class that does not exist is reported after all mistakes in the columns.
  Result<IndexClass> index_class = ReadIndexClass(statement);
  const bool custom = !index_class.ok() || index_class->custom;
  for (const Clause& clause : statement.targets) {
    const Result<uint32_t> found = FindColumn(table, clause.column);
    if (!found.ok()) return found.error();
  }
  WR_RETURN_IF_ERROR(CheckTargets(statement, custom, table));
  WR_ASSIGN_OR_RETURN(const IndexClass kind, std::move(index_class));
  if (statement.targets.size() != 1) return WrongTargets(statement, table, kind, options, extended);
  const Clause& clause = statement.targets[0];
  const ColumnSchema& column = *table.Find(clause.column.text);
  IndexSchema index{.name = statement.name ? statement.name->name.text : DefaultName(keyspace, table, column.name),
                    .kind = kind.kind,
                    .target = TargetOf(clause),
                    .column = column.id,
                    .options = kind.options};
  index.options.insert(options.begin(), options.end());
  return index;
}

// Adds Cassandra's warning about SASI indexes. A statement with IF NOT EXISTS that changes nothing gets it too.
DdlResult WithSasiWarning(DdlResult result, const CreateIndexStatement& statement) {
  const Result<IndexClass> index_class = ReadIndexClass(statement);
  if (index_class.ok() && index_class->kind == IndexKind::kSasi) {
    result.warnings.emplace_back("SASI indexes are experimental and are not recommended for production use.");
  }
  return result;
}

}  // namespace

Result<DdlResult> Apply(const CreateIndexStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const Properties properties, Properties::Read(statement.properties, kIndexProperties));
  WR_RETURN_IF_ERROR(CheckIndexAttributes(statement, properties));
  WR_ASSIGN_OR_RETURN(const std::string keyspace_name, KeyspaceOf(statement.table, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace_name));
  const KeyspaceSchema* const keyspace = schema->FindKeyspace(keyspace_name);
  if (keyspace == nullptr) return NoSuchKeyspace(statement.table.range, keyspace_name);
  const TablePtr before = schema->FindTable(keyspace_name, statement.table.name.text);
  if (before == nullptr)
    return InvalidAt(statement.table.range, "Table '" + statement.table.name.text + "' doesn't exist");
  if (statement.name && schema->FindIndexedTable(keyspace_name, statement.name->name.text) != nullptr) {
    if (statement.if_not_exists) return WithSasiWarning(Unchanged(schema), statement);
    return InvalidAt(statement.name->range, "Index '" + statement.name->name.text + "' already exists");
  }
  if (before->view != nullptr)
    return InvalidAt(statement.table.range, "Secondary indexes on materialized views aren't supported");
  const bool counters = std::any_of(before->columns.begin(), before->columns.end(),
                                    [](const ColumnSchema& column) { return column.type->kind == TypeKind::kCounter; });
  if (counters) return InvalidAt(statement.table.range, "Secondary indexes on counter tables aren't supported");
  WR_ASSIGN_OR_RETURN(const auto options, properties.Map("options"));
  WR_ASSIGN_OR_RETURN(IndexSchema index,
                      ReadIndex(statement, *keyspace, *before, options.value_or(Options{}), context.extended));
  WR_RETURN_IF_ERROR(ReadIndexWords(statement, *before, index));
  for (const IndexSchema& other : before->indexes) {
    if (!SameButForName(index, other)) continue;
    if (statement.if_not_exists) return WithSasiWarning(Unchanged(schema), statement);
    return InvalidAt(statement.table.range, "Index " + index.name + " is a duplicate of existing index " + other.name);
  }
  if (!IsName(index.name)) return ConfigErrorAt(statement.table.range, "Illegal index name " + index.name);
  WR_RETURN_IF_ERROR(CheckIndexClass(statement, index, *before, context.extended));
  const bool tuned = index.options.contains("optimize_for");
  index.entries = MakeEntries(*before, index, context);
  TableSchema table = *before;
  const auto at = std::lower_bound(table.indexes.begin(), table.indexes.end(), index.name,
                                   [](const IndexSchema& other, const std::string& name) { return other.name < name; });
  table.indexes.insert(at, std::move(index));
  DdlResult result = WithTable(schema, std::move(table), SchemaChange::Kind::kUpdated);
  if (tuned) {
    result.warnings.emplace_back(
        "optimize_for has no effect: the index finds exactly the nearest vectors, and has no graph to tune");
  }
  return WithSasiWarning(std::move(result), statement);
}

Result<DdlResult> Apply(const DropIndexStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace));
  const std::string& name = statement.name.name.text;
  const TablePtr before = schema->FindIndexedTable(keyspace, name);
  if (before == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return InvalidAt(statement.name.range, "Index '" + keyspace + "." + name + "' doesn't exist'");
  }
  TableSchema table = *before;
  std::erase_if(table.indexes, [&](const IndexSchema& index) { return index.name == name; });
  return WithTable(schema, std::move(table), SchemaChange::Kind::kUpdated);
}

}  // namespace widerow::ddl
