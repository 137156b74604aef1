#include "exec/scan/paging_scope.h"

#include <xxhash.h>

#include "base/limits.h"
#include "base/overloaded.h"
#include "planner/access/partition_key.h"
#include "planner/print_expression.h"

namespace widerow {
namespace {

// The kinds of access. A position in one kind of access has no meaning in another. If an index is read in the order of
// the table, the kind is that of the partition or the tokens that are read. Of the reads of an index, only one in the
// order of the index has a kind of its own.
enum class Kind : char { kNoRows, kPartitions, kMerged, kTokens, kKeys, kMergedKeys, kIndexOrder };

void AppendSized(ByteView bytes, Bytes& out) {
  AppendVarint(out, bytes.size());
  out += bytes;
}

Bytes DescribeOrder(const SelectPlan& plan) {
  const TableSchema& table = *plan.table;
  Bytes out(table.id.view());
  AppendSized(table.keyspace, out);
  AppendSized(table.name, out);
  for (const bool fact : {plan.reversed, plan.key_order, plan.merge_partitions, plan.aggregated, plan.distinct,
                          plan.group_by.has_value()}) {
    out.push_back(fact ? 1 : 0);
  }
  if (!plan.group_by) return out;
  AppendVarint(out, plan.group_by->clustering_columns);
  out.push_back(plan.group_by->across_partitions ? 1 : 0);
  for (const Expression& function : plan.group_by->function) AppendSized(PrintExpression(function, table), out);
  return out;
}

void AppendKind(Kind kind, Bytes& out) { out.push_back(static_cast<char>(kind)); }

void AppendTokens(const Slice::TokenRange& tokens, Bytes& out) {
  AppendBigEndian(out, static_cast<uint64_t>(tokens.first));
  AppendBigEndian(out, static_cast<uint64_t>(tokens.last));
}

void AppendRanges(Kind kind, const std::vector<StoredKeyRange>& ranges, Bytes& out) {
  AppendKind(kind, out);
  for (const StoredKeyRange& range : ranges) {
    AppendSized(range.first, out);
    out.push_back(range.end ? 1 : 0);
    if (range.end) AppendSized(*range.end, out);
  }
}

uint64_t HashOf(const Bytes& bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

uint64_t ScopeOf(const SelectPlan& plan, const BoundAccess& access) {
  Bytes out = DescribeOrder(plan);
  std::visit(Overloaded{
                 [&](const NoRows&) { AppendKind(Kind::kNoRows, out); },
                 [&](const PartitionsByKey& partitions) {
                   AppendKind(Kind::kPartitions, out);
                   for (const Bytes& key : partitions.keys) AppendSized(key, out);
                 },
                 [&](const PartitionsByToken& partitions) {
                   AppendKind(Kind::kTokens, out);
                   AppendTokens(partitions.tokens, out);
                 },
                 [&](const KeyRanges& keys) { AppendRanges(Kind::kKeys, keys.ranges, out); },
                 [&](const MergedKeyRanges& keys) { AppendRanges(Kind::kMergedKeys, keys.ranges, out); },
                 [&](const RowsByIndex& rows) {
                   if (rows.order) {
                     AppendKind(Kind::kIndexOrder, out);
                     AppendSized(rows.order->index->name(), out);
                     out.push_back(rows.order->descending ? 1 : 0);
                   }
                   AppendKind(rows.partition ? Kind::kPartitions : Kind::kTokens, out);
                   if (rows.partition) return AppendSized(*rows.partition, out);
                   AppendTokens(rows.tokens, out);
                 },
             },
             access.rows);
  if (access.tokens_shown) AppendTokens(*access.tokens_shown, out);
  return HashOf(out);
}

uint64_t ScopeOf(const SelectPlan& plan, const std::vector<ByteView>& keys) {
  Bytes out = DescribeOrder(plan);
  AppendKind(Kind::kMerged, out);
  for (const ByteView key : keys) AppendSized(key, out);
  return HashOf(out);
}

Status CheckPosition(const TableSchema& table, const PagingState& state) {
  std::vector<Bytes> components;
  const bool fits =
      state.at.partition_key.size() <= limits::kKeyBytesMax && state.at.clustering.size() <= limits::kKeyBytesMax;
  if (fits && SplitStoredKey(table, state.at.partition_key, components)) return OkStatus();
  return ForeignPagingState();
}

}  // namespace widerow
