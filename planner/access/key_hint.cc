// A hint has three parts. The first says why the statement is refused: missing partition key columns, a gap in the
// clustering columns, columns outside of the key, or operators that only filter. The second is the key as declared. The
// third, from WorkingForms(), has WHERE clauses that would run.
#include "planner/access/key_hint.h"

#include <algorithm>

#include "base/text.h"
#include "planner/generated/derive_key.h"

namespace widerow {
namespace {

std::string Quoted(const TableSchema& table, uint32_t column) { return QuoteIdentifier(table.columns[column].name); }

const KeyRestriction* On(const std::vector<KeyRestriction>& keys, uint32_t column) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const KeyRestriction& key) { return key.first <= column && column < key.end(); });
  return found == keys.end() ? nullptr : &*found;
}

// Returns "column b of the partition key is missing".
std::string MissingPartitionColumns(const TableSchema& table, const GroupedWhere& where) {
  std::vector<std::string> missing, ranged, derived;
  for (uint32_t i = 0; i < table.partition_key_size; ++i) {
    const KeyRestriction* key = On(where.partition, i);
    if (key == nullptr) {
      missing.push_back(Quoted(table, i));
      if (std::string how = HowToDerive(table, i); !how.empty()) derived.push_back(std::move(how));
    }
    const bool in_order = !table.partitioning.by_token();  // If true, ranges of the partition key can be read.
    if (key != nullptr && key->kind == KeyRestriction::Kind::kSlice && !in_order) ranged.push_back(Quoted(table, i));
  }
  if (!where.token_sources.empty()) missing.clear();
  std::string out;
  if (!missing.empty()) {
    out = (missing.size() == 1 ? "column " : "columns ") + JoinNames(missing) + " of the partition key " +
          (missing.size() == 1 ? "is" : "are") + " missing";
  }
  if (!missing.empty() && !derived.empty()) out += "; " + JoinNames(derived, "; ");
  if (!ranged.empty()) {
    if (!out.empty()) out += "; ";
    out += "partition key column " + JoinNames(ranged) + " takes = or IN, not a range";
  }
  return out;
}

// Returns "column c must be given before d".
std::string MissingClusteringColumn(const TableSchema& table, const GroupedWhere& where) {
  uint32_t expected = table.partition_key_size;
  for (const KeyRestriction& key : where.clustering) {
    if (key.first != expected) {
      return "column " + Quoted(table, expected) + " must be given before " + Quoted(table, key.first);
    }
    expected = key.end();
  }
  return {};
}

std::string NonKeyColumns(const TableSchema& table, const GroupedWhere& where) {
  std::vector<std::string> names;
  const auto add = [&](uint32_t column) {
    const std::string name = Quoted(table, column);
    if (!table.columns[column].is_key() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const KeyRestriction& key : where.regular) add(key.first);
  for (const FilterRestriction& filter : where.filters) {
    for (const uint32_t column : filter.columns) add(column);
  }
  if (names.empty()) return {};
  return (names.size() == 1 ? "column " : "columns ") + JoinNames(names) + (names.size() == 1 ? " is" : " are") +
         " not in the primary key";
}

std::string FilterOperators(const GroupedWhere& where) {
  for (const FilterRestriction& filter : where.filters) {
    if (filter.kind == FilterRestriction::Kind::kExtension) return filter.operator_text + " only filters rows";
  }
  return {};
}

// Returns the columns [begin, end) except `except`. Derived columns are replaced by their sources.
std::vector<uint32_t> GivenColumns(const TableSchema& table, uint32_t begin, uint32_t end,
                                   std::optional<uint32_t> except = {}) {
  std::vector<uint32_t> columns;
  const auto add = [&](uint32_t column) {
    const bool known = std::find(columns.begin(), columns.end(), column) != columns.end();
    if (!known && column != except) columns.push_back(column);
  };
  for (uint32_t i = begin; i < end; ++i) {
    const GeneratedColumn* generated = table.generated == nullptr ? nullptr : table.generated->Of(i);
    if (generated == nullptr || generated->random) {
      add(i);
    } else {
      for (const uint32_t source : generated->sources) add(source);
    }
  }
  return columns;
}

// Returns "k = ? AND c = ? …".
std::string Equalities(const TableSchema& table, const std::vector<uint32_t>& columns) {
  std::vector<std::string> terms;
  for (const uint32_t column : columns) terms.push_back(Quoted(table, column) + " = ?");
  return JoinNames(terms, " AND ");
}

// True if equalities on `equal`, and a range with both ends of `ranged` if that is set, need no filter.
bool IsServed(const TableSchema& table, const std::vector<uint32_t>& equal, std::optional<uint32_t> ranged = {}) {
  std::vector<Restriction> restrictions;
  const auto restrict_to = [&](uint32_t column, CompareOp op) {
    Expression marker{MarkerExpression{static_cast<uint32_t>(restrictions.size())}, table.columns[column].type, {}};
    restrictions.emplace_back(ColumnRestriction{column, op, {{std::move(marker)}, false, false}, {}});
  };
  for (const uint32_t column : equal) restrict_to(column, CompareOp::kEq);
  if (ranged) {
    restrict_to(*ranged, CompareOp::kGe);
    restrict_to(*ranged, CompareOp::kLt);
  }
  Result<GroupedWhere> where = GroupRestrictions(std::move(restrictions), table, AfterSlice::kNothing);
  if (!where.ok() || !DeriveForSelect(table, false, *where).ok()) return false;
  return MissingPartitionColumns(table, *where).empty() && MissingClusteringColumn(table, *where).empty() &&
         where->regular.empty() && where->filters.empty();
}

// Returns equalities that run: on the first `end` columns of the key, and on as many more as are necessary. A derived
// column of the partition key may need a source that is one of the last clustering columns.
std::string ServedEqualities(const TableSchema& table, uint32_t end) {
  while (end < table.partition_key_size + table.clustering_size && !IsServed(table, GivenColumns(table, 0, end))) ++end;
  return "WHERE " + Equalities(table, GivenColumns(table, 0, end));
}

// Returns WHERE clauses that would run. One gives the partition key. If the table has clustering columns, another one
// also gives these, up to the last one that the statement restricts.
std::vector<std::string> WorkingForms(const TableSchema& table, const GroupedWhere& where) {
  const uint32_t key_size = table.partition_key_size;
  std::vector<std::string> forms{ServedEqualities(table, key_size)};
  if (table.clustering_size == 0) return forms;
  uint32_t last = key_size;
  bool range = true;
  if (!where.clustering.empty()) {
    last = where.clustering.back().end() - 1;
    range = where.clustering.back().kind == KeyRestriction::Kind::kSlice;
  }
  const std::vector<uint32_t> before = GivenColumns(table, 0, last, last);
  std::string form;
  if (range && IsServed(table, before, last)) {
    const std::string name = Quoted(table, last);
    form = "WHERE " + Equalities(table, before) + (before.empty() ? "" : " AND ") + name + " >= ? AND " + name + " < ?";
  } else {
    form = ServedEqualities(table, last + 1);
  }
  if (form != forms[0]) forms.push_back(std::move(form));
  return forms;
}

}  // namespace

std::string PrimaryKeyText(const TableSchema& table) {
  std::vector<std::string> partition, parts;
  for (uint32_t i = 0; i < table.partition_key_size; ++i) partition.push_back(Quoted(table, i));
  parts.push_back(partition.size() == 1 ? partition[0] : "(" + JoinNames(partition) + ")");
  for (uint32_t i = 0; i < table.clustering_size; ++i) parts.push_back(Quoted(table, table.partition_key_size + i));
  return "PRIMARY KEY (" + JoinNames(parts) + ")";
}

std::string KeyHint(const TableSchema& table, const GroupedWhere& where, bool may_filter) {
  std::vector<std::string> causes;
  for (std::string cause : {MissingPartitionColumns(table, where), MissingClusteringColumn(table, where),
                            NonKeyColumns(table, where), FilterOperators(where)}) {
    if (!cause.empty()) causes.push_back(std::move(cause));
  }
  std::string hint = JoinNames(causes, "; ");
  if (!hint.empty()) hint += "; ";
  hint +=
      "the key is " + PrimaryKeyText(table) + "; these would run: " + JoinNames(WorkingForms(table, where), ", or ");
  if (may_filter) hint += ", or the statement as it is with ALLOW FILTERING";
  return hint;
}

std::string WholeKeyHint(const TableSchema& table) {
  return "the key is " + PrimaryKeyText(table) + ": give " +
         Equalities(table, GivenColumns(table, 0, table.partition_key_size + table.clustering_size));
}

}  // namespace widerow
