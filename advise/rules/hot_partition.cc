// The rule hot-partition: one partition gets more reads or writes than one partition should.
#include <algorithm>
#include <cmath>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

std::string Bucketed(const Facts& facts, const TableFacts& table, const std::string& expression) {
  Redesign design(facts, table, "bucketed");
  const std::string bucket = design.FreeColumn("bucket");
  std::vector<std::string> key = design.partition_key();
  key.push_back(bucket);
  design.AddDerived(bucket, "int", expression).SetPartitionKey(key);
  return design.Create();
}

// Returns how far a partition is beyond what one partition should get: 1 is the bound.
double WritesBeyond(const HotPartition& hot) { return (hot.writes_a_second - hot.writes_error) / kHotWrites; }
double ReadsBeyond(const HotPartition& hot) { return (hot.reads_a_second - hot.reads_error) / kHotReads; }

// Finds the hottest partition in the heat map's counts.
void ByHeat(const Facts& facts, const TableFacts& table, Findings& out) {
  const auto beyond = [](const HotPartition& hot) { return std::max(WritesBeyond(hot), ReadsBeyond(hot)); };
  const auto hottest =
      std::max_element(table.heat.hot.begin(), table.heat.hot.end(),
                       [&](const HotPartition& a, const HotPartition& b) { return beyond(a) < beyond(b); });
  if (hottest == table.heat.hot.end() || beyond(*hottest) < 1) return;
  const HotPartition& hot = *hottest;
  const bool writes = WritesBeyond(hot) >= 1 && WritesBeyond(hot) >= ReadsBeyond(hot);
  Finding finding =
      About(table, "hot-partition", Severity::kWarning, Confidence::kMeasured, PartitionKeyColumns(table));
  const double rate = writes ? hot.writes_a_second : hot.reads_a_second;
  const auto error = static_cast<uint64_t>(std::ceil(writes ? hot.writes_error : hot.reads_error));
  finding.evidence =
      StrCat("partition ", hot.key, " had ", Count(static_cast<uint64_t>(rate)), error == 0 ? "" : " ± " + Count(error),
             writes ? " writes" : " reads", " a second (managed services allow ",
             Count(static_cast<uint64_t>(writes ? kHotWrites : kHotReads)), ")");
  finding.why =
      "one partition is on one node, whatever the others do: divide the key, or keep what everybody reads in a cache";
  if (writes && table.table->clustering_size > 0 && table.layout != Layout::kList && table.layout != Layout::kHash)
    finding.fix = Bucketed(facts, table, StrCat("bucket(", QuoteIdentifier(table.table->clustering(0).name), ", 16)"));
  out.push_back(std::move(finding));
}

// Finds hot partitions by the counts of the statements. An example is a table with a few counters of a web site, which
// get very many updates.
void ByUpdates(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr double kFewRows = 10;
  constexpr uint64_t kUpdatesOfRow = 1'000;
  const TableSample& sample = table.sample;
  if (table.table->clustering_size != 0 || sample.empty() || !sample.all_partitions) return;
  uint64_t updates = 0;
  for (const StatementLoad& load : table.load) {
    if (load.kind == StatementLoad::Kind::kUpdate) updates += load.calls;
  }
  const auto rows = static_cast<uint64_t>(sample.partitions_total);
  if (sample.partitions_total > kFewRows || updates < kUpdatesOfRow * rows) return;
  Finding finding =
      About(table, "hot-partition", Severity::kWarning, Confidence::kMeasured, PartitionKeyColumns(table));
  finding.evidence = StrCat(Plural(updates, "update"), " seen went to ", Plural(rows, "row"), " of a partition each");
  finding.why =
      "updates of one row run one after another on one node: give the row a bucket, so that several rows share the "
      "updates and a read adds them up";
  if (table.layout == Layout::kToken) finding.fix = Bucketed(facts, table, "random(16)");
  out.push_back(std::move(finding));
}

}  // namespace

void FindHotPartition(const Facts& facts, const TableFacts& table, Findings& out) {
  const size_t before = out.size();
  ByHeat(facts, table, out);
  if (out.size() == before) ByUpdates(facts, table, out);
}

}  // namespace widerow::advise
