// Compares random operations with a model. The model keeps every write, and computes at each read what is visible.
#include <algorithm>
#include <random>

#include "storage/reconcile/merge.h"
#include "storage_test_support.h"
#include "types/token.h"

namespace widerow {
namespace {

using namespace storage_test;

class Model {
 public:
  explicit Model(TablePtr table) : columns_(std::move(table)) {}

  void Apply(const PartitionMutation& mutation) {
    PartitionHistory& partition = partitions_[mutation.partition_key];
    if (mutation.partition_deletion.present()) partition.deletions.push_back({{}, mutation.partition_deletion});
    for (const RangeDeletion& deletion : mutation.range_deletions) partition.deletions.push_back(deletion);
    for (const RowMutation& row : mutation.rows) {
      (row.is_static ? partition.statics : partition.rows[row.clustering]).push_back(row.content);
    }
  }

  std::string Read(const Bytes& key, const Bytes& begin, const std::optional<Bytes>& end, Direction direction,
                   bool statics = true) const {
    const auto at = partitions_.find(key);
    if (at == partitions_.end()) return "";
    const PartitionHistory& partition = at->second;
    std::string out = statics ? RowOf(key, {}, partition.statics, partition, true) : "";
    std::vector<std::string> rows;
    for (const auto& [clustering, history] : partition.rows) {
      if (clustering < begin || (end.has_value() && clustering >= *end)) continue;
      rows.push_back(RowOf(key, clustering, history, partition, false));
    }
    if (direction == Direction::kBackward) std::reverse(rows.begin(), rows.end());
    for (const std::string& row : rows) out += row;
    return out;
  }

  // Returns the keys of the partitions, in the order in which a scan reads them.
  std::vector<Bytes> Keys() const {
    std::vector<Bytes> keys;
    for (const auto& [key, partition] : partitions_) keys.push_back(key);
    std::ranges::stable_sort(keys, {}, [](const Bytes& key) { return Murmur3Token(key); });
    return keys;
  }

 private:
  struct PartitionHistory {
    std::vector<RangeDeletion> deletions;
    std::map<Bytes, std::vector<RowFragment>> rows;
    std::vector<RowFragment> statics;
  };

  std::string RowOf(const Bytes& key, const Bytes& clustering, const std::vector<RowFragment>& history,
                    const PartitionHistory& partition, bool is_static) const {
    RowFragment merged;
    for (const RowFragment& content : history) {
      // First collects all cells and deletions. Deletions are applied at the end, to all cells.
      merged.marker = Newer(merged.marker, content.marker);
      merged.deletion = Newer(merged.deletion, content.deletion);
      for (const ColumnDeletion& deletion : content.column_deletions) merged.column_deletions.push_back(deletion);
      for (const Cell& cell : content.cells) Keep(merged.cells, cell);
    }
    DeletionTime covering;
    for (const RangeDeletion& deletion : partition.deletions) {
      const bool whole = deletion.range.begin.empty() && !deletion.range.end.has_value();
      const bool covers = whole || (!is_static && deletion.range.begin <= clustering &&
                                    (!deletion.range.end.has_value() || clustering < *deletion.range.end));
      if (covers) covering = Newer(covering, deletion.deletion);
    }
    covering = Newer(covering, merged.deletion);
    RowView view;
    view.partition_key = key;
    view.clustering = clustering;
    view.is_static = is_static;
    if (!covering.Deletes(merged.marker.timestamp)) view.marker = merged.marker;
    for (const Cell& cell : merged.cells) {
      bool deleted = covering.Deletes(cell.timestamp);
      for (const ColumnDeletion& deletion : merged.column_deletions) {
        deleted = deleted || (deletion.column == cell.column && deletion.deletion.Deletes(cell.timestamp));
      }
      if (deleted) continue;
      view.cells.push_back(
          {cell.column, cell.path, cell.timestamp, cell.ttl, cell.expires_at, cell.tombstone, cell.large, cell.value});
    }
    return view.marker.present() || !view.cells.empty() ? RowText(view) + "\n" : "";
  }

  void Keep(std::vector<Cell>& cells, const Cell& cell) const {
    auto at = cells.begin();
    for (; at != cells.end(); ++at) {
      const int order = at->column != cell.column ? (at->column < cell.column ? -1 : 1)
                                                  : columns_.ComparePaths(cell.column, at->path, cell.path);
      if (order > 0) break;
      if (order == 0) {
        if (CellWins(cell, *at)) *at = cell;
        return;
      }
    }
    cells.insert(at, cell);
  }

  TableColumns columns_;
  std::map<Bytes, PartitionHistory> partitions_;
};

class ModelTest : public EngineFixture {
 protected:
  // Returns one of a few timestamps, so that equal timestamps and late writes are common.
  int64_t Time() { return static_cast<int64_t>(1 + random_() % 40); }
  Bytes Key() { return Bytes(1, static_cast<char>('A' + random_() % 4)); }
  Bytes Clustering() {
    Bytes out(1, static_cast<char>('a' + random_() % 12));
    if (random_() % 10 == 0) out += Bytes(600, out[0]);  // A key of more than 511 bytes is stored in another way.
    return out;
  }
  Bytes Value(char last) {
    // Some values are stored in a record of their own, and some of these need several records.
    const uint32_t kind = random_() % 60;
    return Bytes(kind == 0 ? 600'000 : kind < 8 ? 1'500 : random_() % 6, 'v') + last;
  }

  Cell RandomCell(ColumnId column, Bytes path = {}) {
    const int64_t timestamp = Time();
    if (random_() % 5 == 0) {
      return MakeTombstone(column, timestamp, std::move(path), kStartSeconds + static_cast<int64_t>(random_() % 3));
    }
    Cell cell =
        MakeCell(column, timestamp, column == kDecimals ? Bytes() : Value(static_cast<char>('a' + random_() % 3)),
                 std::move(path));
    if (random_() % 6 == 0) {
      cell.ttl = static_cast<int32_t>(5 + random_() % 3);
      cell.expires_at = kStartSeconds + static_cast<int64_t>(random_() % 20);
    }
    return cell;
  }

  RowFragment RandomContent(bool is_static) {
    if (is_static) return Update({RandomCell(kStaticText)});
    RowFragment row;
    if (random_() % 2 == 0) row.marker.timestamp = Time();
    if (random_() % 8 == 0) row.deletion = {Time(), kStartSeconds};
    if (random_() % 2 == 0) row.cells.push_back(RandomCell(kA));
    if (random_() % 2 == 0) row.cells.push_back(RandomCell(kB));
    if (random_() % 6 == 0) row.column_deletions.push_back({kMap, {Time(), kStartSeconds}});
    for (int key = -3; key < 4; ++key) {
      if (random_() % 5 == 0) row.cells.push_back(RandomCell(kMap, Int(key)));
    }
    // The elements 1.0 and 1.00 of a set<decimal> are equal, but their bytes differ: scale 1 and scale 2.
    if (random_() % 4 == 0)
      row.cells.push_back(RandomCell(kDecimals, random_() % 2 == 0 ? Int(1) + '\x0a' : Int(2) + '\x64'));
    return row;
  }

  PartitionMutation RandomMutation() { return RandomMutation(Key()); }
  PartitionMutation RandomMutation(Bytes key) {
    PartitionMutation mutation = Partition(table_, std::move(key));
    if (random_() % 40 == 0) mutation.partition_deletion = {Time(), kStartSeconds};
    if (random_() % 8 == 0) {
      RangeDeletion deletion{.deletion = {Time(), kStartSeconds}};
      deletion.range.begin = Clustering();
      if (random_() % 4 != 0) deletion.range.end = Clustering();
      mutation.range_deletions.push_back(std::move(deletion));
    }
    for (int rows = static_cast<int>(random_() % 3); rows > 0; --rows) {
      const bool is_static = random_() % 8 == 0;
      mutation.rows.push_back({is_static, is_static ? Bytes() : Clustering(), RandomContent(is_static)});
    }
    // The mutation may write one row twice. The model applies the two writes in the same order as the engine.
    return mutation;
  }

  // Returns a write to one of some hundred partitions: usually an INSERT of a row, and sometimes any write.
  PartitionMutation SmallMutation() {
    static constexpr char kBytes[] = {'\0', '\xFE', '\xFF', 'a', 'b', 'c'};
    Bytes key(random_() % 2 == 0 ? 3 : 1 + random_() % 2, '\0');
    for (char& byte : key) byte = kBytes[random_() % sizeof kBytes];
    const int64_t time = Time();
    switch (random_() % 16) {
      case 0: return RandomMutation(std::move(key));
      case 1: {
        PartitionMutation mutation = Partition(table_, std::move(key));
        mutation.partition_deletion = {time, kStartSeconds};
        return mutation;
      }
      case 2: {  // A static row with a marker is stored like an ordinary row.
        PartitionMutation mutation = Partition(table_, std::move(key));
        mutation.rows.push_back({true, {}, Insert(time, {MakeCell(kStaticText, time, Value('s'))})});
        return mutation;
      }
      default: break;
    }
    return Row(table_, std::move(key), Clustering().substr(0, 1),
               Insert(time, {MakeCell(kA, time, Value('a')), MakeCell(kB, time, Value('b'))}));
  }

  // Replaces the element 1.00 in the text by 1.0, because a set has only one of these two equal elements.
  static std::string Normal(std::string text) {
    for (size_t at; (at = text.find("[0x0000000264]")) != std::string::npos;) text.replace(at, 14, "[0x000000010a]");
    return text;
  }

  // Randomly leaves the written rows in the memtable, freezes the memtable, or folds it into the data file.
  void MoveOn(uint32_t round) {
    if (round == 0) return;  // In round 0 everything stays in the memtable.
    switch (random_() % 6) {
      case 0: Flush(); break;
      case 1: {
        Flush();
        HoldFolder();
        const Status frozen = engine().Freeze();
        ASSERT_TRUE(frozen.ok());
        break;
      }
      case 2: {
        ReleaseFolder();
        const Status frozen = engine().Freeze();  // The fold runs during the reads that follow.
        ASSERT_TRUE(frozen.ok());
        break;
      }
      default: break;
    }
  }

  void ExpectSame(const Model& model) {
    for (char key = 'A'; key < 'E'; ++key) {
      const Bytes partition(1, key);
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        ASSERT_EQ(Normal(ReadPartition(partition, direction)),
                  Normal(model.Read(partition, {}, std::nullopt, direction)));
        Slice slice;
        slice.table = table_;
        slice.partitions = Slice::OnePartition{partition};
        slice.direction = direction;
        slice.want_statics = true;
        ClusteringRange range{Clustering(), Clustering(), false};
        if (*range.end <= range.begin) continue;
        slice.clustering = {range};
        ASSERT_EQ(Normal(Read(slice)), Normal(model.Read(partition, range.begin, range.end, direction)));
      }
    }
  }

  // Compares scans of the whole table, and of a random range of tokens; of whole partitions, and of a part of each.
  void ExpectSameScans(const Model& model) {
    const std::vector<Bytes> keys = model.Keys();
    const auto token = [&] { return Murmur3Token(keys[random_() % keys.size()]); };
    const ClusteringRange whole, part{.begin = "c", .end = "h"};
    for (const Slice::TokenRange& tokens :
         {Slice::TokenRange{}, Slice::TokenRange{.first = token(), .last = token()}}) {
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        for (const bool statics : {false, true}) {
          for (const ClusteringRange& range : {whole, part}) {
            std::string expected;
            for (const Bytes& key : keys) {
              const bool inside = Murmur3Token(key) >= tokens.first && Murmur3Token(key) <= tokens.last;
              if (inside) expected += model.Read(key, range.begin, range.end, direction, statics);
            }
            Slice slice;
            slice.table = table_;
            slice.partitions = tokens;
            slice.clustering = {range};
            slice.direction = direction;
            slice.want_statics = statics;
            ASSERT_EQ(Normal(Read(slice)), Normal(expected));
          }
        }
      }
    }
    ExpectFirstRows(keys, model);
  }

  // Compares a scan that leaves each second partition after its first row.
  void ExpectFirstRows(const std::vector<Bytes>& keys, const Model& model) {
    std::string expected;
    bool leave = false;
    for (const Bytes& key : keys) {
      std::string rows = model.Read(key, {}, std::nullopt, Direction::kForward, false);
      if (rows.empty()) continue;
      if (leave) rows.resize(rows.find('\n') + 1);
      leave = !leave;
      expected += rows;
    }
    Slice slice;
    slice.table = table_;
    slice.partitions = Slice::TokenRange{};
    const auto view = engine().OpenView();
    ASSERT_TRUE(view.ok());
    const auto cursor = (*view)->OpenSlice(slice);
    ASSERT_TRUE(cursor.ok());
    std::string read;
    Bytes partition;
    leave = true;
    RowView row;
    while (true) {
      const Result<bool> more = (*cursor)->Next(row);
      ASSERT_TRUE(more.ok());
      if (!*more) break;
      if (read.empty() || row.partition_key != partition) leave = !leave;
      partition = row.partition_key;
      read += RowText(row) + "\n";
      if (leave) { ASSERT_TRUE((*cursor)->SkipPartition().ok()); }
    }
    ASSERT_EQ(Normal(read), Normal(expected));
  }

  // Applies several mutations as one write, to the engine and to the model.
  template <typename MakeMutation>
  void WriteGroup(Model& model, int mutations, const MakeMutation& make) {
    widerow::Write write;
    for (int i = 0; i < mutations; ++i) {
      write.mutation.push_back(make());
      model.Apply(write.mutation.back());
    }
    const Status status = engine().Apply(std::move(write));
    ASSERT_TRUE(status.ok()) << status.error().message;
  }

  std::mt19937 random_{11};
};

TEST_F(ModelTest, ThousandsOfOperationsInAnyOrderOfTime) {
  for (uint32_t round = 0; round < 8; ++round) {
    random_.seed(100 + round);
    UseTable(NewTable(engine().NewStorageId()));
    Model model(table_);
    for (int i = 0; i < 60; ++i) {
      WriteGroup(model, 10, [&] { return RandomMutation(); });
      MoveOn(round);
      if (i % 6 == 5) ExpectSame(model);
      ASSERT_FALSE(HasFailure()) << "round " << round << " step " << i;
    }
    Reopen();
    ExpectSame(model);
  }
}

TEST_F(ModelTest, ScansOfSmallPartitions) {
  for (uint32_t round = 0; round < 6; ++round) {
    random_.seed(200 + round);
    UseTable(NewTable(engine().NewStorageId()));
    Model model(table_);
    for (int i = 0; i < 30; ++i) {
      WriteGroup(model, 20, [&] { return SmallMutation(); });
      MoveOn(round);
      if (i % 3 == 2) ExpectSameScans(model);
      ASSERT_FALSE(HasFailure()) << "round " << round << " step " << i;
    }
    Reopen();
    ExpectSameScans(model);
  }
}

// The engine removes deleted data from the data file at the latest when it closes. So after every partition was
// deleted, no spilled values, long keys or range tombstones are left: only the four headers with the partition
// deletions.
TEST_F(ModelTest, DeletingEveryPartitionLeavesOnlyHeaders) {
  for (int i = 0; i < 400; ++i) Write(RandomMutation());
  for (char key = 'A'; key < 'E'; ++key) {
    PartitionMutation mutation = Partition(table_, Bytes(1, key));
    mutation.partition_deletion = {1'000, kStartSeconds};
    Write(std::move(mutation));
  }
  EXPECT_EQ(ReadAll(), "");
  EXPECT_EQ(RecordCount(), 4u);
  EXPECT_EQ(Stats()[0].rows, 0);
  EXPECT_EQ(Stats()[0].bytes, 0);
}

}  // namespace
}  // namespace widerow
