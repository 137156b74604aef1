// SetModifiedRows groups the restrictions, derives generated key columns (derive_key.h), and then checks filters,
// partition key, clustering and other columns, in this order. The restrictions that remain become partition_key and
// clustering of the plan.
#include "planner/write/modified_rows.h"

#include <algorithm>

#include "base/text.h"
#include "parser/print.h"
#include "planner/access/choose_access_path.h"
#include "planner/access/key_hint.h"
#include "planner/generated/derive_key.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

const char* KindName(ModifyPlan::Kind kind) {
  switch (kind) {
    case ModifyPlan::Kind::kInsert: return "INSERT";
    case ModifyPlan::Kind::kUpdate: return "UPDATE";
    case ModifyPlan::Kind::kDelete: return "DELETE";
  }
  return "";
}

// Adds the name of the missing column to `names`. For a generated column, adds its missing sources instead.
void AddMissing(uint32_t column, const std::vector<uint32_t>& missing, const TableSchema& table,
                std::vector<std::string>& names) {
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const GeneratedColumn* generated = table.generated == nullptr ? nullptr : table.generated->Of(column);
  if (generated == nullptr) return add(table.columns[column].name);
  for (const uint32_t source : generated->sources) {
    const bool is_missing = std::find(missing.begin(), missing.end(), source) != missing.end();
    if (is_missing || source >= table.partition_key_size) add(table.columns[source].name);
  }
}

std::vector<std::string> Missing(const std::vector<KeyRestriction>& keys, const TableSchema& table, uint32_t begin,
                                 uint32_t end) {
  std::vector<uint32_t> missing;
  for (uint32_t i = begin; i < end; ++i) {
    const bool restricted = std::any_of(keys.begin(), keys.end(),
                                        [&](const KeyRestriction& key) { return key.first <= i && i < key.end(); });
    if (!restricted) missing.push_back(i);
  }
  std::vector<std::string> names;
  for (const uint32_t column : missing) AddMissing(column, missing, table, names);
  return names;
}

bool HasSlice(const std::vector<KeyRestriction>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const KeyRestriction& key) { return key.kind == Kind::kSlice; });
}

// Refuses conditions that only a filter could decide.
Status RefuseFilters(const GroupedWhere& where, const char* kind) {
  if (where.filters.empty()) return OkStatus();
  const FilterRestriction& filter = where.filters[0];
  if (!filter.refusal.empty()) return InvalidAt(filter.range, filter.refusal);
  if (filter.kind == FilterRestriction::Kind::kExtension) {
    return InvalidAt(filter.range,
                     filter.operator_text + " is not supported in the WHERE clause of " + kind + " statements");
  }
  return OkStatus();  // CheckOtherColumns refuses a condition on a map's entry and names the column.
}

Status CheckPartitionKey(const GroupedWhere& where, const ModifiedRowsRequest& request, const TableSchema& table) {
  const std::string kind = KindName(request.kind);
  if (!where.token_sources.empty()) {
    return InvalidAt(std::get<TokenRestriction>(where.token_sources[0]).range,
                     "The token function cannot be used in WHERE clauses for " + kind + " statements");
  }
  const std::vector<std::string> missing = Missing(where.partition, table, 0, table.partition_key_size);
  if (!missing.empty()) {
    return InvalidAt(request.range, "Some partition key parts are missing: " + JoinNames(missing), WholeKeyHint(table));
  }
  if (HasSlice(where.partition)) {
    const auto slice = std::find_if(where.partition.begin(), where.partition.end(),
                                    [](const KeyRestriction& key) { return key.kind == Kind::kSlice; });
    return InvalidAt(slice->range,
                     "Only EQ and IN relation are supported on the partition key (unless you use the token() function) "
                     "for " +
                         kind + " statements");
  }
  return OkStatus();
}

Status CheckClustering(const GroupedWhere& where, const ModifiedRowsRequest& request, const TableSchema& table) {
  const std::string kind = KindName(request.kind);
  if (request.only_statics && !where.clustering.empty() && request.kind != ModifyPlan::Kind::kInsert) {
    return InvalidAt(where.clustering[0].range, "Invalid restrictions on clustering columns since the " + kind +
                                                    " statement modifies only static columns");
  }
  if (request.kind == ModifyPlan::Kind::kDelete) return CheckClusteringPrefix(table, where);
  if (HasSlice(where.clustering)) {
    return InvalidAt(where.clustering.back().range,
                     "Slice restrictions are not supported on the clustering columns in " + kind + " statements");
  }
  const std::vector<std::string> missing =
      Missing(where.clustering, table, table.partition_key_size, table.partition_key_size + table.clustering_size);
  if (!missing.empty() && !request.only_statics) {
    return InvalidAt(request.range, "Some clustering keys are missing: " + JoinNames(missing), WholeKeyHint(table));
  }
  return OkStatus();
}

Status CheckOtherColumns(const GroupedWhere& where, const TableSchema& table) {
  std::vector<std::string> names;
  std::optional<SourceRange> range;
  for (const KeyRestriction& key : where.regular) {
    names.push_back(table.columns[key.first].name);
    if (!range) range = key.range;
  }
  for (const FilterRestriction& filter : where.filters) {
    names.push_back(table.columns[filter.columns[0]].name);
    if (!range) range = filter.range;
  }
  if (names.empty()) return OkStatus();
  return InvalidAt(*range, "Non PRIMARY KEY columns found in where clause: " + JoinNames(names) + " ",
                   "a write names its rows by their key, " + PrimaryKeyText(table));
}

}  // namespace

Result<std::vector<Restriction>> ResolveWriteWhere(const std::vector<Condition>& where, ModifyPlan::Kind kind,
                                                   Planning& planning) {
  for (const Condition& condition : where) {
    if (std::holds_alternative<IndexExpression>(condition.node)) {
      return InvalidAt(condition.range,
                       "Custom index expressions cannot be used in WHERE clauses for UPDATE or DELETE statements");
    }
    const auto* relation = std::get_if<Relation>(&condition.node);
    if (relation == nullptr) continue;
    if (relation->op == CompareOp::kContains || relation->op == CompareOp::kContainsKey) {
      return InvalidAt(condition.range,
                       std::string("Cannot use ") + KindName(kind) + " with " + OperatorText(relation->op));
    }
  }
  return ResolveWhere(where, AfterSlice::kNothing, planning);
}

Status SetModifiedRows(std::vector<Restriction> restrictions, const ModifiedRowsRequest& request, ModifyPlan& plan) {
  const TableSchema& table = *plan.table;
  WR_ASSIGN_OR_RETURN(GroupedWhere where, GroupRestrictions(std::move(restrictions), table, AfterSlice::kNothing));
  const DeriveForWriteRequest derived{
      .kind = request.kind, .condition = plan.condition, .only_statics = request.only_statics, .range = request.range};
  WR_RETURN_IF_ERROR(DeriveForWrite(table, derived, where, plan));
  WR_RETURN_IF_ERROR(RefuseFilters(where, KindName(request.kind)));
  WR_RETURN_IF_ERROR(CheckPartitionKey(where, request, table));
  WR_RETURN_IF_ERROR(CheckClustering(where, request, table));
  WR_RETURN_IF_ERROR(CheckOtherColumns(where, table));
  plan.partition_key = PartitionKeyOf(where.partition);
  size_t used = 0;
  plan.clustering = SelectionOf(where.clustering, table, used);
  plan.has_clustering = !where.clustering.empty();
  return OkStatus();
}

}  // namespace widerow
