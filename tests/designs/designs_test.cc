// ADVISE must find the faults of designs that publications call bad. For designs that they recommend, no finding may be
// above info. tests/data/advise/designs.txt names the codes that ADVISE must find, and designs_blind.txt the faults.
// Each fix is executed, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "base/text.h"
#include "tests/designs/design.h"
#include "tests/sanitized.h"

namespace widerow {
namespace {

using advise::Confidence;
using advise::Finding;
using advise::Severity;
using ::testing::HasSubstr;

using Codes = std::vector<std::string>;

std::string CodesOf(const advise::Findings& findings, bool above_info) {
  std::string out;
  for (const Finding& finding : findings) {
    if ((finding.severity != Severity::kInfo) != above_info || out.find("`" + finding.code + "`") != std::string::npos)
      continue;
    out += (out.empty() ? "" : ", ") + ("`" + finding.code + "`");
    if (finding.severity == Severity::kCritical) out += " (critical)";
  }
  return out.empty() ? "–" : out;
}

Codes AboveInfo(const advise::Findings& findings) {
  Codes codes;
  for (const Finding& finding : findings) {
    if (finding.severity != Severity::kInfo) codes.push_back(finding.code);
  }
  return codes;
}

// Returns true if the environment selects only some of the designs, or some of their rows.
bool IsPartOnly() { return std::getenv("WR_DESIGN") != nullptr || std::getenv("WR_ROWS") != nullptr; }

// Compares `table` with the table in docs/measurements/advise-designs.md, which is between two comments named `mark`.
// With WR_REWRITE=1 in the environment, stores `table` there.
void CompareWithDocument(const std::string& mark, const std::string& table) {
  if (IsPartOnly()) return;
  const std::string path = WR_TEST_DATA "/../../docs/measurements/advise-designs.md";
  const std::string begin = "<!-- " + mark + " -->\n", end = "<!-- end of " + mark + " -->";
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const size_t from = text.find(begin), to = text.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  if (std::getenv("WR_REWRITE") != nullptr) {
    std::ofstream(path) << text.replace(from + begin.size(), to - from - begin.size(), table);
    return;
  }
  EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()), table)
      << "WR_REWRITE=1 brings docs/measurements/advise-designs.md up to date";
}

TEST(AdviseDesigns, FindingsAgreeWithVerdictsOfLiterature) {
  const std::vector<Design> designs = ReadDesigns("designs.txt");
  EXPECT_GE(designs.size(), 30u);
  DesignDatabase database;
  std::string table = "| design | source | verdict | found above info | info |\n|---|---|---|---|---|\n";
  size_t good = 0, bad = 0, missed = 0, false_alarms = 0;
  for (const Design& design : designs) {
    SCOPED_TRACE(design.name);
    database.Load(design, Arrival::kInOrder);
    const advise::Findings findings = database.Judge(design);
    const Codes above = AboveInfo(findings);
    for (const Finding& finding : findings) {
      EXPECT_FALSE(finding.evidence.empty());
      EXPECT_FALSE(finding.why.empty());
      if (finding.confidence == Confidence::kSuspected) { EXPECT_THAT(finding.evidence, HasSubstr("would prove")); }
      database.ExecuteFix(finding);
      if (design.good() && finding.severity != Severity::kInfo)
        ADD_FAILURE() << "false alarm: " << finding.code << ": " << finding.evidence;
    }
    (design.good() ? good : bad) += 1;
    false_alarms += design.good() && !above.empty();
    for (const std::string& code : design.expect) {
      if (std::ranges::find(above, code) == above.end()) {
        ++missed;
        ADD_FAILURE() << "missed: " << code;
      }
    }
    table += "| " + design.name + ": " + design.rule + " | " + design.source + " | " + design.verdict + " | " +
             CodesOf(findings, true) + " | " + CodesOf(findings, false) + " |\n";
  }
  table += "\n" + std::to_string(good) + " good designs, " + std::to_string(false_alarms) + " false alarms; " +
           std::to_string(bad) + " bad ones, " + std::to_string(missed) + " expected findings missed.\n";
  CompareWithDocument("designs", table);
}

// --- Verdicts in each order of arrival -----------------------------------------------------------------------------

// Returns, for each fault that designs_blind.txt names, the codes of the findings that report this fault.
std::map<std::string, Codes> ReadFaults() {
  std::ifstream in(WR_TEST_DATA "/advise/faults.txt");
  std::map<std::string, Codes> faults;
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(" : ");
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    std::istringstream codes(line.substr(0, colon));
    faults[line.substr(colon + 3)] = {std::istream_iterator<std::string>(codes), {}};
  }
  return faults;
}

// Returns lists of codes. ADVISE has found the fault if, for each list, a finding above info has a code of the list.
std::vector<Codes> Wanted(const Design& design, const std::map<std::string, Codes>& faults) {
  if (design.good()) return {};
  if (!design.fault.empty()) {
    const auto found = faults.find(design.fault);
    EXPECT_NE(found, faults.end()) << design.name << ": faults.txt has no codes for: " << design.fault;
    return found == faults.end() ? std::vector<Codes>{} : std::vector<Codes>{found->second};
  }
  std::vector<Codes> wanted;
  for (const std::string& code : design.expect) wanted.push_back({code});
  return wanted;
}

// Counts designs: their number, for how many ADVISE is right, and how many good ones it blames.
struct Tally {
  size_t designs = 0, right = 0, false_alarms = 0;
};

class Judgement {
 public:
  // Decides if ADVISE is right for one order of arrival. If not, prints its findings and remembers the verdict.
  void Add(Arrival arrival, const advise::Findings& findings, const Design& design, const std::vector<Codes>& wanted) {
    const Codes above = AboveInfo(findings);
    const bool right = design.good() ? above.empty() : std::ranges::all_of(wanted, [&](const Codes& codes) {
      return std::ranges::find_first_of(above, codes) != above.end();
    });
    if (right) return;
    right_ = false;
    alarms_.insert(alarms_.end(), above.begin(), above.end());
    std::cout << (design.good() ? "false alarm  " : "missed       ") << design.name << " (" << ArrivalName(arrival)
              << "): ";
    for (const Finding& finding : findings) {
      if (design.good() && finding.severity == Severity::kInfo) continue;
      std::cout << "\n    " << advise::SeverityName(finding.severity) << " " << finding.code << ": "
                << finding.evidence.substr(0, 300);
    }
    std::cout << "\n";
  }
  bool right() const { return right_; }
  const Codes& alarms() const { return alarms_; }

 private:
  bool right_ = true;
  Codes alarms_;
};

// Returns the orders of arrival to try: those in which the verdict holds. Under a sanitizer, only one of them is tried,
// because a sanitizer looks for faults of memory and not for wrong verdicts. Neighboring designs try different ones.
std::vector<Arrival> Tried(const Design& design, size_t place) {
  if (!kSanitized) return design.arrivals;
  return {design.arrivals[place % design.arrivals.size()]};
}

// ADVISE is right about a design if it is right in each order of arrival.
TEST(AdviseDesigns, VerdictsAreRightInEachArrival) {
  const std::map<std::string, Codes> faults = ReadFaults();
  std::vector<Design> designs = ReadDesigns("designs_blind.txt");
  for (Design& design : ReadDesigns("designs.txt")) designs.push_back(std::move(design));
  DesignDatabase database;
  std::map<std::string, Tally> by_code;
  Tally all, good;
  for (const Design& design : designs) {
    SCOPED_TRACE(design.name);
    Judgement judgement;
    const std::vector<Codes> wanted = Wanted(design, faults);
    const std::vector<Arrival> tried = Tried(design, all.designs);
    for (const Arrival arrival : tried) {
      database.Load(design, arrival);
      const advise::Findings findings = database.Judge(design);
      judgement.Add(arrival, findings, design, wanted);
      if (arrival == tried[0]) std::ranges::for_each(findings, [&](auto& each) { database.ExecuteFix(each); });
      database.Drop(design);
    }
    ++all.designs;
    all.right += judgement.right();
    if (design.good()) {
      ++good.designs;
      good.false_alarms += !judgement.right();
      const std::set<std::string> codes(judgement.alarms().begin(), judgement.alarms().end());
      for (const std::string& code : codes) ++by_code[code].false_alarms;
    } else {
      Tally& tally = by_code[wanted.at(0).at(0)];
      ++tally.designs;
      tally.right += judgement.right();
    }
  }
  std::string table = "| code | bad designs | found | good designs blamed |\n|---|---|---|---|\n";
  for (const auto& [code, tally] : by_code)
    table += StrCat("| `", code, "` | ", tally.designs, " | ", tally.right, " | ", tally.false_alarms, " |\n");
  table += StrCat("\n", all.right, " of ", all.designs, " designs right; ", good.false_alarms, " of ", good.designs,
                  " good designs with a finding above `info`.\n");
  std::cout << table;
  CompareWithDocument("verdicts", table);
  if (IsPartOnly()) return;
  EXPECT_GE(all.designs, 120u);
  EXPECT_GE(100 * all.right, 95 * all.designs);
  EXPECT_LE(100 * good.false_alarms, 3 * good.designs);
}

}  // namespace
}  // namespace widerow
