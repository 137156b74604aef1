#include "exec/balance/partition_middle.h"

#include "exec/meter/scan_meter.h"
#include "exec/session/read_watch.h"
#include "planner/ddl/partition/partition_by.h"
#include "types/position.h"

namespace widerow {
namespace {

constexpr size_t kSamplesMax = 2'048;
constexpr size_t kRowOverhead = 32;  // The bytes of a key and a record besides their content.

// Collects bounds between values of the partitioning columns. The bounds are spread evenly over the values. Each bound
// is stored with the size of all rows before it in key order.
class Samples {
 public:
  void Add(const TableSchema& table, const RowView& row) {
    const bool same = row.partition_key == last_key_;
    if (!same) {
      last_key_.assign(row.partition_key);
      Bytes bound = BoundOfKey(table, row.partition_key);
      if (bound != last_bound_) {
        if (values_++ % stride_ == 0) Keep(bound);
        last_bound_ = std::move(bound);
      }
    }
    bytes_ += kRowOverhead + BytesOf(row);
  }

  // Returns the bound nearest to the middle. The first bound is never returned, because no row is before it.
  Bytes Middle() const {
    Bytes best;
    size_t distance = ~size_t{0};
    for (size_t i = 1; i < kept_.size(); ++i) {
      const size_t middle = bytes_ / 2, before = kept_[i].second;
      const size_t off = before > middle ? before - middle : middle - before;
      if (off >= distance) continue;
      distance = off;
      best = kept_[i].first;
    }
    return best;
  }

 private:
  void Keep(const Bytes& bound) {
    kept_.emplace_back(bound, bytes_);
    if (kept_.size() < kSamplesMax) return;
    for (size_t i = 0; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kept_.size() / 2);
    stride_ *= 2;
  }

  std::vector<std::pair<Bytes, size_t>> kept_;
  size_t stride_ = 1, values_ = 0, bytes_ = 0;
  Bytes last_key_, last_bound_;
};

}  // namespace

Result<Bytes> FindMiddle(StorageEngine& storage, const TableSchema& table, size_t index,
                         const std::function<bool()>& stop) {
  Slice slice{.table = std::make_shared<const TableSchema>(table)};
  Slice::KeyRange range{.first = KeyOfPosition(table.partition_map[index].first_position)};
  const ByteView end = EndOfPartition(table, index);
  if (!end.empty()) range.end = KeyOfPosition(end);
  slice.partitions = std::move(range);
  Samples samples;  // Taken from several snapshots, between which rows may change.
  for (bool more = true; more;) {
    if (stop && stop()) return Bytes();
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<ReadView> view, storage.OpenView());
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view->OpenSlice(slice));
    RowView row;
    uint32_t rows = 0;
    const auto take = [&] {
      samples.Add(table, row);
      return ++rows < kRowsPerView;
    };
    WR_ASSIGN_OR_RETURN(more, cursor->ForEach(row, take));
    if (!more) break;
    slice.resume = Slice::ResumePoint{.partition_key = Bytes(row.partition_key),
                                      .clustering = Bytes(row.clustering),
                                      .partition_done = table.clustering_size == 0};
  }
  return samples.Middle();
}

}  // namespace widerow
