// The operations of the workload. An operation follows only from the seed, the thread and its number, so a checker
// knows its content without a log. Each thread owns the partitions p of the shared table `p.wide` with p % threads ==
// thread. It also has a table of its own: alternately `p.side<thread>`, and `p.range<thread>` in key order. It creates,
// indexes, splits, truncates and drops these tables. At times it makes or drops an index of the shared table. It waits
// for each answer. So the rows of a thread always result from a prefix of its operations.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "widerow/database.h"

namespace widerow::powercut {

struct WorkloadShape {
  uint64_t seed = 1;
  uint32_t threads = 3;
  uint32_t body_bytes_max = 300'000;  // The size of the longest values. Most values are short.
  // The number of operations from the creation of a thread's table to the creation of its next one. At least 20.
  uint64_t period = 60;
  bool loose_batches = false;  // If true, batches are sent in parts, which a checker must notice.
};

enum class TableKind : uint8_t { kWide = 0, kSide = 1, kRange = 2 };

struct Change {
  enum Kind : uint8_t { kInsert, kNote, kTag, kStatic, kDeleteRow, kDeleteRange, kDeletePartition };
  Kind kind{};
  TableKind table{};
  int32_t p = 0, c = 0, c_end = 0, tag = 0;
};

struct Operation {
  // All kinds but kWrite change the schema. Splits, merges and indexes do not change the content of tables.
  enum Kind : uint8_t {
    kWrite,
    kCreateTable,
    kCreateIndex,
    kSplit,
    kSplitInHalves,
    kTruncatePartition,
    kMerge,
    kTruncate,
    kDropTable,
    kCreateSharedIndex,
    kDropSharedIndex,
  };
  Kind kind = kWrite;
  TableKind table = TableKind::kWide;  // The table of a schema change.
  int64_t id = 0;                      // The value that the operation writes. It contains the thread and the number.
  std::vector<Change> changes;         // Several changes are a logged batch over several partitions.
};

// Returns an operation of the thread. `number` counts from 1.
Operation MakeOperation(const WorkloadShape& shape, uint32_t thread, uint64_t number);
// Returns the long value that an INSERT of the operation `id` writes.
std::string BodyOf(const WorkloadShape& shape, int64_t id);

// Names a row, a static row (c = kStatic) or a table (p = kTable).
struct RowKey {
  static constexpr int32_t kTable = -1, kStatic = -1;
  TableKind table{};
  int32_t p = 0, c = 0;
  auto operator<=>(const RowKey&) const = default;
};
struct RowState {
  bool marker = false;
  int64_t op = 0, note = 0;  // 0 means null. In a static row, `op` is the static column.
  std::map<int32_t, int64_t> tags;
  bool empty() const { return !marker && op == 0 && note == 0 && tags.empty(); }
  bool operator==(const RowState&) const = default;
};
// The content of the tables that a thread owns.
using Contents = std::map<RowKey, RowState>;

// Changes `contents` as the operation must change the database. Adds the changed keys to `touched`.
void ApplyTo(Contents& contents, const Operation& operation, std::vector<RowKey>& touched);

Expected<ResultSet> Execute(Database& database, const WorkloadShape& shape, uint32_t thread,
                            const Operation& operation);
// True if the operation was refused because its table, or the partition that it splits or merges, does not exist. It
// has changed nothing.
bool RefusedForAbsence(const Operation& operation, const Failure& failure);
bool IsAbsence(const Failure& failure);

// Counts answered operations for the totals of a campaign.
struct OperationCounts {
  uint64_t writes = 0, batches = 0, tables = 0, truncates = 0, splits = 0, indexes = 0;
  void Add(const Operation& operation);
  void Add(const OperationCounts& other);
  std::string Text() const;
};

std::string TableName(TableKind table, uint32_t thread);
std::string Text(const RowKey& key, const RowState* state);

// The statements that make the keyspace and the shared table. The workload runs them before its threads. The table has
// gc_grace_seconds = 0, so tombstones are purged all the time.
inline constexpr const char* kSetup[] = {
    "CREATE KEYSPACE IF NOT EXISTS p WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE IF NOT EXISTS p.wide (p int, c int, s bigint static, op bigint, body longblob, note bigint, tags "
    "map<int, bigint>, "
    "PRIMARY KEY (p, c)) WITH gc_grace_seconds = 0"};

}  // namespace widerow::powercut
