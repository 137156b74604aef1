#include "exec/prepared/prepared_description.h"

#include <openssl/evp.h>

#include <algorithm>

#include "base/overloaded.h"

namespace widerow {
namespace {

Bytes Md5(ByteView input) {
  Bytes digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  WR_CHECK(EVP_Digest(input.data(), input.size(), reinterpret_cast<unsigned char*>(digest.data()), &size, EVP_md5(),
                      nullptr) == 1);
  digest.resize(size);
  return digest;
}

// Appends a UDT with its fields, because a UDT with other fields is another type.
void AppendTypeShape(Bytes& out, const Type& type) {
  out += TypeText(type);
  out.push_back('\0');
  for (const std::string& name : type.field_names) (out += name).push_back('\0');
  for (const TypePtr& argument : type.arguments) AppendTypeShape(out, *argument);
}

// Column is ResultColumn or MarkerSpec: both have the fields that are used here.
template <typename Column>
void AppendColumns(Bytes& out, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    for (const std::string& part : {column.keyspace, column.table, column.name}) {
      AppendVarint(out, part.size());
      out += part;
    }
    AppendTypeShape(out, *column.type);
  }
}

bool SameColumn(const ColumnSchema& a, const ColumnSchema& b) {
  return a.name == b.name && a.id == b.id && a.kind == b.kind && a.position == b.position &&
         a.descending == b.descending && SameType(*a.type, *b.type);
}

bool SameIndex(const IndexSchema& a, const IndexSchema& b) {
  return a.name == b.name && a.kind == b.kind && a.target == b.target && a.column == b.column && a.options == b.options;
}

// Compares two drops of a column. If two versions of a table have equal lists of drops, no column was dropped between
// the versions, not even one that was added again later.
bool SameDrop(const DroppedColumn& a, const DroppedColumn& b) {
  return a.name == b.name && a.dropped_micros == b.dropped_micros && a.gone_micros == b.gone_micros;
}

// True if statements on `before` must be prepared again for `now`, by Cassandra's rule
// (TableMetadata.changeAffectsPreparedStatements). Also true if `now` is another table of the same name. A column that
// was added and dropped changes next_column_id. A column that was dropped and added again changes the list of drops.
// The next_column_id of a view is not compared, because it is that of the base table, which may get columns that the
// view does not have.
bool AffectsStatements(const TableSchema& before, const TableSchema& now) {
  return before.id != now.id || (before.view == nullptr && before.next_column_id != now.next_column_id) ||
         !std::ranges::equal(before.dropped_columns, now.dropped_columns, SameDrop) ||
         !std::ranges::equal(before.columns, now.columns, SameColumn) ||
         !std::ranges::equal(before.indexes, now.indexes, SameIndex) ||
         before.options.default_time_to_live != now.options.default_time_to_live ||
         before.options.gc_grace_seconds != now.options.gc_grace_seconds;
}

bool IsForgottenOnChange(const Plan& plan) {
  return std::visit(Overloaded{[](const SelectPlan&) { return true; }, [](const ModifyPlan&) { return true; },
                               [](const BatchPlan&) { return true; },
                               [](const ExplainPlan& explain) { return IsForgottenOnChange(*explain.plan); },
                               [](const TruncatePlan&) { return false; }, [](const UsePlan&) { return false; },
                               [](const DdlPlan&) { return false; }, [](const RolePlan&) { return false; },
                               [](const DescribePlan&) { return false; }, [](const AdvisePlan&) { return false; }},
                    plan.node);
}

}  // namespace

bool IsFullyQualified(const Statement& statement) {
  const auto named = [](const auto& node) { return node.table.keyspace.has_value(); };
  if (const auto* select = std::get_if<SelectStatement>(&statement.node)) return named(*select);
  if (const auto* insert = std::get_if<InsertStatement>(&statement.node)) return named(*insert);
  if (const auto* update = std::get_if<UpdateStatement>(&statement.node)) return named(*update);
  if (const auto* remove = std::get_if<DeleteStatement>(&statement.node)) return named(*remove);
  if (const auto* truncate = std::get_if<TruncateStatement>(&statement.node)) return named(*truncate);
  const auto* batch = std::get_if<BatchStatement>(&statement.node);
  return batch != nullptr &&
         std::ranges::all_of(batch->statements, [&](const auto& part) { return std::visit(named, part); });
}

Bytes StatementId(std::string_view text, std::string_view keyspace) { return Md5(Bytes(keyspace).append(text)); }

Bytes ColumnsId(const ResultColumns& columns) {
  Bytes all;
  AppendColumns(all, columns);
  return Md5(all);
}

Bytes MarkersId(const Plan& plan) {
  Bytes all;
  AppendColumns(all, plan.markers);
  for (const uint16_t index : plan.partition_key_markers) AppendBigEndian(all, index);
  return Md5(all);
}

bool TakesSameValues(const Plan& a, const Plan& b) {
  return std::ranges::equal(a.markers, b.markers,
                            [](const MarkerSpec& x, const MarkerSpec& y) { return SameType(*x.type, *y.type); });
}

Error MarkersHaveChanged() {
  return {.code = ErrorCode::kUnprepared,
          .message = "The bind markers of the prepared statement have other types now: the schema has changed",
          .hint = "prepare it again and bind its values again"};
}

Status CheckSameColumns(const ResultColumnsPtr& first, const ResultColumnsPtr& later) {
  if (first == later || ColumnsId(*first) == ColumnsId(*later)) [[likely]]
    return OkStatus();
  return InvalidError("The columns of the result have changed between two of its pages: the schema has changed",
                      "run the statement again");
}

bool MustBePreparedAgain(const Plan& plan, const SchemaSnapshot& now) {
  if (!IsForgottenOnChange(plan)) return false;
  for (const TablePtr& table : plan.tables) {
    const TablePtr current = now.FindTable(table->keyspace, table->name);
    if (current == nullptr || (current != table && AffectsStatements(*table, *current))) return true;
    // After a view, plan.tables has the table that the view's rows are read from. Clients do not know of it.
    if (table->view != nullptr) break;
  }
  return false;
}

}  // namespace widerow
