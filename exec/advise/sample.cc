// Sampler::Run samples in three steps, and then computes totals for the whole table (Total):
// 1. Walk (or WalkKeys) chooses partitions and reads their first rows. This may take half of the time.
// 2. AddLargest and LookAtEnds add the partitions that are known to be large, and the last rows of long partitions.
// 3. CountLargest counts the rows of partitions that were not read whole. Steps 2 and 3 share the rest of the time.
// A new snapshot is opened every kRowsPerView rows, so a sample may mix several states of the table.

#include "exec/advise/sample.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "advise/columns.h"
#include "exec/advise/column_measures.h"
#include "exec/advise/key_probes.h"
#include "exec/rows/scanned_row.h"
#include "exec/session/read_watch.h"
#include "planner/access/partition_key.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

using advise::SampledPartition;
using advise::SampledRow;
using advise::TableSample;
using SteadyClock = std::chrono::steady_clock;

constexpr uint64_t kRowsKeptOfPartition = 40;  // Rows from a partition's beginning, and from its end, for Keep().
constexpr uint64_t kRowsApart = 16;            // Of the rows after the first ones, every 16th is for Keep().

class Sampler {
 public:
  Sampler(StorageEngine& storage, const TablePtr& table, const SampleLimits& limits)
      : storage_(storage),
        table_(table),
        limits_(limits),
        layout_(*table),
        now_seconds_(storage.clock().NowSeconds()),
        row_(layout_, now_seconds_),
        time_(TimeColumn(*table)),
        columns_(*table),
        deadline_(SteadyClock::now() + limits.time) {}

  Result<TableSample> Run() {
    for (const PartitionStats& entry : storage_.Partitions(*table_)) {
      sample_.rows_total += static_cast<uint64_t>(std::max<int64_t>(entry.rows, 0));
      sample_.bytes_total += static_cast<uint64_t>(std::max<int64_t>(entry.bytes, 0));
    }
    // Half of the time is for choosing partitions. The rest is for reading their last rows and for counting the rows of
    // the largest ones.
    const auto chosen = SteadyClock::now() + limits_.time / 2;
    if (table_->partitioning.by_token()) {
      WR_ASSIGN_OR_RETURN(sample_.all_partitions, Walk(Slice::TokenRange{}, limits_.partitions, chosen));
    } else {
      WR_RETURN_IF_ERROR(WalkKeys(chosen));
    }
    walked_ = sample_.partitions.size();
    WR_RETURN_IF_ERROR(AddLargest());
    WR_RETURN_IF_ERROR(LookAtEnds());
    WR_RETURN_IF_ERROR(CountLargest());
    Total();
    sample_.columns = columns_.samples();
    return std::move(sample_);
  }

 private:
  // Returns the position of the first time column among the clustering columns; -1 if there is none.
  static int32_t TimeColumn(const TableSchema& table) {
    for (uint32_t i = 0; i < table.clustering_size; ++i) {
      if (advise::IsTime(table.clustering(i).type->kind)) return static_cast<int32_t>(i);
    }
    return -1;
  }

  bool Late(SteadyClock::time_point deadline) {
    if (++clock_checks_ % 256 != 0) return late_;
    return late_ = SteadyClock::now() > deadline;
  }

  // Reads at most `partitions_max` partitions from the beginning of `where` on, up to rows_of_partition rows of each.
  // True if it reached the end.
  Result<bool> Walk(const std::variant<Slice::OnePartition, Slice::TokenRange, Slice::KeyRange>& where,
                    size_t partitions_max, SteadyClock::time_point deadline) {
    std::optional<Slice::ResumePoint> resume;
    const size_t before = sample_.partitions.size();
    partition_.clear();
    while (true) {
      WR_ASSIGN_OR_RETURN(auto view, storage_.OpenView());
      const Slice slice{.table = table_,
                        .partitions = where,
                        .clustering = {},
                        .want_statics = table_->has_statics(),
                        .resume = resume};
      WR_ASSIGN_OR_RETURN(auto cursor, view->OpenSlice(slice));
      RowView row;
      for (uint32_t seen = 0; seen < kRowsPerView; ++seen) {
        WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
        if (!more) return true;
        if (sample_.partitions.size() == before || row.partition_key != partition_) {
          if (sample_.partitions.size() >= before + partitions_max || bytes_kept_ > limits_.bytes_kept ||
              Late(deadline))
            return false;
          // If another walk has already read this partition and those after it, this walk ends.
          if (seen_.contains(Bytes(row.partition_key))) return false;
          WR_RETURN_IF_ERROR(BeginPartition(row.partition_key));
        }
        WR_RETURN_IF_ERROR(Take(row));
        resume = Slice::ResumePoint{.partition_key = Bytes(row.partition_key), .clustering = Bytes(row.clustering)};
        resume->after_static = row.is_static;
        resume->partition_done = !row.is_static && table_->clustering_size == 0;
        if (sample_.partitions.back().rows >= limits_.rows_of_partition) {
          sample_.partitions.back().counted = false;
          resume->partition_done = true;
          WR_RETURN_IF_ERROR(cursor->SkipPartition());
        }
        if (Late(deadline)) return false;
      }
    }
  }

  // Reads all partitions if there are few. Otherwise, reads some from each of the starting points of KeyProbes.
  Status WalkKeys(SteadyClock::time_point deadline) {
    constexpr size_t kFewPartitions = 2'000, kProbes = 400;
    WR_ASSIGN_OR_RETURN(sample_.all_partitions, Walk(Slice::KeyRange{}, kFewPartitions, deadline - limits_.time / 4));
    if (sample_.all_partitions) return OkStatus();
    const uint64_t rows = sample_.rows_total, bytes = sample_.bytes_total;
    sample_ = {.rows_total = rows, .bytes_total = bytes};
    seen_.clear();
    keys_.clear();
    columns_ = ColumnMeasures(*table_);
    late_ = false;
    rows_offered_ = bytes_looked_at_ = bytes_kept_ = 0;
    WR_ASSIGN_OR_RETURN(auto view, storage_.OpenView());
    WR_ASSIGN_OR_RETURN(const auto probes, KeyProbes(*view, table_, kProbes));
    view.reset();
    for (const Slice::KeyRange& probe : probes) {
      WR_ASSIGN_OR_RETURN(const bool end,
                          Walk(probe, std::max<size_t>(limits_.partitions / probes.size(), 1), deadline));
      if (!end && SteadyClock::now() > deadline) break;
    }
    return OkStatus();
  }

  Status BeginPartition(ByteView key) {
    partition_ = Bytes(key);
    SampledPartition partition;
    if (!SplitStoredKey(*table_, key, partition.key))
      return ServerError("damaged partition key in table " + table_->name);
    seen_.insert(partition_);
    keys_.push_back(partition_);
    partition.first_written = partition.first_event = INT64_MAX;
    partition.last_written = partition.last_event = INT64_MIN;
    bytes_kept_ += key.size() + sizeof(SampledPartition);
    sample_.partitions.push_back(std::move(partition));
    statics_.Clear();
    return OkStatus();
  }

  // Adds a row to the sample. It is a row of the last of sample_.partitions.
  Status Take(const RowView& row) {
    if (row.is_static) {
      statics_.Assign(row);
      return OkStatus();
    }
    SampledPartition& partition = sample_.partitions.back();
    const bool keep = partition.rows < kRowsKeptOfPartition || partition.rows % kRowsApart == 0;
    return Look(row, static_cast<uint32_t>(sample_.partitions.size() - 1), keep, true);
  }

  Status Look(const RowView& row, uint32_t index, bool keep, bool count) {
    row_.Reset(partition_, &row, statics_.present() ? &statics_.view() : nullptr);
    if (!row_.RowLive()) return OkStatus();
    SampledPartition& partition = sample_.partitions[index];
    SampledRow sampled{.partition = index, .written = WrittenAt(row), .expires = Expires(row)};
    for (uint32_t i = 0; i < table_->columns.size(); ++i) {
      const ColumnSchema& column = table_->columns[i];
      if (column.kind == ColumnKind::kPartitionKey) continue;
      const bool is_time = column.kind == ColumnKind::kClustering && static_cast<int32_t>(column.position) == time_;
      if (column.kind == ColumnKind::kClustering && !keep && !is_time) continue;
      WR_ASSIGN_OR_RETURN(const ValueView value, row_.Column(i));
      if (is_time) NoteEvent(advise::MicrosOf(*column.type, value.value_or(ByteView())), partition);
      if (column.kind == ColumnKind::kClustering) {
        sampled.clustering.emplace_back(value.value_or(ByteView()));
      } else if (value) {
        WR_RETURN_IF_ERROR(columns_.Add(i, *value));
        sampled.bytes += value->size();
        sampled.largest_value = std::max<uint64_t>(sampled.largest_value, value->size());
      }
    }
    sampled.bytes += row.clustering.size();
    partition.first_written = std::min(partition.first_written, sampled.written);
    partition.last_written = std::max(partition.last_written, sampled.written);
    ++sample_.rows_looked_at;
    bytes_looked_at_ += sampled.bytes + partition_.size();
    if (count) {
      ++partition.rows;
      partition.bytes += sampled.bytes;
    }
    if (keep) Keep(std::move(sampled), row.clustering.size() + sizeof(SampledRow));
    return OkStatus();
  }

  static void NoteEvent(std::optional<int64_t> micros, SampledPartition& partition) {
    if (!micros) return;
    partition.first_event = std::min(partition.first_event, *micros);
    partition.last_event = std::max(partition.last_event, *micros);
  }

  // Keeps a random sample: each row offered has the same chance to be kept.
  void Keep(SampledRow row, size_t bytes) {
    ++rows_offered_;
    if (sample_.rows.size() < limits_.rows_kept && bytes_kept_ < limits_.bytes_kept) {
      bytes_kept_ += bytes;
      sample_.rows.push_back(std::move(row));
    } else if (!sample_.rows.empty()) {
      const size_t place = std::uniform_int_distribution<size_t>(0, rows_offered_ - 1)(random_);
      if (place < sample_.rows.size()) sample_.rows[place] = std::move(row);
    }
  }

  static int64_t WrittenAt(const RowView& row) {
    if (row.uniform) return row.times.timestamp;
    int64_t newest = row.marker.present() ? row.marker.timestamp : INT64_MIN;
    for (const CellView& cell : row.cells) newest = std::max(newest, cell.timestamp);
    return newest;
  }

  static bool Expires(const RowView& row) {
    if (row.uniform) return row.times.ttl != 0;
    if (row.marker.present() && row.marker.ttl == 0) return false;
    return std::ranges::all_of(row.cells, [](const CellView& cell) { return cell.ttl != 0; });
  }

  // Reads the last rows of long partitions, because new rows are often there.
  Status LookAtEnds() {
    constexpr size_t kPartitionsMax = 1'000;
    if (table_->clustering_size == 0) return OkStatus();
    size_t looked = 0;
    for (uint32_t i = 0; i < sample_.partitions.size(); ++i) {
      SampledPartition& partition = sample_.partitions[i];
      if (partition.rows <= kRowsKeptOfPartition) continue;
      partition.ends_seen = partition.counted;
      if (looked >= kPartitionsMax || SteadyClock::now() > deadline_) continue;
      partition.ends_seen = true;
      ++looked;
      partition_ = keys_[i];
      statics_.Clear();
      WR_ASSIGN_OR_RETURN(auto view, storage_.OpenView());
      const Slice slice{
          .table = table_, .partitions = Slice::OnePartition{partition_}, .direction = Direction::kBackward};
      WR_ASSIGN_OR_RETURN(auto cursor, view->OpenSlice(slice));
      RowView row;
      for (uint64_t taken = 0; taken < kRowsKeptOfPartition; ++taken) {
        WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
        if (!more) break;
        WR_RETURN_IF_ERROR(Look(row, i, true, false));
      }
    }
    return OkStatus();
  }

  // Adds the partitions that storage knows to be large. A random choice of keys rarely finds them.
  Status AddLargest() {
    constexpr size_t kAddedMax = 16;
    if (sample_.all_partitions) return OkStatus();
    for (const PartitionSize& large : storage_.LargestPartitions(*table_)) {
      if (sample_.partitions.size() >= walked_ + kAddedMax) break;
      if (large.rows < static_cast<int64_t>(limits_.rows_of_partition) || seen_.contains(large.partition_key)) continue;
      WR_RETURN_IF_ERROR(BeginPartition(large.partition_key));
      sample_.partitions.back().rows = static_cast<uint64_t>(large.rows);
      sample_.partitions.back().bytes = static_cast<uint64_t>(large.bytes);
      sample_.partitions.back().counted = false;
    }
    return OkStatus();
  }

  // Until the deadline, counts the rows of the partitions that were not read whole. Those of AddLargest come first.
  Status CountLargest() {
    const auto count = [&](size_t begin, size_t end) -> Result<bool> {
      for (size_t i = begin; i < end; ++i) {
        if (sample_.partitions[i].counted) continue;
        WR_ASSIGN_OR_RETURN(const bool done, CountRest(static_cast<uint32_t>(i)));
        if (!done) return false;
      }
      return true;
    };
    WR_ASSIGN_OR_RETURN(const bool in_time, count(walked_, sample_.partitions.size()));
    if (in_time) WR_RETURN_IF_ERROR(count(0, walked_));
    return OkStatus();
  }

  Result<bool> CountRest(uint32_t index) {
    SampledPartition& partition = sample_.partitions[index];
    const double row_bytes =
        static_cast<double>(partition.bytes) / static_cast<double>(std::max<uint64_t>(partition.rows, 1));
    const Bytes key = keys_[index];
    uint64_t rows = 0;
    std::optional<Slice::ResumePoint> resume;
    bool in_time = true, more = true;
    const auto store = [&](bool counted) {
      partition.rows = std::max(partition.rows, rows);
      partition.bytes = static_cast<uint64_t>(row_bytes * static_cast<double>(partition.rows));
      partition.counted = counted;
      return counted;
    };
    while (more) {
      WR_ASSIGN_OR_RETURN(auto view, storage_.OpenView());
      const Slice slice{.table = table_, .partitions = Slice::OnePartition{key}, .resume = resume};
      WR_ASSIGN_OR_RETURN(auto cursor, view->OpenSlice(slice));
      RowView row;
      uint32_t seen = 0;
      WR_ASSIGN_OR_RETURN(more, cursor->ForEach(row, [&] { return ++seen < kRowsPerView; }));
      rows += seen;
      if (more) resume = Slice::ResumePoint{.partition_key = key, .clustering = Bytes(row.clustering)};
      in_time = SteadyClock::now() < deadline_;
      if (more && !in_time) return store(false);
    }
    return store(true);
  }

  // Computes the totals of the whole table. What was not counted is estimated from the sample.
  void Total() {
    uint64_t rows = 0;
    bool counted = sample_.all_partitions;
    uint64_t walked_rows = 0;
    for (size_t i = 0; i < sample_.partitions.size(); ++i) {
      SampledPartition& partition = sample_.partitions[i];
      rows += partition.rows;
      if (i < walked_) walked_rows += partition.rows;
      counted = counted && partition.counted;
      if (partition.first_written == INT64_MAX) partition.first_written = partition.last_written = 0;
      if (partition.first_event == INT64_MAX) partition.first_event = partition.last_event = 0;
    }
    std::erase_if(sample_.rows, [&](const SampledRow& row) { return sample_.partitions[row.partition].rows == 0; });
    sample_.rows_total = counted ? rows : std::max(sample_.rows_total, rows);
    const double row_bytes =
        static_cast<double>(bytes_looked_at_) / static_cast<double>(std::max<uint64_t>(sample_.rows_looked_at, 1));
    sample_.bytes_total = static_cast<uint64_t>(row_bytes * static_cast<double>(sample_.rows_total));
    sample_.partitions_total = static_cast<double>(walked_);
    if (sample_.all_partitions || walked_ < 2) return;
    if (!table_->partitioning.by_token()) {
      // Estimates the number of partitions from the number of rows, with the average rows per partition of the sample.
      sample_.partitions_total = std::round(sample_.partitions_total * static_cast<double>(sample_.rows_total) /
                                            static_cast<double>(std::max<uint64_t>(walked_rows, 1)));
      return;
    }
    // Keys are spread evenly over the ring, so the last token shows which part of the ring the sample covers.
    const double first = std::ldexp(-1.0, 63);
    const auto last = static_cast<double>(Murmur3Token(keys_[walked_ - 1]));
    const double covered = (last - first) / std::ldexp(1.0, 64);
    if (covered > 0) sample_.partitions_total = std::round(sample_.partitions_total / covered);
  }

  StorageEngine& storage_;
  const TablePtr& table_;
  const SampleLimits& limits_;
  const RowLayout layout_;
  const int64_t now_seconds_;
  ScannedRow row_;
  StaticRow statics_;
  const int32_t time_;
  ColumnMeasures columns_;
  const SteadyClock::time_point deadline_;
  Bytes partition_;          // The key of the partition that is being read.
  std::vector<Bytes> keys_;  // The stored keys of sample_.partitions.
  std::set<Bytes> seen_;     // The same keys, for lookups.
  size_t walked_ = 0;        // The first walked_ entries of sample_.partitions are not from AddLargest.
  TableSample sample_;
  std::mt19937_64 random_{20240229};
  size_t rows_offered_ = 0;
  uint64_t bytes_looked_at_ = 0;
  size_t bytes_kept_ = 0;
  uint32_t clock_checks_ = 0;
  bool late_ = false;
};

}  // namespace

Result<advise::TableSample> SampleTable(StorageEngine& storage, const TablePtr& table, const SampleLimits& limits) {
  return Sampler(storage, table, limits).Run();
}

}  // namespace widerow
