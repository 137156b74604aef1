// The rules missing-index, unused-index, low-cardinality-index and high-cardinality-index, which examine secondary
// indexes. The rule missing-search-index is in search_indexes.cc.
#include <algorithm>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "base/text.h"
#include "planner/analyzed.h"

namespace widerow::advise {

namespace {

using Kind = StatementLoad::Kind;

constexpr uint64_t kValuesToCompare = 200;  // Among fewer values, the number of different ones says nothing.
constexpr uint64_t kValuesOfState = 50;     // With very few different values, this number of values can be judged.

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
    if (load.calls > 0 && (load.calls < kCallsToJudge || examined < kExaminedPerReturned || IsSmallRead(load)))
      continue;
    const std::string fix = CreateIndex(table, load);
    if (fix.empty()) continue;
    Finding finding = About(table, "missing-index", load.calls > 0 ? Severity::kWarning : Severity::kInfo,
                            load.calls > 0 ? Confidence::kMeasured : Confidence::kDeclared, load.filter_columns);
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
      return std::ranges::find(load.indexes, index.name) != load.indexes.end() ||
             std::ranges::find(load.order_indexes, index.name) != load.order_indexes.end();
    });
    if (used) continue;
    Finding finding = About(table, "unused-index", Severity::kWarning, Confidence::kMeasured);
    finding.columns.push_back(table.table->FindId(index.column)->name);
    finding.evidence = "none of " + Plural(reads, "read") + " seen uses index " + index.name + ", and " +
                       Plural(writes, "write") + " kept it";
    finding.why = "each write reads the row before and after for its indexes; an index that no read uses only costs";
    if (WordsOf(index, *table.table->FindId(index.column)) != nullptr)
      finding.why += "; an index of words has an entry for each word of each text";
    finding.fix = "DROP INDEX " + QuoteIdentifier(table.table->keyspace) + "." + QuoteIdentifier(index.name) + ";";
    out.push_back(std::move(finding));
  }
}

namespace {

// The reads that used a certain index only, and that did not give the partition key.
struct IndexReads {
  uint64_t calls = 0, examined = 0;
  uint64_t per_call() const { return examined / std::max<uint64_t>(calls, 1); }
};
IndexReads ReadsBy(const TableFacts& table, const IndexSchema& index) {
  IndexReads reads;
  for (const StatementLoad& load : table.load) {
    if (load.indexes.size() != 1 || load.indexes[0] != index.name || load.of_one_partition) continue;
    reads.calls += load.calls;
    reads.examined += load.rows_examined;
  }
  return reads;
}

// Returns the sample's figures for the indexed column; zeros if the sample has none.
ColumnSample ValuesOf(const TableFacts& table, const IndexSchema& index) {
  const std::optional<uint32_t> column = IndexOf(*table.table, table.table->FindId(index.column)->name);
  return column && *column < table.sample.columns.size() ? table.sample.columns[*column] : ColumnSample();
}

// True if few rows have a value in the column. Then the index is small, even if there are few different values.
bool IsSparse(const TableFacts& table, const ColumnSample& values) {
  return table.sample.rows_looked_at >= kValuesToCompare && values.values * 20 < table.sample.rows_looked_at;
}

}  // namespace

void FindLowCardinalityIndex(const Facts&, const TableFacts& table, Findings& out) {
  constexpr uint64_t kRowsPerValue = 10'000, kFewValues = 10, kHardlyAny = 4;
  constexpr double kShareOfTable = 0.1;
  for (const IndexSchema& index : table.table->indexes) {
    const ColumnSchema& column = *table.table->FindId(index.column);
    const ColumnSample values = ValuesOf(table, index);
    const IndexReads reads = ReadsBy(table, index);
    const uint64_t rows = RowsOf(table), per_call = reads.per_call();
    const bool much =
        per_call >= kRowsPerValue ||
        (rows >= kRowsToJudge && static_cast<double>(per_call) >= kShareOfTable * static_cast<double>(rows));
    const bool judged = reads.calls >= kCallsToJudge && much;
    const bool boolean = column.type->kind == TypeKind::kBoolean && !IsSparse(table, values);
    const bool few = ((values.compared >= kValuesToCompare && values.distinct <= kFewValues) ||
                      (values.compared >= kValuesOfState && values.distinct <= kHardlyAny)) &&
                     !IsSparse(table, values);
    if (!judged && !boolean && !few) continue;
    Finding finding = About(table, "low-cardinality-index", Severity::kWarning,
                            judged || !boolean ? Confidence::kMeasured : Confidence::kDeclared);
    finding.columns.push_back(column.name);
    finding.evidence = judged ? "a read by index " + index.name + " goes over " + Plural(per_call, "row") +
                                    (rows > 0 ? " of about " + Count(rows) : std::string()) + " (" +
                                    Plural(reads.calls, "call") + " seen)"
                       : boolean
                           ? "index " + index.name + " is on a boolean column: it has two values"
                           : StrCat("index ", index.name, " is on a column with ", Plural(values.distinct, "value"),
                                    " in ", Plural(values.compared, "row"), " looked at");
    finding.why =
        "every entry of the value is read, and its row looked up one by one: a scan of the table costs less a row; a "
        "table whose partition key is the value and "
        "a bucket reads only what is asked for";
    out.push_back(std::move(finding));
  }
}

void FindHighCardinalityIndex(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr uint64_t kRowsOfUniqueValue = 2;  // A value counts as unique if a call examines no more rows than this.
  for (const IndexSchema& index : table.table->indexes) {
    const ColumnSample values = ValuesOf(table, index);
    if (values.compared < kValuesToCompare || values.distinct * 50 < values.compared * 49) continue;
    const IndexReads reads = ReadsBy(table, index);
    if (reads.calls < kCallsToJudge || reads.per_call() > kRowsOfUniqueValue) continue;
    const std::optional<uint32_t> column = IndexOf(*table.table, table.table->FindId(index.column)->name);
    Finding finding = About(table, "high-cardinality-index", Severity::kWarning, Confidence::kMeasured, {*column});
    finding.evidence = StrCat(Plural(values.compared, "row"), " looked at have ", Plural(values.distinct, "value"),
                              " of ", finding.columns[0], ", and ", Plural(reads.calls, "read"), " by index ",
                              index.name, " found ", reads.per_call() <= 1 ? "one row" : "two rows", " each");
    finding.why =
        "a read by an index looks up an entry and then its row, on Cassandra on every node; a table whose partition "
        "key "
        "is the value finds the row in one step, and writes need not read the row before";
    finding.fix = TableKeyedBy(facts, table, {*column});
    out.push_back(std::move(finding));
  }
}

}  // namespace widerow::advise
