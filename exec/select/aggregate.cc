#include "exec/select/aggregate.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "base/spare_threads.h"
#include "exec/meter/table_size.h"
#include "exec/rows/rows_writer.h"
#include "exec/select/aggregation.h"
#include "exec/virtual/virtual_tables.h"

namespace widerow {
namespace {

// A thread reads at least this many rows, which takes some milliseconds.
constexpr uint64_t kRowsPerPart = 50'000;

template <typename Scan>
Status AddAll(Scan& scan, EvaluationContext context, const std::atomic<bool>& failed, KeptRoom& room,
              Aggregation& aggregation) {
  scan.SetRoom([&room](size_t bytes) { return room.Ask(bytes); });
  const auto add = [&](ScannedRow& row, bool& stop) {
    context.row = &row;
    stop = failed.load(std::memory_order_relaxed);
    return aggregation.Add(context);
  };
  return scan.ForEach(add);
}

// Returns the number of parts that a scan of these tokens should have.
unsigned PartsWorth(const TableSchema& table, const Slice::TokenRange& tokens, StorageEngine& storage) {
  return static_cast<unsigned>(std::clamp<uint64_t>(SizeOfTokens(table, tokens, storage).rows / kRowsPerPart, 1, 64));
}

}  // namespace

Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan) {
  RowsWriter rows;
  rows.SetLimits(request.answer);
  KeptRoom room(rows);
  Aggregation whole(plan, room);
  const std::atomic<bool> failed = false;
  WR_RETURN_IF_ERROR(AddAll(scan, request.context, failed, room, whole));
  WR_RETURN_IF_ERROR(whole.Finish(request.context, rows));
  return std::move(rows).Finish(request.columns);
}

Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, RowScan& scan,
                              StorageEngine& storage, const ViewOpener& open_view) {
  RowsWriter rows;
  rows.SetLimits(request.answer);
  KeptRoom room(rows);
  Aggregation whole(plan, room);
  const std::optional<Slice::TokenRange> tokens = scan.tokens();
  const bool divisible = tokens.has_value() && whole.merges() && !IsVirtual(*plan.table) && !request.one_view;
  const SpareThreads spare(divisible ? PartsWorth(*plan.table, *tokens, storage) - 1 : 0);
  WR_ASSIGN_OR_RETURN(std::vector<ScanPart> others, scan.Divide(spare.taken()));
  const auto parts = static_cast<unsigned>(others.size()) + 1;

  std::atomic<bool> failed = false;
  std::vector<Aggregation> aggregations;
  std::vector<ScanMeter> meters;
  for (unsigned i = 1; i < parts; ++i) {
    aggregations.emplace_back(plan, room);
    if (request.meter != nullptr) meters.push_back(request.meter->OfPart());
  }
  std::vector<Status> statuses(parts);
  const auto read_part = [&](unsigned i) {
    ScanOptions options = request.OfWholeScan();
    options.meter = meters.empty() ? nullptr : &meters[i - 1];
    RowScan part(plan, storage, open_view, options);
    statuses[i] = part.OpenPart(std::move(others[i - 1]));
    if (statuses[i].ok()) statuses[i] = AddAll(part, request.context, failed, room, aggregations[i - 1]);
    if (!statuses[i].ok()) failed = true;
  };
  std::vector<std::jthread> threads;
  unsigned next = 1;
  try {
    for (; next < parts; ++next) threads.emplace_back(read_part, next);
  } catch (const std::system_error&) {
    // No more threads are available: this thread reads the rest.
  }
  statuses[0] = AddAll(scan, request.context, failed, room, whole);
  if (!statuses[0].ok()) failed = true;
  for (; next < parts; ++next) read_part(next);
  threads.clear();
  for (Status& status : statuses) WR_RETURN_IF_ERROR(std::move(status));
  for (Aggregation& later : aggregations) whole.Merge(std::move(later));
  for (ScanMeter& part : meters) request.meter->Add(std::move(part));

  WR_RETURN_IF_ERROR(whole.Finish(request.context, rows));
  return std::move(rows).Finish(request.columns);
}

}  // namespace widerow
