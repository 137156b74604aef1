#include "planner/access/row_filter.h"

#include <algorithm>

#include "planner/where/resolve_relation.h"

namespace widerow {
namespace {

int PartOf(const Restriction& source) {
  const auto* const column = std::get_if<ColumnRestriction>(&source);
  if (column == nullptr) return 0;
  return column->op == CompareOp::kLt || column->op == CompareOp::kLe ? 1 : 0;
}

int PartOf(const FilterRestriction& filter) {
  if (filter.kind == FilterRestriction::Kind::kMapEntry) return 2;
  const auto* const comparison = std::get_if<Comparison>(&filter.predicate.node);
  return comparison != nullptr && comparison->op == CompareOp::kContainsKey ? 1 : 0;
}

}  // namespace

void RowFilter::Add(const KeyRestriction& key, bool checked) {
  for (const Restriction& source : key.sources) {
    if (checked) {
      checks_.push_back(
          {.column = key.first, .part = PartOf(source), .index = static_cast<uint32_t>(predicates_.size())});
    }
    predicates_.push_back(ToPredicate(source, table_));
  }
}

void RowFilter::Add(const FilterRestriction& filter) {
  checks_.push_back({.column = filter.columns.empty() ? 0 : filter.columns[0],
                     .part = PartOf(filter),
                     .index = static_cast<uint32_t>(predicates_.size()),
                     .extension = filter.kind == FilterRestriction::Kind::kExtension});
  predicates_.push_back(filter.predicate);
}

void RowFilter::AddToken(const Restriction& token) { predicates_.push_back(ToPredicate(token, table_)); }

std::vector<uint32_t> RowFilter::Checked() const {
  std::vector<Check> checks = checks_;
  const auto name_of = [&](const Check& check) {
    const ColumnSchema& column = table_.columns[check.column];
    return column.is_key() ? std::string_view() : std::string_view(column.name);
  };
  const auto earlier = [&](const Check& a, const Check& b) {
    if (a.extension != b.extension) return b.extension;
    const std::string_view name_a = name_of(a), name_b = name_of(b);
    if (name_a != name_b) return name_a < name_b;
    return std::tie(a.column, a.part) < std::tie(b.column, b.part);
  };
  std::stable_sort(checks.begin(), checks.end(), earlier);
  std::vector<uint32_t> indexes;
  for (const Check& check : checks) indexes.push_back(check.index);
  return indexes;
}

std::optional<Error> RefuseTuples(const std::vector<const KeyRestriction*>& filtered) {
  for (const KeyRestriction* const key : filtered) {
    if (!key->of_tuple()) continue;
    if (key->kind == KeyRestriction::Kind::kSlice) {
      return InvalidAt(key->range, "Multi-column slice restrictions cannot be used for filtering.",
                       "a range of (c, d) begins at the first clustering column, or behind columns that equal a value");
    }
    if (key->kind == KeyRestriction::Kind::kIn && key->width > 1) {
      return InvalidAt(key->range, "Multicolumn IN filters are not supported",
                       "a list for (c, d) begins at the first clustering column, or behind columns that equal a value");
    }
  }
  return std::nullopt;
}

}  // namespace widerow
