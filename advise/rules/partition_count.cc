// The rule partition-count, which examines the declared number of partitions: PARTITIONS n.
#include <algorithm>
#include <array>

#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

constexpr std::array<uint32_t, 6> kRecommended = {23, 59, 97, 193, 389, 997};

bool IsPrime(uint32_t n) {
  if (n < 2) return false;
  for (uint32_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

// Returns how unevenly the partitions divide over nodes. The fullest node has at most one partition more than the
// emptiest. The result is this difference divided by the number of partitions of the fullest node.
double Imbalance(uint32_t partitions, uint32_t nodes) {
  const uint32_t most = (partitions + nodes - 1) / nodes, least = partitions / nodes;
  return most == 0 ? 0 : static_cast<double>(most - least) / most;
}

uint32_t RecommendedFor(uint64_t at_least) {
  const auto found = std::ranges::find_if(kRecommended, [&](uint32_t n) { return n >= at_least; });
  return found == kRecommended.end() ? kPartitionsMax : *found;
}

std::string OverNodes(uint32_t partitions) {
  std::vector<std::string> parts;
  for (const uint32_t nodes : {3U, 5U, 8U}) {
    parts.push_back(Percent(Imbalance(partitions, nodes)) + " over " + std::to_string(nodes));
  }
  return JoinNames(parts);
}

}  // namespace

void FindPartitionCount(const Facts& facts, const TableFacts& table, Findings& out) {
  const uint32_t n = table.partition_count;
  if (n == 0 || (table.layout != Layout::kKey && table.layout != Layout::kHash)) return;
  uint64_t bytes = 0;
  for (const MapEntry& entry : table.map) bytes += entry.bytes;
  const auto needed = std::max<uint64_t>(bytes / kMapEntryBytesMax + 1, 1);
  std::vector<std::string> faults;
  Severity severity = Severity::kWarning;
  if (n > kPartitionsMax) {
    faults.push_back("more than " + std::to_string(kPartitionsMax));
  } else if (n < needed) {
    faults.push_back("too few for " + Size(bytes) + " at up to " + Size(kMapEntryBytesMax) + " each");
  } else if (n < kPartitionsMin) {
    faults.push_back("fewer than " + std::to_string(kPartitionsMin));
  }
  if (n % 2 == 0) {
    faults.push_back("even");
  } else if (!IsPrime(n)) {
    if (faults.empty()) severity = Severity::kInfo;
    faults.push_back("not prime");
  }
  if (faults.empty()) return;
  const uint32_t better =
      RecommendedFor(std::max<uint64_t>({std::min<uint64_t>(n, kPartitionsMax), needed, kPartitionsMin}));
  Finding finding = About(table, "partition-count", severity, Confidence::kDeclared, table.partition_columns);
  finding.evidence = Count(n) + " partitions: " + JoinNames(faults) +
                     "; the fuller node has more than the emptier one by " + OverNodes(n) + " nodes (" +
                     std::to_string(better) + " partitions: " + OverNodes(better) + ")";
  finding.why =
      "a prime number divides keys evenly whatever pattern they have, too few partitions cannot be balanced over "
      "nodes, and each of too many "
      "costs space and a place that scans have to visit; changing the number later moves the data";
  std::vector<std::string> columns;
  for (const uint32_t column : table.partition_columns) columns.push_back(QuoteIdentifier(table.column(column).name));
  Redesign design(facts, table, "repartitioned");
  design.SetPartitioning(std::string("PARTITION BY ") + (table.layout == Layout::kKey ? "KEY" : "HASH") + " (" +
                         JoinNames(columns) + ") PARTITIONS " + std::to_string(better));
  finding.fix = design.Create();
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
