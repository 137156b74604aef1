// A real database for fuzzing, in a directory of its own under TMPDIR. The keyspace k has tables of every kind, an
// index, a view, a few rows and prepared statements. The keyspace e is empty, for inputs that make their own tables.
// Schema changes of an input are undone before the next input. After many inputs, the database is made again. So a
// finding hardly depends on earlier inputs, and neither memory nor disk space grows.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/check.h"
#include "exec/engine/engine.h"

namespace widerow {

class FuzzDatabase {
 public:
  FuzzDatabase() {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-fuzz-XXXXXX").string();
    WR_CHECK(mkdtemp(name.data()) != nullptr);
    directory_ = name;
    std::atexit([] { std::filesystem::remove_all(directory_); });
    Begin();
  }

  void BeginInput() {
    if (++inputs_ % kInputsMax == 0 || !Undo()) Begin();
  }
  Engine& engine() { return *engine_; }
  const PreparedStatement& Prepared(size_t which) const { return *prepared_[which % prepared_.size()]; }

 private:
  static constexpr size_t kInputsMax = 1'000;
  static constexpr const char* kEmptyKeyspace =
      "CREATE KEYSPACE e WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
  static constexpr const char* kSchema[] = {
      kEmptyKeyspace,
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
      "CREATE TYPE u (a int, b text)",
      "CREATE TABLE t (pk int, ck int, ck2 text, s text static, v text, l list<int>, m map<text, int>, se set<text>, f "
      "frozen<u>, "
      "PRIMARY KEY (pk, ck, ck2)) WITH CLUSTERING ORDER BY (ck DESC, ck2 ASC)",
      "CREATE TABLE a (k text PRIMARY KEY, a1 ascii, b bigint, c blob, d boolean, e date, f decimal, g double, h "
      "duration, i float, "
      "j inet, l smallint, m time, n timestamp, o timeuuid, p tinyint, q uuid, r varint, t tuple<int, text>, u u, v "
      "vector<float, 2>)",
      "CREATE TABLE c (k int, d int, n counter, PRIMARY KEY (k, d))",
      "CREATE TABLE r (k int, c int, v int, w text, PRIMARY KEY (k, c)) PARTITION BY RANGE (k) (PARTITION p0 VALUES "
      "LESS "
      "THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)",
      "CREATE INDEX r_v ON r (v)",
      "CREATE MATERIALIZED VIEW r_by_w AS SELECT * FROM r WHERE w IS NOT NULL AND k IS NOT NULL AND c IS NOT NULL "
      "PRIMARY KEY (w, k, c)",
      "CREATE TABLE h (bucket int GENERATED ALWAYS AS (bucket(k, 4)), k int, v int, PRIMARY KEY (bucket, k))",
      "INSERT INTO r (k, c, v, w) VALUES (1, 1, 10, 'a')",
      "INSERT INTO r (k, c, v, w) VALUES (1, 2, 11, 'b')",
      "INSERT INTO r (k, c, v, w) VALUES (3, 1, 10, 'a')",
      "INSERT INTO r (k, c, v, w) VALUES (15, 1, 11, 'b')",
      "INSERT INTO h (k, v) VALUES (1, 1)",
      "INSERT INTO h (k, v) VALUES (2, 2)",
      "INSERT INTO h (k, v) VALUES (3, 3)",
      "INSERT INTO h (k, v) VALUES (9, 1)",
      "UPDATE c SET n = n + 5 WHERE k = 1 AND d = 1",
      "INSERT INTO t (pk, ck, ck2, s, v, l, m, se, f) VALUES (1, 1, 'a', 's', 'v', [1, 2], {'a': 1}, {'x'}, {a: 1, b: "
      "'b'})",
      "INSERT INTO t (pk, ck, ck2, v) VALUES (1, 2, 'b', 'w')",
      "INSERT INTO t (pk, ck, ck2, v) VALUES (1, 3, 'c', null)",
      "INSERT INTO t (pk, ck, ck2, v) VALUES (2, 1, 'a', 'x')",
      "INSERT INTO a (k, b, f, n, r, v) VALUES ('k', 1, 1.5, 0, 123456789012345678901234567890, [1, 2])",
  };
  static constexpr const char* kPrepared[] = {
      "SELECT * FROM t WHERE pk = ? AND ck = ? AND ck2 = ?",
      "SELECT * FROM t WHERE pk = ?",
      "SELECT v, writetime(v), ttl(v) FROM t WHERE pk = ? AND ck > ? AND ck <= ? ORDER BY ck ASC LIMIT ?",
      "SELECT * FROM t WHERE pk IN ? AND ck IN ?",
      "SELECT * FROM t WHERE token(pk) > ? AND token(pk) <= ?",
      "SELECT * FROM t WHERE pk = ? AND (ck, ck2) > (?, ?)",
      "SELECT * FROM t WHERE v = ? AND l CONTAINS ? ALLOW FILTERING",
      "SELECT count(*), max(v) FROM t WHERE pk = ?",
      "INSERT INTO t (pk, ck, ck2, s, v, l, m, se, f) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) USING TTL ? AND TIMESTAMP ?",
      "INSERT INTO a (k, a1, b, c, d, e, f, g, h, i, j, l, m, n, o, p, q, r, t, u, v) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "UPDATE t SET v = ?, l = l + ?, m[?] = ?, se = se - ?, s = ? WHERE pk = ? AND ck = ? AND ck2 = ?",
      "UPDATE t SET l[?] = ? WHERE pk = ? AND ck = ? AND ck2 = ?",
      "DELETE FROM t USING TIMESTAMP ? WHERE pk = ? AND ck >= ? AND ck < ?",
      "DELETE l[?], m[?] FROM t WHERE pk = ? AND ck = ? AND ck2 = ?",
      "BEGIN BATCH INSERT INTO a (k, b) VALUES (?, ?); DELETE FROM a WHERE k = ?; APPLY BATCH",
      "SELECT * FROM a WHERE k = ?",
      "SELECT * FROM system_schema.columns WHERE keyspace_name = ?",
  };

  // Undoes the schema changes of an input. Returns false if the keyspace k itself has changed.
  bool Undo() {
    const SchemaPtr now = engine_->schema();
    if (now == schema_) return true;
    const auto k = now->keyspaces.find("k");
    if (k == now->keyspaces.end() || k->second != schema_->keyspaces.at("k")) return false;
    for (const auto& [name, keyspace] : now->keyspaces) {
      const auto before = schema_->keyspaces.find(name);
      if (before != schema_->keyspaces.end() && before->second == keyspace) continue;
      if (before != schema_->keyspaces.end() && name != "e") return false;
      Must("DROP KEYSPACE \"" + name + '"');
    }
    if (engine_->schema()->FindKeyspace("e") == nullptr) Must(kEmptyKeyspace);
    schema_ = engine_->schema();
    return true;
  }
  void Must(const std::string& cql) { WR_CHECK(engine_->Execute(cql, {.keyspace = "k"}).ok()); }

  void Begin() {
    prepared_.clear();
    engine_.reset();
    std::filesystem::remove_all(directory_ / "data");
    auto storage =
        OpenLmdbEngine({.directory = directory_ / "data", .map_bytes = uint64_t{1} << 30, .background_sweep = false});
    WR_CHECK(storage.ok());
    engine_ = std::make_unique<Engine>(std::move(*storage));
    for (const char* cql : kSchema) Must(cql);
    for (const char* cql : kPrepared) {
      Result<PreparedPtr> statement = engine_->Prepare(cql, "k");
      WR_CHECK(statement.ok());
      prepared_.push_back(std::move(*statement));
    }
    schema_ = engine_->schema();
  }

  static inline std::filesystem::path directory_;
  std::unique_ptr<Engine> engine_;
  std::vector<PreparedPtr> prepared_;
  SchemaPtr schema_;
  size_t inputs_ = 0;
};

}  // namespace widerow
