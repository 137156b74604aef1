#include "exec/aggregate.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "exec/rows_writer.h"
#include "exec/virtual/virtual_tables.h"

namespace widerow {
namespace {

// A part of fewer rows is not worth a thread, and so many are read in some milliseconds.
constexpr int64_t kRowsPerPart = 50'000;

// COUNT(*), MIN(x), …: every row goes in, one comes out. Other selectors give the first row's value.
class Aggregation {
 public:
  explicit Aggregation(const SelectPlan& plan) : plan_(plan), states_(plan.output.size()), first_(plan.output.size()) {
    for (size_t i = 0; i < states_.size(); ++i) {
      if (const auto* call = Aggregate(i)) states_[i] = call->function->make_aggregate();
    }
  }

  Status Add(const EvaluationContext& context) {
    for (size_t i = 0; i < states_.size(); ++i) {
      const auto* call = Aggregate(i);
      if (call == nullptr) {
        if (!any_) {
          WR_ASSIGN_OR_RETURN(first_[i], Evaluate(plan_.output[i].expression, context));
        }
        continue;
      }
      values_.clear();
      for (const Expression& argument : call->arguments) {
        WR_ASSIGN_OR_RETURN(Value value, Evaluate(argument, context));
        values_.push_back(std::move(value));
      }
      views_.assign(values_.size(), std::nullopt);
      for (size_t n = 0; n < values_.size(); ++n) {
        if (values_[n]) views_[n] = ByteView(*values_[n]);
      }
      WR_RETURN_IF_ERROR(states_[i]->Add(views_));
    }
    any_ = true;
    return OkStatus();
  }

  // Whether parts of the rows may each have an Aggregation, to be put together by Merge.
  bool merges() const {
    return std::all_of(states_.begin(), states_.end(), [](const auto& state) { return state == nullptr || state->merges(); });
  }
  // `later` has the rows that come after this one's.
  void Merge(Aggregation later) {
    for (size_t i = 0; i < states_.size(); ++i) {
      if (states_[i] != nullptr) states_[i]->Merge(*later.states_[i]);
    }
    if (!any_) first_ = std::move(later.first_);
    any_ = any_ || later.any_;
  }

  Status Finish(RowsWriter& rows) {
    for (size_t i = 0; i < states_.size(); ++i) {
      if (states_[i] == nullptr) {
        rows.Append(first_[i] ? ValueView(*first_[i]) : ValueView());
        continue;
      }
      WR_ASSIGN_OR_RETURN(const Value value, states_[i]->Finish());
      rows.Append(value ? ValueView(*value) : ValueView());
    }
    rows.EndRow();
    return OkStatus();
  }

 private:
  const CallExpression* Aggregate(size_t i) const {
    const auto* call = std::get_if<CallExpression>(&plan_.output[i].expression.node);
    return call != nullptr && call->function->is_aggregate() ? call : nullptr;
  }

  const SelectPlan& plan_;
  std::vector<std::unique_ptr<AggregateState>> states_;
  std::vector<Value> first_, values_;
  std::vector<ValueView> views_;
  bool any_ = false;
};

template <typename Scan>
Status AddAll(Scan& scan, EvaluationContext context, const std::atomic<bool>& failed, Aggregation& aggregation) {
  scan.IgnoreLimit();
  const auto add = [&](ScannedRow& row, bool& stop) {
    context.row = &row;
    stop = failed.load(std::memory_order_relaxed);
    return aggregation.Add(context);
  };
  return scan.ForEach(add);
}

// Threads that scans may use beside the ones that run them: one a core for all of them together.
class SpareThreads {
 public:
  explicit SpareThreads(unsigned wanted) {
    unsigned free = free_.load();
    do {
      taken_ = std::min(wanted, free);
    } while (!free_.compare_exchange_weak(free, free - taken_));
  }
  ~SpareThreads() { free_ += taken_; }
  SpareThreads(const SpareThreads&) = delete;
  SpareThreads& operator=(const SpareThreads&) = delete;
  unsigned taken() const { return taken_; }

 private:
  static inline std::atomic<unsigned> free_{std::max(std::thread::hardware_concurrency(), 2U) - 1};
  unsigned taken_ = 0;
};

// How many parts a scan of these tokens is worth: tokens are hashes, so rows are spread over them evenly.
unsigned PartsWorth(const TableSchema& table, const Slice::TokenRange& tokens, StorageEngine& storage) {
  int64_t rows = 0;
  for (const PartitionStats& part : storage.Partitions(table)) rows += part.rows;
  const double share = (static_cast<double>(tokens.last) - static_cast<double>(tokens.first)) / 0x1p64;
  return static_cast<unsigned>(std::clamp(static_cast<double>(rows) * share / kRowsPerPart, 1.0, 64.0));
}

// The i-th of `parts` equal parts.
Slice::TokenRange Part(const Slice::TokenRange& whole, unsigned i, unsigned parts) {
  const uint64_t step = (static_cast<uint64_t>(whole.last) - static_cast<uint64_t>(whole.first)) / parts;
  const auto at = [&](unsigned n) { return static_cast<int64_t>(static_cast<uint64_t>(whole.first) + step * n); };
  return {.first = at(i), .last = i + 1 == parts ? whole.last : at(i + 1) - 1};
}

}  // namespace

Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan) {
  Aggregation whole(plan);
  const std::atomic<bool> failed = false;
  WR_RETURN_IF_ERROR(AddAll(scan, request.context, failed, whole));
  RowsWriter rows;
  WR_RETURN_IF_ERROR(whole.Finish(rows));
  return std::move(rows).Finish(request.columns);
}

Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, RowScan& scan, StorageEngine& storage,
                              const ViewOpener& open_view) {
  Aggregation whole(plan);
  const std::optional<Slice::TokenRange> tokens = scan.tokens();
  const bool divisible = tokens.has_value() && whole.merges() && !IsVirtual(*plan.table) && !request.one_view;
  const SpareThreads spare(divisible ? PartsWorth(*plan.table, *tokens, storage) - 1 : 0);
  const unsigned parts = spare.taken() + 1;

  std::atomic<bool> failed = false;
  std::vector<Aggregation> aggregations;
  for (unsigned i = 1; i < parts; ++i) aggregations.emplace_back(plan);
  std::vector<Status> statuses(parts);
  const auto read_part = [&](unsigned i) {
    RowScan part(plan, storage, open_view, request.context, request.now_seconds, request.meter);
    statuses[i] = part.Open({});
    if (statuses[i].ok()) {
      part.Narrow(Part(*tokens, i, parts));
      statuses[i] = AddAll(part, request.context, failed, aggregations[i - 1]);
    }
    if (!statuses[i].ok()) failed = true;
  };
  std::vector<std::jthread> threads;
  unsigned next = 1;
  try {
    for (; next < parts; ++next) threads.emplace_back(read_part, next);
  } catch (const std::system_error&) {
    // The system gives no more threads: this one reads what is left.
  }
  if (parts > 1) scan.Narrow(Part(*tokens, 0, parts));
  statuses[0] = AddAll(scan, request.context, failed, whole);
  if (!statuses[0].ok()) failed = true;
  for (; next < parts; ++next) read_part(next);
  threads.clear();
  for (Status& status : statuses) WR_RETURN_IF_ERROR(std::move(status));
  for (Aggregation& later : aggregations) whole.Merge(std::move(later));

  RowsWriter rows;
  WR_RETURN_IF_ERROR(whole.Finish(rows));
  return std::move(rows).Finish(request.columns);
}

}  // namespace widerow
