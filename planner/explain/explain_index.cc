#include "planner/explain/explain_index.h"

#include <algorithm>
#include <tuple>

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/analyzed.h"
#include "planner/print_expression.h"
#include "types/index_words.h"

namespace widerow {
namespace {

// Returns "words fast, table": the words of the query in the form in which the index has them; "words of ?" if the
// query is not known yet.
std::string PrintWords(const IndexLookup& lookup, const TableSchema& table) {
  const auto* const constant = std::get_if<ConstantExpression>(&lookup.values[0].node);
  if (constant == nullptr) return "words of " + PrintExpressions(lookup.values, table);
  const IndexSchema& index = *table.FindIndex(lookup.index);
  const AnalyzerPtr analyzer = WordsOf(index, *table.FindId(index.column));
  const std::vector<Bytes> words = WordQuery::Parse(constant->value.value_or(Bytes()), *analyzer).DistinctWords();
  return words.empty() ? "no words" : "words " + JoinNames(words);
}

// Returns "by_v", or "unique local by_v" if the index was created with UNIQUE and LOCAL.
std::string PrintIndex(const std::string& name, const TableSchema& table) {
  const IndexSchema& index = *table.FindIndex(name);
  return std::string(IsUnique(index) ? "unique " : "") + (IsLocal(index) ? "local " : "") +
         (IsGlobal(index) ? "global " : "") + QuoteIdentifier(name);
}

// Returns "by_v: 10", "by_v: in (1, 2)", "by_m: 'k' = 1" or "unique by_n: [1, 5)".
std::string PrintLookup(const IndexLookup& lookup, const TableSchema& table) {
  const std::string name = PrintIndex(lookup.index, table) + ": ", values = PrintExpressions(lookup.values, table);
  switch (lookup.kind) {
    case IndexLookup::Kind::kTerm: return name + values;
    case IndexLookup::Kind::kTerms: return name + (lookup.list_valued ? "in " + values : "in (" + values + ")");
    case IndexLookup::Kind::kLike: return name + "like " + values;
    case IndexLookup::Kind::kWords: return name + PrintWords(lookup, table);
    case IndexLookup::Kind::kEntry:
      return name + PrintExpression(lookup.values[0], table) + " = " + PrintExpression(lookup.values[1], table);
    case IndexLookup::Kind::kRange: break;
  }
  const auto& [lower, upper] = std::tie(lookup.lower, lookup.upper);
  if (lower && upper) {
    return name + (lower->inclusive ? "[" : "(") + PrintExpression(lower->value, table) + ", " +
           PrintExpression(upper->value, table) + (upper->inclusive ? "]" : ")");
  }
  const IndexBound& bound = lower ? *lower : *upper;
  return name + (lower ? ">" : "<") + (bound.inclusive ? "= " : " ") + PrintExpression(bound.value, table);
}

std::string Join(const std::vector<IndexCondition>& conditions, const char* between, const TableSchema& table);

// Puts combined conditions in parentheses.
std::string PrintCondition(const IndexCondition& condition, const TableSchema& table) {
  return std::visit(Overloaded{
                        [&](const IndexLookup& lookup) { return PrintLookup(lookup, table); },
                        [&](const IndexCondition::All& all) { return "(" + Join(all.parts, " and ", table) + ")"; },
                        [&](const IndexCondition::Any& any) { return "(" + Join(any.parts, " or ", table) + ")"; },
                    },
                    condition.node);
}

std::string Join(const std::vector<IndexCondition>& conditions, const char* between, const TableSchema& table) {
  std::vector<std::string> texts;
  for (const IndexCondition& condition : conditions) texts.push_back(PrintCondition(condition, table));
  return JoinNames(texts, between);
}

// True if the look-up reads a range of entries, or may do so because a LIKE pattern is not known yet.
bool MayBeRange(const IndexLookup& lookup) {
  if (lookup.kind != IndexLookup::Kind::kLike) return lookup.kind == IndexLookup::Kind::kRange;
  const auto* const constant = std::get_if<ConstantExpression>(&lookup.values[0].node);
  if (constant == nullptr) return true;
  const std::optional<LikePattern> pattern = LikePattern::Parse(constant->value.value_or(Bytes()));
  return pattern && pattern->kind == LikePattern::Kind::kPrefix;
}

bool HoldsRange(const IndexCondition& condition) {
  return std::visit(Overloaded{
                        [](const IndexLookup& lookup) { return MayBeRange(lookup); },
                        [](const IndexCondition::All& all) { return std::ranges::all_of(all.parts, HoldsRange); },
                        [](const IndexCondition::Any& any) { return std::ranges::any_of(any.parts, HoldsRange); },
                    },
                    condition.node);
}

// True if the look-up finds one row at most: the row that holds a value of a unique index. False for a static column,
// because its value belongs to all rows of a partition.
bool FindsOneRow(const IndexLookup& lookup, const TableSchema& table) {
  const IndexSchema& index = *table.FindIndex(lookup.index);
  const bool one_value = lookup.kind == IndexLookup::Kind::kTerm || lookup.kind == IndexLookup::Kind::kEntry;
  return one_value && IsUnique(index) && table.FindId(index.column)->kind != ColumnKind::kStatic;
}

bool FindsOneRow(const IndexCondition& condition, const TableSchema& table) {
  return std::visit(Overloaded{
                        [&](const IndexLookup& lookup) { return FindsOneRow(lookup, table); },
                        [&](const IndexCondition::All& all) {
                          return std::ranges::any_of(all.parts,
                                                     [&](const auto& part) { return FindsOneRow(part, table); });
                        },
                        [](const IndexCondition::Any&) { return false; },
                    },
                    condition.node);
}

}  // namespace

bool FindsOneRow(const IndexScan& scan, const TableSchema& table) {
  return std::ranges::any_of(scan.conditions, [&](const auto& condition) { return FindsOneRow(condition, table); });
}

std::string PrintConditions(const IndexScan& scan, const TableSchema& table) {
  return Join(scan.conditions, " and ", table);
}

std::string PrintOrder(const IndexScan& scan, const TableSchema& table) {
  if (scan.nearest) {
    // A vector can have thousands of elements, so only the first ones are shown.
    constexpr size_t kVectorMax = 60;
    std::string vector = PrintExpression(scan.nearest->vector, table);
    if (vector.size() > kVectorMax) vector = vector.substr(0, vector.rfind(',', kVectorMax) + 1) + " …]";
    return "nearest to " + vector + " by " + QuoteIdentifier(scan.nearest->index);
  }
  if (!scan.order) return "stored order";
  const IndexOrder& order = *scan.order;
  const std::string begin = order.descending ? "reverse order of " : "order of ";
  if (!order.lower && !order.upper) return begin + PrintIndex(order.index, table);
  return begin +
         PrintLookup(
             {.index = order.index, .kind = IndexLookup::Kind::kRange, .lower = order.lower, .upper = order.upper},
             table);
}

std::string DescribeRelevance(const RelevanceOrder& order, const TableSchema& table) {
  return "most relevant first, by BM25 of " + QuoteIdentifier(table.columns[order.column].name) + ", " +
         PrintLookup({.index = order.index, .kind = IndexLookup::Kind::kWords, .values = {order.query}}, table);
}

std::string DescribeIndexChoice(const IndexScan& scan) {
  if (scan.nearest) {
    return scan.conditions.empty() ? "codes of all rows, then the rows whose bounds are greatest"
                                   : "all rows found, or the codes of their vectors first, when it runs";
  }
  if (scan.order) {
    return scan.conditions.empty() ? "" : "all rows found, or the order's entries one by one, when it runs";
  }
  const bool ranges = std::ranges::all_of(scan.conditions, HoldsRange);
  std::string choice;
  if (scan.conditions.size() > 1)
    choice = ranges ? "the condition with the fewest entries"
                    : "the condition with the fewest entries, and others that help";
  else if (ranges)
    choice = "the index";
  if (ranges) choice += ", or the table where the range has very many";
  return choice.empty() ? choice : choice + ", when it runs";
}

}  // namespace widerow
