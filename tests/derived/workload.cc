#include "tests/derived/workload.h"

namespace widerow::derived_tables {
namespace {

void Run(Engine& engine, const std::string& statement) {
  Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
  if (!outcome.ok()) Die(statement + ": " + outcome.error().message);
}

// Runs a write. It may be refused because its partition has just been dropped. Any other error ends the process.
void RunWrite(Engine& engine, const std::string& statement) {
  Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
  if (outcome.ok() || outcome.error().message.starts_with("Table has no partition for value")) return;
  Die(statement + ": " + outcome.error().message);
}

// Runs a schema statement. It may be refused, because another thread has made or dropped the same index. An error of
// another kind ends the process.
void Try(Engine& engine, const std::string& statement) {
  Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
  if (!outcome.ok() && outcome.error().code != ErrorCode::kInvalid) Die(statement + ": " + outcome.error().message);
}

const char* const kIndexes[] = {
    "CREATE INDEX IF NOT EXISTS t_v ON t (v)",       "CREATE INDEX IF NOT EXISTS t_w ON t (w) USING 'sai'",
    "CREATE INDEX IF NOT EXISTS t_c ON t (c)",       "CREATE INDEX IF NOT EXISTS t_b ON t (b)",
    "CREATE INDEX IF NOT EXISTS t_s ON t (s)",       "CREATE INDEX IF NOT EXISTS m_l ON m (l)",
    "CREATE INDEX IF NOT EXISTS m_st ON m (st)",     "CREATE INDEX IF NOT EXISTS m_v ON m (VALUES(m))",
    "CREATE INDEX IF NOT EXISTS m_k ON m (KEYS(m))", "CREATE INDEX IF NOT EXISTS m_e ON m (ENTRIES(m)) USING 'sai'",
    "CREATE INDEX IF NOT EXISTS m_f ON m (FULL(f))", "CREATE INDEX IF NOT EXISTS r_v ON r (v) USING 'sai'",
    "CREATE INDEX IF NOT EXISTS r_s ON r (s)",       "CREATE INDEX IF NOT EXISTS l_v ON l (v)",
};

// The views: a name, and the rest of CREATE MATERIALIZED VIEW.
const std::pair<const char*, const char*> kViews[] = {
    {"t_by_v",
     "SELECT a, b, c, v FROM t WHERE a IS NOT NULL AND b IS NOT NULL AND c IS NOT NULL AND v IS NOT NULL PRIMARY KEY "
     "(v, a, b, c)"},
    {"t_turned", "SELECT a, b, c FROM t WHERE a IN (1, 2, 3) AND b IS NOT NULL AND c > 1 PRIMARY KEY ((c, b), a)"},
    {"m_turned", "SELECT * FROM m WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)"},
    {"m_by_f",
     "SELECT p, c, f FROM m WHERE p IS NOT NULL AND c IS NOT NULL AND f IS NOT NULL PRIMARY KEY (p, f, c) WITH "
     "CLUSTERING ORDER BY (f DESC, c ASC)"},
    {"r_by_w",
     "SELECT a, c, w, v FROM r WHERE a IS NOT NULL AND c IS NOT NULL AND w IS NOT NULL PRIMARY KEY ((w, a), c)"},
    {"l_by_v", "SELECT a, c, v FROM l WHERE a IS NOT NULL AND c IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, a, c)"},
    {"l_turned", "SELECT a, c, v FROM l WHERE a IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, a)"},
};

std::string CreateView(const std::pair<const char*, const char*>& view) {
  return std::string("CREATE MATERIALIZED VIEW IF NOT EXISTS ") + view.first + " AS " + view.second;
}

class Writer {
 public:
  Writer(Engine& engine, std::mt19937& random) : engine_(engine), random_(random) {}

  std::string Number(unsigned below) { return std::to_string(random_() % below); }
  // Returns a USING clause, or nothing. One write of four has a timestamp of its own, which is often old. If
  // `may_expire`, some writes have a TTL, mostly a long one.
  std::string Using(bool may_expire) {
    std::string text;
    if (random_() % 4 == 0)
      text = " USING TIMESTAMP " +
             std::to_string(random_() % 2 == 0 ? 1'000 + random_() % 100 : 1'700'000'000'000'000 + random_() % 100);
    if (may_expire && random_() % 6 == 0) {
      text += (text.empty() ? " USING TTL " : " AND TTL ") +
              std::to_string(random_() % 3 == 0 ? 1 : 100'000 + random_() % 3);
    }
    return text;
  }
  std::string Value(unsigned below) { return random_() % 8 == 0 ? "null" : Number(below); }

  std::string Plain(const std::string& table) {
    if (table == "m") return OfMaps();
    const bool has_b = table == "t";
    const std::string partition = has_b ? "a = " + Number(4) + " AND b = " + Number(3) : "a = " + Number(20);
    const std::string c = Number(6);
    switch (random_() % 12) {
      case 0:
      case 1:
      case 2:
      case 3:
        return "INSERT INTO " + table +
               (has_b ? " (a, b, c, v, w) VALUES (" + Number(4) + ", " + Number(3)
                      : " (a, c, v, w) VALUES (" + Number(20)) +
               ", " + c + ", " + Value(5) + ", " + Value(9) + ")" + Using(true);
      case 4:
      case 5: return "UPDATE " + table + Using(true) + " SET v = " + Value(5) + " WHERE " + partition + " AND c = " + c;
      case 6:
        return "UPDATE " + table + Using(true) + " SET w = " + Value(9) + " WHERE " + partition + " AND c IN (" + c +
               ", 2)";
      case 7: return "UPDATE " + table + Using(true) + " SET s = " + Value(3) + " WHERE " + partition;
      case 8: return "DELETE v FROM " + table + Using(false) + " WHERE " + partition + " AND c = " + c;
      case 9: return "DELETE FROM " + table + Using(false) + " WHERE " + partition + " AND c = " + c;
      case 10: return "DELETE FROM " + table + Using(false) + " WHERE " + partition + " AND c > " + c + " AND c <= 5";
      default:
        return random_() % 3 == 0 ? "DELETE FROM " + table + Using(false) + " WHERE " + partition
                                  : "DELETE s FROM " + table + Using(false) + " WHERE " + partition;
    }
  }

  std::string OfMaps() {
    const std::string row = " WHERE p = " + Number(10) + " AND c = " + Number(3);
    const std::string element = Number(4), key = "'k" + Number(3) + "'";
    switch (random_() % 12) {
      case 0:
      case 1:
        return "INSERT INTO m (p, c, l, st, m, f) VALUES (" + Number(10) + ", " + Number(3) + ", [" + element +
               ", 1], {" + element + "}, {" + key + ": " + element + "}, [" + element + "])" + Using(true);
      case 2:
        return "UPDATE m" + Using(true) + " SET l = l + [" + element + "], m = m + {" + key + ": " + element + "}" +
               row;
      case 3: return "UPDATE m SET l = [" + element + "] + l, st = st + {" + element + ", 7}" + row;
      case 4: return "UPDATE m SET l = l - [" + element + "]" + row;
      case 5: return "UPDATE m" + Using(true) + " SET m[" + key + "] = " + Value(4) + row;
      case 6: return "UPDATE m" + Using(false) + " SET st = st - {" + element + "}, m = m - {" + key + "}" + row;
      case 7: return "UPDATE m" + Using(true) + " SET f = [" + element + ", 2], st = {" + element + "}" + row;
      case 8: return "DELETE l, m FROM m" + Using(false) + row;
      case 9: return "DELETE m[" + key + "] FROM m" + row;
      case 10: return "DELETE FROM m" + Using(false) + row;
      default: return "DELETE FROM m" + Using(false) + " WHERE p = " + Number(10);
    }
  }

  std::string Table() {
    const char* const tables[] = {"t", "t", "m", "r", "l"};
    return tables[random_() % std::size(tables)];
  }

  void Write() {
    const unsigned kind = random_() % 20;
    if (kind == 0) {
      Run(engine_, "INSERT INTO t (a, b, c, v, w) VALUES (" + Number(4) + ", " + Number(3) + ", " + Number(6) + ", " +
                       Number(5) + ", 1) IF NOT EXISTS");
    } else if (kind == 1) {
      Run(engine_, "UPDATE t SET v = " + Number(5) + " WHERE a = " + Number(4) + " AND b = 1 AND c = " + Number(6) +
                       " IF EXISTS");
    } else if (kind < 6) {
      std::string batch = random_() % 2 == 0 ? "BEGIN BATCH " : "BEGIN UNLOGGED BATCH ";
      for (unsigned i = 2 + random_() % 6; i > 0; --i) batch += Plain(Table()) + "; ";
      RunWrite(engine_, batch + "APPLY BATCH");
    } else {
      RunWrite(engine_, Plain(Table()));
    }
  }

 private:
  Engine& engine_;
  std::mt19937& random_;
};

}  // namespace

void CreateTables(Engine& engine) {
  Run(engine,
      "CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS t (a int, b int, c int, s int static, v int, w int, PRIMARY KEY ((a, b), c)) WITH "
      "CLUSTERING ORDER BY (c DESC)");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS m (p int, c int, l list<int>, st set<int>, m map<text, int>, f frozen<list<int>>, "
      "PRIMARY KEY (p, c))");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS r (a int, c int, s int static, v int, w int, PRIMARY KEY (a, c)) PARTITION BY RANGE "
      "(a) "
      "(PARTITION p0 VALUES LESS THAN (6), PARTITION p1 VALUES LESS THAN (12), PARTITION p2 VALUES LESS THAN "
      "MAXVALUE)");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS l (a int, c int, s int static, v int, w int, PRIMARY KEY (a, c)) PARTITION BY LIST "
      "(a) "
      "(PARTITION x VALUES IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), PARTITION y VALUES IN (10, 11, 12, 13, 14, 15, 16, 17, "
      "18, 19))");
  for (const char* const index : kIndexes) Run(engine, index);
  for (const auto& view : kViews) Run(engine, CreateView(view));
}

void WriteSomething(Engine& engine, std::mt19937& random) { Writer(engine, random).Write(); }

// Empties a partition by TRUNCATE or DROP PARTITION. A dropped partition is added again at once, under a new number.
void EmptyPartition(Engine& engine, std::mt19937& random) {
  const bool list = random() % 2 == 0;
  if (random() % 2 == 0) {
    const std::string partition = list ? (random() % 2 == 0 ? "x" : "y") : "p" + std::to_string(random() % 3);
    Try(engine, std::string("ALTER TABLE ") + (list ? "l" : "r") + " TRUNCATE PARTITION " + partition);
  } else if (list) {
    Try(engine, "ALTER TABLE l DROP PARTITION x");
    Try(engine, "ALTER TABLE l ADD PARTITION x VALUES IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)");
  } else {
    Try(engine, "ALTER TABLE r DROP PARTITION p0");
    Try(engine, "ALTER TABLE r SPLIT PARTITION p1 AT (6) INTO (PARTITION p0, PARTITION p1)");
  }
}

void ChangeSomething(Engine& engine, std::mt19937& random) {
  if (random() % 3 == 0) {
    const auto& view = kViews[random() % std::size(kViews)];
    Try(engine, std::string("DROP MATERIALIZED VIEW ") + view.first);
    Run(engine, CreateView(view));
    return;
  }
  if (random() % 3 == 0) {
    EmptyPartition(engine, random);
    return;
  }
  const std::string index = kIndexes[random() % std::size(kIndexes)];
  if (random() % 8 == 0) {
    Run(engine, std::string("TRUNCATE ") + (random() % 2 == 0 ? "m" : "r"));
    return;
  }
  const size_t begin = std::string("CREATE INDEX IF NOT EXISTS ").size();
  Try(engine, "DROP INDEX " + index.substr(begin, index.find(' ', begin) - begin));
  Try(engine, index);
}

}  // namespace widerow::derived_tables
