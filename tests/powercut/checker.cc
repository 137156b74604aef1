#include "checker.h"

#include <cstring>

#include "tests/derived/check.h"

namespace widerow::powercut {
namespace {

constexpr int64_t kAfterValue = 77;

// Sets the durability mode. Returns false if this build of the database does not know the mode.
template <typename Options>
bool SetDurability(Options& options, const std::string& name) {
  if constexpr (requires { options.durability; }) {
    using Type = std::remove_cvref_t<decltype(options.durability)>;
    if constexpr (std::is_assignable_v<Type&, std::string>) {
      options.durability = name;
    } else {
      options.durability = name == "sync" ? Type::kSync : name == "periodic" ? Type::kPeriodic : Type::kNone;
    }
    return true;
  } else {
    return name == "sync";
  }
}

// Sets a small memtable, so that folds are frequent.
template <typename Options>
void SetSmallMemtable(Options& options) {
  if constexpr (requires { options.memtable_bytes; }) options.memtable_bytes = 1 << 18;
}

uint32_t BigEndian(const char* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return __builtin_bswap32(value);
}

// Decodes a value of the type map<int, bigint>, as the native protocol has it.
bool DecodeTags(std::string_view bytes, std::map<int32_t, int64_t>& tags) {
  constexpr size_t kEntryBytes = 4 + 4 + 4 + 8;
  if (bytes.size() < 4) return false;
  const uint32_t count = BigEndian(bytes.data());
  if (bytes.size() != 4 + count * kEntryBytes) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const char* entry = bytes.data() + 4 + i * kEntryBytes;
    const uint64_t high = BigEndian(entry + 12), low = BigEndian(entry + 16);
    tags[static_cast<int32_t>(BigEndian(entry + 4))] = static_cast<int64_t>(high << 32 | low);
  }
  return true;
}

std::string AddRow(const Row& row, TableKind table, const WorkloadShape& shape, Contents& contents) {
  const auto number = [&](const char* name) { return row.IsNull(name) ? 0 : row.Get<int64_t>(name); };
  const auto p = row.Get<int32_t>("p");
  const std::string where = "p=" + std::to_string(p);
  if (const int64_t value = number("s"); value != 0) {
    const auto [at, fresh] = contents.try_emplace({table, p, RowKey::kStatic});
    if (!fresh && at->second.op != value) return where + ": two values of a static column";
    at->second.op = value;
  }
  if (row.IsNull("c")) return {};
  RowState state{.marker = !row.IsNull("op"), .op = number("op"), .note = number("note")};
  if (row.IsNull("op") != row.IsNull("body")) return where + ": half of an INSERT";
  if (state.marker && row.Raw(row.Index("body")) != BodyOf(shape, state.op)) {
    return where + ": the value of operation " + std::to_string(state.op) + " is not what it wrote";
  }
  if (!row.IsNull("tags") && !DecodeTags(row.Raw(row.Index("tags")), state.tags)) return where + ": a damaged map";
  const RowKey key{table, p, row.Get<int32_t>("c")};
  if (!contents.emplace(key, std::move(state)).second) return where + ": one row twice";
  return {};
}

std::string ReadTable(Database& database, const std::string& name, TableKind table, const WorkloadShape& shape,
                      Observed& rows) {
  auto result = database.Execute("SELECT p, c, s, op, body, note, tags FROM " + name);
  if (!result.ok()) return "reading " + name + ": " + result.error().message;
  ResultSet& set = result.value();
  while (set.Next()) {
    const auto p = static_cast<uint32_t>(set.row().Get<int32_t>("p"));
    if (const std::string wrong = AddRow(set.row(), table, shape, rows[p % shape.threads]); !wrong.empty()) {
      return name + " " + wrong;
    }
  }
  return set.failure() ? "reading " + name + ": " + set.failure()->message : "";
}

// Runs a statement. Returns its error, or nothing.
std::string Run(Database& database, const std::string& cql) {
  const auto result = database.Execute(cql);
  return result.ok() ? "" : cql.substr(0, 40) + "…: " + result.error().message;
}

std::string WriteAfterwards(Database& database) {
  for (const std::string& statement :
       {std::string(kSetup[0]), std::string("CREATE TABLE IF NOT EXISTS p.after (k int PRIMARY KEY, v bigint)"),
        "INSERT INTO p.after (k, v) VALUES (1, " + std::to_string(kAfterValue) + ")"}) {
    if (const std::string wrong = Run(database, statement); !wrong.empty()) return "writing afterwards: " + wrong;
  }
  return {};
}

std::string ReadAfterwards(Database& database) {
  auto result = database.Execute("SELECT v FROM p.after WHERE k = 1");
  if (!result.ok()) return "reading what was written afterwards: " + result.error().message;
  const bool found = result.value().Next() && result.value().row().Get<int64_t>("v") == kAfterValue;
  return found ? "" : "what was written afterwards is lost";
}

}  // namespace

Expected<std::unique_ptr<Database>> OpenDatabase(const DatabaseSettings& settings) {
  DatabaseOptions options{.directory = settings.directory, .map_bytes = uint64_t{1} << 34};
  if (!SetDurability(options, settings.durability)) {
    return Failure{.message = "this build knows no durability mode '" + settings.durability + "'"};
  }
  SetSmallMemtable(options);
  return Database::Open(std::move(options));
}

std::string Read(Database& database, const WorkloadShape& shape, const std::filesystem::path& data, Reading& reading) {
  reading.rows.assign(shape.threads, {});
  auto keyspaces = database.Execute("SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = 'p'");
  if (!keyspaces.ok()) return "reading the schema: " + keyspaces.error().message;
  reading.keyspace_there = keyspaces.value().Next();
  auto tables = database.Execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'p'");
  if (!tables.ok()) return "reading the schema: " + tables.error().message;
  while (tables.value().Next()) {
    const auto name = tables.value().row().Get<std::string>(0);
    std::string wrong;
    if (name == "wide") {
      reading.wide_there = true;
      wrong = ReadTable(database, "p.wide", TableKind::kWide, shape, reading.rows);
    } else if (name.starts_with("side") || name.starts_with("range")) {
      const TableKind kind = name.starts_with("side") ? TableKind::kSide : TableKind::kRange;
      const size_t owner = std::stoul(name.substr(kind == TableKind::kSide ? 4 : 5));
      if (owner >= shape.threads) return "a table of nobody's: " + name;
      reading.rows[owner][{kind, RowKey::kTable, 0}] = {};
      wrong = ReadTable(database, "p." + name, kind, shape, reading.rows);
    }
    if (!wrong.empty()) return wrong;
  }
  return ReadImports(database, shape, data, reading.imports);
}

std::string Contradiction(const History& history, const Reading& reading) {
  std::string wrong = history.Contradiction(reading.rows, reading.keyspace_there, reading.wide_there);
  return wrong.empty() ? history.imports().Contradiction(reading.imports) : wrong;
}

std::string CheckDirectory(const DatabaseSettings& settings, const History& history) {
  Reading first, second;
  {
    auto opened = OpenDatabase(settings);
    if (!opened.ok()) return "does not open: " + opened.error().message;
    Database& database = *opened.value();
    if (std::string wrong = Read(database, history.shape(), settings.directory, first); !wrong.empty()) return wrong;
    if (std::string wrong = Contradiction(history, first); !wrong.empty()) return wrong;
    derived_tables::CheckDerived(database.engine());
    if (std::string wrong = WriteAfterwards(database); !wrong.empty()) return wrong;
  }
  auto opened = OpenDatabase(settings);
  if (!opened.ok()) return "does not open a second time: " + opened.error().message;
  Database& database = *opened.value();
  if (std::string wrong = Read(database, history.shape(), settings.directory, second); !wrong.empty())
    return "the second time: " + wrong;
  if (first.rows != second.rows || first.wide_there != second.wide_there || first.imports != second.imports)
    return "holds other rows the second time";
  return ReadAfterwards(database);
}

}  // namespace widerow::powercut
