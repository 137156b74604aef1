#include "advise/advise.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "advise/rules.h"
#include "advise/thresholds.h"
#include "base/check.h"

namespace widerow::advise {

namespace {

constexpr std::array<Rule, 32> kRules = {
    FindHotPartition,
    FindTailHotspot,
    FindPeriodHotspot,
    FindFewValues,
    FindSkewedValues,
    FindCommonPrefix,
    FindOversizePartition,
    FindUnboundedPartition,
    FindMissingTtl,
    FindPartitionCount,
    FindLongKey,
    FindManyKeyColumns,
    FindNumericTextKey,
    FindRedundantKeyColumn,
    FindBadSplice,
    FindUnmergedSalt,
    FindDegenerateBucket,
    FindWideRow,
    FindLargeValue,
    FindFloatMoney,
    FindMixedAccessColumns,
    FindMissingDesc,
    FindFullScanRead,
    FindFilteringRead,
    FindManyPartitionsRead,
    FindUnusedClustering,
    FindQueue,
    FindMissingIndex,
    FindMissingSearchIndex,
    FindUnusedIndex,
    FindLowCardinalityIndex,
    FindHighCardinalityIndex,
};

}  // namespace

bool IsSmallRead(const StatementLoad& load) {
  return load.calls > 0 && load.rows_examined < load.calls * kSmallTableRows;
}

const char* SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return "info";
    case Severity::kWarning: return "warning";
    case Severity::kCritical: return "critical";
  }
  return "info";
}

const char* ConfidenceName(Confidence confidence) {
  switch (confidence) {
    case Confidence::kDeclared: return "declared";
    case Confidence::kMeasured: return "measured";
    case Confidence::kSuspected: return "suspected";
  }
  return "suspected";
}

Finding About(const TableFacts& table, std::string code, Severity severity, Confidence confidence,
              std::vector<uint32_t> columns) {
  WR_CHECK(confidence != Confidence::kSuspected || severity == Severity::kInfo);
  Finding finding{.code = std::move(code),
                  .severity = severity,
                  .confidence = confidence,
                  .keyspace = table.table->keyspace,
                  .table = table.table->name};
  for (const uint32_t column : columns) finding.columns.push_back(table.column(column).name);
  return finding;
}

Findings Advise(const Facts& facts) {
  Findings findings;
  for (const TableFacts& table : facts.tables) {
    for (const Rule rule : kRules) rule(facts, table, findings);
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(b.severity, a.keyspace, a.table, a.code) < std::tie(a.severity, b.keyspace, b.table, b.code);
  });
  return findings;
}

}  // namespace widerow::advise
