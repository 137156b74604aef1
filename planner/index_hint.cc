#include "planner/index_hint.h"

#include "base/text.h"

namespace widerow {
namespace {

std::string_view Using(ProposedIndex proposed) {
  switch (proposed) {
    case ProposedIndex::kPlain: return "";
    case ProposedIndex::kStorageAttached: return " USING 'sai'";
    case ProposedIndex::kWords: return " USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'}";
    case ProposedIndex::kSasi: return " USING 'org.apache.cassandra.index.sasi.SASIIndex'";
  }
  return "";
}

}  // namespace

std::string IndexHint(const TableSchema& table, uint32_t column, ProposedIndex proposed, std::string_view effect) {
  const std::string keyspace = QuoteIdentifier(table.keyspace) + ".";
  if (table.view != nullptr) {
    return StrCat("a view has no indexes; the table ", keyspace, QuoteIdentifier(table.view->base_table),
                  " can have one");
  }
  const bool custom = proposed == ProposedIndex::kWords || proposed == ProposedIndex::kSasi;
  return StrCat(custom ? "CREATE CUSTOM INDEX ON " : "CREATE INDEX ON ", keyspace, QuoteIdentifier(table.name), " (",
                QuoteIdentifier(table.columns[column].name), ")", Using(proposed), effect);
}

}  // namespace widerow
