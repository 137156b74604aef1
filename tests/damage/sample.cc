#include "tests/damage/sample.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "widerow/blob.h"

namespace widerow::damage {
namespace {

constexpr int kPartitions = 30, kRowsOfPartition = 60;

constexpr const char* kSchema[] = {
    "CREATE KEYSPACE d WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE d.plain (k int, c int, a text, b int, s text static, PRIMARY KEY (k, c))",
    "CREATE INDEX by_b ON d.plain (b)",
    "CREATE MATERIALIZED VIEW d.by_a AS SELECT k, c, a, b FROM d.plain WHERE a IS NOT NULL AND k IS NOT NULL AND c IS "
    "NOT "
    "NULL PRIMARY KEY (a, k, c)",
    "CREATE TABLE d.long_values (k int PRIMARY KEY, t text)",
    "CREATE TABLE d.collections (k int PRIMARY KEY, s set<int>, m map<text, text>, l list<text>)",
    "CREATE TABLE d.counters (k int PRIMARY KEY, n counter)",
    "CREATE TABLE d.long_keys (k text, c text, v int, PRIMARY KEY (k, c))",
    "CREATE TABLE d.deletions (k int, c int, v text, PRIMARY KEY (k, c))",
    "CREATE TABLE d.dropped (k int PRIMARY KEY, v text)",
    "CREATE TABLE d.texts (k int PRIMARY KEY, body text)",
    "CREATE INDEX by_word ON d.texts (body) USING 'sai' WITH OPTIONS = {'index_analyzer': 'standard'}",
    "CREATE TABLE d.files (k int PRIMARY KEY, name text, v longblob)",
    "CREATE TABLE d.last (k int PRIMARY KEY, v int)",
};

void Run(Database& database, const std::string& statement) {
  const auto result = database.Execute(statement);
  if (!result.ok()) Die(statement.substr(0, 200) + ": " + result.error().message);
}

std::string Text(size_t bytes, int seed) {
  std::string text;
  for (uint32_t state = static_cast<uint32_t>(seed) + 1; text.size() < bytes;) {
    state = state * 1'664'525 + 1'013'904'223;
    text.push_back(static_cast<char>('a' + (state >> 24) % 26));
  }
  return text;
}
std::string Quoted(size_t bytes, int seed) { return "'" + Text(bytes, seed) + "'"; }

// Writes a longblob value with a BlobWriter. A value that is longer than a piece is stored in pieces.
void WriteFile(Database& database, int k, size_t bytes, int seed) {
  auto opened = BlobWriter::Open(database, "INSERT INTO d.files (k, name, v) VALUES (?, ?, ?)",
                                 {k, "file" + std::to_string(seed), nullptr});
  if (!opened.ok()) Die(opened.error().message);
  const auto written = opened.value()->Write(Text(bytes, seed));
  if (!written.ok()) Die(written.error().message);
  const auto finished = opened.value()->Finish();
  if (!finished.ok()) Die(finished.error().message);
}

// Writes rows whose values depend on `round`. Round 0 writes all rows. Each later round overwrites some or all of them.
void WriteRows(Database& database, int round) {
  const auto number = [](int n) { return std::to_string(n); };
  for (int k = 0; k < kPartitions; ++k) {
    std::string batch = "BEGIN UNLOGGED BATCH ";
    for (int c = round; c < kRowsOfPartition; c += round + 1) {
      batch += "INSERT INTO d.plain (k, c, a, b) VALUES (" + number(k) + ", " + number(c) + ", " +
               Quoted(20, (k * 7 + c + round) % 300) + ", " + number((k + c * 3 + round) % 50) + ");";
      batch += "INSERT INTO d.deletions (k, c, v) VALUES (" + number(k) + ", " + number(c) + ", " +
               Quoted(60, k + c + round) + ");";
    }
    batch += "UPDATE d.plain SET s = " + Quoted(30, k + round) + " WHERE k = " + number(k) + ";";
    Run(database, batch + "APPLY BATCH");
    Run(database, "DELETE FROM d.deletions WHERE k = " + number(k) + " AND c >= " + number(k % 20) + " AND c < " +
                      number(k % 20 + 9));
    Run(database, "UPDATE d.counters SET n = n + " + number(k + 1) + " WHERE k = " + number(k));
    Run(database, "INSERT INTO d.dropped (k, v) VALUES (" + number(k) + ", " + Quoted(500, k) + ")");
    Run(database, "INSERT INTO d.collections (k, s, m, l) VALUES (" + number(k) + ", {1, 2, " + number(k) +
                      "}, {'x': " + Quoted(k % 5 == 0 ? 900 : 9, k) + ", 'y': " + Quoted(300, k + round) +
                      "}, ['p', 'q'])");
    Run(database, "INSERT INTO d.long_keys (k, c, v) VALUES (" + Quoted(300 + 60 * static_cast<size_t>(k), k / 2) +
                      ", " + Quoted(400 + 10 * static_cast<size_t>(k), k) + ", " + number(k + round) + ")");
    const size_t bytes = k == 0 ? 600'000 : k < 4 ? 50'000 : k < 15 ? 5'000 : 1'500;
    Run(database,
        "INSERT INTO d.long_values (k, t) VALUES (" + number(k) + ", " + Quoted(bytes, k + 100 * round) + ")");
  }
  for (int k = 0; k < kPartitions; ++k) {
    Run(database, "INSERT INTO d.texts (k, body) VALUES (" + number(k) + ", 'common word" + number(k % 7) + " round" +
                      number(round) + "')");
  }
  for (int k = 0; k < 3; ++k) WriteFile(database, k, 100'000 + 250'000 * static_cast<size_t>(k), k + 10 * round);
  for (int k = 0; k < kPartitions; k += 9) Run(database, "DELETE FROM d.deletions WHERE k = " + number(k));
}

[[noreturn]] void Make(const std::filesystem::path& directory, Ending ending) {
  auto opened = Open(directory);
  if (!opened.ok()) Die(opened.error().message);
  std::unique_ptr<Database> database = std::move(opened).value();
  for (const char* statement : kSchema) Run(*database, statement);
  for (int round = 0; round < 4; ++round) {
    WriteRows(*database, round);
    if (round == 2) Run(*database, "DROP TABLE d.dropped");
    if (round == 2) Run(*database, "CREATE TABLE d.dropped (k int PRIMARY KEY, v text)");
    // Closing folds everything into data.mdb. So the next round changes pages and frees others.
    database.reset();
    if (round == 2) {
      std::filesystem::copy_file(directory / "data.mdb", OlderFile(directory));
      std::filesystem::copy(directory / "log", OlderLog(directory), std::filesystem::copy_options::recursive);
    }
    auto again = Open(directory);
    if (!again.ok()) Die(again.error().message);
    database = std::move(again).value();
  }
  if (ending == Ending::kKilled) {
    for (int k = 0; k < kPartitions; k += 3) {
      const std::string key = std::to_string(k);
      Run(*database, "UPDATE d.plain SET a = " + Quoted(20, k + 5) + ", b = 7 WHERE k = " + key + " AND c = 12");
      Run(*database, "DELETE FROM d.plain WHERE k = " + key + " AND c = 13");
      Run(*database, "INSERT INTO d.long_values (k, t) VALUES (" + key + ", " + Quoted(3'000, k) + ")");
      // These writes change parts of rows. If the page with the older part of a row is lost, the log has only the newer
      // part.
      Run(*database, "DELETE a FROM d.plain WHERE k = " + key + " AND c = 14");
      Run(*database, "UPDATE d.plain SET b = 8 WHERE k = " + key + " AND c = 15");
      Run(*database, "INSERT INTO d.plain (k, c, a, b) VALUES (" + key + ", 100, 'late', 9)");
      Run(*database, "UPDATE d.collections SET s = s + {1000}, m = m + {'z': 'late'} WHERE k = " + key);
      Run(*database, "UPDATE d.files SET name = 'late' WHERE k = " + key);
    }
    // The pieces of this value are in data.mdb, and the row that refers to them is in the log.
    WriteFile(*database, 1, 700'000, 91);
  }
  Run(*database, "INSERT INTO d.last (k, v) VALUES (1, 1)");
  if (ending == Ending::kClosed) database.reset();
  _exit(0);
}

std::vector<Query> MakeQueries() {
  std::vector<Query> queries;
  for (const char* table : {"plain", "by_a", "long_values", "collections", "counters", "long_keys", "deletions",
                            "dropped", "texts", "files"}) {
    queries.push_back({std::string("SELECT * FROM d.") + table});
    queries.push_back({std::string("SELECT count(*) FROM d.") + table});
  }
  for (int b = 0; b < 50; b += 7) queries.push_back({"SELECT * FROM d.plain WHERE b = " + std::to_string(b)});
  for (int k = 0; k < kPartitions; k += 4) {
    const std::string key = std::to_string(k);
    queries.push_back({"SELECT * FROM d.plain WHERE k = " + key + " AND c = " + key});
    queries.push_back({"SELECT * FROM d.plain WHERE k = " + key + " AND c > 10 AND c < 40 ORDER BY c DESC"});
    queries.push_back({"SELECT * FROM d.by_a WHERE a = " + Quoted(20, (k * 7) % 300)});
    queries.push_back({"SELECT * FROM d.long_values WHERE k = " + key});
    queries.push_back({"SELECT * FROM d.deletions WHERE k = " + key});
  }
  for (const char* word : {"common", "word3", "round3"}) {
    queries.push_back({std::string("SELECT k FROM d.texts WHERE body : '") + word + "'"});
  }
  queries.push_back({"SELECT name FROM d.files"});
  queries.push_back({"SELECT keyspace_name, table_name FROM system_schema.tables"});
  queries.push_back({"SELECT * FROM d.last", true});
  return queries;
}

}  // namespace

void Die(const std::string& why) {
  std::fprintf(stderr, "damage: %s\n", why.c_str());
  _exit(2);
}

Expected<std::unique_ptr<Database>> Open(const std::filesystem::path& directory) {
  return Database::Open({.directory = directory,
                         .map_bytes = uint64_t{1} << 32,
                         .memtable_bytes = size_t{1} << 20,
                         .page_rows = 100,
                         .clock = [now = int64_t{1'700'000'000'000'000}]() mutable { return ++now; }});
}

std::filesystem::path OlderFile(const std::filesystem::path& directory) { return directory.string() + ".older"; }
std::filesystem::path OlderLog(const std::filesystem::path& directory) { return directory.string() + ".older-log"; }

void MakeSample(const std::filesystem::path& directory, Ending ending) {
  const pid_t child = fork();
  if (child == 0) Make(directory, ending);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) Die("the sample database cannot be made");
}

const std::vector<Query>& Queries() {
  static const auto& queries = *new std::vector<Query>(MakeQueries());
  return queries;
}

Answer Ask(Database& database, const std::string& query) {
  Answer answer;
  auto result = database.Execute(query);
  if (!result.ok()) return {{}, result.error().message};
  ResultSet rows = std::move(result).value();
  while (rows.Next()) {
    std::string& row = answer.rows.emplace_back();
    for (size_t i = 0; i < rows.row().size(); ++i) row += rows.row().Text(i) + " | ";
  }
  if (rows.failure().has_value()) answer.failure = rows.failure()->message;
  return answer;
}

}  // namespace widerow::damage
