#include <algorithm>

#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

bool IsAfterStart(const RowRange& range, const Bytes& row) {
  const int order = CompareBytes(row, range.start);
  return order > 0 || (order == 0 && range.start_inclusive);
}
bool IsBeforeStop(const RowRange& range, const Bytes& row) {
  if (range.stop.empty()) return true;
  const int order = CompareBytes(row, range.stop);
  return order < 0 || (order == 0 && range.stop_inclusive);
}
bool IsValid(const RowRange& range) {
  if (range.start.empty() || range.stop.empty()) return true;
  const int order = CompareBytes(range.start, range.stop);
  return order < 0 || (order == 0 && range.stop_inclusive);
}

class MultiRowRangeFilter final : public Filter {
 public:
  explicit MultiRowRangeFilter(std::vector<RowRange> ranges) : ranges_(std::move(ranges)) {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const RowRange& a, const RowRange& b) { return CompareBytes(a.start, b.start) < 0; });
  }
  bool AllRemaining() override { return done_; }
  bool FilterRowKey(const Bytes& row, const Cell&) override {
    if (done_) return true;
    const auto contains = [&](const RowRange& range) { return IsAfterStart(range, row) && IsBeforeStop(range, row); };
    next_.reset();
    code_ = FilterCode::kInclude;
    if (std::ranges::any_of(ranges_, contains)) return false;
    code_ = FilterCode::kNextRow;
    bool more = false;
    for (const RowRange& range : ranges_) {
      if (reversed_) {
        more = more || !IsBeforeStop(range, row);
      } else if (!IsAfterStart(range, row)) {
        more = true;
        if (range.start != row) {
          next_ = FilterHint{.row = range.start};
          code_ = FilterCode::kSeekUsingHint;
        }
        break;
      }
    }
    done_ = !more;
    return false;
  }
  FilterCode FilterCell(const Bytes&, const Cell&) override { return code_; }
  std::optional<FilterHint> NextHint(const Bytes&, const Cell&) override { return next_; }
  bool is_hinting() const override { return true; }

 private:
  std::vector<RowRange> ranges_;
  bool done_ = false;
  // Set by FilterRowKey. A filter that contains this one may call FilterCell without FilterRowKey. In this case, the
  // code has its initial value here, and is null in HBase.
  FilterCode code_ = FilterCode::kSkip;
  std::optional<FilterHint> next_;
};

}  // namespace

Result<FilterPtr> MakeMultiRowRangeFilter(std::vector<RowRange> ranges) {
  if (ranges.empty()) return MakeJavaError(kDoNotRetry, "java.lang.IllegalArgumentException: No ranges found.");
  if (!std::ranges::all_of(ranges, IsValid)) {
    return MakeJavaError(kDoNotRetry, "java.lang.IllegalArgumentException: MultiRowRangeFilter has invalid ranges");
  }
  return FilterPtr(std::make_unique<MultiRowRangeFilter>(std::move(ranges)));
}

}  // namespace widerow::hbase
