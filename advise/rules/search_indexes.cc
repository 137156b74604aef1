// The rule missing-search-index. It finds statements that search texts or sort rows, and that have no index for this.
#include <algorithm>

#include "advise/columns.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "base/text.h"
#include "planner/analyzed.h"

namespace widerow::advise {

namespace {

std::string WhyWanted(const std::string& clause) {
  if (clause == "ORDER BY")
    return "the index has the rows in the order of the column, so a page reads as many entries as it has rows";
  if (clause == "ANN OF") return "the index has a code of each vector, so few vectors have to be read";
  if (clause == "LIKE") {
    return "the index finds the texts that match the pattern; if whole words are searched, an index of words, with "
           "index_analyzer and the operator ':', reads only the entries of these words";
  }
  return "the index has an entry for each word of each text, so a search reads only the entries of its words";
}

bool HasWords(const TableFacts& table, uint32_t column) { return IndexOfWords(*table.table, column) != nullptr; }

}  // namespace

void FindMissingSearchIndex(const Facts& facts, const TableFacts& table, Findings& out) {
  for (const StatementLoad& load : table.load) {
    for (const WantedIndex& wanted : load.wanted) {
      Finding finding = About(table, "missing-search-index", Severity::kInfo, Confidence::kDeclared, {wanted.column});
      finding.evidence =
          StrCat("the statement is refused: no index serves ", wanted.clause, " on ", finding.columns[0]);
      finding.why = WhyWanted(wanted.clause);
      finding.fix = wanted.create;
      out.push_back(std::move(finding));
    }
    for (const uint32_t column : load.examined_texts) {
      if (!facts.extensions || HasWords(table, column) || (load.calls > 0 && load.calls < kCallsToJudge)) continue;
      if (std::ranges::find(load.wanted, column, &WantedIndex::column) != load.wanted.end()) continue;
      Finding finding = About(table, "missing-search-index", Severity::kInfo,
                              load.calls > 0 ? Confidence::kMeasured : Confidence::kDeclared, {column});
      finding.evidence = StrCat(load.calls > 0 ? Plural(load.calls, "call") + " look" : "the statement looks",
                                " for texts with LIKE '%…' on ", finding.columns[0],
                                ", and for that every text in the index is examined");
      finding.why =
          "an index of words reads only the entries of the words that are searched; the operator ':' asks it for whole "
          "words, not for parts of words";
      finding.fix = StrCat("CREATE CUSTOM INDEX ON ", FullName(*table.table), " (", QuoteIdentifier(finding.columns[0]),
                           ") USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'};");
      out.push_back(std::move(finding));
    }
  }
}

}  // namespace widerow::advise
