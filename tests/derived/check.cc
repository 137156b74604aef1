#include "tests/derived/check.h"

#include <unistd.h>

#include <cstdio>
#include <map>

#include "exec/derived/index_entries.h"
#include "tests/storage_of.h"

namespace widerow::derived_tables {
namespace {

struct Life {
  int32_t ttl = 0;
  int64_t expires_at = 0;
  std::vector<Bytes> values;
  friend bool operator==(const Life&, const Life&) = default;
};
using Rows = std::map<std::pair<Bytes, Bytes>, Life>;  // The key of the map is the partition key and the clustering.

Slice WholeOf(const TablePtr& table, bool statics) {
  Slice slice;
  slice.table = table;
  if (table->partitioning.by_token())
    slice.partitions = Slice::TokenRange{};
  else
    slice.partitions = Slice::KeyRange{};
  slice.want_statics = statics;
  return slice;
}

Rows Expected(ReadView& view, const TablePtr& base, const TableDerivation& derivation, Compared& compared) {
  Rows rows;
  const auto cursor = OrDie(view.OpenSlice(WholeOf(base, base->has_statics())));
  RowView row;
  while (OrDie(cursor->Next(row))) {
    ++compared.rows;
    row.ExpandUniform();
    const Bytes partition_key(row.partition_key), clustering(row.clustering);
    const BaseRow of{*base, partition_key, row.is_static, clustering, &row};
    for (const DerivedRow& key : OrDie(SortedKeysOf(derivation, of)).rows) {
      rows[{key.partition_key, key.clustering}] = {key.ttl, key.ttl == 0 ? 0 : key.expires_at, key.values};
    }
  }
  return rows;
}

Rows Stored(ReadView& view, const TablePtr& derived, Compared& compared) {
  Rows rows;
  const auto cursor = OrDie(view.OpenSlice(WholeOf(derived, false)));
  RowView row;
  while (OrDie(cursor->Next(row))) {
    if (!row.marker.present()) continue;
    ++compared.entries;
    row.ExpandUniform();
    Life life{row.marker.ttl, row.marker.ttl == 0 ? 0 : row.marker.expires_at, {}};
    for (const CellView& cell : row.cells) life.values.emplace_back(cell.value);
    rows[{Bytes(row.partition_key), Bytes(row.clustering)}] = std::move(life);
  }
  return rows;
}

// Returns true if the row does not expire during the comparison. A row that may expire can be missing on either side.
bool Lasts(const Life& life, int64_t now_seconds) { return life.ttl == 0 || life.expires_at > now_seconds + 600; }

// Compares the stored rows of an index or a view with the expected rows. Returns a description of the first stored row
// that is not expected, or nothing. Ends the process if an expected row is missing or has another expiry or content.
std::string Compare(const TableDerivation& derivation, const Rows& expected, const Rows& stored, int64_t now_seconds) {
  const auto where = [&](const auto& row) {
    return derivation.name() + ": " + ToHex(row.first.first) + " " + ToHex(row.first.second);
  };
  for (const auto& row : expected) {
    if (!Lasts(row.second, now_seconds)) continue;
    const auto found = stored.find(row.first);
    if (found == stored.end()) Die("missing from " + where(row));
    if (found->second != row.second) Die("another life or content than its base row's, " + where(row));
  }
  for (const auto& row : stored) {
    if (Lasts(row.second, now_seconds) && !expected.contains(row.first)) return "left behind in " + where(row);
  }
  return {};
}

// Checks that each value of a unique index is in only one row. The clustering of an entry names its row.
void CheckUnique(const TableDerivation& derivation, const TableSchema& base, const Rows& expected, int64_t now_seconds,
                 Compared& compared) {
  if (derivation.uniqueness() == Uniqueness::kNone) return;
  // Maps an indexed value, and its partition if kInPartition, to the row that has the value.
  std::map<std::pair<Bytes, Bytes>, Bytes> holders;
  for (const auto& [key, life] : expected) {
    if (life.ttl != 0 && life.expires_at <= now_seconds) continue;
    const auto& [term, row] = key;
    Bytes partition;
    if (derivation.uniqueness() == Uniqueness::kInPartition) {
      EntryPlace place;
      if (!TakeEntryPlace(row, place)) Die("damaged entry of " + derivation.name());
      partition = place.partition_key;
    }
    ++compared.unique_values;
    const auto [at, added] = holders.try_emplace({term, partition}, row);
    if (!added) Die(base.name + " has two rows with one value of " + derivation.name() + ": " + ToHex(term));
  }
}

bool AllBuilt(const SchemaSnapshot& schema) {
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      for (const DerivationPtr& derivation : DerivationsOf(table, schema)) {
        if (!derivation->built()) return false;
      }
    }
  }
  return true;
}

std::string CompareAll(Engine& engine, Compared& compared) {
  const SchemaPtr schema = engine.schema();
  const auto view = OrDie(StorageOf(engine).OpenView());
  for (const auto& [name, keyspace] : schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      for (const DerivationPtr& derivation : DerivationsOf(table, *schema)) {
        const int64_t now_seconds = engine.clock().NowSeconds();
        const Rows expected = Expected(*view, table, *derivation, compared);
        CheckUnique(*derivation, *table, expected, now_seconds, compared);
        std::string left = Compare(*derivation, expected, Stored(*view, derivation->table(), compared), now_seconds);
        if (!left.empty()) return left;
      }
    }
  }
  return {};
}

}  // namespace

void Die(const std::string& what) {
  std::fprintf(stderr, "derived_tables: %s\n", what.c_str());
  std::fflush(stderr);
  std::_Exit(1);
}

Compared CheckDerived(Engine& engine) {
  for (int i = 0; !AllBuilt(*engine.schema()); ++i) {
    if (i == 60'000) Die("a build does not end");
    usleep(1'000);
  }
  for (int i = 0;; ++i) {
    Compared compared;
    const std::string left = CompareAll(engine, compared);
    if (left.empty()) return compared;
    // A background thread removes the rows of truncated and dropped partitions. Wait for it up to a minute.
    if (i == 6'000) Die(left);
    usleep(10'000);
  }
}

}  // namespace widerow::derived_tables
