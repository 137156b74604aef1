// GuardWrite passes each partition of a write to a WriteGuard; GuardSelect counts the partitions of an IN; GuardSchema
// compares two schemas. Every check goes through GuardrailCheck (guardrails.h). The messages are only built when a
// bound is exceeded.

#include "exec/guardrails/guard_statement.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "planner/access/partition_key.h"
#include "storage/large_object.h"
#include "types/order_codec.h"

namespace widerow {
namespace {

std::string NameOf(const TableSchema& table) { return table.keyspace + "." + table.name; }

std::string ColumnText(const TableSchema& table, std::string_view column) {
  return StrCat("column ", column, " in table ", NameOf(table));
}

std::string BytesText(int64_t bytes) { return GroupedDigits(bytes) + " bytes"; }

// Checks the part of a write that is in one partition. The cells of a row are checked one by one only if their total
// size or their number exceeds a bound; few rows exceed one.
class WriteGuard {
 public:
  WriteGuard(const Guardrails& guardrails, int64_t now_micros, std::vector<std::string>& warnings)
      : now_micros_(now_micros),
        newest_allowed_(NewestAllowed(guardrails, now_micros)),
        check_(guardrails, warnings),
        small_bytes_(LeastOf({&guardrails.value_bytes, &guardrails.row_bytes, &guardrails.collection_bytes})),
        few_items_(LeastOf({&guardrails.collection_items})),
        small_key_(LeastOf({&guardrails.key_component_bytes})) {}

  Status Check(const PartitionMutation& partition) {
    const TableSchema& table = *partition.table;
    if (static_cast<int64_t>(partition.partition_key.size()) > small_key_)
      WR_RETURN_IF_ERROR(CheckPartitionKey(partition));
    WR_RETURN_IF_ERROR(CheckTimestamp(table, partition.partition_deletion.timestamp));
    for (const RangeDeletion& range : partition.range_deletions)
      WR_RETURN_IF_ERROR(CheckTimestamp(table, range.deletion.timestamp));
    for (const RowMutation& row : partition.rows) {
      if (static_cast<int64_t>(row.clustering.size()) > small_key_) WR_RETURN_IF_ERROR(CheckClustering(table, row));
      const std::vector<Cell>& cells = row.content.cells;
      size_t bytes = 0;
      int64_t newest = std::max(row.content.marker.timestamp, row.content.deletion.timestamp);
      for (const Cell& cell : cells) {
        bytes += ValueBytes(cell) + cell.path.size();
        newest = std::max(newest, cell.timestamp);
      }
      for (const ColumnDeletion& column : row.content.column_deletions) {
        newest = std::max(newest, column.deletion.timestamp);
      }
      WR_RETURN_IF_ERROR(CheckTimestamp(table, newest));
      if (static_cast<int64_t>(bytes) > small_bytes_ || static_cast<int64_t>(cells.size()) > few_items_) {
        WR_RETURN_IF_ERROR(CheckCells(table, row.content, static_cast<int64_t>(bytes)));
      }
    }
    return OkStatus();
  }

 private:
  static int64_t LeastOf(std::initializer_list<const Guardrail*> guardrails) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const Guardrail* guardrail : guardrails) {
      for (const int64_t bound : {guardrail->warn, guardrail->fail}) {
        if (bound != Guardrail::kNever) least = std::min(least, bound);
      }
    }
    return least;
  }

  Status CheckComponent(const TableSchema& table, const ColumnSchema& column, ByteView value) {
    const auto bytes = static_cast<int64_t>(value.size());
    return check_.Check(&Guardrails::key_component_bytes, bytes,
                        [&] { return "Key value of " + ColumnText(table, column.name) + " has " + BytesText(bytes); });
  }

  Status CheckPartitionKey(const PartitionMutation& partition) {
    const TableSchema& table = *partition.table;
    std::vector<Bytes> components;
    if (!SplitStoredKey(table, partition.partition_key, components)) return OkStatus();
    for (size_t i = 0; i < components.size(); ++i) {
      WR_RETURN_IF_ERROR(CheckComponent(table, table.partition_key(i), components[i]));
    }
    return OkStatus();
  }

  Status CheckClustering(const TableSchema& table, const RowMutation& row) {
    ByteView rest = row.clustering;
    for (uint32_t i = 0; i < table.clustering_size && !rest.empty(); ++i) {
      const ColumnSchema& column = table.clustering(i);
      const Result<Value> value = TakeComparable(*column.type, column.descending, rest);
      if (!value.ok()) return OkStatus();
      if (*value) WR_RETURN_IF_ERROR(CheckComponent(table, column, **value));
    }
    return OkStatus();
  }

  // Returns the greatest timestamp that no bound forbids.
  static int64_t NewestAllowed(const Guardrails& guardrails, int64_t now_micros) {
    const int64_t seconds = LeastOf({&guardrails.timestamp_ahead_seconds});
    constexpr int64_t kAny = std::numeric_limits<int64_t>::max(), kMicros = 1'000'000;
    return seconds > (kAny - now_micros) / kMicros ? kAny : now_micros + seconds * kMicros;
  }

  // kNoTimestamp is never too great.
  Status CheckTimestamp(const TableSchema& table, int64_t newest) {
    if (newest <= newest_allowed_) [[likely]]
      return OkStatus();
    const int64_t ahead = (newest - now_micros_) / 1'000'000 + 1;
    return check_.Check(&Guardrails::timestamp_ahead_seconds, ahead, [&] {
      return StrCat("Timestamp of a write to table ", NameOf(table), " lies ", GroupedDigits(ahead),
                    " seconds ahead of now: what is written later without one is not seen until then");
    });
  }

  Status CheckCells(const TableSchema& table, const RowFragment& content, int64_t bytes) {
    struct Column {
      int64_t items = 0, bytes = 0;
    };
    std::map<ColumnId, Column> columns;
    for (const Cell& cell : content.cells) {
      Column& column = columns[cell.column];
      column.items += cell.path.empty() ? 0 : 1;
      column.bytes += static_cast<int64_t>(ValueBytes(cell) + cell.path.size());
    }
    for (const ColumnSchema& schema : table.columns) {
      const auto found = columns.find(schema.id);
      if (found == columns.end() || schema.is_key()) continue;
      const Column column = found->second;
      if (column.items == 0) {
        WR_RETURN_IF_ERROR(check_.Check(&Guardrails::value_bytes, column.bytes, [&] {
          return "Value of " + ColumnText(table, schema.name) + " has " + BytesText(column.bytes);
        }));
        continue;
      }
      WR_RETURN_IF_ERROR(check_.Check(&Guardrails::collection_items, column.items, [&] {
        return StrCat("Collection in ", ColumnText(table, schema.name), " is written with ",
                      GroupedDigits(column.items), " items");
      }));
      WR_RETURN_IF_ERROR(check_.Check(&Guardrails::collection_bytes, column.bytes, [&] {
        return "Collection in " + ColumnText(table, schema.name) + " is written with " + BytesText(column.bytes);
      }));
    }
    return check_.Check(&Guardrails::row_bytes, bytes,
                        [&] { return "Row in table " + NameOf(table) + " is written with " + BytesText(bytes); });
  }

  const int64_t now_micros_, newest_allowed_;
  GuardrailCheck check_;
  const int64_t small_bytes_, few_items_, small_key_;
};

// Returns the number of values of a key column; 1 if it is not known before the statement is executed.
int64_t CountOf(const KeyValues& values, std::span<const BoundValue> given) {
  if (!values.list_valued) return static_cast<int64_t>(values.values.size());
  const auto* marker = std::get_if<MarkerExpression>(&values.values[0].node);
  if (marker == nullptr || marker->index >= given.size() || given[marker->index].bytes.size() < sizeof(int32_t))
    return 1;
  return ReadBigEndian<int32_t>(given[marker->index].bytes.data());
}

Status GuardTable(const TableSchema& table, bool is_new, GuardrailCheck& check) {
  const auto columns = static_cast<int64_t>(table.columns.size());
  WR_RETURN_IF_ERROR(check.Check(&Guardrails::columns, columns, [&] {
    return StrCat("Table ", NameOf(table), " has ", GroupedDigits(columns), " columns");
  }));
  if (!is_new) return OkStatus();
  const int64_t key_columns = table.partition_key_size + table.clustering_size;
  WR_RETURN_IF_ERROR(check.Check(&Guardrails::key_columns, key_columns, [&] {
    return StrCat("Primary key of table ", NameOf(table), " has ", GroupedDigits(key_columns), " columns");
  }));
  const auto strategy = table.options.compaction.find("class");
  const bool by_window =
      strategy != table.options.compaction.end() && strategy->second.ends_with("TimeWindowCompactionStrategy");
  return check.Check(&Guardrails::time_window_without_ttl, by_window && table.options.default_time_to_live == 0 ? 1 : 0,
                     [&] {
                       return "Table " + NameOf(table) +
                              " is of TimeWindowCompactionStrategy without default_time_to_live: its rows never go";
                     });
}

int64_t TableCount(const SchemaSnapshot& schema) {
  int64_t tables = 0;
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) tables += table->storage_id != 0 ? 1 : 0;
  }
  return tables;
}

}  // namespace

Status GuardWrite(const BuiltWrite& built, int64_t now_micros, const Guardrails& guardrails,
                  std::vector<std::string>& warnings) {
  if (!guardrails.on()) return OkStatus();
  WriteGuard guard(guardrails, now_micros, warnings);
  for (const PartitionMutation& partition : built.named()) WR_RETURN_IF_ERROR(guard.Check(partition));
  if (built.list_elements_read == 0) [[likely]]
    return OkStatus();
  return GuardrailCheck(guardrails, warnings).Check(&Guardrails::list_elements_read, built.list_elements_read, [] {
    return "Setting or deleting a list's element by its index, or by value, reads the list before it writes";
  });
}

Status GuardSelect(const SelectPlan& plan, std::span<const BoundValue> values, const Guardrails& guardrails,
                   std::vector<std::string>& warnings) {
  const auto* path = std::get_if<MultiPartition>(&plan.access);
  if (path == nullptr || !guardrails.on()) return OkStatus();
  int64_t partitions = 1;
  for (const KeyValues& column : path->partition_key) {
    partitions = std::min<int64_t>(partitions * std::max<int64_t>(CountOf(column, values), 0), 1 << 20);
  }
  return GuardrailCheck(guardrails, warnings).Check(&Guardrails::in_partitions, partitions, [&] {
    return StrCat("SELECT with IN on the partition key of table ", NameOf(*plan.table), " names ",
                  GroupedDigits(partitions), " partitions");
  });
}

Status GuardFiltering(const SelectPlan& plan, uint64_t rows_read, uint64_t rows_returned, const Guardrails& guardrails,
                      std::vector<std::string>& warnings) {
  return GuardrailCheck(guardrails, warnings).Check(&Guardrails::filtered_rows, static_cast<int64_t>(rows_read), [&] {
    return StrCat("ALLOW FILTERING on table ", NameOf(*plan.table), " has read ",
                  GroupedDigits(static_cast<int64_t>(rows_read)), " rows to return ",
                  GroupedDigits(static_cast<int64_t>(rows_returned)));
  });
}

Status GuardSchema(const SchemaSnapshot& before, const SchemaSnapshot& after, const Guardrails& guardrails,
                   std::vector<std::string>& warnings) {
  if (!guardrails.on()) return OkStatus();
  GuardrailCheck check(guardrails, warnings);
  for (const auto& [name, keyspace] : after.keyspaces) {
    const KeyspaceSchema* const old = before.FindKeyspace(name);
    if (old == keyspace.get()) continue;
    for (const auto& [table_name, table] : keyspace->tables) {
      const TablePtr was = before.FindTable(name, table_name);
      if (was == table) continue;
      if (was != nullptr && was->columns.size() >= table->columns.size()) continue;
      WR_RETURN_IF_ERROR(GuardTable(*table, was == nullptr, check));
    }
    for (const auto& [type_name, type] : keyspace->types) {
      const auto fields = static_cast<int64_t>(type->field_names.size());
      const bool known = old != nullptr && old->types.contains(type_name) && old->types.at(type_name) == type;
      if (known) continue;
      WR_RETURN_IF_ERROR(check.Check(&Guardrails::type_fields, fields, [&] {
        return StrCat("Type ", name, ".", type_name, " has ", GroupedDigits(fields), " fields");
      }));
    }
  }
  const int64_t tables = TableCount(after);
  if (tables <= TableCount(before)) return OkStatus();
  return check.Check(&Guardrails::tables, tables, [&] { return "There are " + GroupedDigits(tables) + " tables"; });
}

}  // namespace widerow
