// Compares the answers of an engine with those of a real Cassandra. The records are in tests/data/profiles and
// tests/data/refusals; scripts/record_answers.py has made them. For an error, the test compares the code and the first
// sentence. For a syntax error, it compares the code, the line and column, and the offending token.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "exec/engine/engine.h"
#include "parser/error_text.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

struct Recorded {
  std::string statement;
  std::optional<std::string> values;  // The values of a prepared statement, such as "0x01 null unset".
  // The recorded answer. If the difference is intended, also Widerow's answer and the reason.
  std::string cassandra, ours, why;
  std::string level;   // The consistency level of the request, such as "ANY", if it matters.
  std::string serial;  // The serial consistency level.
  size_t line = 0;
};

struct RecordedFile {
  LanguageOptions language;
  std::vector<std::string> schema;
  std::vector<Recorded> cases;
};

void AppendLine(std::string& text, const std::string& line) { text += (text.empty() ? "" : "\n") + line; }

RecordedFile ReadRecorded(const std::filesystem::path& path) {
  RecordedFile file;
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto rest = [&](std::string_view word) { return line.substr(word.size()); };
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("profile ")) {
      file.language.dialect = DialectFromName(rest("profile ")).value();
    } else if (line.starts_with("schema ")) {
      file.schema.push_back(rest("schema "));
    } else if (!line.starts_with("  ")) {
      file.cases.push_back({.statement = line, .line = number});
      std::smatch at;
      if (std::regex_match(line, at, std::regex("at ([A-Z_]+)(?: serial ([A-Z_]+))?: (.*)"))) {
        file.cases.back().level = at[1];
        file.cases.back().serial = at[2];
        file.cases.back().statement = at.str(3);
      }
    } else if (line.starts_with("  values")) {
      if (file.cases.back().values) {
        file.cases.push_back(
            {.statement = file.cases.back().statement, .level = file.cases.back().level, .line = number});
      }
      file.cases.back().values = rest("  values");
    } else if (line.starts_with("  ours ")) {
      AppendLine(file.cases.back().ours, rest("  ours "));
    } else if (line.starts_with("  why ")) {
      file.cases.back().why = rest("  why ");
    } else {
      AppendLine(file.cases.back().cassandra, rest("  "));
    }
  }
  return file;
}

Bytes FromHex(std::string_view digits) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

std::vector<BoundValue> ParseValues(const std::string& text) {
  std::vector<BoundValue> values;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    BoundValue& value = values.emplace_back();
    if (word == "null") {
      value.kind = BoundValue::Kind::kNull;
    } else if (word == "unset") {
      value.kind = BoundValue::Kind::kUnset;
    } else {
      value = {.kind = BoundValue::Kind::kValue, .bytes = FromHex(std::string_view(word).substr(2))};
    }
  }
  return values;
}

// Returns the statement as it is sent: a backslash and an n stand for a line break, and `{600 x}` stands for
// 600 times x.
std::string AsSent(const std::string& statement) {
  const std::string lines = std::regex_replace(statement, std::regex("\\\\n"), "\n");
  static const std::regex kRepeated("\\{(\\d+) (\\w)\\}");
  std::string out;
  auto rest = lines.begin();
  for (std::sregex_iterator found(lines.begin(), lines.end(), kRepeated), none; found != none; ++found) {
    out.append(rest, lines.begin() + found->position());
    out.append(std::stoul(found->str(1)), found->str(2)[0]);
    rest = lines.begin() + found->position() + found->length();
  }
  return out.append(rest, lines.end());
}

ConsistencyLevel LevelOf(const std::string& name) {
  constexpr const char* kNames[] = {"ANY",          "ONE",         "TWO",    "THREE",        "QUORUM",    "ALL",
                                    "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL", "LOCAL_SERIAL", "LOCAL_ONE", "NODE_LOCAL"};
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  EXPECT_NE(found, std::end(kNames)) << name;
  return static_cast<ConsistencyLevel>(found - kNames);
}

class Server {
 public:
  explicit Server(LanguageOptions language) : engine_(OpenEngine(directory_, language)) {
    Must("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  void Must(const std::string& statement) {
    const Result<Outcome> outcome = engine_->Execute(statement, {.keyspace = "ks", .page_rows = 5000});
    ASSERT_TRUE(outcome.ok()) << statement << "\n" << outcome.error().message;
  }

  // Runs the statement. Returns "ok" with one line for each warning, or the code and the first sentence of the error.
  std::string Answer(const Recorded& recorded) {
    const Result<Outcome> outcome = Run(recorded);
    if (outcome.ok()) {
      std::string answer = "ok";
      for (const std::string& warning : outcome->warnings) answer += "\nwarning: " + warning;
      return answer;
    }
    const std::string& message = outcome.error().message;
    return std::string(ErrorCodeName(outcome.error().code)) + " " + message.substr(0, message.find('\n'));
  }

 private:
  Result<Outcome> Run(const Recorded& recorded) {
    RequestParameters parameters{.keyspace = "ks", .page_rows = 5000, .guarded = true};
    if (!recorded.level.empty()) parameters.consistency = LevelOf(recorded.level);
    if (!recorded.serial.empty()) parameters.serial_consistency = LevelOf(recorded.serial);
    std::smatch batch;
    if (std::regex_match(recorded.statement, batch, std::regex("batch (logged|unlogged|counter): (.*)"))) {
      return RunBatch(batch[1], AsSent(batch[2]), parameters);
    }
    const std::string statement = AsSent(recorded.statement);
    if (!recorded.values) return engine_->Execute(statement, parameters);
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, engine_->Prepare(statement, "ks"));
    parameters.values = ParseValues(*recorded.values);
    return engine_->ExecutePrepared(*prepared, parameters);
  }

  Result<Outcome> RunBatch(const std::string& kind, std::string statements, const RequestParameters& parameters) {
    std::vector<BatchEntry> entries;
    for (size_t end = 0; !statements.empty(); statements.erase(0, end == std::string::npos ? end : end + 2)) {
      end = statements.find("; ");
      WR_ASSIGN_OR_RETURN(PreparedPtr prepared, engine_->Prepare(statements.substr(0, end), "ks"));
      entries.push_back({.statement = std::move(prepared)});
    }
    const auto batch_kind = kind == "logged"     ? BatchStatement::Kind::kLogged
                            : kind == "unlogged" ? BatchStatement::Kind::kUnlogged
                                                 : BatchStatement::Kind::kCounter;
    return engine_->ExecuteBatch(batch_kind, entries, parameters);
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

// Some answers list the tables of a batch. Cassandra lists them in the order of a hash set, so this function sorts
// them.
std::string WithTablesInOrder(const std::string& answer) {
  static const std::regex kTables("\\[(ks\\.\\w+(?:, ks\\.\\w+)*)\\]");
  std::smatch match;
  if (!std::regex_search(answer, match, kTables)) return answer;
  std::set<std::string> names;
  std::string list = match[1];
  static const std::regex kName("ks\\.\\w+");
  for (std::sregex_iterator name(list.begin(), list.end(), kName), none; name != none; ++name)
    names.insert(name->str());
  list.clear();
  for (const std::string& name : names) list += (list.empty() ? "[" : ", ") + name;
  return match.prefix().str() + list + "]" + match.suffix().str();
}

// Returns the parts of an answer that are compared. For a syntax error, these are the code, the line and column, and
// the token. Any other answer is returned whole.
std::string Essence(const std::string& text) {
  const std::string answer = WithTablesInOrder(text);
  static const std::regex kFault("(SyntaxError line \\S+) [^']*'(.*?)'.*");
  std::smatch match;
  return std::regex_match(answer, match, kFault) ? match[1].str() + " '" + match[2].str() + "'" : answer;
}

std::vector<std::filesystem::path> Files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"/profiles", "/refusals"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(WR_TEST_DATA) + folder)) {
      files.push_back(entry.path());
    }
  }
  return files;
}

TEST(RecordedAnswers, AreGivenHereToo) {
  size_t cases = 0;
  for (const std::filesystem::path& path : Files()) {
    const RecordedFile file = ReadRecorded(path);
    Server server(file.language);
    for (const std::string& statement : file.schema) server.Must(statement);
    for (const Recorded& recorded : file.cases) {
      ++cases;
      const std::string place =
          path.filename().string() + ":" + std::to_string(recorded.line) + " " + recorded.statement;
      const std::string ours = server.Answer(recorded);
      ASSERT_FALSE(recorded.cassandra.empty()) << place << " is not recorded";
      if (recorded.ours.empty()) {
        EXPECT_EQ(Essence(ours), Essence(recorded.cassandra)) << place;
        continue;
      }
      EXPECT_EQ(Essence(ours), Essence(recorded.ours)) << place;
      EXPECT_NE(Essence(ours), Essence(recorded.cassandra)) << place << " does not differ any more";
      EXPECT_FALSE(recorded.why.empty()) << place << " differs for no reason";
    }
  }
  EXPECT_GE(cases, 2'200u);
}

}  // namespace
}  // namespace widerow
