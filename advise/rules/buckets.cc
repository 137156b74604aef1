// The rules unmerged-salt and degenerate-bucket. Both examine columns that divide the rows of one key over several
// partitions.
#include <algorithm>

#include "advise/calendar.h"
#include "advise/clock.h"
#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"

namespace widerow::advise {

namespace {

// Reads the values as signed big-endian integers and returns the least and the greatest one. nullopt if there are no
// values, or if one of them is empty or longer than 8 bytes.
std::optional<std::pair<int64_t, int64_t>> IntegerRange(const std::vector<ByteView>& values) {
  std::optional<std::pair<int64_t, int64_t>> range;
  for (const ByteView value : values) {
    if (value.empty() || value.size() > 8) return std::nullopt;
    int64_t number = static_cast<int8_t>(value[0]);
    for (size_t i = 1; i < value.size(); ++i) number = number * 256 + static_cast<uint8_t>(value[i]);
    if (!range) range = {number, number};
    range = {std::min(range->first, number), std::max(range->second, number)};
  }
  return range;
}

// Returns the CREATE TABLE of a fix. The table keeps its key, but the server computes the salt `column` from the first
// clustering column. Without clustering columns, it computes the salt from another column of the partition key. Returns
// "" if there is no such column, or if the salt is not an integer.
std::string DeclaredFix(const Facts& facts, const TableFacts& table, uint32_t column, int64_t buckets) {
  std::string source;
  if (table.table->clustering_size > 0) {
    source = table.table->clustering(0).name;
  } else {
    for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
      if (i != column) source = table.column(i).name;
    }
  }
  if (source.empty() || !IsInteger(table.column(column).type->kind)) return "";
  const std::string name = table.column(column).name;
  Redesign design(facts, table, "merged");
  const std::vector<std::string> key = design.partition_key(), clustering = design.clustering();
  design.Remove(name)
      .AddDerived(name, "int", "bucket(" + QuoteIdentifier(source) + ", " + std::to_string(buckets) + ")")
      .SetPartitionKey(key)
      .SetClustering(clustering);
  return design.Create();
}

}  // namespace

void FindUnmergedSalt(const Facts& facts, const TableFacts& table, Findings& out) {
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    if (table.derivation(i) != nullptr) continue;
    uint64_t random_writes = 0, in_reads = 0, in_values = 0;
    for (const StatementLoad& load : table.load) {
      const auto has = [&](const std::vector<uint32_t>& columns) {
        return std::ranges::find(columns, i) != columns.end();
      };
      if (has(load.random_columns)) random_writes += load.calls;
      if (load.kind == StatementLoad::Kind::kRead && has(load.partition_in)) {
        in_reads += load.calls;
        in_values = std::max(in_values, load.partitions_named);
      }
    }
    const bool named = IsBucketName(table.column(i).name) && IsInteger(table.column(i).type->kind);
    if (!named && random_writes == 0) continue;
    const auto range = IntegerRange(ValuesOf(table, i));
    const int64_t buckets = range && range->second > 0 && range->second < 1'000 ? range->second + 1 : 16;
    // A client that computes the bucket from the row can find the row again. A client that chooses the bucket at random
    // cannot, so only random buckets give a warning.
    const bool warn = random_writes > 0;
    Finding finding = About(table, "unmerged-salt", warn ? Severity::kWarning : Severity::kInfo,
                            warn ? Confidence::kMeasured : Confidence::kDeclared, {i});
    finding.evidence = finding.columns[0] + " is a plain column that clients fill";
    if (random_writes > 0) finding.evidence += "; " + Plural(random_writes, "write") + " seen gave it a random number";
    if (in_reads > 0)
      finding.evidence +=
          "; " + Plural(in_reads, "read") + " seen named up to " + Count(in_values) + " partitions by IN";
    finding.why =
        random_writes > 0
            ? "a row can only be found by reading all buckets, and an update of it may go to another bucket"
            : "clients must compute the bucket, read all buckets, and put the rows in order; if it is declared as "
              "GENERATED, the server does all three";
    finding.fix = DeclaredFix(facts, table, i, buckets);
    out.push_back(std::move(finding));
  }
}

void FindDegenerateBucket(const Facts& facts, const TableFacts& table, Findings& out) {
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    const Term* const derivation = table.derivation(i);
    if (FunctionOf(derivation) != "bucket") continue;
    const auto buckets = NumberArgument(derivation, 1);
    const std::vector<std::string> sources = SourcesOf(*derivation);
    if (!buckets || sources.empty()) continue;
    const std::optional<uint32_t> source = IndexOf(*table.table, sources[0]);
    // A bucket that is computed from the partition key scatters the rows of a table in key order. In a table by token
    // it is useless, because tokens scatter the rows already.
    const bool of_the_key = source && *source < table.table->partition_key_size && !table.in_key_order();
    // The distances between times of whole minutes or hours can have factors in common with the number of buckets. For
    // other times, the finding is only suspected, because buckets may be empty by chance.
    const std::optional<Clock> clock = source ? ClockOf(table, *source) : std::nullopt;
    const bool by_chance = !of_the_key && clock && clock->precision < kMinuteMicros;
    Finding finding = About(table, "degenerate-bucket", by_chance ? Severity::kInfo : Severity::kWarning,
                            of_the_key  ? Confidence::kDeclared
                            : by_chance ? Confidence::kSuspected
                                        : Confidence::kMeasured,
                            {i});
    if (of_the_key) {
      finding.evidence =
          finding.columns[0] + " is computed from " + sources[0] + ", which is in the partition key itself";
      finding.why =
          "every value has one bucket, so no partition is divided; choose a column that varies within a partition";
      Redesign design(facts, table, "plain");
      design.Remove(finding.columns[0]);
      if (table.layout != Layout::kToken) design.SetPartitioning("");
      finding.fix = design.Create();
      out.push_back(std::move(finding));
      continue;
    }
    const size_t used = CountDistinct(ValuesOf(table, i));
    if (table.sample.rows_total < kRowsToJudge || used * 2 > static_cast<size_t>(*buckets)) continue;
    // The fix has an odd number of buckets, because odd numbers have fewer factors in common with hours and minutes.
    const int64_t odd = *buckets % 2 == 0 ? *buckets + 1 : *buckets + 2;
    finding.evidence = Plural(table.sample.rows_total, "row") + " use " + Count(used) + " of " +
                       Count(static_cast<uint64_t>(*buckets)) + " buckets of " + sources[0];
    if (by_chance) finding.evidence += "; times of whole minutes or hours would prove it";
    finding.why =
        "the values have a step in common with the number of buckets (whole hours: 3600 % 16 is 0), so most buckets "
        "stay empty";
    Redesign design(facts, table, "odd_buckets");
    const std::string name = finding.columns[0];
    const std::vector<std::string> key = design.partition_key(), clustering = design.clustering();
    const std::string source_name = QuoteIdentifier(sources[0]);
    const bool whole_seconds = source && table.column(*source).type->kind == TypeKind::kTimestamp;
    design.Remove(name)
        .AddDerived(
            name, "int",
            "bucket(" + source_name + ", " + std::to_string(whole_seconds && odd % 3 == 0 ? odd + 2 : odd) + ")")
        .SetPartitionKey(key)
        .SetClustering(clustering);
    finding.fix = design.Create();
    out.push_back(std::move(finding));
  }
}

}  // namespace widerow::advise
