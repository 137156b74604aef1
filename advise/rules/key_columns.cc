// The rules long-key and many-key-columns, which examine the columns of the key.
#include <algorithm>
#include <set>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

uint64_t KeyBytes(const std::vector<Bytes>& values) {
  uint64_t bytes = 0;
  for (const Bytes& value : values) bytes += value.size();
  return bytes;
}

}  // namespace

void FindLongKey(const Facts& facts, const TableFacts& table, Findings& out) {
  uint64_t longest = 0, sum = 0;
  for (const SampledPartition& partition : table.sample.partitions)
    longest = std::max(longest, KeyBytes(partition.key));
  for (const SampledRow& row : table.sample.rows) {
    const uint64_t bytes = KeyBytes(row.clustering) + KeyBytes(table.sample.partitions[row.partition].key);
    longest = std::max(longest, bytes);
    sum += bytes;
  }
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    const Type& type = *table.column(i).type;
    if (type.bytes_max && *type.bytes_max > kKeyBytesRecommended) columns.push_back(i);
  }
  if (longest <= kKeyBytesRecommended) {
    if (columns.empty()) return;
    Finding finding = About(table, "long-key", Severity::kInfo, Confidence::kDeclared, columns);
    finding.evidence = "key columns are declared with more than " + Count(kKeyBytesRecommended) +
                       " bytes; the longest of " + Plural(table.sample.rows.size(), "sampled key") + " has " +
                       Count(longest);
    finding.why = "the key is stored with every row and read with every one: keep it short";
    out.push_back(std::move(finding));
    return;
  }
  columns.clear();
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    if (FixedSize(table.column(i).type->kind) == 0) columns.push_back(i);
  }
  Finding finding = About(table, "long-key", Severity::kWarning, Confidence::kMeasured, columns);
  finding.evidence = "the longest key of " +
                     Plural(std::max(table.sample.rows.size(), table.sample.partitions.size()), "sampled row") +
                     " has " + Count(longest) + " bytes" +
                     (table.sample.rows.empty() ? "" : ", the mean " + Count(sum / table.sample.rows.size())) +
                     " (recommended: up to " + Count(kKeyBytesRecommended) + ")";
  finding.why =
      "the key is stored with every row, in every index page above it and in every page of results: long ones make all "
      "of them slow";
  // The fix replaces the first text column of the key by its digest. The column itself is then outside the key.
  const auto text = std::ranges::find_if(columns, [&](uint32_t i) { return IsText(table.column(i).type->kind); });
  if (text != columns.end()) {
    const std::string& name = table.column(*text).name;
    Redesign design(facts, table, "digested");
    const std::string digest = design.FreeColumn(name + "_md5");
    const auto replace = [&](std::vector<std::string> names) {
      for (std::string& each : names) {
        if (each == name) each = digest;
        if (each == "-" + name) each = "-" + digest;
      }
      return names;
    };
    const std::vector<std::string> key = replace(design.partition_key()), clustering = replace(design.clustering());
    design.Add(digest, "text").SetPartitionKey(key).SetClustering(clustering);
    if (table.layout != Layout::kToken) design.SetPartitioning("");
    finding.fix = design.Create();
  }
  out.push_back(std::move(finding));
}

namespace {

// Returns the key columns whose names are parts of one time: year, month, day, hour, minute, second. Empty unless there
// are at least three of them, and at least two are clustering columns.
std::vector<uint32_t> PartsOfTime(const TableFacts& table) {
  std::vector<uint32_t> parts;
  size_t in_clustering = 0;
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    const ColumnSchema& column = table.column(i);
    if (table.derivation(i) != nullptr || (!IsInteger(column.type->kind) && !IsText(column.type->kind))) continue;
    if (!HasWord(column.name, {"year", "month", "day", "hour", "minute", "second"})) continue;
    parts.push_back(i);
    in_clustering += i >= table.table->partition_key_size ? 1 : 0;
  }
  return parts.size() >= 3 && in_clustering >= 2 ? parts : std::vector<uint32_t>();
}

// True if no two sampled rows have the same values in the key columns up to this clustering column. False if there are
// fewer than kRowsToCompare rows.
bool TellsRowsApart(const TableFacts& table, uint32_t column) {
  constexpr size_t kRowsToCompare = 200;
  const auto length = static_cast<std::ptrdiff_t>(column + 1 - table.table->partition_key_size);
  std::set<std::pair<uint32_t, std::vector<Bytes>>> heads;
  for (const SampledRow& row : table.sample.rows)
    heads.emplace(row.partition, std::vector<Bytes>(row.clustering.begin(), row.clustering.begin() + length));
  return table.sample.rows.size() >= kRowsToCompare && heads.size() == table.sample.rows.size();
}

// Returns the clustering columns at the end of the key that no recorded read restricts or orders by. Returns none if
// few reads were recorded.
std::vector<uint32_t> UnusedLastColumns(const TableFacts& table) {
  uint64_t calls = 0;
  uint32_t used = table.table->partition_key_size;
  for (const StatementLoad& load : table.load) {
    if (load.kind != StatementLoad::Kind::kRead) continue;
    calls += load.calls;
    for (const uint32_t column : load.clustering_used) used = std::max(used, column + 1);
    if (load.ordered) used = table.key_columns();
    // A read with LIMIT wants the first rows, so it uses the order of the first clustering column.
    if (load.limited) used = std::max(used, table.table->partition_key_size + 1);
  }
  std::vector<uint32_t> unused;
  for (uint32_t i = used; i < table.key_columns() && calls >= 10 * kCallsToJudge; ++i) {
    if (table.derivation(i) == nullptr) unused.push_back(i);
  }
  return unused;
}

}  // namespace

void FindManyKeyColumns(const Facts&, const TableFacts& table, Findings& out) {
  constexpr uint32_t kColumnsOfLongKey = 5;
  constexpr size_t kUnused = 3;
  uint32_t columns = 0;
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    all.push_back(i);
    columns += table.derivation(i) == nullptr ? 1 : 0;
  }
  if (columns <= kKeyColumnsRecommended) return;
  const std::vector<uint32_t> parts = PartsOfTime(table), unused = UnusedLastColumns(table);
  const bool long_key = columns >= kColumnsOfLongKey;
  const bool split_time = long_key && !parts.empty(),
             not_asked_for = long_key && unused.size() >= kUnused && TellsRowsApart(table, unused[0]);
  const bool warn = columns > kKeyColumnsWarn || split_time || not_asked_for;
  Finding finding = About(table, "many-key-columns", warn ? Severity::kWarning : Severity::kInfo,
                          not_asked_for && !split_time ? Confidence::kMeasured : Confidence::kDeclared, all);
  finding.evidence = "the primary key has " + Count(columns) + " columns (recommended: 1 to " +
                     std::to_string(kKeyColumnsRecommended) + ")";
  const auto names = [&](const std::vector<uint32_t>& list) {
    std::vector<std::string> listed;
    for (const uint32_t i : list) listed.push_back(table.column(i).name);
    return JoinNames(listed);
  };
  if (split_time)
    finding.evidence += "; " + names(parts) + " are parts of one time, which is one column as a timestamp";
  if (not_asked_for) finding.evidence += "; no read seen restricts or orders by " + names(unused);
  finding.why =
      "every key column is stored with every row: fewer make writes faster and the table smaller; keep those that "
      "queries restrict or that make rows unique";
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
