// The rule common-prefix: in a table in key order, all keys begin with the same text.
#include <algorithm>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"

namespace widerow::advise {

void FindCommonPrefix(const Facts& facts, const TableFacts& table, Findings& out) {
  if (!table.in_key_order()) return;
  const uint32_t leading = table.partition_columns.empty() ? 0 : table.partition_columns[0];
  if (leading >= table.table->partition_key_size || table.derivation(leading) != nullptr) return;
  const TypeKind kind = table.column(leading).type->kind;
  if (!IsText(kind) && kind != TypeKind::kBlob) return;
  const std::vector<ByteView> values = ValuesOf(table, leading);
  constexpr size_t kValuesToJudge = 100;
  if (CountDistinct(values) < kValuesToJudge) return;
  ByteView prefix = values[0];
  for (const ByteView value : values) {
    size_t same = 0;
    while (same < prefix.size() && same < value.size() && prefix[same] == value[same]) ++same;
    prefix = prefix.substr(0, same);
  }
  // A prefix of digits is a part of a number, a date or an address. Other rules examine those.
  const bool letters =
      std::ranges::any_of(prefix, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (prefix.size() < kCommonPrefixBytes || !letters) return;
  Finding finding = About(table, "common-prefix", Severity::kWarning, Confidence::kMeasured, {leading});
  finding.evidence = "all " + Count(values.size()) + " sampled values of " + finding.columns[0] + " begin with " +
                     Shown(*table.column(leading).type, prefix);
  finding.why =
      "the first bytes of a key decide its partition: where they are the same, splits made beforehand ('0' to 'f', 'a' "
      "to 'z') do not "
      "divide the table, and every key carries them";
  const std::string column = QuoteIdentifier(table.column(leading).name);
  Redesign design(facts, table, "hashed");
  if (IsText(kind)) {
    const std::string added = design.FreeColumn("hash_prefix");
    std::vector<std::string> key = design.partition_key();
    key.insert(key.begin(), added);
    design.AddDerived(added, "text", "hash_prefix(" + column + ", 4)").SetPartitionKey(key);
    design.SetPartitioning("PARTITION BY RANGE (" + QuoteIdentifier(added) + ") PARTITIONS 16");
    finding.fix = design.Create();
  }
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
