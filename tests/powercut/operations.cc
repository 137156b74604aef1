#include "operations.h"

#include <cstring>

#include "random.h"

namespace widerow::powercut {
namespace {

constexpr int64_t kIdsPerThread = 1'000'000'000;
constexpr int32_t kPartitionsPerThread = 12, kRowsPerPartition = 14;
constexpr uint64_t kSidePeriod = 60;  // Operations from the creation of a side table to its drop.

Change MakeChange(Random& random, Change::Kind kind, TableKind table, int32_t p) {
  Change change{.kind = kind, .table = table, .p = p};
  change.c = static_cast<int32_t>(random.Below(kRowsPerPartition));
  change.c_end = change.c + 1 + static_cast<int32_t>(random.Below(4));
  change.tag = static_cast<int32_t>(random.Below(5));
  return change;
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

// Returns the statement with markers, and appends its values to `values`.
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

}  // namespace

Operation MakeOperation(const WorkloadShape& shape, uint32_t thread, uint64_t number) {
  Operation operation{.id = kIdsPerThread * (thread + 1) + static_cast<int64_t>(number)};
  const uint64_t phase = (number + thread * 17) % kSidePeriod;
  if (phase == 5 || phase == 30 || phase == 50) {
    operation.kind = phase == 5    ? Operation::kCreateSide
                     : phase == 30 ? Operation::kTruncateSide
                                   : Operation::kDropSide;
    return operation;
  }
  Random random(Mix(shape.seed, static_cast<uint64_t>(operation.id)));
  const auto partition = [&](uint64_t i) {
    return static_cast<int32_t>(thread + shape.threads * (i % kPartitionsPerThread));
  };
  const bool side = phase > 5 && phase < 50 && random.Percent(25);
  const TableKind table = side ? TableKind::kSide : TableKind::kWide;
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
                        : dice < 198 ? 20'000 + random.Below(40'000)
                                     : 300'000;
  std::string body(std::min<uint64_t>(size, shape.body_bytes_max), '\0');
  for (size_t i = 0; i < body.size(); i += 8) {
    const uint64_t word = random.Next();
    std::memcpy(body.data() + i, &word, std::min<size_t>(8, body.size() - i));
  }
  return body;
}

void ApplyTo(Contents& contents, const Operation& operation, std::vector<RowKey>& touched) {
  const RowKey side{TableKind::kSide, RowKey::kTable, 0};
  switch (operation.kind) {
    case Operation::kCreateSide:
      contents.try_emplace(side);
      touched.push_back(side);
      return;
    case Operation::kTruncateSide: return Drop(contents, contents.upper_bound(side), contents.end(), touched);
    case Operation::kDropSide: return Drop(contents, contents.lower_bound(side), contents.end(), touched);
    case Operation::kWrite: break;
  }
  for (const Change& change : operation.changes) {
    if (change.table == TableKind::kSide && !contents.contains(side)) return;
    ApplyChange(contents, change, operation.id, touched);
  }
}

Expected<ResultSet> Execute(Database& database, const WorkloadShape& shape, uint32_t thread,
                            const Operation& operation) {
  const std::string side = TableName(TableKind::kSide, thread);
  switch (operation.kind) {
    case Operation::kCreateSide:
      return database.Execute(
          "CREATE TABLE IF NOT EXISTS " + side +
          " (p int, c int, s bigint static, op bigint, body blob, note bigint, tags map<int, bigint>, "
          "PRIMARY KEY (p, c)) WITH gc_grace_seconds = 0");
    case Operation::kTruncateSide: return database.Execute("TRUNCATE " + side);
    case Operation::kDropSide: return database.Execute("DROP TABLE IF EXISTS " + side);
    case Operation::kWrite: break;
  }
  std::vector<Parameter> values;
  const std::string body = BodyOf(shape, operation.id);
  if (operation.changes.size() == 1) {
    const Change& change = operation.changes.front();
    const std::string text = Statement(change, TableName(change.table, thread), operation.id, body, values);
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

bool RefusedForAbsence(const Failure& failure) {
  return failure.code == 0x2200 && (failure.message.find("does not exist") != std::string::npos ||
                                    failure.message.find("unconfigured table") != std::string::npos);
}

std::string TableName(TableKind table, uint32_t thread) {
  return table == TableKind::kWide ? "p.wide" : "p.side" + std::to_string(thread);
}

std::string Text(const RowKey& key, const RowState* state) {
  std::string text = key.table == TableKind::kWide ? "wide" : "side";
  if (key.p == RowKey::kTable) return text + " (the table): " + (state == nullptr ? "absent" : "present");
  text += " p=" + std::to_string(key.p) + (key.c == RowKey::kStatic ? " static" : " c=" + std::to_string(key.c)) + ": ";
  if (state == nullptr) return text + "absent";
  text += std::string(state->marker ? "marker " : "") + "op=" + std::to_string(state->op) +
          " note=" + std::to_string(state->note);
  for (const auto& [tag, id] : state->tags) text += " tags[" + std::to_string(tag) + "]=" + std::to_string(id);
  return text;
}

}  // namespace widerow::powercut
