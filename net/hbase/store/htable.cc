#include "net/hbase/store/htable.h"

#include <algorithm>
#include <charconv>

namespace widerow::hbase {

namespace {

int64_t Number(const Attributes& attributes, const char* name, int64_t otherwise) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return otherwise;
  int64_t number = 0;
  const std::string& text = found->second;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() && number >= 0 ? std::min<int64_t>(number, FamilyOptions::kForever) : otherwise;
}

bool IsColumn(const TableSchema& table, const char* name, TypeKind type, ColumnKind kind, uint32_t position) {
  const ColumnSchema* column = table.Find(name);
  return column != nullptr && column->type->kind == type && column->kind == kind && column->position == position &&
         !column->is_generated();
}

}  // namespace

TableId TableId::Parse(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {.name = std::string(text)};
  return {.space = std::string(text.substr(0, colon)), .name = std::string(text.substr(colon + 1))};
}

FamilyOptions FamilyOptions::Of(const Attributes& attributes) {
  return {.max_versions = static_cast<int32_t>(std::max<int64_t>(1, Number(attributes, "VERSIONS", 1))),
          .min_versions = static_cast<int32_t>(Number(attributes, "MIN_VERSIONS", 0)),
          .ttl_seconds = Number(attributes, "TTL", kForever)};
}

const HFamily* HTable::Find(ByteView family) const {
  const auto found = std::ranges::find(families, family, &HFamily::name);
  return found == families.end() ? nullptr : &*found;
}

bool IsFamilyTable(const TableSchema& table) {
  return table.partition_key_size == 1 && table.clustering_size == 2 && table.view == nullptr &&
         IsColumn(table, "k", TypeKind::kBlob, ColumnKind::kPartitionKey, 0) &&
         IsColumn(table, "q", TypeKind::kBlob, ColumnKind::kClustering, 0) &&
         IsColumn(table, "t", TypeKind::kBigint, ColumnKind::kClustering, 1) &&
         IsColumn(table, "v", TypeKind::kBlob, ColumnKind::kRegular, 0) && !table.clustering(0).descending &&
         std::ranges::all_of(table.columns, [](const ColumnSchema& column) {
           return column.name.size() == 1 || column.is_generated();
         });
}

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

}  // namespace widerow::hbase
