// The rules wide-row, large-value and mixed-access-columns, which examine the content of rows.
#include "advise/columns.h"

#include <algorithm>
#include <set>

#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

std::string KeyOfRows(const TableFacts& table) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < table.key_columns(); ++i) names.push_back(QuoteIdentifier(table.column(i).name));
  return JoinNames(names);
}

}  // namespace

void FindWideRow(const Facts& facts, const TableFacts& table, Findings& out) {
  const size_t columns = table.table->columns.size();
  if (columns > kColumnsWarn) {
    Finding finding = About(table, "wide-row", Severity::kWarning, Confidence::kDeclared);
    finding.evidence =
        StrCat("the table has ", Count(columns), " columns (recommended: up to ", Count(kColumnsWarn), ")");
    finding.why =
        "every read decodes the row, every schema change and every client carries all columns; put what is not read "
        "together into tables of its own, "
        "or many of a kind into a map";
    out.push_back(std::move(finding));
  }
  // A row that is large because of one value is left to the rule large-value.
  uint64_t largest = 0;
  for (const SampledRow& row : table.sample.rows) {
    if (row.largest_value * 2 < row.bytes) largest = std::max(largest, row.bytes);
  }
  if (largest > kRowBytesWarn) {
    Finding finding = About(table, "wide-row", Severity::kWarning, Confidence::kMeasured);
    finding.evidence = StrCat("the largest of ", Plural(table.sample.rows.size(), "sampled row"), " has ",
                              Size(largest), " (recommended: up to ", Size(kRowBytesWarn), ")");
    finding.why = "a row is read and written whole into one page of results: large ones stall everything behind them";
    out.push_back(std::move(finding));
  }
  for (uint32_t i = 0; i < table.sample.columns.size(); ++i) {
    const ColumnSample& sample = table.sample.columns[i];
    const Type& type = *table.column(i).type;
    if (sample.elements_max <= kElementsWarn || !type.is_collection()) continue;
    Finding finding = About(table, "wide-row", Severity::kWarning, Confidence::kMeasured, {i});
    finding.evidence = StrCat("a value of ", finding.columns[0], " has ", Plural(sample.elements_max, "element"),
                              " (recommended: up to ", Count(kElementsWarn), ")");
    finding.why = "a collection is read whole; what grows belongs into rows of its own, an element each";
    const bool is_map = type.kind == TypeKind::kMap;
    const bool is_list = type.kind == TypeKind::kList;
    Redesign design(facts, table, finding.columns[0]);
    const std::string element = design.FreeColumn(is_list ? "position" : "element");
    std::vector<std::string> clustering = design.clustering();
    clustering.push_back(element);
    for (const ColumnSchema& column : table.table->columns) {
      if (!column.is_key()) design.Remove(column.name);
    }
    design.Add(element, is_list ? "int" : TypeText(*WithFrozen(type.arguments[0], true)));
    if (is_map || is_list) design.Add(design.FreeColumn("value"), TypeText(*WithFrozen(type.arguments.back(), true)));
    finding.fix = design.SetClustering(clustering).Create();
    out.push_back(std::move(finding));
  }
}

void FindLargeValue(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr uint64_t kChunkBytes = 256'000;
  for (uint32_t i = 0; i < table.sample.columns.size(); ++i) {
    const ColumnSample& sample = table.sample.columns[i];
    const Type& type = *table.column(i).type;
    if (sample.bytes_max <= kValueBytesWarn || type.is_multi_cell() || table.column(i).is_key()) continue;
    Finding finding = About(table, "large-value", Severity::kWarning, Confidence::kMeasured, {i});
    finding.evidence =
        StrCat("a value of ", finding.columns[0], " has ", Size(sample.bytes_max), ", the mean of ",
               Plural(sample.values, "value"), " is ", Size(sample.bytes / std::max<uint64_t>(sample.values, 1)),
               " (recommended: up to ", Size(kValueBytesWarn), ")");
    finding.why = "a value travels and is kept in memory whole; large ones belong into pieces of " + Size(kChunkBytes) +
                  " or into an object store, with their address here";
    const std::string full = QuoteIdentifier(table.table->keyspace) + ".";
    Redesign design(facts, table, finding.columns[0] + "_chunks");
    const std::string chunk = design.FreeColumn("chunk");
    std::vector<std::string> clustering = design.clustering();
    clustering.push_back(chunk);
    for (const ColumnSchema& column : table.table->columns) {
      if (!column.is_key() && column.name != finding.columns[0]) design.Remove(column.name);
    }
    finding.fix = design.Add(chunk, "int").SetClustering(clustering).Create();
    out.push_back(std::move(finding));
  }
}

void FindMixedAccessColumns(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr uint64_t kColdBytes = 500;  // The mean size of a value in bytes.
  constexpr uint64_t kHotTimesCold = 8;
  constexpr uint64_t kCallsToCompare = 50;
  std::vector<uint64_t> accesses(table.table->columns.size(), 0);
  uint64_t calls = 0, writes = 0;
  for (const StatementLoad& load : table.load) {
    calls += load.calls;
    if (load.kind != StatementLoad::Kind::kRead) writes += load.calls;
    for (const uint32_t column : load.columns_read) accesses[column] += load.calls;
    for (const uint32_t column : load.columns_written) accesses[column] += load.calls;
  }
  if (calls < kCallsToCompare || writes == 0) return;
  uint64_t hottest = 0;
  for (uint32_t i = table.key_columns(); i < accesses.size(); ++i) hottest = std::max(hottest, accesses[i]);
  std::vector<uint32_t> cold;
  uint64_t cold_bytes = 0;
  for (uint32_t i = table.key_columns(); i < accesses.size() && i < table.sample.columns.size(); ++i) {
    const ColumnSample& sample = table.sample.columns[i];
    if (sample.values == 0 || sample.bytes / sample.values < kColdBytes || accesses[i] * kHotTimesCold > hottest)
      continue;
    cold.push_back(i);
    cold_bytes += sample.bytes / sample.values;
  }
  if (cold.empty()) return;
  Finding finding = About(table, "mixed-access-columns", Severity::kWarning, Confidence::kMeasured, cold);
  uint64_t cold_accesses = 0;
  for (const uint32_t i : cold) cold_accesses = std::max(cold_accesses, accesses[i]);
  finding.evidence =
      StrCat(JoinNames(finding.columns), " take ", Size(cold_bytes), " of a row and were in ", Count(cold_accesses),
             " of ", Count(calls), " statements seen, other columns in up to ", Count(hottest));
  finding.why =
      "each read and each change of the small columns must skip the large ones: in a table of their own they cost "
      "nothing until they are asked for";
  Redesign design(facts, table, "cold");
  for (uint32_t i = table.key_columns(); i < table.table->columns.size(); ++i) {
    if (std::ranges::find(cold, i) == cold.end()) design.Remove(table.column(i).name);
  }
  finding.fix = design.Create();
  finding.why += "; both tables have the key (" + KeyOfRows(table) + ")";
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
