// ALTER TABLE … PARTITION. Rows do not move: a split or merge changes the partition map only. The positions of a
// truncated or dropped partition get another storage id (SetExtent). Add, Drop, Truncate, Split and Reorganize (which
// also applies MERGE) each edit a copy of the table. AlterPartitions then checks the names and the rules of the table
// group.
#include <algorithm>

#include "planner/access/partition_key.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/partition/partition_values.h"
#include "types/order_codec.h"
#include "types/position.h"

namespace widerow {

ByteView EndOfPartition(const TableSchema& table, size_t index) {
  return index + 1 == table.partition_map.size() ? ByteView() : ByteView(table.partition_map[index + 1].first_position);
}

Bytes BoundOfKey(const TableSchema& table, ByteView key) {
  ByteView rest = key;
  for (size_t i = 0; i < table.partitioning.columns.size(); ++i) {
    if (!SkipComparable(*table.partition_key(i).type, false, rest).ok()) return {};
  }
  return Bytes(key.substr(0, key.size() - rest.size()));
}

TableSchema SplitPartition(const TableSchema& table, size_t index, const Bytes& bound_key, bool automatic) {
  TableSchema next = table;
  PartitionRange& first = next.partition_map[index];
  first.id = next.partitioning.next_id++;
  PartitionRange second{
      .id = next.partitioning.next_id++, .first_position = PositionOfKey(bound_key), .automatic = automatic};
  second.name = first.name.substr(0, first.name.find('$')) + "$" + std::to_string(second.id);
  next.partition_map.insert(next.partition_map.begin() + static_cast<ptrdiff_t>(index) + 1, std::move(second));
  return next;
}

TableSchema MergePartition(const TableSchema& table, size_t index) {
  TableSchema next = table;
  next.partition_map[index - 1].id = next.partitioning.next_id++;
  next.partition_map.erase(next.partition_map.begin() + static_cast<ptrdiff_t>(index));
  return next;
}

namespace ddl {

namespace {

using Action = alter_table::AlterPartitions;

Result<size_t> FindPartition(const TableSchema& table, const Identifier& name) {
  for (size_t i = 0; i < table.partition_map.size(); ++i) {
    if (table.partition_map[i].name == name.text) return i;
  }
  return InvalidAt(name.range, "Unknown partition '" + name.text + "' in table '" + FullName(table) + "'",
                   "SELECT name FROM system_views.partitions WHERE keyspace_name = '" + table.keyspace +
                       "' AND table_name = '" + table.name + "' lists them");
}

const char* NameOf(Action::Kind kind) {
  switch (kind) {
    case Action::Kind::kAdd: return "ADD PARTITION";
    case Action::Kind::kDrop: return "DROP PARTITION";
    case Action::Kind::kTruncate: return "TRUNCATE PARTITION";
    case Action::Kind::kSplit: return "SPLIT PARTITION";
    case Action::Kind::kMerge: return "MERGE PARTITION";
    case Action::Kind::kReorganize: return "REORGANIZE PARTITION";
  }
  return "";
}

Status CheckKind(const Action& action, SourceRange range, const TableSchema& table) {
  const PartitionKind kind = table.partitioning.kind;
  const bool range_or_list = kind == PartitionKind::kRange || kind == PartitionKind::kList;
  const std::string what = NameOf(action.kind);
  if (kind == PartitionKind::kToken) {
    return InvalidAt(range, what + " needs a table with PARTITION BY, and " + FullName(table) + " is stored by token",
                     "partitions of tokens are the server's; TRUNCATE " + FullName(table) + " empties the table");
  }
  if (action.kind == Action::Kind::kTruncate) return OkStatus();
  const bool moves_none = action.kind == Action::Kind::kAdd || action.kind == Action::Kind::kDrop;
  if (kind == PartitionKind::kRange || (moves_none && range_or_list)) return OkStatus();
  const std::string method = PartitionKindName(kind);
  return InvalidAt(
      range,
      what + " can only be used on RANGE" + (moves_none ? "/LIST" : "") + " partitions, and " + FullName(table) +
          " has " + method + " partitions",
      kind == PartitionKind::kList
          ? "rows keep the number of their partition: TRUNCATE, DROP and ADD PARTITION work on LIST partitions"
          : "the number of partitions decides where rows lie: make a table with another number and copy the rows");
}

// Returns the positions [begin, end) of the rows of entry `index` of the partition map.
std::pair<Bytes, Bytes> PlaceOf(const TableSchema& table, size_t index) {
  const PartitionRange& partition = table.partition_map[index];
  if (table.partitioning.kind == PartitionKind::kRange)
    return {partition.first_position, Bytes(EndOfPartition(table, index))};
  return {partition.number == 0 ? Bytes() : PositionOfNumber(partition.number), PositionOfNumber(partition.number + 1)};
}

Status Add(const Action& action, SourceRange range, const SchemaSnapshot& schema, TableSchema& table) {
  if (table.partitioning.kind == PartitionKind::kList) {
    for (const PartitionDefinition& definition : action.into) WR_RETURN_IF_ERROR(AddList(definition, schema, table));
    return OkStatus();
  }
  Bytes bound = table.partitioning.end_key;
  if (bound.empty()) {
    const std::string& last = table.partition_map.back().name;
    return InvalidAt(
        range, "VALUES LESS THAN value must be strictly increasing for each partition",
        "partition " + last + " has no end: ALTER TABLE " + FullName(table) + " SPLIT PARTITION " + last + " AT (…)");
  }
  WR_RETURN_IF_ERROR(CheckMaxValue(action.into));
  for (const PartitionDefinition& definition : action.into) {
    AddRangeEntry(definition.name.text, bound, table);
    WR_ASSIGN_OR_RETURN(bound, NextBound(definition, bound, schema, table));
  }
  table.partitioning.end_key = std::move(bound);
  return OkStatus();
}

Status Truncate(const Action& action, const DdlContext& context, TableSchema& table) {
  for (const Identifier& name : action.names) {
    WR_ASSIGN_OR_RETURN(const size_t index, FindPartition(table, name));
    const auto [begin, end] = PlaceOf(table, index);
    SetExtent(begin, end, context.new_storage_id(), table);
    table.partition_map[index].id = table.partitioning.next_id++;
  }
  return OkStatus();
}

// Drops partitions with their rows. The next partition takes over the range of a dropped RANGE partition. If the last
// partition is dropped, no partition takes over its range.
Status Drop(const Action& action, const DdlContext& context, TableSchema& table) {
  for (const Identifier& name : action.names) {
    WR_ASSIGN_OR_RETURN(const size_t index, FindPartition(table, name));
    if (table.partition_map.size() == 1) {
      return InvalidAt(name.range, "Cannot remove all partitions, use DROP TABLE instead");
    }
    const bool list = table.partitioning.kind == PartitionKind::kList;
    const auto [begin, end] = PlaceOf(table, index);
    SetExtent(begin, end, list ? 0 : context.new_storage_id(), table);
    const auto entry = table.partition_map.begin() + static_cast<ptrdiff_t>(index);
    const bool last = index + 1 == table.partition_map.size();
    if (!list && last) table.partitioning.end_key = KeyOfPosition(entry->first_position);
    if (!list && !last) (entry + 1)->first_position = entry->first_position;
    table.partition_map.erase(entry);
    table.partition_map.front().first_position.clear();
  }
  return OkStatus();
}

// Replaces entries [first, last] of the partition map by the partitions of `definitions`. The new partitions must cover
// the same range as the old ones. If `last` is the last entry of the map, they may also cover more.
Status Replace(size_t first, size_t last, const std::vector<PartitionDefinition>& definitions, SourceRange range,
               const SchemaSnapshot& schema, TableSchema& table) {
  const bool at_end = last + 1 == table.partition_map.size();
  const Bytes end = at_end ? table.partitioning.end_key : KeyOfPosition(table.partition_map[last + 1].first_position);
  TableSchema made = table;
  made.partition_map.clear();
  Bytes bound = KeyOfPosition(table.partition_map[first].first_position);
  WR_RETURN_IF_ERROR(CheckMaxValue(definitions));
  for (const PartitionDefinition& definition : definitions) {
    AddRangeEntry(definition.name.text, bound, made);
    const bool only_end = definitions.size() == 1 && definition.values.empty() && !definition.max_value;
    if (only_end) {
      bound = end;  // MERGE … INTO (PARTITION p): takes the whole range.
    } else {
      WR_ASSIGN_OR_RETURN(bound, NextBound(definition, bound, schema, made));
    }
  }
  const bool extends = at_end && !end.empty() && (bound.empty() || bound > end);
  if (bound != end && !extends) {
    return InvalidAt(range,
                     "Reorganize of range partitions cannot change total ranges except for last partition where it can "
                     "extend the range",
                     "the last of the new partitions ends with " +
                         (end.empty() ? std::string("MAXVALUE") : "(" + BoundText(table, PositionOfKey(end)) + ")"));
  }
  if (at_end) table.partitioning.end_key = bound;
  table.partitioning.next_id = made.partitioning.next_id;
  const auto begin = table.partition_map.begin() + static_cast<ptrdiff_t>(first);
  const auto after = table.partition_map.erase(begin, begin + static_cast<ptrdiff_t>(last - first + 1));
  table.partition_map.insert(after, made.partition_map.begin(), made.partition_map.end());
  return OkStatus();
}

// Applies MERGE or REORGANIZE to neighboring partitions.
Status Reorganize(const Action& action, SourceRange range, const SchemaSnapshot& schema, TableSchema& table) {
  std::vector<size_t> indexes;
  for (const Identifier& name : action.names) {
    WR_ASSIGN_OR_RETURN(indexes.emplace_back(), FindPartition(table, name));
  }
  std::sort(indexes.begin(), indexes.end());
  for (size_t i = 1; i < indexes.size(); ++i) {
    if (indexes[i] == indexes[i - 1] + 1) continue;
    return InvalidAt(range, "When reorganizing a set of partitions they must be in consecutive order");
  }
  if (action.kind == Action::Kind::kMerge && action.into.size() != 1) {
    return InvalidAt(range, "MERGE PARTITION makes one partition", "REORGANIZE PARTITION … INTO (…) makes several");
  }
  return Replace(indexes.front(), indexes.back(), action.into, range, schema, table);
}

Status Split(const Action& action, SourceRange range, const SchemaSnapshot& schema, const DdlContext& context,
             TableSchema& table) {
  WR_ASSIGN_OR_RETURN(const size_t index, FindPartition(table, action.names[0]));
  const bool bounds = std::any_of(action.into.begin(), action.into.end(), [](const PartitionDefinition& definition) {
    return definition.max_value || !definition.values.empty();
  });
  if (bounds && action.at.empty()) return Replace(index, index, action.into, range, schema, table);
  if (bounds || (!action.into.empty() && action.into.size() != 2)) {
    return InvalidAt(
        range, "SPLIT PARTITION makes two partitions, at one bound",
        "SPLIT PARTITION p AT (…) INTO (PARTITION a, PARTITION b); REORGANIZE PARTITION p INTO (…) makes several");
  }
  Bytes bound;
  if (action.at.empty()) {
    if (context.middle_of) { WR_ASSIGN_OR_RETURN(bound, context.middle_of(table, index)); }
    if (bound.empty()) {
      return InvalidAt(
          range, "Partition " + action.names[0].text + " holds less than two partition key values: it has no middle",
          "SPLIT PARTITION " + action.names[0].text + " AT (…) splits it at a bound of yours");
    }
  } else {
    WR_ASSIGN_OR_RETURN(bound, BoundKey(action.at, range, schema, table));
  }
  const Bytes position = PositionOfKey(bound);
  const ByteView end = EndOfPartition(table, index);
  const bool inside = position > table.partition_map[index].first_position &&
                      (end.empty() || ByteView(position) < end) &&
                      (table.partitioning.end_key.empty() || bound < table.partitioning.end_key);
  if (!inside) return InvalidAt(range, "The bound to split at does not lie within partition " + action.names[0].text);
  table = SplitPartition(table, index, bound, /*automatic=*/false);
  for (size_t i = 0; i < action.into.size(); ++i) table.partition_map[index + i].name = action.into[i].name.text;
  return OkStatus();
}

}  // namespace

Status AlterPartitions(const Action& action, SourceRange range, const SchemaSnapshot& schema, const DdlContext& context,
                       TableSchema& table) {
  WR_RETURN_IF_ERROR(CheckKind(action, range, table));
  const TableSchema before = table;
  switch (action.kind) {
    case Action::Kind::kAdd: WR_RETURN_IF_ERROR(Add(action, range, schema, table)); break;
    case Action::Kind::kDrop: WR_RETURN_IF_ERROR(Drop(action, context, table)); break;
    case Action::Kind::kTruncate: WR_RETURN_IF_ERROR(Truncate(action, context, table)); break;
    case Action::Kind::kSplit: WR_RETURN_IF_ERROR(Split(action, range, schema, context, table)); break;
    case Action::Kind::kMerge:
    case Action::Kind::kReorganize: WR_RETURN_IF_ERROR(Reorganize(action, range, schema, table)); break;
  }
  WR_RETURN_IF_ERROR(CheckNames(table, range));
  const std::vector<TablePtr> others = OthersInGroup(schema, table);
  if (others.empty() || SameRules(before, table)) return OkStatus();
  return InvalidAt(range,
                   "Table " + FullName(table) + " is in table group " + table.tablegroup + " with " + others[0]->name +
                       ": all tables of a group have the same partitioning rules",
                   "take the table out first: ALTER TABLE " + FullName(table) + " WITH tablegroup = ''");
}

}  // namespace ddl
}  // namespace widerow
