// A table as HBase's clients see it: a table group whose tables are the families. The table `orders` with the families
// `a` and `b` consists of the CQL tables orders$a and orders$b, with the columns k (row), q (qualifier), t (timestamp)
// and v (value), and PRIMARY KEY (k, q, t). HBase's namespace is the keyspace.
#pragma once

#include <atomic>
#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/prepared/prepared_statement.h"
#include "net/hbase/cells/cell.h"
#include "types/schema.h"

namespace widerow::hbase {

inline constexpr std::string_view kDefaultNamespace = "default";
inline constexpr std::string_view kSystemNamespace = "hbase";

struct TableId {
  std::string space = std::string(kDefaultNamespace);  // The namespace.
  std::string name;

  // "name", or "namespace:name".
  std::string Text() const { return space == kDefaultNamespace ? name : space + ':' + name; }
  static TableId Parse(std::string_view text);
  friend auto operator<=>(const TableId&, const TableId&) = default;
};

// The attributes of a table or family that clients have set, such as VERSIONS, as texts.
using Attributes = std::map<std::string, std::string>;

struct FamilyOptions {
  static constexpr int64_t kForever = std::numeric_limits<int32_t>::max();
  int32_t max_versions = 1, min_versions = 0;
  int64_t ttl_seconds = kForever;

  // Makes the options from the attributes VERSIONS, MIN_VERSIONS and TTL.
  static FamilyOptions Of(const Attributes& attributes);
  // Cells below this timestamp have expired at `now_ms`.
  int64_t OldestUnexpired(int64_t now_ms) const {
    return ttl_seconds == kForever ? std::numeric_limits<int64_t>::min() : now_ms - ttl_seconds * 1'000;
  }
};

// The facts about a family that are not in its schema. Thread-safe. A change of the schema leaves them as they are.
struct FamilyState {
  explicit FamilyState(Bytes id_in) : id(std::move(id_in)) {}

  const Bytes id;  // The key of the family's delete markers. It changes when the table is truncated.
  // No delete marker has a greater timestamp than this one, which is kLatestTimestamp until the markers have been read.
  std::atomic<int64_t> newest_marker{kLatestTimestamp};
  std::atomic<bool> markers_known{false};
  std::atomic<uint32_t> puts{0};  // Counts puts. After one put in 64, RowWriter looks for old versions.
};

// The prepared statements of a family. Their bind markers stand for k, q, t, v, in this order, and then for the TTL.
struct FamilyStatements {
  PreparedPtr insert, insert_ttl, read_row, read_column, read_columns, delete_row, delete_column, delete_cell,
      delete_older;
  PreparedPtr read_life;  // Reads the seconds that are left of the TTL of the cell with this k, q and t.
};

struct HFamily {
  Bytes name;
  TablePtr table;
  Attributes attributes;
  FamilyOptions options;
  std::shared_ptr<FamilyState> state;
  FamilyStatements statements;
  bool newest_first = false;  // True: the table's clustering order is q ASC, t DESC.
  size_t prefix_bytes = 0;    // n if the table is partitioned by substring(k, 1, n), otherwise 0.
};

struct HTable {
  TableId id;
  std::vector<HFamily> families;  // Sorted by name. There is at least one.
  Attributes attributes;
  bool disabled = false;

  const HFamily* Find(ByteView family) const;
  // True if the rows cannot be read in order, because the tables have no PARTITION BY.
  bool unordered() const { return families[0].table->partitioning.by_token(); }
};
using HTablePtr = std::shared_ptr<const HTable>;

// True if the table has the columns of a family.
bool IsFamilyTable(const TableSchema& table);
// Quotes a name for CQL.
std::string Quoted(std::string_view name);

}  // namespace widerow::hbase
