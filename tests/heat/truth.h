// The test counts here what it reads and writes, and compares these counts with the heat map.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "exec/heat/heat_key.h"
#include "exec/heat/heat_map.h"
#include "exec/heat/heat_picture.h"

namespace widerow {

class HeatTruth {
 public:
  void Write(const TableSchema& table, const Bytes& partition_key, ByteView clustering, int64_t seconds) {
    Count(table, partition_key, clustering, seconds, {.writes = 1});
  }
  void Read(const TableSchema& table, const Bytes& partition_key, ByteView clustering, int64_t seconds) {
    Count(table, partition_key, clustering, seconds, {.reads = 1});
  }
  // After a restart, the lists of busy and hot partitions begin again.
  void Restart() { by_partition_.clear(); }
  uint64_t writes() const { return all_.writes; }

  // Checks that each figure differs from the true count by at most its bound. `busy`: also checks the list of busy
  // partitions. The list covers the last 10 to 20 minutes, so the whole load must be younger than 10 minutes.
  void ExpectBoundsHold(const TableSchema& table, const HeatSnapshot& snapshot, bool busy) const {
    for (const HeatAxis axis : {HeatAxis::kKey, HeatAxis::kToken}) ExpectPictureHolds(table, snapshot, axis);
    if (busy) ExpectBusyHold(snapshot);
    ExpectHotHold(snapshot);
  }

 private:
  struct Place {
    Bytes key;
    uint8_t token = 0;
    auto operator<=>(const Place&) const = default;
  };
  static int64_t SliceOf(int64_t seconds) { return seconds - seconds % HeatHistory::kSliceSeconds; }

  void Count(const TableSchema& table, const Bytes& partition_key, ByteView clustering, int64_t seconds,
             const HeatCell& done) {
    const int64_t slice = SliceOf(seconds);
    const Place place{OrderedKey(table, partition_key, clustering), TokenBucketOf(table, partition_key)};
    by_place_[slice][place].Add(done);
    by_partition_[partition_key][slice].Add(done);
    all_.Add(done);
  }

  static void ExpectNear(const char* what, uint64_t shown, uint64_t truth, uint64_t bound) {
    const uint64_t distance = shown > truth ? shown - truth : truth - shown;
    if (distance > bound) ADD_FAILURE() << what << ": " << shown << " shown, " << truth << " true, bound " << bound;
  }
  static void ExpectCellHolds(const char* what, const HeatCell& shown, const HeatCell& truth, uint64_t skipped) {
    ExpectNear(what, shown.writes, truth.writes, shown.WritesError());
    ExpectNear(what, shown.reads, truth.reads, shown.ReadsError(skipped));
  }

  // Returns the true counts of the time from `begin` to `end`: from the beginning of one slice of the heat map to the
  // beginning of the next one. The slice may be one into which the map has joined several short slices.
  std::vector<HeatCell> TruthOf(const KeyAxis& axis, bool by_token, int64_t begin, int64_t end) const {
    std::vector<HeatCell> cells(axis.size());
    for (auto slice = by_place_.lower_bound(begin); slice != by_place_.end() && slice->first < end; ++slice) {
      for (const auto& [place, done] : slice->second) {
        cells[by_token ? place.token : axis.BucketOf(place.key)].Add(done);
      }
    }
    return cells;
  }

  void ExpectPictureHolds(const TableSchema& table, const HeatSnapshot& snapshot, HeatAxis axis) const {
    const bool by_token = axis == HeatAxis::kToken;
    const HeatPicture picture = MakeHeatPicture(table, snapshot, axis, 0);
    EXPECT_EQ(picture.Sum().writes, all_.writes);
    const KeyAxis& ranges = by_token ? *TokenAxis() : *snapshot.axis;
    std::vector<HeatCell> sums(ranges.size());
    for (size_t c = 0; c < picture.columns.size(); ++c) {
      const HeatPicture::Column& column = picture.columns[c];
      const bool last = c + 1 == picture.columns.size();
      const int64_t end = last ? std::numeric_limits<int64_t>::max() : picture.columns[c + 1].begin_seconds;
      const std::vector<HeatCell> truth = TruthOf(ranges, by_token, column.begin_seconds, end);
      uint64_t writes = 0;
      for (size_t i = 0; i < truth.size(); ++i) {
        ExpectCellHolds(by_token ? "token range" : "key range", column.cells[i], truth[i], column.skipped);
        if (by_token && column.cells[i].writes != truth[i].writes) ADD_FAILURE() << "writes by token are exact";
        sums[i].Add(truth[i]);
        writes += truth[i].writes;
      }
      EXPECT_EQ(column.all.writes, writes);
    }
    const std::vector<HeatCell> shown = picture.ByRange();
    for (size_t i = 0; i < sums.size(); ++i) ExpectCellHolds("sum of a range", shown[i], sums[i], picture.Skipped());
    ExpectCellHolds("sum", picture.Sum(), all_, picture.Skipped());
  }

  HeatCell TruthOf(const Bytes& partition_key) const {
    HeatCell sum;
    const auto found = by_partition_.find(partition_key);
    if (found == by_partition_.end()) return sum;
    for (const auto& [slice, done] : found->second) sum.Add(done);
    return sum;
  }

  void ExpectBusyHold(const HeatSnapshot& snapshot) const {
    uint64_t listed = 0;
    for (const BusyPartition& one : snapshot.busy) {
      const HeatCell truth = TruthOf(one.key);
      ExpectNear("writes of a busy partition", one.done.writes, truth.writes, one.WritesError());
      ExpectNear("reads of a busy partition", one.done.reads, truth.reads, one.ReadsError(snapshot.busy_skipped));
      EXPECT_LE(one.done.writes, truth.writes) << "no write is invented";
      listed += truth.writes;
    }
    if (by_partition_.size() <= BusyPartitions::kKeptMax && !snapshot.busy.empty()) {
      uint64_t all = 0;
      for (const auto& [key, slices] : by_partition_) all += TruthOf(key).writes;
      EXPECT_EQ(listed, all) << "all are listed";
    }
  }

  void ExpectHotHold(const HeatSnapshot& snapshot) const {
    constexpr double kSeconds = HeatHistory::kSliceSeconds;
    for (const HotPartition& hot : snapshot.hot) {
      const auto found = by_partition_.find(hot.key);
      ASSERT_NE(found, by_partition_.end());
      const auto at = found->second.find(hot.at_seconds);
      ASSERT_NE(at, found->second.end());
      const double writes = static_cast<double>(at->second.writes) / kSeconds;
      const double reads = static_cast<double>(at->second.reads) / kSeconds;
      EXPECT_LE(std::abs(hot.writes_a_second - writes), hot.writes_error);
      EXPECT_LE(std::abs(hot.reads_a_second - reads), hot.reads_error);
      EXPECT_TRUE(writes >= TableHeat::kHotWrites || reads >= TableHeat::kHotReads) << "it was hot";
    }
  }

  // The counts of each place in each slice of time (by its beginning).
  std::map<int64_t, std::map<Place, HeatCell>> by_place_;
  // The counts of each partition (by its stored key) in each slice of time (by its beginning).
  std::map<Bytes, std::map<int64_t, HeatCell>> by_partition_;
  HeatCell all_;
};

}  // namespace widerow
