// The rows of a SELECT one by one: opens the slices its access path names, joins static rows to their partition's rows, drops
// what is not live or does not pass the filter, and keeps the limits. Knows where it stands, so that a page can end anywhere.
// One thread. Holds a read view; long scans renew it every kRowsPerView rows, so that no snapshot is kept for long.
#pragma once

#include <chrono>

#include "exec/paging.h"
#include "exec/scanned_row.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

// Opens a view that shows the plan's table.
using ViewOpener = std::function<Result<std::unique_ptr<ReadView>>()>;

class RowScan {
 public:
  // Borrows everything but `from`. `context.row` is set by the scan.
  RowScan(const SelectPlan& plan, StorageEngine& storage, const ViewOpener& open_view, EvaluationContext context,
          int64_t now_seconds);
  ~RowScan();
  // Binds the access path and goes to `from`, where an earlier page stopped. Before the first Next.
  Status Open(std::optional<PagingState> from);

  // The next row, good until the next call; nullptr at the end.
  Result<ScannedRow*> Next();
  // After the row last returned. Only meaningful if there is one.
  PagingState Position() const;
  // Its encoded clustering; for putting rows of several partitions in order.
  ByteView clustering() const { return view_row_.clustering; }
  void IgnoreLimit() { rows_left_ = UINT32_MAX; }

 private:
  enum class Step : uint8_t { kReturn, kContinue, kEnd };

  Status BindAccess();
  Status BindPartitions(const std::vector<KeyValues>& keys, const ClusteringSelection& clustering);
  Result<bool> OpenNextSlice();
  Result<bool> OpenPoint(const Bytes& key);
  Result<Step> Advance();
  Result<Step> TakeRow();
  Result<Step> EndPartition();
  Status RenewView();
  void BeginPartition(ByteView key);
  Result<bool> Accept();
  void Returned(bool partition_done);

  const SelectPlan& plan_;
  const TableSchema& table_;
  StorageEngine& storage_;
  const ViewOpener& open_view_;
  EvaluationContext context_;
  const RowLayout layout_;
  ScannedRow row_;

  // What to read.
  bool nothing_ = false;                      // The access path can match no row.
  bool by_partition_ = false;                 // keys_ in turn; otherwise tokens_.
  std::vector<Bytes> keys_;
  size_t next_key_ = 0;
  std::vector<ClusteringRange> ranges_;
  bool all_rows_ = true;                      // No restriction on the clustering.
  Slice::TokenRange tokens_;
  bool scan_opened_ = false;
  std::optional<Slice::ResumePoint> resume_;

  // Where we are.
  std::unique_ptr<ReadView> view_;
  std::unique_ptr<RowCursor> cursor_;
  bool point_pending_ = false;                // view_row_ holds a point lookup's row.
  RowView view_row_, point_static_;
  bool lookahead_ = false;                    // view_row_ is still to be taken.
  bool in_partition_ = false;
  Bytes partition_;
  StaticRow statics_;
  bool rows_seen_ = false;                    // A live row of this partition was met.
  bool partition_done_ = false;               // Nothing more is wanted of it.
  bool last_was_static_only_ = false;
  uint32_t examined_ = 0;
  uint32_t rows_left_ = UINT32_MAX, partition_limit_ = UINT32_MAX, partition_rows_left_ = UINT32_MAX;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace widerow
