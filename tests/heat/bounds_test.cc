// The test runs random loads and counts them. Each figure of the heat map must differ from the true count by at most
// its error bound. This must hold for all orders of rows and all ways of writing, and also while slices of time end,
// maps are stored and the server restarts.
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "exec/engine/bulk_insert.h"
#include "exec/engine/engine.h"
#include "exec/engine/optimistic_transaction.h"
#include "exec/load/operation_sampler.h"
#include "planner/access/partition_key.h"
#include "storage/format/key_codec.h"
#include "tests/heat/truth.h"
#include "tests/sanitized.h"
#include "tests/unit/scratch_engine.h"
#include "types/order_codec.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int64_t kBegin = 1'700'000'003;  // In seconds. No slice of time begins at this moment.

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}
  uint64_t Below(uint64_t bound) { return generator_() % bound; }
  bool OneOf(uint64_t n) { return Below(n) == 0; }
  template <typename T>
  T Choice(std::initializer_list<T> choices) {
    return choices.begin()[Below(choices.size())];
  }
  template <typename T>
  void Shuffle(std::vector<T>& values) {
    std::shuffle(values.begin(), values.end(), generator_);
  }

 private:
  std::mt19937_64 generator_;
};

struct RowKey {
  int32_t partition = 0, row = 0;
  auto operator<=>(const RowKey&) const = default;
};

// Returns `count` rows in a random kind of order: sorted ascending or descending, shuffled, or sorted runs in shuffled
// order.
std::vector<RowKey> MakeRows(size_t count, Random& random) {
  const auto partitions = random.Choice<uint64_t>({1, 2, 20, 200, 300, 3'000});
  const bool skewed = random.OneOf(3);
  std::vector<RowKey> rows;
  for (size_t i = 0; i < count; ++i) {
    uint64_t partition = random.Below(partitions);
    if (skewed) partition = random.Below(partition + 1);
    rows.push_back({static_cast<int32_t>(partition), static_cast<int32_t>(random.Below(4 * count))});
  }
  switch (random.Below(4)) {
    case 0: std::sort(rows.begin(), rows.end()); break;
    case 1: std::sort(rows.rbegin(), rows.rend()); break;
    case 2: break;
    // Divides the sorted rows into runs, and shuffles the runs.
    default: {
      std::sort(rows.begin(), rows.end());
      std::vector<std::vector<RowKey>> runs;
      const uint64_t longest = random.Choice<uint64_t>({3, 30, 700});
      for (size_t i = 0; i < rows.size();) {
        const size_t end = std::min(rows.size(), i + 1 + random.Below(longest));
        runs.emplace_back(rows.begin() + static_cast<ptrdiff_t>(i), rows.begin() + static_cast<ptrdiff_t>(end));
        i = end;
      }
      random.Shuffle(runs);
      rows.clear();
      for (const std::vector<RowKey>& run : runs) rows.insert(rows.end(), run.begin(), run.end());
    }
  }
  return rows;
}

// Returns a random size from 1 to 1,000. Most sizes are small.
size_t BatchSize(Random& random) { return 1 + random.Below(random.Choice<uint64_t>({1, 1, 10, 100, 1'000})); }

Bytes IntegerKey(int32_t number) { return EncodeInteger(TypeKind::kInt, number); }

Bytes ClusteringOf(int32_t number) {
  Bytes clustering;
  AppendComparable(*ScalarType(TypeKind::kInt), false, ByteView(IntegerKey(number)), clustering);
  return clustering;
}

// A heat map with a storage but without an engine. The loads are given to the storage directly, so they can be long.
class MapLoads {
 public:
  MapLoads() : clock_(std::make_shared<ManualClock>(kBegin * 1'000'000)) {
    storage_ = OpenLmdbEngine({.directory = directory_.path(),
                               .map_bytes = uint64_t{1} << 34,
                               .clock = clock_,
                               .durability = Durability::kNone})
                   .value();
  }

  void Run(uint64_t seed) {
    Random random(seed);
    random_ = &random;
    for (TablePtr& table : tables_) table = MakeTable();
    for (HeatTruth& truth : truths_) truth = HeatTruth();
    Restart();
    const bool long_time = random.OneOf(4);
    const std::vector<RowKey> rows = MakeRows(random.Choice<size_t>({30, 100, 300, 300, 300, 2'000}), random);
    for (size_t begin = 0; begin < rows.size();) {
      const size_t end = std::min(rows.size(), begin + BatchSize(random));
      WriteRows({rows.data() + begin, end - begin});
      begin = end;
      if (random.OneOf(20)) ReadRows(rows[random.Below(rows.size())]);
      if (random.OneOf(8)) Wait(long_time ? random.Below(20'000) : random.Below(4));
      if (random.OneOf(40)) { EXPECT_TRUE(heat_->Store().ok()); }
      if (random.OneOf(200)) Restart();
    }
    if (random.OneOf(4)) Restart();
    for (size_t i = 0; i < kTables; ++i) {
      truths_[i].ExpectBoundsHold(*tables_[i], heat_->Snapshot(*tables_[i]), !long_time);
    }
    heat_.reset();
  }
  // One partition is hot during one slice of time, while other partitions are written too. Only this partition may be
  // reported as hot.
  void RunHot() {
    Random random(1);
    random_ = &random;
    tables_[0] = MakeTable();
    truths_[0] = HeatTruth();
    Restart();
    Wait(10 - static_cast<uint64_t>(clock_->NowSeconds() % 10));
    for (int i = 0; i < 12'000; ++i) {
      WriteRow(0, {7, i});
      WriteRow(0, {static_cast<int32_t>(1'000 + random.Below(5'000)), i});
    }
    Wait(10);
    const HeatSnapshot snapshot = heat_->Snapshot(*tables_[0]);
    ASSERT_EQ(snapshot.hot.size(), 1u);
    EXPECT_EQ(snapshot.hot[0].key, IntegerKey(7));
    truths_[0].ExpectBoundsHold(*tables_[0], snapshot, true);
    heat_.reset();
  }

 private:
  static constexpr size_t kTables = 2;

  TablePtr MakeTable() {
    auto schema = std::make_shared<TableSchema>();
    schema->keyspace = "ks";
    schema->name = "t";
    schema->storage_id = 1;
    schema->id = Uuid::Random();
    schema->columns = {{.name = "k", .kind = ColumnKind::kPartitionKey, .type = ScalarType(TypeKind::kInt)},
                       {.name = "c", .kind = ColumnKind::kClustering, .type = ScalarType(TypeKind::kInt)}};
    schema->partition_key_size = 1;
    schema->clustering_size = 1;
    return schema;
  }
  int64_t Now() { return clock_->NowSeconds(); }
  void Wait(uint64_t seconds) { clock_->Set((Now() + static_cast<int64_t>(seconds)) * 1'000'000); }
  void Restart() {
    heat_.reset();
    sampler_ = std::make_unique<OperationSampler>(*clock_);
    heat_ = std::make_unique<HeatMap>(*storage_, [this] { return sampler_->skipped(); });
    for (HeatTruth& truth : truths_) truth.Restart();
  }

  PartitionMutation Mutated(size_t table, const RowKey& row) {
    PartitionMutation partition{.table = tables_[table], .partition_key = IntegerKey(row.partition)};
    partition.rows.push_back({.clustering = ClusteringOf(row.row)});
    truths_[table].Write(*tables_[table], partition.partition_key, partition.rows[0].clustering, Now());
    return partition;
  }
  void WriteRow(size_t table, const RowKey& row) { heat_->CountWrites(Mutated(table, row)); }
  // Writes the rows as one batch. Several rows of one partition may be in one mutation or in several.
  void WriteRows(std::span<const RowKey> rows) {
    Mutation batch;
    for (const RowKey& row : rows) {
      PartitionMutation partition = Mutated(random_->OneOf(5) ? 1 : 0, row);
      const bool joins = !batch.empty() && batch.back().table == partition.table &&
                         batch.back().partition_key == partition.partition_key && random_->OneOf(2);
      if (joins)
        batch.back().rows.push_back(std::move(partition.rows[0]));
      else
        batch.push_back(std::move(partition));
    }
    heat_->CountWrites(batch);
  }
  // Reads one row once or many times. One of 16 reads is of a row in the next partition.
  void ReadRows(const RowKey& row) {
    const uint64_t reads = random_->Choice<uint64_t>({1, 50, 200, 1'000});
    for (uint64_t i = 0; i < reads; ++i) {
      const Bytes key = IntegerKey(i % 16 == 5 ? row.partition + 1 : row.partition), clustering = ClusteringOf(row.row);
      const uint32_t stands_for = sampler_->Take();
      truths_[0].Read(*tables_[0], key, clustering, Now());
      if (stands_for == 0) continue;
      TouchedPartitions touched;
      touched.Add(tables_[0], key, clustering, 1, 10);
      heat_->TurnTo(Now());
      heat_->RecordRead(touched, stands_for, 5);
    }
  }

  ScratchDirectory directory_;
  std::shared_ptr<ManualClock> clock_;
  std::unique_ptr<StorageEngine> storage_;
  std::unique_ptr<OperationSampler> sampler_;
  std::unique_ptr<HeatMap> heat_;
  std::array<TablePtr, kTables> tables_;
  std::array<HeatTruth, kTables> truths_;
  Random* random_ = nullptr;
};

// An engine with a table. The loads are statements.
class EngineLoads {
 public:
  EngineLoads() : clock_(std::make_shared<ManualClock>(kBegin * 1'000'000)) {
    auto storage = OpenLmdbEngine({.directory = directory_.path(),
                                   .map_bytes = uint64_t{1} << 34,
                                   .clock = clock_,
                                   .durability = Durability::kNone});
    engine_ = std::make_unique<Engine>(std::move(storage.value()), LanguageOptions{.extension_warnings = false});
    Execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  void Run(uint64_t seed) {
    Random random(seed);
    random_ = &random;
    truth_ = HeatTruth();
    Execute("DROP TABLE IF EXISTS ks.t");
    Execute(std::string("CREATE TABLE ks.t (k int, c int, v int, PRIMARY KEY (k, c))") +
            random.Choice({"", "", " PARTITION BY RANGE (k)", " PARTITION BY KEY (k) PARTITIONS 4"}));
    table_ = engine_->schema()->FindTable("ks", "t");
    insert_ = engine_->Prepare(kInsert, "").value();
    const std::vector<RowKey> rows = MakeRows(random.Choice<size_t>({10, 40, 200}), random);
    for (size_t begin = 0; begin < rows.size();) {
      const size_t size = BatchSize(random);
      const size_t end = std::min(rows.size(), begin + size);
      WriteRows({rows.data() + begin, end - begin});
      begin = end;
      if (random.OneOf(20)) ReadRow(rows[random.Below(rows.size())]);
      if (random.OneOf(20)) clock_->Set((clock_->NowSeconds() + static_cast<int64_t>(random.Below(9))) * 1'000'000);
    }
    while (submitted_.load() > 0) std::this_thread::yield();
    truth_.ExpectBoundsHold(*table_, engine_->Heat({}).value()->Snapshot(*table_), true);
  }

 private:
  using Rows = std::span<const RowKey>;
  static constexpr const char* kInsert = "INSERT INTO ks.t (k, c, v) VALUES (?, ?, 1)";

  void Execute(const std::string& text, RequestParameters parameters = {}) {
    const Result<Outcome> outcome = engine_->Execute(text, parameters);
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }
  static std::string TextOf(const RowKey& row) {
    return "INSERT INTO ks.t (k, c, v) VALUES (" + std::to_string(row.partition) + ", " + std::to_string(row.row) +
           ", 1)";
  }
  static std::vector<BoundValue> ValuesOf(Rows rows) {
    std::vector<BoundValue> values;
    for (const RowKey& row : rows) {
      values.push_back({BoundValue::Kind::kValue, IntegerKey(row.partition)});
      values.push_back({BoundValue::Kind::kValue, IntegerKey(row.row)});
    }
    return values;
  }
  static RequestParameters With(Rows rows) {
    RequestParameters parameters;
    parameters.values = ValuesOf(rows);
    return parameters;
  }
  Bytes StoredKeyOf(const RowKey& row) const {
    const Bytes value = IntegerKey(row.partition);
    Bytes key;
    EXPECT_TRUE(AppendStoredKey(*table_, std::vector<ByteView>{value}, key).ok());
    return key;
  }

  void WriteRows(Rows rows) {
    for (const RowKey& row : rows) truth_.Write(*table_, StoredKeyOf(row), ClusteringOf(row.row), clock_->NowSeconds());
    if (rows.size() > 1) return WriteBatch(rows);
    const RowKey& row = rows[0];
    switch (random_->Below(6)) {
      case 0: return Execute(TextOf(row));
      case 1: ASSERT_TRUE(engine_->ExecutePrepared(*insert_, With(rows)).ok()); return;
      case 2: return Execute("DELETE FROM ks.t WHERE k = ? AND c = ?", With(rows));
      case 3: return Execute("EXPLAIN ANALYZE " + TextOf(row));
      case 4: return WriteConditional(row);
      default:
        ++submitted_;
        ASSERT_TRUE(engine_->Submit(insert_, With(rows), [this](const Result<Outcome>&) { --submitted_; }).value());
    }
  }
  // The condition of the first statement does not hold, so it writes nothing.
  void WriteConditional(const RowKey& row) {
    Execute("UPDATE ks.t SET v = 5 WHERE k = ? AND c = ? IF v = 77", With({&row, 1}));
    Execute("UPDATE ks.t SET v = 5 WHERE k = ? AND c = ? IF v != 77", With({&row, 1}));
  }
  void WriteBatch(Rows rows) {
    std::string text = "BEGIN UNLOGGED BATCH ";
    switch (random_->Below(5)) {
      case 0:
        for (const RowKey& row : rows) text += TextOf(row) + "; ";
        return Execute(text + "APPLY BATCH");
      case 1:  // A batch as one text with bind markers. COPY over HTTP sends such batches.
        for (size_t i = 0; i < rows.size(); ++i) text += std::string(kInsert) + "; ";
        return Execute(text + "APPLY BATCH", With(rows));
      case 2: {
        std::vector<BatchEntry> entries;
        for (const RowKey& row : rows) entries.push_back({.statement = insert_, .values = ValuesOf({&row, 1})});
        ASSERT_TRUE(engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {}).ok());
        return;
      }
      case 3: {  // A bulk load, as COPY in the shell makes it with --data.
        auto bulk = engine_->OpenBulkInsert(insert_, {}, {}).value();
        for (const RowKey& row : rows) ASSERT_TRUE(bulk->Add(0, ValuesOf({&row, 1}), bulk->NextTimestamp()).ok());
        ASSERT_TRUE(bulk->Store({}).ok());
        return;
      }
      default: {
        const SnapshotPtr snapshot = engine_->OpenSnapshot().value();
        auto transaction = engine_->BeginTransaction(snapshot);
        for (const RowKey& row : rows) ASSERT_TRUE(transaction->Execute(insert_, With({&row, 1})).ok());
        ASSERT_TRUE(transaction->Commit().value());
        engine_->snapshots().Close(snapshot->id());
      }
    }
  }
  void ReadRow(const RowKey& row) {
    const PreparedPtr select = engine_->Prepare("SELECT v FROM ks.t WHERE k = ? AND c = ?", "").value();
    const uint64_t reads = random_->Choice<uint64_t>({1, 10, 300});
    for (uint64_t i = 0; i < reads; ++i) {
      ASSERT_TRUE(engine_->ExecutePrepared(*select, With({&row, 1})).ok());
      truth_.Read(*table_, StoredKeyOf(row), ClusteringOf(row.row), clock_->NowSeconds());
    }
  }

  ScratchDirectory directory_;
  std::shared_ptr<ManualClock> clock_;
  std::unique_ptr<Engine> engine_;
  TablePtr table_;
  PreparedPtr insert_;
  HeatTruth truth_;
  Random* random_ = nullptr;
  std::atomic<int> submitted_{0};
};

TEST(HeatBounds, HoldInRandomLoads) {
  // Sanitizers look for faults of memory and not for wrong counts, so fewer loads are enough.
  constexpr uint64_t kLoads = kSanitized ? 100 : 1'000;
  constexpr uint64_t kMapLoads = kLoads * 7 / 10;  // The number of loads without an engine.
  MapLoads map_loads;
  EngineLoads engine_loads;
  for (uint64_t seed = 0; seed < kLoads && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    if (seed < kMapLoads)
      map_loads.Run(seed);
    else
      engine_loads.Run(seed);
  }
}

TEST(HeatBounds, AHotPartitionIsFound) { MapLoads().RunHot(); }

}  // namespace
}  // namespace widerow
