#include "tests/partitioning/table.h"

#include <stdlib.h>

#include <cstdio>

#include "types/value_bytes.h"

namespace widerow::range_splits {

Directory::Directory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "widerow-splits-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) Die("no directory " + pattern);
  path_ = pattern;
}

Directory::~Directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Die(const std::string& what) {
  std::fprintf(stderr, "range_splits: %s\n", what.c_str());
  std::fflush(stderr);
  std::_Exit(1);
}

Table::Table(const std::filesystem::path& directory, const BalanceOptions& balance)
    : engine_(std::make_unique<Engine>(OrDie(OpenLmdbEngine({.directory = directory, .map_bytes = uint64_t{1} << 36})),
                                       LanguageOptions{}, EngineOptions{.balance = balance})) {
  if (engine_->schema()->FindTable("ks", "t") != nullptr) Create(0, true);
}

void Table::Create(int64_t split_size_kb, bool auto_split) {
  Run("CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Run("CREATE TABLE IF NOT EXISTS ks.t (k bigint PRIMARY KEY, v text) WITH auto_split = " +
      std::string(auto_split ? "true" : "false") + " AND split_size_kb = " + std::to_string(split_size_kb) +
      " PARTITION BY RANGE (k)");
  insert_ = OrDie(engine_->Prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)", ""));
  forward_ = OrDie(engine_->Prepare("SELECT k FROM ks.t ORDER BY k", ""));
  backward_ = OrDie(engine_->Prepare("SELECT k FROM ks.t ORDER BY k DESC", ""));
}

void Table::Run(const std::string& statement) { OrDie(engine_->Execute(statement, {})); }

void Table::Insert(const std::vector<int64_t>& keys) {
  std::vector<BatchEntry> entries;
  for (const int64_t key : keys) {
    BatchEntry& entry = entries.emplace_back(BatchEntry{.statement = insert_});
    entry.values.push_back({BoundValue::Kind::kValue, EncodeInteger(TypeKind::kBigint, key)});
    entry.values.push_back({BoundValue::Kind::kValue, "the row of key " + std::to_string(key) + ", as it was written"});
  }
  OrDie(engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {}));
}

void Table::Scan(bool backward, const std::function<uint32_t()>& page_rows, const std::function<void(int64_t)>& visit) {
  RequestParameters parameters;
  do {
    parameters.page_rows = page_rows();
    const Outcome outcome = OrDie(engine_->ExecutePrepared(backward ? *backward_ : *forward_, parameters));
    const auto& page = std::get<RowsPage>(outcome.result);
    PageReader reader(page);
    std::vector<ValueView> row;
    while (reader.Next(row)) visit(DecodeInteger(*row[0]));
    parameters.paging_state = page.paging_state;
  } while (!parameters.paging_state.empty());
}

std::vector<std::string> Table::Partitions() {
  std::vector<std::string> names;
  for (const PartitionRange& partition : engine_->schema()->FindTable("ks", "t")->partition_map)
    names.push_back(partition.name);
  return names;
}

std::vector<PartitionStats> Table::Stats() {
  if (const Status flushed = engine_->Flush(); !flushed.ok()) Die(flushed.error().message);
  return engine_->storage().Partitions(*engine_->schema()->FindTable("ks", "t"));
}

}  // namespace widerow::range_splits
