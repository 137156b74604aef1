// The rule redundant-key-column: a key column repeats the value of another key column, or follows from it.
#include <algorithm>
#include <map>
#include <set>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"
#include "types/text_form.h"

namespace widerow::advise {

namespace {

constexpr size_t kRowsToCompare = 100;
constexpr uint32_t kManyColumns = 5;  // With fewer key columns, redundant ones give no warning.

bool IsWord(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// True if `text` contains `part`, and the characters around it do not continue it: 'order-12' contains 12, but not 2.
bool Repeats(ByteView text, ByteView part) {
  for (size_t at = text.find(part); at != ByteView::npos; at = text.find(part, at + 1)) {
    const size_t end = at + part.size();
    const bool digits = IsDigit(part.front());
    const auto continues = [&](char c) { return digits ? IsDigit(c) : IsWord(c); };
    if ((at == 0 || !continues(text[at - 1])) && (end == text.size() || !continues(text[end]))) return true;
  }
  return false;
}

// The values of all key columns in the sampled rows. The functions compare the values of two columns.
class KeyRows {
 public:
  explicit KeyRows(const TableFacts& table) : table_(table) {
    const uint32_t size = table.table->partition_key_size;
    for (const SampledRow& row : table.sample.rows) {
      std::vector<ByteView> key;
      for (uint32_t i = 0; i < table.key_columns(); ++i) {
        key.push_back(i < size ? ByteView(table.sample.partitions[row.partition].key[i])
                               : ByteView(row.clustering[i - size]));
      }
      rows_.push_back(std::move(key));
    }
    for (uint32_t i = 0; i < table.key_columns(); ++i) {
      std::set<ByteView> values;
      for (const std::vector<ByteView>& row : rows_) values.insert(row[i]);
      distinct_.push_back(values.size());
    }
  }

  size_t size() const { return rows_.size(); }
  size_t distinct(uint32_t column) const { return distinct_[column]; }

  // True if each value of text column `column` contains the row's value of `other`.
  bool RepeatsValueOf(uint32_t column, uint32_t other) const {
    constexpr size_t kValues = 20;
    const TypeKind kind = table_.column(other).type->kind;
    if (!IsText(table_.column(column).type->kind) || (!IsText(kind) && !IsInteger(kind))) return false;
    if (distinct(other) < kValues) return false;
    return std::ranges::all_of(rows_, [&](const std::vector<ByteView>& row) {
      const std::string text = FormatText(*table_.column(other).type, row[other]);
      return !text.empty() && Repeats(row[column], text);
    });
  }

  // True if all rows with the same value of `other` have the same value of `column`, and a value of `other` has at
  // least two rows on average.
  bool DependsOn(uint32_t column, uint32_t other) const {
    constexpr size_t kValues = 20;
    if (distinct(column) < 2 || distinct(other) < kValues || distinct(other) * 2 > size()) return false;
    std::map<ByteView, ByteView> value_of;
    return std::ranges::all_of(rows_, [&](const std::vector<ByteView>& row) {
      return value_of.emplace(row[other], row[column]).first->second == row[column];
    });
  }

  // True if the column is an identifier that alone tells all rows apart.
  bool TellsRowsApart(uint32_t column) const {
    return IsIdentifier(table_.column(column)) && distinct(column) == size();
  }

 private:
  const TableFacts& table_;
  std::vector<std::vector<ByteView>> rows_;
  std::vector<size_t> distinct_;
};

bool IsUsed(const TableFacts& table, uint32_t column) {
  return std::ranges::any_of(table.load, [&](const StatementLoad& load) {
    return load.kind == StatementLoad::Kind::kRead &&
           std::ranges::find(load.clustering_used, column) != load.clustering_used.end();
  });
}

// The reason why a clustering column is redundant; an empty text if it may be of use.
struct Reason {
  std::string text;
  bool repeats = false;  // Each of its values contains the row's value of another column.
};
Reason Redundancy(const TableFacts& table, const KeyRows& rows, uint32_t column) {
  const auto name = [&](uint32_t i) { return table.column(i).name; };
  for (uint32_t other = 0; other < table.key_columns(); ++other) {
    if (other != column && table.derivation(other) == nullptr && rows.RepeatsValueOf(column, other))
      return {name(column) + " contains " + name(other), true};
  }
  for (uint32_t before = 0; before < column; ++before) {
    if (rows.DependsOn(column, before)) return {"each " + name(before) + " has one " + name(column)};
    if (before >= table.table->partition_key_size && rows.TellsRowsApart(before))
      return {name(before) + " before " + name(column) + " tells all rows apart"};
  }
  return {};
}

// Returns the number of key columns that are not generated.
uint32_t DeclaredKeyColumns(const TableFacts& table) {
  uint32_t columns = 0;
  for (uint32_t i = 0; i < table.key_columns(); ++i) columns += table.derivation(i) == nullptr ? 1 : 0;
  return columns;
}

// Examines the clustering columns, if the key has more columns than recommended.
void InClustering(const Facts& facts, const TableFacts& table, Findings& out) {
  if (DeclaredKeyColumns(table) <= kKeyColumnsRecommended || table.sample.rows.size() < kRowsToCompare) return;
  const KeyRows rows(table);
  std::vector<uint32_t> redundant;
  std::vector<std::string> reasons;
  bool repeats = false;
  for (uint32_t i = table.table->partition_key_size; i < table.key_columns(); ++i) {
    if (table.derivation(i) != nullptr || IsUsed(table, i)) continue;
    Reason reason = Redundancy(table, rows, i);
    if (reason.text.empty()) continue;
    redundant.push_back(i);
    reasons.push_back(std::move(reason.text));
    repeats = repeats || reason.repeats;
  }
  if (redundant.empty() || redundant.size() == table.table->clustering_size) return;
  // A single column that follows from another one gives no warning, because reads may still need it in the key.
  const bool many = DeclaredKeyColumns(table) >= kManyColumns && (repeats || redundant.size() > 1);
  Finding finding = About(table, "redundant-key-column", many ? Severity::kWarning : Severity::kInfo,
                          Confidence::kMeasured, redundant);
  finding.evidence = StrCat("in all ", Count(rows.size()), " sampled rows: ", JoinNames(reasons, "; "),
                            "; the key has ", Count(table.key_columns()), " columns, and no statement seen restricts ",
                            redundant.size() == 1 ? "this one" : "these");
  finding.why =
      "each key column is stored with every row, and an update of its value makes another row: as ordinary columns, "
      "they cost less and can change";
  Redesign design(facts, table, "short_key");
  std::vector<std::string> clustering = design.clustering();
  for (const std::string& column : finding.columns) {
    std::erase(clustering, column);
    std::erase(clustering, "-" + column);
  }
  finding.fix = design.SetClustering(clustering).Create();
  out.push_back(std::move(finding));
}

// Finds a column of the partition key without which there would be the same number of partitions.
void InPartitionKey(const Facts& facts, const TableFacts& table, Findings& out) {
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
    if (values == partitions.size()) continue;  // The column alone tells the partitions apart, so it is of use.
    Finding finding = About(table, "redundant-key-column", Severity::kInfo, Confidence::kMeasured, {dropped});
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

}  // namespace

void FindRedundantKeyColumn(const Facts& facts, const TableFacts& table, Findings& out) {
  InPartitionKey(facts, table, out);
  InClustering(facts, table, out);
}

}  // namespace widerow::advise
