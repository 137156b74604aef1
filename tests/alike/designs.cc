#include "tests/alike/designs.h"

#include <regex>

namespace widerow::alike {

const std::vector<std::string>& NamesOfA() {
  static const std::vector<std::string> names{"a", "ab", "abc", "b", "ca", "d0", "d1", "e", "f,g", "m", "z", "zz"};
  return names;
}

namespace {

using enum Permits;

const std::vector<Design> kDesigns{
    {"plain", kAll, "PRIMARY KEY (a, b, c))"},
    {"reversed", kAll, "PRIMARY KEY (a, b, c)) WITH CLUSTERING ORDER BY (b DESC, c DESC)", {}, true},
    {"by_range",
     kAll,
     "PRIMARY KEY (a, b, c)) PARTITION BY RANGE (a) (PARTITION low VALUES LESS THAN ('abc'), PARTITION middle VALUES "
     "LESS THAN ('e'), PARTITION high VALUES LESS THAN (MAXVALUE))",
     {},
     false,
     true},
    {"by_key", kAll, "PRIMARY KEY (a, b, c)) PARTITION BY KEY (a) PARTITIONS 5"},
    {"by_list", kAll,
     "PRIMARY KEY (a, b, c)) PARTITION BY LIST (a) (PARTITION x VALUES IN ('a', 'abc', 'e', 'z'), PARTITION y VALUES "
     "IN ('ab', 'b', 'm'), PARTITION z VALUES IN ('ca', 'd0', 'd1', 'f,g', 'zz'))"},
    {"by_list_of_derived", kAll,
     "p text GENERATED ALWAYS AS (substr(a, 0, 1)), PRIMARY KEY (a, b, c)) PARTITION BY LIST (p) (PARTITION x VALUES "
     "IN ('a', 'e', 'z'), PARTITION y VALUES IN ('b', 'c', 'd', 'f', 'm'))"},
    {"hashed", kAll, "p text GENERATED ALWAYS AS (hash_prefix(a, 1)), PRIMARY KEY ((p, a), b, c))"},
    {"hashed_inside", kAll, "p text GENERATED ALWAYS AS (hash_prefix(a, 1)), PRIMARY KEY (a, p, b, c))"},
    {"prefixed",
     kAll,
     "p text GENERATED ALWAYS AS (substr(a, 0, 1)), PRIMARY KEY ((p, a), b, c)) PARTITION BY RANGE (p) (PARTITION "
     "low "
     "VALUES LESS THAN ('c'), PARTITION high VALUES LESS THAN (MAXVALUE))",
     {},
     false,
     true},
    {"indexed", kAll, "PRIMARY KEY (a, b, c))", {"v", "w", "c"}},
    {"indexed_range",
     kAll,
     "PRIMARY KEY (a, b, c)) PARTITION BY RANGE (a) (PARTITION low VALUES LESS THAN ('d'), PARTITION high VALUES "
     "LESS "
     "THAN (MAXVALUE))",
     {"(a), v", "w"},
     false,
     true},
    {"buckets", kRows, "q int GENERATED ALWAYS AS (bucket(b, 4)), PRIMARY KEY ((q, a), b, c))"},
    {"windows", kRows, "q int GENERATED ALWAYS AS (window(b, 5)), PRIMARY KEY ((a, q), b, c))"},
    {"bucket_inside", kRows, "q int GENERATED ALWAYS AS (bucket(b, 3)), PRIMARY KEY (a, q, b, c))"},
    {"window_inside", kRows, "q int GENERATED ALWAYS AS (window(b, 5)), PRIMARY KEY (a, q, b, c))"},
    {"hashed_together", kRows, "p text GENERATED ALWAYS AS (hash_prefix(a, 1)), PRIMARY KEY (p, a, b, c))"},
    {"indexed_buckets",
     kRows,
     "q int GENERATED ALWAYS AS (bucket(b, 2)), PRIMARY KEY ((q, a), b, c)) PARTITION BY KEY (q, a) PARTITIONS 3",
     {"v", "w"}},
    {"twice_derived", kRows,
     "p text GENERATED ALWAYS AS (hash_prefix(a, 1)), q int GENERATED ALWAYS AS (window(b, 7)), PRIMARY KEY ((p, q), "
     "a, b, c))"},
    {"chained", kRows,
     "q int GENERATED ALWAYS AS (window(b, 2)), r int GENERATED ALWAYS AS (bucket(q, 3)), PRIMARY KEY ((r, a), q, b, "
     "c))"},
    {"reversed_buckets",
     kRows,
     "q int GENERATED ALWAYS AS (bucket(b, 4)), PRIMARY KEY ((q, a), b, c)) WITH CLUSTERING ORDER BY (b DESC, c "
     "DESC)",
     {},
     true},
    {"reversed_windows",
     kRows,
     "q int GENERATED ALWAYS AS (window(b, 5)), PRIMARY KEY (a, q, b, c)) WITH CLUSTERING ORDER BY (q DESC, b DESC, "
     "c DESC)",
     {},
     true},
    {"range_of_two",
     kRows,
     "PRIMARY KEY ((a, b), c)) PARTITION BY RANGE (a, b) (PARTITION low VALUES LESS THAN ('b', 7), PARTITION middle "
     "VALUES LESS THAN ('e', 3), PARTITION high VALUES LESS THAN (MAXVALUE))",
     {},
     false,
     true},
    {"other_order", kRows, "PRIMARY KEY (b, c, a)) PARTITION BY HASH (b) PARTITIONS 4", {"v"}},
    {"hashed_pair",
     kRows,
     "p text GENERATED ALWAYS AS (hash_prefix(a, 1)), PRIMARY KEY ((a, b), p, c)) PARTITION BY KEY (b) PARTITIONS 3",
     {"w"}},
    {"viewed", kRows, "PRIMARY KEY (a, b, c))", {}, false, false, "(b, a, c)"},
    {"viewed_buckets",
     kRows,
     "q int GENERATED ALWAYS AS (bucket(b, 3)), PRIMARY KEY ((q, a), b, c))",
     {},
     false,
     false,
     "(a, b, c, q)"},
    {"spliced", kWholeInserts,
     "k text GENERATED ALWAYS AS (splice(',', zero_pad(b, 2), zero_pad(c, 2))), PRIMARY KEY (a, k))"},
    {"spliced_pair",
     kWholeInserts,
     "k text GENERATED ALWAYS AS (splice('', zero_pad(b, 3), zero_pad(c, 1))), PRIMARY KEY (a, k))",
     {"v"}},
    {"spliced_whole", kWholeInserts,
     "k text GENERATED ALWAYS AS (splice('/', hash_prefix(a, 2), zero_pad(b, 2), zero_pad(c, 2), a)), PRIMARY KEY "
     "(k)) PARTITION BY RANGE (k) PARTITIONS 4"},
};

}  // namespace

const std::vector<Design>& Designs() { return kDesigns; }

std::string Definition(const Design& design, const Columns& columns) {
  const std::string b = columns.times ? "timestamp" : "int";
  std::string rest = design.rest;
  if (columns.times) {
    rest = std::regex_replace(rest, std::regex("q int GENERATED ALWAYS AS \\(window"),
                              "q timestamp GENERATED ALWAYS AS (window");
    rest = std::regex_replace(rest, std::regex("window\\(b, 5\\)"), "window(b, '1mo')");
    rest = std::regex_replace(rest, std::regex("window\\(b, ([0-9]+)\\)"), "window(b, '$1d')");
  }
  return "(a text, b " + b + ", c int, v int, w text, s int" + (columns.permits == Permits::kAll ? " STATIC" : "") +
         ", " + rest;
}

}  // namespace widerow::alike
