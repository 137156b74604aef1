#include "tests/derived/workload.h"

#include "base/text.h"

namespace widerow::derived_tables {
namespace {

void Run(Engine& engine, const std::string& statement) {
  Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
  if (!outcome.ok()) Die(statement + ": " + outcome.error().message);
}

// Runs a write. It may be refused because its partition has just been dropped, or because of a unique index. Any other
// error ends the process.
void RunWrite(Engine& engine, const std::string& statement) {
  Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
  if (outcome.ok() || outcome.error().message.starts_with("Table has no partition for value")) return;
  if (outcome.error().message.starts_with("Unique index ")) return;
  Die(statement + ": " + outcome.error().message);
}

// Runs a schema statement. It may be refused, because another thread has made or dropped the same index. An error of
// another kind ends the process.
void Try(Engine& engine, const std::string& statement) {
  Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
  if (!outcome.ok() && outcome.error().code != ErrorCode::kInvalid) Die(statement + ": " + outcome.error().message);
}

// The indexes: the words before INDEX, a name, and what comes after ON. For a new kind of index, add the index to
// kIndexes, add writes of its column to Writer, and add a comparison to questions.cc.
struct Index {
  const char *words, *name, *on;
};
const Index kIndexes[] = {
    {"", "t_v", "t (v)"},
    {"", "t_w", "t (w) USING 'sai'"},
    {"", "t_c", "t (c)"},
    {"", "t_b", "t (b)"},
    {"", "t_s", "t (s)"},
    {"CUSTOM ", "t_x", "t (x) USING 'org.apache.cassandra.index.sasi.SASIIndex' WITH OPTIONS = {'mode': 'CONTAINS'}"},
    {"CUSTOM ", "t_y", "t (y) USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'}"},
    {"", "m_l", "m (l)"},
    {"", "m_st", "m (st)"},
    {"", "m_v", "m (VALUES(m))"},
    {"", "m_k", "m (KEYS(m))"},
    {"", "m_e", "m (ENTRIES(m)) USING 'sai'"},
    {"", "m_f", "m (FULL(f))"},
    {"", "m_n", "m (e) USING 'sai'"},
    {"", "r_v", "r (v) USING 'sai'"},
    {"", "r_s", "r (s)"},
    {"CUSTOM ", "r_y", "r (y) USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'}"},
    {"", "l_v", "l (v)"},
    {"UNIQUE ", "u_v", "u (v)"},
    {"UNIQUE ", "u_s", "u (s)"},
    {"UNIQUE LOCAL ", "u_w", "u (w)"},
    {"UNIQUE ", "u_tags", "u (tags) USING 'sai'"},
};

// Makes the index if it does not exist. While a unique index did not exist, rows may have got equal values. The index
// is then refused, so this function empties its table and tries again.
void CreateIndex(Engine& engine, const Index& index) {
  const std::string statement = StrCat("CREATE ", index.words, "INDEX IF NOT EXISTS ", index.name, " ON ", index.on);
  const bool unique = std::string(index.words).starts_with("UNIQUE");
  for (int tries = 0; tries < 10; ++tries) {
    const Result<Outcome> outcome = engine.Execute(statement, {.keyspace = "ks"});
    if (outcome.ok()) return;
    if (!unique || !outcome.error().message.starts_with("Cannot create unique index"))
      Die(statement + ": " + outcome.error().message);
    Run(engine, "TRUNCATE u");
  }
}

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
    if (table == "u") return OfUnique();
    const bool has_b = table == "t";
    const std::string partition = has_b ? "a = " + Number(4) + " AND b = " + Number(3) : "a = " + Number(20);
    const std::string c = Number(6);
    if (has_b && random_() % 6 == 0) {
      return "UPDATE t" + Using(true) + " SET x = 'word" + Number(5) + "' WHERE " + partition + " AND c = " + c;
    }
    if ((table == "r" || has_b) && random_() % 4 == 0) {
      return "UPDATE " + table + Using(true) + " SET y = '" + Words() + "' WHERE " + partition + " AND c = " + c;
    }
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

  // Returns a text of up to five words. A word can come more than once.
  std::string Words() {
    std::string words;
    for (unsigned left = random_() % 6; left > 0; --left) words += "word" + Number(4) + " ";
    return words;
  }

  std::string OfMaps() {
    const std::string row = " WHERE p = " + Number(10) + " AND c = " + Number(3);
    const std::string element = Number(4), key = "'k" + Number(3) + "'";
    const std::string vector = "[1, " + element + ", " + Number(1'000) + "]";
    switch (random_() % 15) {
      case 12:
      case 13: return "UPDATE m" + Using(true) + " SET e = " + vector + row;
      case 14: return "DELETE e FROM m" + Using(false) + row;
      case 0:
      case 1:
        return "INSERT INTO m (p, c, e, l, st, m, f) VALUES (" + Number(10) + ", " + Number(3) + ", " + vector + ", [" +
               element + ", 1], {" + element + "}, {" + key + ": " + element + "}, [" + element + "])" + Using(true);
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

  // Returns a write to table u, which has unique indexes. Most of the values that it writes to v are already in another
  // row. Most of those for tags are in no row.
  std::string OfUnique() {
    const std::string partition = " WHERE k = " + Number(12), row = partition + " AND c = " + Number(4);
    switch (random_() % 12) {
      case 0:
      case 1:
      case 2:
        return "INSERT INTO u (k, c, v, w, tags) VALUES (" + Number(12) + ", " + Number(4) + ", " + Value(60) + ", " +
               Value(9) + ", {" + Number(90) + ", " + Number(90) + "})" + Using(true);
      case 3:
      case 4: return "UPDATE u" + Using(true) + " SET v = " + Value(60) + row;
      case 5: return "UPDATE u" + Using(true) + " SET w = " + Value(9) + row;
      case 6: return "UPDATE u" + Using(true) + " SET s = " + Value(20) + partition;
      case 7: return "UPDATE u SET tags = tags + {" + Number(90) + "}" + row;
      case 8: return "UPDATE u SET tags = tags - {" + Number(90) + "}, v = null" + row;
      case 9: return "DELETE FROM u" + Using(false) + row;
      case 10: return "DELETE FROM u" + Using(false) + partition + " AND c > " + Number(3);
      default: return random_() % 3 == 0 ? "DELETE FROM u" + Using(false) + partition : "DELETE tags FROM u" + row;
    }
  }

  // Writes v of two rows in one batch. If the first row has the second one's new value, and the second row has the
  // first one's, the rows exchange their values.
  std::string Exchange() {
    const std::string a = Number(60), b = Number(60), c = " AND c = " + Number(4);
    return "BEGIN BATCH UPDATE u SET v = " + a + " WHERE k = " + Number(12) + c + "; UPDATE u SET v = " + b +
           " WHERE k = " + Number(12) + c + "; APPLY BATCH";
  }

  std::string Table() {
    const char* const tables[] = {"t", "t", "m", "r", "l", "u", "u"};
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
    } else if (kind == 2) {
      RunWrite(engine_, random_() % 2 == 0 ? Exchange()
                                           : "UPDATE u SET v = " + Number(60) + " WHERE k = " + Number(12) +
                                                 " AND c = " + Number(4) + " IF EXISTS");
    } else if (kind < 7) {
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
      "CREATE TABLE IF NOT EXISTS t (a int, b int, c int, s int static, v int, w int, x text, y text, PRIMARY KEY ((a, "
      "b), c)) "
      "WITH "
      "CLUSTERING ORDER BY (c DESC)");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS m (p int, c int, l list<int>, st set<int>, m map<text, int>, f frozen<list<int>>, "
      "e vector<float, 3>, PRIMARY KEY (p, c))");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS u (k int, c int, s int static, v int, w int, tags set<int>, PRIMARY KEY (k, c))");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS r (a int, c int, s int static, v int, w int, y text, PRIMARY KEY (a, c)) PARTITION "
      "BY RANGE (a) "
      "(PARTITION p0 VALUES LESS THAN (6), PARTITION p1 VALUES LESS THAN (12), PARTITION p2 VALUES LESS THAN "
      "MAXVALUE)");
  Run(engine,
      "CREATE TABLE IF NOT EXISTS l (a int, c int, s int static, v int, w int, PRIMARY KEY (a, c)) PARTITION BY LIST "
      "(a) "
      "(PARTITION x VALUES IN (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), PARTITION y VALUES IN (10, 11, 12, 13, 14, 15, 16, 17, "
      "18, 19))");
  for (const Index& index : kIndexes) CreateIndex(engine, index);
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
  if (random() % 8 == 0) {
    Run(engine, std::string("TRUNCATE ") + (random() % 2 == 0 ? "m" : "r"));
    return;
  }
  const Index& index = kIndexes[random() % std::size(kIndexes)];
  Try(engine, std::string("DROP INDEX ") + index.name);
  CreateIndex(engine, index);
}

}  // namespace widerow::derived_tables
