#include "operations.h"

#include <cstring>

#include "random.h"
#include "widerow/blob.h"

namespace widerow::powercut {
namespace {

constexpr int64_t kIdsPerThread = 1'000'000'000;
constexpr int32_t kPartitionsPerThread = 12, kRowsPerPartition = 14;
// A table in key order has three partitions: the keys below 9, those below 18, and the others.
constexpr int32_t kLowEnd = 9, kMidEnd = 18;

// The schema changes of one period. A period is divided into kSteps steps; `at` is the step of the change.
constexpr uint64_t kSteps = 20;
struct Step {
  uint64_t at;
  Operation::Kind kind;
};
constexpr Step kSchemaSteps[] = {
    {2, Operation::kCreateTable}, {4, Operation::kCreateSharedIndex},  {6, Operation::kCreateIndex},
    {8, Operation::kSplit},       {10, Operation::kTruncate},          {12, Operation::kSplitInHalves},
    {13, Operation::kMerge},      {14, Operation::kTruncatePartition}, {15, Operation::kDropSharedIndex},
    {17, Operation::kDropTable},
};
constexpr uint64_t kTableFrom = 2, kTableTo = 17;

Change MakeChange(Random& random, Change::Kind kind, TableKind table, int32_t p) {
  Change change{.kind = kind, .table = table, .p = p};
  change.c = static_cast<int32_t>(random.Below(kRowsPerPartition));
  change.c_end = change.c + 1 + static_cast<int32_t>(random.Below(4));
  change.tag = static_cast<int32_t>(random.Below(5));
  return change;
}

// Returns the change of the schema at this step, or kWrite if a table of this kind has none. Only a table in key order
// is split and merged.
Operation::Kind SchemaKindAt(uint64_t step, TableKind table) {
  for (const Step& each : kSchemaSteps) {
    if (each.at != step) continue;
    const bool of_partitions = each.kind == Operation::kSplit || each.kind == Operation::kSplitInHalves ||
                               each.kind == Operation::kMerge || each.kind == Operation::kTruncatePartition;
    return of_partitions && table != TableKind::kRange ? Operation::kWrite : each.kind;
  }
  return Operation::kWrite;
}

Change::Kind PickKind(Random& random) {
  const uint64_t dice = random.Below(100);
  return dice < 55   ? Change::kInsert
         : dice < 68 ? Change::kNote
         : dice < 80 ? Change::kTag
         : dice < 86 ? Change::kStatic
         : dice < 93 ? Change::kDeleteRow
         : dice < 97 ? Change::kDeleteRange
                     : Change::kDeletePartition;
}

void Drop(Contents& contents, Contents::iterator from, Contents::iterator to, std::vector<RowKey>& touched) {
  for (auto at = from; at != to; ++at) touched.push_back(at->first);
  contents.erase(from, to);
}

void ApplyChange(Contents& contents, const Change& change, int64_t id, std::vector<RowKey>& touched) {
  const RowKey key{change.table, change.p, change.kind == Change::kStatic ? RowKey::kStatic : change.c};
  switch (change.kind) {
    case Change::kInsert: contents[key].marker = true; [[fallthrough]];
    case Change::kStatic: contents[key].op = id; break;
    case Change::kNote: contents[key].note = id; break;
    case Change::kTag: contents[key].tags[change.tag] = id; break;
    case Change::kDeleteRow: contents.erase(key); break;
    case Change::kDeleteRange:
      return Drop(contents, contents.lower_bound(key), contents.lower_bound({key.table, key.p, change.c_end}), touched);
    case Change::kDeletePartition:
      return Drop(contents, contents.lower_bound({key.table, key.p, RowKey::kStatic}),
                  contents.lower_bound({key.table, key.p + 1, RowKey::kStatic}), touched);
  }
  touched.push_back(key);
}

// Returns the statement with bind markers, and appends its values to `values`.
std::string Statement(const Change& change, const std::string& table, int64_t id, const std::string& body,
                      std::vector<Parameter>& values) {
  const auto bind = [&](auto... all) { (values.emplace_back(all), ...); };
  switch (change.kind) {
    case Change::kInsert:
      bind(change.p, change.c, id, Parameter::Raw(body));
      return "INSERT INTO " + table + " (p, c, op, body) VALUES (?, ?, ?, ?)";
    case Change::kNote: bind(id, change.p, change.c); return "UPDATE " + table + " SET note = ? WHERE p = ? AND c = ?";
    case Change::kTag:
      bind(change.tag, id, change.p, change.c);
      return "UPDATE " + table + " SET tags[?] = ? WHERE p = ? AND c = ?";
    case Change::kStatic: bind(id, change.p); return "UPDATE " + table + " SET s = ? WHERE p = ?";
    case Change::kDeleteRow: bind(change.p, change.c); return "DELETE FROM " + table + " WHERE p = ? AND c = ?";
    case Change::kDeleteRange:
      bind(change.p, change.c, change.c_end);
      return "DELETE FROM " + table + " WHERE p = ? AND c >= ? AND c < ?";
    case Change::kDeletePartition: bind(change.p); return "DELETE FROM " + table + " WHERE p = ?";
  }
  return {};
}

std::string SchemaStatement(const Operation& operation, uint32_t thread) {
  const std::string table = TableName(operation.table, thread);
  switch (operation.kind) {
    case Operation::kCreateTable:
      return "CREATE TABLE IF NOT EXISTS " + table +
             " (p int, c int, s bigint static, op bigint, body blob, note bigint, tags map<int, bigint>, "
             "PRIMARY KEY (p, c)) WITH gc_grace_seconds = 0" +
             (operation.table == TableKind::kRange
                  ? " PARTITION BY RANGE (p) (PARTITION low VALUES LESS THAN (" + std::to_string(kLowEnd) +
                        "), PARTITION mid VALUES LESS THAN (" + std::to_string(kMidEnd) +
                        "), PARTITION high VALUES LESS THAN MAXVALUE)"
                  : "");
    case Operation::kCreateIndex: return "CREATE INDEX IF NOT EXISTS ON " + table + " (note)";
    case Operation::kSplit:
      return "ALTER TABLE " + table + " SPLIT PARTITION low AT (4) INTO (PARTITION low_a, PARTITION low_b)";
    case Operation::kSplitInHalves: return "ALTER TABLE " + table + " SPLIT PARTITION high";
    case Operation::kMerge: return "ALTER TABLE " + table + " MERGE PARTITION low_a, low_b INTO (PARTITION low)";
    case Operation::kTruncatePartition: return "ALTER TABLE " + table + " TRUNCATE PARTITION mid";
    case Operation::kTruncate: return "TRUNCATE " + table;
    case Operation::kDropTable: return "DROP TABLE IF EXISTS " + table;
    case Operation::kCreateSharedIndex: return "CREATE INDEX IF NOT EXISTS wide_note ON p.wide (note)";
    case Operation::kDropSharedIndex: return "DROP INDEX IF EXISTS p.wide_note";
    case Operation::kWrite: break;
  }
  return {};
}

const char* NameOf(TableKind table) {
  return table == TableKind::kWide ? "wide" : table == TableKind::kSide ? "side" : "range";
}

}  // namespace

Operation MakeOperation(const WorkloadShape& shape, uint32_t thread, uint64_t number) {
  Operation operation{.id = kIdsPerThread * (thread + 1) + static_cast<int64_t>(number)};
  // Each thread has its schema changes at other operation numbers, so the threads do not change the schema at the same
  // time.
  const uint64_t place = number + thread * shape.period * 2 / 7;
  const uint64_t step = place % shape.period * kSteps / shape.period;
  const bool begins = step != (place + shape.period - 1) % shape.period * kSteps / shape.period;
  const TableKind own = place / shape.period % 2 == 0 ? TableKind::kRange : TableKind::kSide;
  if (begins) {
    operation.kind = SchemaKindAt(step, own);
    operation.table = own;
    if (operation.kind != Operation::kWrite) return operation;
  }
  Random random(Mix(shape.seed, static_cast<uint64_t>(operation.id)));
  const auto partition = [&](uint64_t i) {
    return static_cast<int32_t>(thread + shape.threads * (i % kPartitionsPerThread));
  };
  const bool other = step >= kTableFrom && step < kTableTo && random.Percent(25);
  const TableKind table = other ? own : TableKind::kWide;
  const uint64_t first = random.Next();
  if (random.Percent(70)) {
    operation.changes.push_back(MakeChange(random, PickKind(random), table, partition(first)));
    return operation;
  }
  const uint64_t count = 2 + random.Below(5);
  for (uint64_t i = 0; i < count; ++i) {
    operation.changes.push_back(MakeChange(random, PickKind(random), table, partition(first + i)));
  }
  return operation;
}

std::string BodyOf(const WorkloadShape& shape, int64_t id) {
  Random random(Mix(shape.seed + 1, static_cast<uint64_t>(id)));
  const uint64_t dice = random.Below(200);
  const uint64_t size = dice < 140   ? 20 + random.Below(200)
                        : dice < 185 ? 1'000 + random.Below(6'000)
                        : dice < 193 ? 20'000 + random.Below(40'000)
                                     : 300'000;
  std::string body(std::min<uint64_t>(size, shape.body_bytes_max), '\0');
  for (size_t i = 0; i < body.size(); i += 8) {
    const uint64_t word = random.Next();
    std::memcpy(body.data() + i, &word, std::min<size_t>(8, body.size() - i));
  }
  return body;
}

void ApplyTo(Contents& contents, const Operation& operation, std::vector<RowKey>& touched) {
  const RowKey table{operation.table, RowKey::kTable, 0};
  const auto end = [&] {
    return contents.lower_bound({static_cast<TableKind>(static_cast<uint8_t>(operation.table) + 1), RowKey::kTable, 0});
  };
  const auto partition = [&](int32_t p) { return contents.lower_bound({operation.table, p, RowKey::kStatic}); };
  switch (operation.kind) {
    case Operation::kCreateTable:
      contents.try_emplace(table);
      touched.push_back(table);
      return;
    case Operation::kTruncate: return Drop(contents, contents.upper_bound(table), end(), touched);
    case Operation::kTruncatePartition: return Drop(contents, partition(kLowEnd), partition(kMidEnd), touched);
    case Operation::kDropTable: return Drop(contents, contents.lower_bound(table), end(), touched);
    case Operation::kWrite: break;
    default: return;
  }
  for (const Change& change : operation.changes) {
    if (change.table != TableKind::kWide && !contents.contains({change.table, RowKey::kTable, 0})) return;
    ApplyChange(contents, change, operation.id, touched);
  }
}

// Runs an INSERT whose value is written in parts. A long value is stored in pieces.
Expected<ResultSet> WriteInParts(Database& database, const std::string& text, const std::vector<Parameter>& values,
                                 std::string_view body) {
  constexpr size_t kPart = 100'000;
  auto writer = BlobWriter::Open(database, text, values);
  if (!writer.ok()) return writer.error();
  for (size_t at = 0; at < body.size(); at += kPart) {
    if (auto written = writer.value()->Write(body.substr(at, kPart)); !written.ok()) return written.error();
  }
  if (auto finished = writer.value()->Finish(); !finished.ok()) return finished.error();
  return database.Execute("USE p");
}

Expected<ResultSet> Execute(Database& database, const WorkloadShape& shape, uint32_t thread,
                            const Operation& operation) {
  if (operation.kind != Operation::kWrite) return database.Execute(SchemaStatement(operation, thread));
  std::vector<Parameter> values;
  const std::string body = BodyOf(shape, operation.id);
  if (operation.changes.size() == 1) {
    const Change& change = operation.changes.front();
    const std::string text = Statement(change, TableName(change.table, thread), operation.id, body, values);
    if (change.kind == Change::kInsert && change.table == TableKind::kWide) {
      return WriteInParts(database, text, values, body);
    }
    return database.Execute(text, values);
  }
  std::string text = "BEGIN BATCH ";
  for (const Change& change : operation.changes) {
    if (shape.loose_batches) {
      std::vector<Parameter> own;
      const std::string alone = Statement(change, TableName(change.table, thread), operation.id, body, own);
      if (auto result = database.Execute(alone, own); !result.ok()) return result;
    }
    text += Statement(change, TableName(change.table, thread), operation.id, body, values) + "; ";
  }
  return database.Execute(shape.loose_batches ? kSetup[0] : text + "APPLY BATCH",
                          shape.loose_batches ? std::vector<Parameter>() : values);
}

bool RefusedForAbsence(const Operation& operation, const Failure& failure) {
  const bool of_partitions = operation.kind == Operation::kSplit || operation.kind == Operation::kSplitInHalves ||
                             operation.kind == Operation::kMerge;
  return IsAbsence(failure) || (of_partitions && failure.code == 0x2200);
}

bool IsAbsence(const Failure& failure) {
  return failure.code == 0x2200 && (failure.message.find("does not exist") != std::string::npos ||
                                    failure.message.find("doesn't exist") != std::string::npos ||
                                    failure.message.find("unconfigured table") != std::string::npos);
}

void OperationCounts::Add(const Operation& operation) {
  switch (operation.kind) {
    case Operation::kWrite: ++(operation.changes.size() > 1 ? batches : writes); break;
    case Operation::kCreateTable:
    case Operation::kDropTable: ++tables; break;
    case Operation::kTruncate:
    case Operation::kTruncatePartition: ++truncates; break;
    case Operation::kSplit:
    case Operation::kSplitInHalves:
    case Operation::kMerge: ++splits; break;
    case Operation::kCreateIndex:
    case Operation::kCreateSharedIndex:
    case Operation::kDropSharedIndex: ++indexes; break;
  }
}

void OperationCounts::Add(const OperationCounts& other) {
  writes += other.writes, batches += other.batches, tables += other.tables;
  truncates += other.truncates, splits += other.splits, indexes += other.indexes;
}

std::string OperationCounts::Text() const {
  return std::to_string(writes) + " writes, " + std::to_string(batches) + " batches, " + std::to_string(tables) +
         " CREATE and DROP TABLE, " + std::to_string(truncates) + " TRUNCATE, " + std::to_string(splits) +
         " splits and merges, " + std::to_string(indexes) + " CREATE and DROP INDEX";
}

std::string TableName(TableKind table, uint32_t thread) {
  return table == TableKind::kWide ? "p.wide" : std::string("p.") + NameOf(table) + std::to_string(thread);
}

std::string Text(const RowKey& key, const RowState* state) {
  std::string text = NameOf(key.table);
  if (key.p == RowKey::kTable) return text + " (the table): " + (state == nullptr ? "absent" : "present");
  text += " p=" + std::to_string(key.p) + (key.c == RowKey::kStatic ? " static" : " c=" + std::to_string(key.c)) + ": ";
  if (state == nullptr) return text + "absent";
  text += std::string(state->marker ? "marker " : "") + "op=" + std::to_string(state->op) +
          " note=" + std::to_string(state->note);
  for (const auto& [tag, id] : state->tags) text += " tags[" + std::to_string(tag) + "]=" + std::to_string(id);
  return text;
}

}  // namespace widerow::powercut
