// The rules. Each one examines one table's facts and appends its findings. Pure functions; any thread. advise/rules/
// has one file per family; kRules in advise/advise.cc lists all rules.
#pragma once

#include "advise/facts.h"
#include "advise/finding.h"

namespace widerow::advise {

using Rule = void (*)(const Facts& facts, const TableFacts& table, Findings& out);

// These rules examine the places that writes go to (rules/hotspot.cc, rules/period.cc, rules/hot_partition.cc).
void FindTailHotspot(const Facts& facts, const TableFacts& table, Findings& out);
void FindPeriodHotspot(const Facts& facts, const TableFacts& table, Findings& out);
void FindHotPartition(const Facts& facts, const TableFacts& table, Findings& out);
// These rules examine the distribution of rows over keys (rules/distribution.cc, rules/prefix.cc).
void FindFewValues(const Facts& facts, const TableFacts& table, Findings& out);
void FindSkewedValues(const Facts& facts, const TableFacts& table, Findings& out);
void FindCommonPrefix(const Facts& facts, const TableFacts& table, Findings& out);
// These rules examine the size and the growth of partitions (rules/growth.cc).
void FindOversizePartition(const Facts& facts, const TableFacts& table, Findings& out);
void FindUnboundedPartition(const Facts& facts, const TableFacts& table, Findings& out);
void FindMissingTtl(const Facts& facts, const TableFacts& table, Findings& out);
// This rule examines the declared number of partitions, PARTITIONS n (rules/partition_count.cc).
void FindPartitionCount(const Facts& facts, const TableFacts& table, Findings& out);
// These rules examine key columns (rules/key_columns.cc, rules/text_key.cc, rules/redundant.cc, rules/splice.cc,
// rules/buckets.cc).
void FindLongKey(const Facts& facts, const TableFacts& table, Findings& out);
void FindManyKeyColumns(const Facts& facts, const TableFacts& table, Findings& out);
void FindNumericTextKey(const Facts& facts, const TableFacts& table, Findings& out);
void FindRedundantKeyColumn(const Facts& facts, const TableFacts& table, Findings& out);
void FindBadSplice(const Facts& facts, const TableFacts& table, Findings& out);
void FindUnmergedSalt(const Facts& facts, const TableFacts& table, Findings& out);
void FindDegenerateBucket(const Facts& facts, const TableFacts& table, Findings& out);
// These rules examine columns outside of the key, and whole rows (rules/columns.cc, rules/money.cc).
void FindWideRow(const Facts& facts, const TableFacts& table, Findings& out);
void FindLargeValue(const Facts& facts, const TableFacts& table, Findings& out);
void FindFloatMoney(const Facts& facts, const TableFacts& table, Findings& out);
void FindMixedAccessColumns(const Facts& facts, const TableFacts& table, Findings& out);
// These rules examine how clients read and write the table (rules/reads.cc).
void FindMissingDesc(const Facts& facts, const TableFacts& table, Findings& out);
void FindFullScanRead(const Facts& facts, const TableFacts& table, Findings& out);
void FindFilteringRead(const Facts& facts, const TableFacts& table, Findings& out);
void FindManyPartitionsRead(const Facts& facts, const TableFacts& table, Findings& out);
void FindUnusedClustering(const Facts& facts, const TableFacts& table, Findings& out);
void FindQueue(const Facts& facts, const TableFacts& table, Findings& out);
// These rules examine secondary indexes (rules/indexes.cc, rules/search_indexes.cc).
void FindMissingIndex(const Facts& facts, const TableFacts& table, Findings& out);
void FindMissingSearchIndex(const Facts& facts, const TableFacts& table, Findings& out);
void FindUnusedIndex(const Facts& facts, const TableFacts& table, Findings& out);
void FindLowCardinalityIndex(const Facts& facts, const TableFacts& table, Findings& out);
void FindHighCardinalityIndex(const Facts& facts, const TableFacts& table, Findings& out);

// True if the mean number of rows that the statement examines in a call is below kSmallTableRows. Even if these are all
// rows of the table, reading them does no harm.
bool IsSmallRead(const StatementLoad& load);

// Makes a finding about `table` with the names filled in.
Finding About(const TableFacts& table, std::string code, Severity severity, Confidence confidence,
              std::vector<uint32_t> columns = {});

}  // namespace widerow::advise
