// alike: tests that the physical design of a table does not change any answer. The tables of designs.h get the same
// random writes. The same random questions must then have the same answers as in the plain table. Meanwhile, partitions
// are split and merged, memtables are folded, the database is opened again, and the clock moves. Cassandra has no
// generated columns and no PARTITION BY, so the tests that compare with Cassandra do not see these designs.
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "base/text.h"
#include "exec/engine/engine.h"
#include "tests/alike/statements.h"
#include "types/text_form.h"

namespace widerow::alike {
namespace {

struct Counts {
  uint64_t writes = 0, answers = 0, rows = 0, refused = 0;
  // By design: questions that the plain table answered, and those that the design answered, too.
  std::map<std::string, uint64_t> asked_of, answers_of;
};

// The result of a statement: rows as lines of text, or the message of an error.
struct Answer {
  bool ok = true;
  std::vector<std::string> lines;
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// The tables of the designs that permit what a case does, with the database that they are in.
class Case {
 public:
  Case(const Columns& columns, uint64_t seed) : columns_(columns), seed_(seed), random_(static_cast<unsigned>(seed)) {
    std::string directory = (std::filesystem::temp_directory_path() / "widerow-alike-XXXXXX").string();
    if (mkdtemp(directory.data()) == nullptr) Die("no directory " + directory);
    directory_ = directory;
    Open();
    Must("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    for (const Design& design : Designs()) {
      if (design.permits > columns_.permits) continue;
      designs_.push_back(&design);
      Must("CREATE TABLE " + design.name + " " + Definition(design, columns_));
      if (!design.view_key.empty()) {
        Must("CREATE MATERIALIZED VIEW " + ReadName(design) + " AS SELECT * FROM " + design.name +
             " WHERE a IS NOT NULL AND b IS NOT NULL AND c IS NOT NULL" +
             (design.view_key.find('q') == std::string::npos ? "" : " AND q IS NOT NULL") + " PRIMARY KEY " +
             design.view_key);
      }
      for (const std::string& index : design.indexes) Must("CREATE INDEX ON " + design.name + " (" + index + ")");
    }
  }
  ~Case() {
    engine_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  void Run(int statements, Counts& counts) {
    for (int i = 0; i < statements; ++i) {
      clock_->Set(clock_->NowMicros() + 1'000 +
                  (random_() % 20 == 0 ? static_cast<int64_t>(random_() % 9) * 1'000'000 : 0));
      const unsigned dice = random_() % 100;
      if (dice < 45) {
        Write(counts);
      } else if (dice < 95) {
        Ask(counts);
      } else {
        ChangeSomething(dice);
      }
    }
  }

 private:
  void Open() {
    StorageOptions options{.directory = directory_, .map_bytes = uint64_t{1} << 34, .clock = clock_};
    options.durability = Durability::kNone;
    options.memtable_bytes = 1 << 20;
    Result<std::unique_ptr<StorageEngine>> storage = OpenLmdbEngine(std::move(options));
    if (!storage.ok()) Die(storage.error().message);
    engine_ = std::make_unique<Engine>(std::move(*storage));
  }

  // Returns the name of what questions read: the table or its view.
  static std::string ReadName(const Design& design) {
    return design.view_key.empty() ? design.name : "view_of_" + design.name;
  }
  static std::string For(const std::string& table, std::string text) {
    for (size_t at = 0; (at = text.find('@', at)) != std::string::npos;) text.replace(at, 1, table);
    return text;
  }

  Answer Execute(const std::string& text, uint32_t page_rows = 0, std::optional<int64_t> timestamp = {}) {
    RequestParameters parameters;
    parameters.keyspace = "ks";
    parameters.page_rows = page_rows;
    parameters.timestamp = timestamp;
    Answer answer;
    do {
      Result<Outcome> outcome = engine_->Execute(text, parameters);
      if (!outcome.ok()) {
        if (outcome.error().code != ErrorCode::kInvalid) Die(text + ": " + outcome.error().message);
        return {false, {outcome.error().message}};
      }
      const auto* page = std::get_if<RowsPage>(&outcome->result);
      if (page == nullptr) return answer;
      PageReader reader(*page);
      for (std::vector<ValueView> row; reader.Next(row);) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i)
          line += (i == 0 ? "" : " | ") + (row[i] ? FormatText(*(*page->columns)[i].type, *row[i]) : "null");
        answer.lines.push_back(std::move(line));
      }
      parameters.paging_state = page->paging_state;
    } while (!parameters.paging_state.empty());
    return answer;
  }

  void Must(const std::string& text) {
    if (const Answer answer = Execute(text); !answer.ok) Die(text + ": " + answer.lines[0]);
  }

  // Ends the program if `answer` is not what the plain table gives.
  void Compare(const Design& design, const std::string& text, const Answer& plain, const Answer& answer) const {
    if (answer.ok == plain.ok && (!answer.ok || answer.lines == plain.lines)) return;
    const auto lines = [](const Answer& shown) {
      std::string joined = shown.ok ? "" : "  refused\n";
      for (const std::string& line : shown.lines) joined += "  " + line + "\n";
      return joined;
    };
    Die("case " + std::to_string(seed_) + ": the design " + design.name + " answers differently\n" +
        For(ReadName(design), text) + "\nthe plain table:\n" + lines(plain) + "the design:\n" + lines(answer));
  }

  void Write(Counts& counts) {
    const std::string text = RandomWrite(columns_, random_);
    const bool conditional = text.find(" IF ") != std::string::npos;
    // A timestamp may be less than that of an earlier write.
    const int64_t late = random_() % 10 == 0 ? static_cast<int64_t>(random_() % 20'000) : 0;
    const int64_t timestamp = clock_->NowMicros() - late;
    std::optional<Answer> plain;
    for (const Design* design : designs_) {
      Answer answer = Execute(For(design->name, text), 0, conditional ? std::optional<int64_t>() : timestamp);
      if (!answer.ok) Die(For(design->name, text) + ": " + answer.lines[0]);
      // The answer of a refused INSERT … IF NOT EXISTS has the stored row, with the generated columns.
      for (std::string& line : answer.lines) line.resize(std::min(line.size(), line.find(" | ")));
      if (!plain) plain = answer;
      Compare(*design, text, *plain, answer);
      ++counts.writes;
    }
  }

  // Sorts all lines, or only those that follow each other and have the same first column.
  static void SortAlike(std::vector<std::string>& lines, bool first_ordered) {
    const auto first = [](const std::string& line) { return line.substr(0, line.find(" | ")); };
    auto end = lines.begin();
    for (auto begin = end; begin != lines.end(); begin = end) {
      end = std::find_if(begin, lines.end(),
                         [&](const std::string& line) { return first_ordered && first(line) != first(*begin); });
      std::sort(begin, end);
    }
  }

  void Ask(Counts& counts) {
    const Question question = RandomQuestion(columns_, random_);
    const uint32_t page_rows =
        question.first_ordered || random_() % 2 == 0 ? 0 : 1 + static_cast<uint32_t>(random_() % 7);
    std::optional<Answer> plain;
    for (const Design* design : designs_) {
      if (question.forward && design->reversed) continue;
      Answer answer = Execute(For(ReadName(*design), question.text), page_rows);
      if (!question.ordered) SortAlike(answer.lines, question.first_ordered);
      if (!plain) plain = answer;
      if (plain->ok) ++counts.asked_of[design->name];
      // A design may refuse, or need no ALLOW FILTERING, according to its key.
      if (!answer.ok || !plain->ok) {
        ++counts.refused;
        continue;
      }
      Compare(*design, question.text, *plain, answer);
      ++counts.answers;
      ++counts.answers_of[design->name];
      counts.rows += answer.lines.size();
    }
  }

  void ChangeSomething(unsigned dice) {
    if (dice == 95) {
      if (const Status status = engine_->Flush(); !status.ok()) Die(status.error().message);
    } else if (dice == 96 && random_() % 4 == 0) {
      engine_.reset();
      Open();
    } else {
      ChangePartitions();
    }
  }

  // Splits a partition of each design that has RANGE partitions, or merges two.
  void ChangePartitions() {
    for (const Design* design : designs_) {
      if (!design->changes_partitions) continue;
      const Answer names =
          Execute("SELECT name FROM system_views.partitions WHERE keyspace_name = 'ks' AND table_name = '" +
                  design->name + "'");
      const size_t at = random_() % names.lines.size();
      // A partition with one value of the partitioning column cannot be split.
      if (names.lines.size() < 6 && random_() % 2 == 0) {
        Execute("ALTER TABLE " + design->name + " SPLIT PARTITION \"" + names.lines[at] + "\"");
      } else if (at > 0 && names.lines.size() > 2) {
        Must("ALTER TABLE " + design->name + " MERGE PARTITION \"" + names.lines[at - 1] + "\", \"" + names.lines[at] +
             "\" INTO (PARTITION m" + std::to_string(++merges_) + ")");
      }
    }
  }

  const Columns columns_;
  const uint64_t seed_;
  std::mt19937 random_;
  std::filesystem::path directory_;
  const std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(1'700'000'000'000'000);
  std::unique_ptr<Engine> engine_;
  std::vector<const Design*> designs_;
  int merges_ = 0;
};

int Main(int argc, char** argv) {
  int cases = 12, statements = 600;
  uint64_t seed = 1;
  CLI::App app("Tests that tables of different designs with the same rows give the same answers");
  app.add_option("--cases", cases, "Databases, each with other random statements");
  app.add_option("--statements", statements, "Statements of a case, each run on every table");
  app.add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);
  Counts counts;
  for (int i = 0; i < cases; ++i) {
    const auto permits = static_cast<Permits>(i % 3);
    // zero_pad, which designs without b in the key use, takes integers only.
    const bool times = i / 3 % 2 == 1 && permits != Permits::kWholeInserts;
    const uint64_t seed_of_case = seed * 100'000 + static_cast<uint64_t>(i);
    Case({permits, times}, seed_of_case).Run(statements, counts);
  }
  const auto number = [](uint64_t of) { return static_cast<unsigned long long>(of); };
  std::printf("%d cases: %llu writes; %llu answers with %llu rows, all as of the plain table; %llu questions refused\n",
              cases, number(counts.writes), number(counts.answers), number(counts.rows), number(counts.refused));
  for (const Design& design : Designs()) {
    const uint64_t asked = counts.asked_of[design.name], answers = counts.answers_of[design.name];
    std::printf("  %-20s %8llu of %8llu questions answered\n", design.name.c_str(), number(answers), number(asked));
    if (answers * 10 < asked * 3) Die("the design " + design.name + " refuses too many questions");
  }
  return 0;
}

}  // namespace
}  // namespace widerow::alike

int main(int argc, char** argv) { return widerow::alike::Main(argc, argv); }
