// A Redesign has the columns, the key and the options as texts. The setters change these texts, and Create joins them.
#include "advise/redesign.h"

#include <algorithm>

#include "advise/text.h"
#include "base/text.h"
#include "parser/print.h"

namespace widerow::advise {

namespace {

constexpr size_t kTableNameMax = 200;  // Leaves room for a number at the end.

std::string FreeName(const SchemaPtr& schema, const TableSchema& table, std::string_view suffix) {
  const std::string wanted = (table.name + "_" + std::string(suffix)).substr(0, kTableNameMax);
  const auto taken = [&](const std::string& name) {
    return schema != nullptr && schema->FindTable(table.keyspace, name) != nullptr;
  };
  std::string name = wanted;
  for (int i = 2; taken(name); ++i) name = wanted + "_" + std::to_string(i);
  return name;
}

std::vector<std::string> Quoted(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(QuoteIdentifier(name));
  return out;
}

}  // namespace

Redesign::Redesign(const Facts& facts, const TableFacts& table, std::string_view suffix)
    : keyspace_(table.table->keyspace),
      name_(table.exists ? FreeName(facts.schema, *table.table, suffix) : table.table->name),
      extensions_(facts.extensions),
      generated_(facts.extensions && facts.generated),
      time_to_live_(table.table->options.default_time_to_live) {
  for (uint32_t i = 0; i < table.table->columns.size(); ++i) {
    const ColumnSchema& column = table.column(i);
    const Term* const derivation = table.derivation(i);
    columns_.push_back({.name = column.name,
                        .type = TypeText(*column.type),
                        .derivation = derivation == nullptr ? "" : Print(*derivation),
                        .is_static = column.kind == ColumnKind::kStatic,
                        .multi_cell = column.type->is_multi_cell(),
                        .counter = column.type->kind == TypeKind::kCounter});
    if (column.kind == ColumnKind::kPartitionKey) partition_key_.push_back(column.name);
    if (column.kind == ColumnKind::kClustering) clustering_.push_back({column.name, column.descending});
  }
  if (table.layout != Layout::kToken) partitioning_ = table.partition_clause;
}

Redesign& Redesign::AddDerived(std::string name, std::string type, std::string expression) {
  columns_.push_back({.name = std::move(name), .type = std::move(type), .derivation = std::move(expression)});
  return *this;
}

Redesign& Redesign::Add(std::string name, std::string type) { return AddDerived(std::move(name), std::move(type), ""); }

Redesign& Redesign::SetType(std::string_view column, std::string type) {
  for (Column& each : columns_) {
    if (each.name == column) each.type = type;
  }
  return *this;
}

Redesign& Redesign::Remove(std::string_view column) {
  std::erase_if(columns_, [&](const Column& each) { return each.name == column; });
  std::erase_if(clustering_, [&](const Ordered& each) { return each.name == column; });
  std::erase(partition_key_, column);
  return *this;
}

Redesign& Redesign::SetPartitionKey(std::vector<std::string> columns) {
  std::erase_if(clustering_,
                [&](const Ordered& each) { return std::ranges::find(columns, each.name) != columns.end(); });
  partition_key_ = std::move(columns);
  return *this;
}

Redesign& Redesign::SetClustering(std::vector<std::string> columns) {
  clustering_.clear();
  for (const std::string& column : columns) {
    const bool descending = column.starts_with('-');
    clustering_.push_back({descending ? column.substr(1) : column, descending});
  }
  return *this;
}

Redesign& Redesign::FlipClustering() {
  for (Ordered& each : clustering_) each.descending = !each.descending;
  return *this;
}

Redesign& Redesign::SetPartitioning(std::string clause) {
  partitioning_ = std::move(clause);
  return *this;
}

Redesign& Redesign::SetTimeToLive(int64_t seconds) {
  time_to_live_ = seconds;
  return *this;
}

std::vector<std::string> Redesign::clustering() const {
  std::vector<std::string> out;
  for (const Ordered& each : clustering_) out.push_back(std::string(each.descending ? "-" : "") + each.name);
  return out;
}

const Redesign::Column* Redesign::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(columns_, [&](const Column& column) { return column.name == name; });
  return found == columns_.end() ? nullptr : &*found;
}

std::string Redesign::FreeColumn(std::string wanted) const {
  std::string name = wanted;
  for (int i = 2; Find(name) != nullptr; ++i) name = wanted + "_" + std::to_string(i);
  return name;
}

bool Redesign::possible() const {
  const auto good = [&](const std::string& name) {
    const Column* const column = Find(name);
    return column != nullptr && !column->multi_cell && !column->counter && !column->type.starts_with("duration") &&
           !column->is_static;
  };
  return !partition_key_.empty() && std::ranges::all_of(partition_key_, good) &&
         std::ranges::all_of(clustering_, [&](const Ordered& each) { return good(each.name); });
}

std::string Redesign::KeyText() const {
  std::string partition = JoinNames(Quoted(partition_key_));
  if (partition_key_.size() > 1) partition = "(" + partition + ")";
  for (const Ordered& each : clustering_) partition += ", " + QuoteIdentifier(each.name);
  return "PRIMARY KEY (" + partition + ")";
}

std::string Redesign::Create() const {
  if (!possible()) return "";
  std::string out = "CREATE TABLE " + QuoteIdentifier(keyspace_) + "." + QuoteIdentifier(name_) + " (";
  for (const Column& column : columns_) {
    out += QuoteIdentifier(column.name) + " " + column.type;
    if (column.is_static && !clustering_.empty()) out += " STATIC";
    if (!column.derivation.empty() && generated_) out += " GENERATED ALWAYS AS (" + column.derivation + ")";
    out += ", ";
  }
  out += KeyText() + ")";
  std::vector<std::string> options;
  if (std::ranges::any_of(clustering_, [](const Ordered& each) { return each.descending; })) {
    std::vector<std::string> orders;
    for (const Ordered& each : clustering_)
      orders.push_back(QuoteIdentifier(each.name) + (each.descending ? " DESC" : " ASC"));
    options.push_back("CLUSTERING ORDER BY (" + JoinNames(orders) + ")");
  }
  if (time_to_live_ != 0) options.push_back("default_time_to_live = " + std::to_string(time_to_live_));
  if (!options.empty()) out += " WITH " + JoinNames(options, " AND ");
  if (!partitioning_.empty() && extensions_) out += " " + partitioning_;
  return out + ";";
}

std::string TableKeyedBy(const Facts& facts, const TableFacts& table, const std::vector<uint32_t>& columns) {
  std::vector<std::string> partition;
  std::string suffix = "by";
  for (const uint32_t column : columns) {
    if (table.column(column).type->is_multi_cell() || table.column(column).type->kind == TypeKind::kCounter) continue;
    partition.push_back(table.column(column).name);
    suffix += "_" + table.column(column).name;
  }
  if (partition.empty()) return "";
  Redesign design(facts, table, suffix);
  std::vector<std::string> clustering;
  for (const std::vector<std::string>& list : {design.partition_key(), design.clustering()}) {
    for (const std::string& name : list) {
      const std::string plain = name.starts_with('-') ? name.substr(1) : name;
      if (std::ranges::find(partition, plain) == partition.end()) clustering.push_back(name);
    }
  }
  // The copy has no static columns, because its partitions are not those of the old table.
  for (const ColumnSchema& column : table.table->columns) {
    if (column.kind == ColumnKind::kStatic) design.Remove(column.name);
  }
  return design.SetPartitionKey(partition).SetClustering(clustering).SetPartitioning("").Create();
}

}  // namespace widerow::advise
