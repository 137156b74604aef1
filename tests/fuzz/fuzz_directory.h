// A data directory for targets that damage it. It is made once, with rows of every kind, and copied for each input.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "exec/engine/engine.h"

namespace widerow {

class FuzzDirectory {
 public:
  enum class Ending : uint8_t {
    kClosed,  // All rows are in data.mdb.
    kKilled,  // The last rows are only in the commit log.
  };

  explicit FuzzDirectory(Ending ending) {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-fuzz-XXXXXX").string();
    WR_CHECK(mkdtemp(name.data()) != nullptr);
    root_ = name;
    std::atexit([] { std::filesystem::remove_all(root_); });
    const std::unique_ptr<Engine> engine = Open(root_ / "made");
    WR_CHECK(engine != nullptr);
    for (const char* cql : kSchema) Must(*engine, cql);
    for (int i = 0; i < kRows; ++i) {
      if (i == kRows / 2) WR_CHECK(engine->Flush().ok());
      const std::string n = std::to_string(i);
      Must(*engine, "INSERT INTO f.t (k, c, s, v, b, m) VALUES (" + std::to_string(i % 4) + ", " + n + ", 's', 'v" + n +
                        "', " + (i % 10 == 0 ? "0x" + std::string(9'000, 'c') : "0xab") + ", {1: 'one', " + n +
                        ": 'n'})");
      Must(*engine, "UPDATE f.c SET n = n + 3 WHERE k = " + std::to_string(i % 3));
      if (i % 8 == 0) Must(*engine, "DELETE FROM f.t WHERE k = 1 AND c > " + n + " AND c < 7");
    }
    if (ending == Ending::kKilled) {
      usleep(500'000);  // Waits until the log has made its next segment in the background.
      std::filesystem::copy(root_ / "made", root_ / "copy", std::filesystem::copy_options::recursive);
    } else {
      WR_CHECK(engine->Flush().ok());
    }
    source_ = ending == Ending::kKilled ? "copy" : "made";
  }

  // Copies the directory for one input, and returns the path of the copy.
  std::filesystem::path Fresh() const {
    const std::filesystem::path fresh = root_ / "input";
    std::filesystem::remove_all(fresh);
    std::filesystem::copy(root_ / source_, fresh, std::filesystem::copy_options::recursive);
    return fresh;
  }

  // Opens a directory. Returns null if this is refused. The error must then have a message.
  static std::unique_ptr<Engine> Open(const std::filesystem::path& directory) {
    auto storage = OpenLmdbEngine({.directory = directory, .map_bytes = uint64_t{1} << 28, .background_sweep = false});
    WR_CHECK(storage.ok() || !storage.error().message.empty());
    return storage.ok() ? std::make_unique<Engine>(std::move(*storage)) : nullptr;
  }

  // Reads everything in several ways. Returns the rows of each statement, or nullopt if it failed.
  static std::vector<std::optional<Bytes>> ReadAll(Engine& engine) {
    std::vector<std::optional<Bytes>> answers;
    for (const char* cql : kQueries) {
      const Result<Outcome> outcome = engine.Execute(cql, {});
      const auto* rows = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr;
      answers.push_back(rows == nullptr ? std::nullopt : std::optional<Bytes>(rows->body));
    }
    return answers;
  }

  static Bytes ContentOf(const std::filesystem::path& file) {
    Bytes content(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(content.data(), static_cast<std::streamsize>(content.size()));
    return content;
  }
  static void Replace(const std::filesystem::path& file, ByteView content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }

 private:
  static constexpr int kRows = 60;
  static constexpr const char* kSchema[] = {
      "CREATE KEYSPACE f WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
      "CREATE TABLE f.t (k int, c int, s text static, v text, b blob, m map<int, text>, PRIMARY KEY (k, c))",
      "CREATE INDEX ON f.t (v)",
      "CREATE MATERIALIZED VIEW f.by_v AS SELECT k, c, v, b FROM f.t WHERE v IS NOT NULL AND k IS NOT NULL AND c IS "
      "NOT NULL "
      "PRIMARY KEY (v, k, c)",
      "CREATE TABLE f.c (k int PRIMARY KEY, n counter)",
      "CREATE TABLE f.r (k int, c int, PRIMARY KEY (k, c)) PARTITION BY RANGE (k)",
      "CREATE TABLE f.u (k int PRIMARY KEY, v int)",
      "INSERT INTO f.r (k, c) VALUES (1, 1) USING TTL 100000",
      "INSERT INTO f.r (k, c) VALUES (2, 1)",
  };
  static constexpr const char* kQueries[] = {
      "SELECT * FROM f.t",
      "SELECT * FROM f.t WHERE k = 2 ORDER BY c DESC",
      "SELECT b, m FROM f.t WHERE k = 2 AND c = 10",
      "SELECT count(*), max(v) FROM f.t",
      "SELECT * FROM f.t WHERE v = 'v11'",
      "SELECT * FROM f.by_v",
      "SELECT * FROM f.c",
      "SELECT k, c FROM f.r WHERE k >= 1",
      "SELECT keyspace_name, table_name, column_name, type FROM system_schema.columns WHERE keyspace_name = 'f'",
  };

  static void Must(Engine& engine, const std::string& cql) { WR_CHECK(engine.Execute(cql, {}).ok()); }

  static inline std::filesystem::path root_;
  std::string source_;
};

}  // namespace widerow
