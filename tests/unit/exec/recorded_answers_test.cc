// What a real Cassandra answered (tests/data/profiles, tests/data/refusals; scripts/record_answers.py records them) and what
// an engine of the same profile answers: code and first sentence, of syntax errors code, place and offending token.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "exec/engine.h"
#include "parser/error_text.h"
#include "storage/engine.h"

namespace widerow {
namespace {

struct Recorded {
  std::string statement;
  std::optional<std::string> values;  // "0x01 null unset": of a prepared statement.
  std::string cassandra, ours, why;   // `ours` with its reason: a difference that is meant.
  size_t line = 0;
};

struct RecordedFile {
  LanguageOptions language;
  std::vector<std::string> schema;
  std::vector<Recorded> cases;
};

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
    } else if (line.starts_with("  values")) {
      if (file.cases.back().values) file.cases.push_back({.statement = file.cases.back().statement, .line = number});
      file.cases.back().values = rest("  values");
    } else if (line.starts_with("  ours ")) {
      file.cases.back().ours = rest("  ours ");
    } else if (line.starts_with("  why ")) {
      file.cases.back().why = rest("  why ");
    } else {
      file.cases.back().cassandra = rest("  ");
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

class Server {
 public:
  explicit Server(LanguageOptions language) {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-answers-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    auto storage = OpenLmdbEngine({.directory = directory_, .map_bytes = uint64_t{4} << 30});
    EXPECT_TRUE(storage.ok());
    engine_ = std::make_unique<Engine>(std::move(*storage), language);
    Must("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }
  ~Server() {
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  void Must(const std::string& statement) {
    const Result<Outcome> outcome = engine_->Execute(statement, {.keyspace = "ks", .page_rows = 5000});
    ASSERT_TRUE(outcome.ok()) << statement << "\n" << outcome.error().message;
  }

  // "ok", or code and first sentence.
  std::string Answer(const Recorded& recorded) {
    const Result<Outcome> outcome = Run(recorded);
    if (outcome.ok()) return "ok";
    const std::string& message = outcome.error().message;
    return std::string(ErrorCodeName(outcome.error().code)) + " " + message.substr(0, message.find('\n'));
  }

 private:
  Result<Outcome> Run(const Recorded& recorded) {
    std::smatch batch;
    if (std::regex_match(recorded.statement, batch, std::regex("batch (logged|unlogged|counter): (.*)"))) {
      return RunBatch(batch[1], batch[2]);
    }
    const std::string statement = std::regex_replace(recorded.statement, std::regex("\\\\n"), "\n");
    if (!recorded.values) return engine_->Execute(statement, {.keyspace = "ks", .page_rows = 5000});
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, engine_->Prepare(statement, "ks"));
    return engine_->ExecutePrepared(*prepared, {.values = ParseValues(*recorded.values), .keyspace = "ks", .page_rows = 5000});
  }

  Result<Outcome> RunBatch(const std::string& kind, std::string statements) {
    std::vector<BatchEntry> entries;
    for (size_t end = 0; !statements.empty(); statements.erase(0, end == std::string::npos ? end : end + 2)) {
      end = statements.find("; ");
      WR_ASSIGN_OR_RETURN(PreparedPtr prepared, engine_->Prepare(statements.substr(0, end), "ks"));
      entries.push_back({.statement = std::move(prepared)});
    }
    const auto batch_kind = kind == "logged"     ? BatchStatement::Kind::kLogged
                            : kind == "unlogged" ? BatchStatement::Kind::kUnlogged
                                                 : BatchStatement::Kind::kCounter;
    return engine_->ExecuteBatch(batch_kind, entries, {.keyspace = "ks", .page_rows = 5000});
  }

  std::filesystem::path directory_;
  std::unique_ptr<Engine> engine_;
};

// A syntax error's code, place and token; any other answer as it is.
std::string Essence(const std::string& answer) {
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
  EXPECT_GE(cases, 850u);
}

}  // namespace
}  // namespace widerow
