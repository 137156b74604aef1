// long-key, many-key-columns, numeric-text-key, redundant-key-column: the columns of the key.
#include <algorithm>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"

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
    Finding finding = About(table, "long-key", Severity::kInfo, columns);
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
  Finding finding = About(table, "long-key", Severity::kWarning, columns);
  finding.evidence = "the longest key of " +
                     Plural(std::max(table.sample.rows.size(), table.sample.partitions.size()), "sampled row") +
                     " has " + Count(longest) + " bytes" +
                     (table.sample.rows.empty() ? "" : ", the mean " + Count(sum / table.sample.rows.size())) +
                     " (recommended: up to " + Count(kKeyBytesRecommended) + ")";
  finding.why =
      "the key is stored with every row, in every index page above it and in every page of results: long ones make all "
      "of them slow";
  // Put a digest in place of the longest text column; the column itself stays as a value.
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

void FindManyKeyColumns(const Facts&, const TableFacts& table, Findings& out) {
  uint32_t columns = 0;
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    all.push_back(i);
    columns += table.derivation(i) == nullptr ? 1 : 0;
  }
  if (columns <= kKeyColumnsRecommended) return;
  Finding finding =
      About(table, "many-key-columns", columns > kKeyColumnsWarn ? Severity::kWarning : Severity::kInfo, all);
  finding.evidence = "the primary key has " + Count(columns) + " columns (recommended: 1 to " +
                     std::to_string(kKeyColumnsRecommended) + ")";
  finding.why =
      "every key column is stored with every row: fewer make writes faster and the table smaller; keep those that "
      "queries restrict or that make rows unique";
  out.push_back(std::move(finding));
}

void FindNumericTextKey(const Facts& facts, const TableFacts& table, Findings& out) {
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    if (!IsText(table.column(i).type->kind) || table.derivation(i) != nullptr) continue;
    const std::vector<ByteView> values = ValuesOf(table, i);
    if (CountDistinct(values) < kValuesToJudge) continue;
    if (!std::ranges::all_of(values, [](ByteView value) { return IsDigits(value) && value.size() <= 18; })) continue;
    const bool padded = std::ranges::any_of(values, [](ByteView value) { return value.size() > 1 && value[0] == '0'; });
    if (padded) continue;  // The text is padded on purpose.
    const auto [shortest, longest] = std::ranges::minmax(values, {}, &ByteView::size);
    const bool same_length = shortest.size() == longest.size();
    // Clustering columns have the order of the text, and so do all key columns of a table in key order.
    const bool ordered = i >= table.table->partition_key_size || table.in_key_order();
    Finding finding =
        About(table, "numeric-text-key", ordered && !same_length ? Severity::kWarning : Severity::kInfo, {i});
    finding.evidence = "all " + Count(values.size()) + " sampled values of " + finding.columns[0] + " are numbers of " +
                       (same_length ? Count(longest.size()) : Count(shortest.size()) + " to " + Count(longest.size())) +
                       " digits";
    finding.why =
        std::string("a number takes at most 8 bytes, its digits one each") +
        (ordered && !same_length ? "; and as text '10' sorts before '9', so ranges and newest-first reads are wrong"
                                 : "");
    Redesign design(facts, table, "numeric");
    design.SetType(finding.columns[0], "bigint");
    if (i == 0 && table.in_key_order())
      design.SetPartitioning("PARTITION BY RANGE (" + QuoteIdentifier(finding.columns[0]) + ")");
    finding.fix = design.Create();
    out.push_back(std::move(finding));
  }
}

void FindRedundantKeyColumn(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr size_t kPartitionsToJudge = 100;
  const uint32_t size = table.table->partition_key_size;
  const auto& partitions = table.sample.partitions;
  if (size < 2 || !table.sample.all_partitions || partitions.size() < kPartitionsToJudge) return;
  for (uint32_t dropped = 0; dropped < size; ++dropped) {
    if (table.derivation(dropped) != nullptr) continue;
    std::vector<std::vector<ByteView>> rest;
    for (const SampledPartition& partition : partitions) {
      rest.emplace_back();
      for (uint32_t i = 0; i < size; ++i) {
        if (i != dropped) rest.back().push_back(partition.key[i]);
      }
    }
    std::ranges::sort(rest);
    const auto distinct = static_cast<size_t>(std::ranges::unique(rest).begin() - rest.begin());
    if (distinct != partitions.size()) continue;
    const size_t values = CountDistinct(ValuesOf(table, dropped, partitions.size()));
    if (values == partitions.size()) continue;  // All other columns depend on this one as well.
    Finding finding = About(table, "redundant-key-column", Severity::kInfo, {dropped});
    finding.evidence = "the other partition key columns alone tell all " + Plural(partitions.size(), "partition") +
                       " apart: each of their values has one " + finding.columns[0] + " (of " + Count(values) + ")";
    finding.why =
        "the column does not divide partitions any further; if it was meant to, choose one that varies within them";
    Redesign design(facts, table, "without_" + finding.columns[0]);
    std::vector<std::string> key = design.partition_key();
    std::erase(key, finding.columns[0]);
    design.SetPartitionKey(key);
    if (table.layout != Layout::kToken) design.SetPartitioning("");
    finding.fix = design.Create();
    out.push_back(std::move(finding));
    return;
  }
}

}  // namespace widerow::advise
