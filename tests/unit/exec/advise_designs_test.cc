// Loads and judges the designs of tests/data/advise/designs.txt. ADVISE must find the faults of designs that public
// literature calls bad, and must give nothing above info to recommended designs. Every fix is executed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "advise/finding.h"
#include "exec/advise/advisor.h"
#include "parser/parse.h"
#include "tests/storage_of.h"
#include "tests/unit/exec/made_rows.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using advise::Finding;
using advise::Severity;

struct Design {
  std::string name, verdict, source, rule, table;
  uint64_t rows = 0, days = 1;
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<RecordedStatement> load;
  std::vector<std::string> expect;
};

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

void ReadLine(const std::string& word, const std::string& rest, Design& design) {
  if (word == "verdict")
    design.verdict = rest;
  else if (word == "source")
    design.source = rest;
  else if (word == "rule")
    design.rule = rest;
  else if (word == "table")
    design.table = rest;
  else if (word == "expect")
    design.expect = Words(rest);
  else if (word == "rows") {
    const std::vector<std::string> words = Words(rest);
    design.rows = std::stoull(words.at(0));
    design.days = std::stoull(words.at(2));
  } else if (word == "load") {
    RecordedStatement statement{.keyspace = "ks", .text = {}};
    std::istringstream in(rest);
    in >> statement.calls >> statement.rows_examined >> statement.rows_returned >> std::ws;
    std::getline(in, statement.text);
    design.load.push_back(statement);
  } else {
    ASSERT_EQ(rest.substr(0, 2), "= ") << word << " " << rest;
    design.columns.emplace_back(word, rest.substr(2));
  }
}

std::vector<Design> ReadDesigns() {
  std::ifstream in(WR_TEST_DATA "/advise/designs.txt");
  std::vector<Design> designs;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t blank = line.find(' ');
    const std::string word = line.substr(0, blank), rest = line.substr(blank + 1);
    if (word == "design")
      designs.push_back({.name = rest});
    else
      ReadLine(word, rest, designs.back());
  }
  return designs;
}

class AdviseDesigns : public ::testing::Test {
 protected:
  AdviseDesigns() {
    auto storage = OpenLmdbEngine(
        {.directory = directory_.path(), .map_bytes = uint64_t{1} << 34, .durability = Durability::kNone});
    engine_ = std::make_unique<Engine>(std::move(storage.value()), LanguageOptions{.extension_warnings = false});
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  Outcome Run(const std::string& text) {
    Result<Outcome> outcome = engine_->Execute(text, {.keyspace = "ks"});
    if (outcome.ok()) return std::move(*outcome);
    ADD_FAILURE() << text << ": " << outcome.error().message << "\n" << outcome.error().hint;
    return {};
  }

  void Load(const Design& design) {
    Run(design.table);
    std::string names, markers;
    for (const auto& [column, rule] : design.columns) {
      names += (names.empty() ? "" : ", ") + column;
      markers += markers.empty() ? "?" : ", ?";
    }
    const PreparedPtr insert =
        engine_->Prepare("INSERT INTO " + design.name + " (" + names + ") VALUES (" + markers + ")", "ks").value();
    MadeRows rows(design.rows, design.days, insert->plan->markers, design.columns);
    constexpr uint64_t kBatchRows = 50;
    std::vector<BatchEntry> batch;
    for (uint64_t row = 0; row < design.rows; ++row) {
      batch.push_back({insert, rows.Row(row), {}});
      if (batch.size() < kBatchRows && row + 1 < design.rows) continue;
      const Result<Outcome> written =
          engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, batch, {.timestamp = rows.MicrosOf(row)});
      ASSERT_TRUE(written.ok()) << design.name << ": " << written.error().message;
      batch.clear();
    }
  }

  advise::Findings Judge(const Design& design) {
    AdviceRequest request{.schema = engine_->schema(),
                          .storage = StorageOf(*engine_),
                          .language = {},
                          .current_keyspace = "ks",
                          .load = design.load};
    request.limits.time = std::chrono::seconds(60);  // Enough for a slow machine.
    const Statement statement = Parse("ADVISE TABLE " + design.name).value();
    Result<advise::Findings> findings = Advise(std::get<AdviseStatement>(statement.node), request);
    EXPECT_TRUE(findings.ok()) << findings.error().message;
    return findings.ok() ? std::move(*findings) : advise::Findings();
  }

  void ExecuteFix(const Finding& finding) {
    const SchemaPtr before = engine_->schema();
    for (const StatementSpan& span : SplitStatements(finding.fix)) {
      Run(finding.fix.substr(span.range.begin, span.range.end - span.range.begin));
    }
    // Two findings may propose the same table.
    const SchemaPtr after = engine_->schema();
    for (const auto& [name, table] : after->FindKeyspace("ks")->tables) {
      if (before->FindTable("ks", name) == nullptr) Run("DROP TABLE " + QuoteIdentifier(name));
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

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

// docs/measurements/advise-designs.md has the table between two marks; WR_REWRITE=1 writes it.
void CompareWithDocument(const std::string& table) {
  const std::string path = WR_TEST_DATA "/../../docs/measurements/advise-designs.md";
  const std::string begin = "<!-- designs -->\n", end = "<!-- end of designs -->";
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

TEST_F(AdviseDesigns, FindingsAgreeWithVerdictsOfLiterature) {
  const std::vector<Design> designs = ReadDesigns();
  EXPECT_GE(designs.size(), 30u);
  std::string table = "| design | source | verdict | found above info | info |\n|---|---|---|---|---|\n";
  size_t good = 0, bad = 0, missed = 0, false_alarms = 0;
  for (const Design& design : designs) {
    SCOPED_TRACE(design.name);
    Load(design);
    const advise::Findings findings = Judge(design);
    std::vector<std::string> above;
    for (const Finding& finding : findings) {
      EXPECT_FALSE(finding.evidence.empty());
      EXPECT_FALSE(finding.why.empty());
      if (finding.severity != Severity::kInfo) above.push_back(finding.code);
      ExecuteFix(finding);
    }
    (design.verdict == "good" ? good : bad) += 1;
    if (design.verdict == "good" && !above.empty()) {
      ++false_alarms;
      for (const Finding& finding : findings) {
        if (finding.severity != Severity::kInfo)
          ADD_FAILURE() << "false alarm: " << finding.code << ": " << finding.evidence;
      }
    }
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
  CompareWithDocument(table);
}

}  // namespace
}  // namespace widerow
