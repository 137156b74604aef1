// missing-index, unused-index, low-cardinality-index: secondary indexes.
#include <algorithm>

#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"

namespace widerow::advise {

namespace {

using Kind = StatementLoad::Kind;

// Returns the CREATE INDEX that serves the statement's filter, if a single column outside the key suffices; otherwise
// "".
std::string CreateIndex(const TableFacts& table, const StatementLoad& load) {
  if (load.filter_columns.size() != 1) return "";
  const ColumnSchema& column = table.column(load.filter_columns[0]);
  const Type& type = *column.type;
  const bool whole = !type.is_multi_cell() && !type.is_collection();
  const bool indexed =
      std::ranges::any_of(table.table->indexes, [&](const IndexSchema& index) { return index.column == column.id; });
  const bool fits =
      whole && type.kind != TypeKind::kDuration && type.kind != TypeKind::kCounter && type.kind != TypeKind::kVector;
  if (column.is_key() || column.is_generated() || indexed || !fits || !load.filters_by_equality) return "";
  return "CREATE INDEX ON " + FullName(*table.table) + " (" + QuoteIdentifier(column.name) + ");";
}

uint64_t RowsOf(const TableFacts& table) {
  uint64_t rows = 0;
  for (const MapEntry& entry : table.map) rows += entry.rows;
  return rows;
}

}  // namespace

void FindMissingIndex(const Facts&, const TableFacts& table, Findings& out) {
  for (const StatementLoad& load : table.load) {
    const bool over_all = load.access == Access::kScan || load.access == Access::kTokenRange;
    if (load.kind != Kind::kRead || !load.filtered || !over_all) continue;
    const double examined =
        static_cast<double>(load.rows_examined) / static_cast<double>(std::max<uint64_t>(load.rows_returned, 1));
    if (load.calls > 0 && (load.calls < kCallsToJudge || examined < kExaminedPerReturned)) continue;
    const std::string fix = CreateIndex(table, load);
    if (fix.empty()) continue;
    Finding finding =
        About(table, "missing-index", load.calls > 0 ? Severity::kWarning : Severity::kInfo, load.filter_columns);
    finding.evidence = load.calls == 0
                           ? "the statement reads all rows to find those with one value of " + finding.columns[0]
                           : Plural(load.calls, "call") + " read " + Plural(load.rows_examined, "row") + " to find " +
                                 Count(load.rows_returned) + " by " + finding.columns[0];
    finding.why =
        "an index on the column leads to the rows that have the value; each write then reads the row it changes, and a "
        "value that many rows have is "
        "still a long read: where the value is asked for often, a table keyed by it is better";
    finding.fix = fix;
    out.push_back(std::move(finding));
  }
}

void FindUnusedIndex(const Facts&, const TableFacts& table, Findings& out) {
  uint64_t reads = 0, writes = 0;
  for (const StatementLoad& load : table.load) (load.kind == Kind::kRead ? reads : writes) += load.calls;
  if (reads < 10 * kCallsToJudge) return;
  for (const IndexSchema& index : table.table->indexes) {
    const bool used = std::ranges::any_of(table.load, [&](const StatementLoad& load) {
      return std::ranges::find(load.indexes, index.name) != load.indexes.end();
    });
    if (used) continue;
    Finding finding = About(table, "unused-index", Severity::kWarning);
    finding.columns.push_back(table.table->FindId(index.column)->name);
    finding.evidence = "none of " + Plural(reads, "read") + " seen uses index " + index.name + ", and " +
                       Plural(writes, "write") + " kept it";
    finding.why = "each write reads the row before and after for its indexes; an index that no read uses only costs";
    finding.fix = "DROP INDEX " + QuoteIdentifier(table.table->keyspace) + "." + QuoteIdentifier(index.name) + ";";
    out.push_back(std::move(finding));
  }
}

void FindLowCardinalityIndex(const Facts&, const TableFacts& table, Findings& out) {
  constexpr uint64_t kRowsPerValue = 10'000;
  constexpr double kShareOfTable = 0.1;
  for (const IndexSchema& index : table.table->indexes) {
    const ColumnSchema& column = *table.table->FindId(index.column);
    uint64_t calls = 0, examined = 0;
    for (const StatementLoad& load : table.load) {
      if (load.indexes.size() != 1 || load.indexes[0] != index.name) continue;
      calls += load.calls;
      examined += load.rows_examined;
    }
    const uint64_t rows = RowsOf(table), per_call = examined / std::max<uint64_t>(calls, 1);
    const bool much =
        per_call >= kRowsPerValue ||
        (rows >= kRowsToJudge && static_cast<double>(per_call) >= kShareOfTable * static_cast<double>(rows));
    const bool judged = calls >= kCallsToJudge && much;
    if (!judged && column.type->kind != TypeKind::kBoolean) continue;
    Finding finding = About(table, "low-cardinality-index", judged ? Severity::kWarning : Severity::kInfo);
    finding.columns.push_back(column.name);
    finding.evidence = judged ? "a read by index " + index.name + " goes over " + Plural(per_call, "row") +
                                    (rows > 0 ? " of about " + Count(rows) : std::string()) + " (" +
                                    Plural(calls, "call") + " seen)"
                              : "index " + index.name + " is on a boolean column: it has two values";
    finding.why =
        "every entry of the value is read, and its row looked up one by one: a scan of the table costs less a row; a "
        "table whose partition key is the value and "
        "a bucket reads only what is asked for";
    out.push_back(std::move(finding));
  }
}

}  // namespace widerow::advise
