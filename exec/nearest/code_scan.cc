#include "exec/nearest/code_scan.h"

#include <atomic>
#include <system_error>
#include <thread>

#include "base/spare_threads.h"
#include "exec/derived/index_entries.h"

namespace widerow {
namespace {

// A thread reads at least this many codes, which takes some milliseconds.
constexpr uint64_t kCodesPerPart = 20'000;

// Reads the codes of one part of the scanned entries, one by one.
class PartScan {
 public:
  PartScan(ReadView& view, const CodeScan& scan, const EntryBounds& bounds, TopCandidates& top)
      : view_(view), scan_(scan), bounds_(bounds), top_(top) {}

  Result<uint64_t> Run(const std::atomic<bool>& failed) {
    Slice slice{.table = scan_.nearest.entries};
    slice.partitions = Slice::OnePartition{Bytes(kVectorTerm)};
    slice.clustering = {{.begin = bounds_.begin, .end = bounds_.end}};
    if (scan_.among != nullptr) {
      among_ = OpenEntries(view_, *scan_.among, bounds_, scan_.now_seconds, scan_.codes_expected);
      WR_RETURN_IF_ERROR(NextAmong());
    }
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(slice));
    RowView row;
    Status status;
    const auto take = [&] {
      status = Take(row);
      return status.ok() && !all_taken_ && !failed.load(std::memory_order_relaxed);
    };
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool more, cursor->ForEach(row, take));
    WR_RETURN_IF_ERROR(std::move(status));
    return compared_;
  }

 private:
  Status Take(const RowView& row) {
    if (!row.marker.LiveAt(scan_.now_seconds)) return OkStatus();
    if (scan_.among != nullptr) {
      while (!all_taken_ && among_entry_ < row.clustering) WR_RETURN_IF_ERROR(NextAmong());
      if (all_taken_ || among_entry_ != row.clustering) return OkStatus();
    }
    Pieces pieces{.query = scan_.query};
    if (row.uniform) {
      UniformCells cells = row.packed;
      ColumnId column = 0;
      for (ByteView value; cells.Next(column, value);) pieces.Add(value);
    } else {
      for (const CellView& cell : row.cells) pieces.Add(cell.value);
    }
    if (!pieces.whole || pieces.elements != scan_.query.dimension())
      return ServerError("Damaged index of " + scan_.base.keyspace + "." + scan_.base.name);
    ++compared_;
    top_.Offer(scan_.query.Bound(pieces.head, pieces.product), row.clustering);
    return OkStatus();
  }

  struct Pieces {
    const CodedQuery& query;
    CodedQuery::Head head = {};
    size_t elements = 0;
    int64_t product = 0;
    bool whole = true;

    void Add(ByteView piece) {
      if (elements == 0) whole = CodedQuery::TakeHead(piece, head);
      whole = whole && query.AddProduct(elements, piece, product);
      elements += piece.size();
    }
  };

  Status NextAmong() {
    WR_ASSIGN_OR_RETURN(const bool more, among_->Next(among_entry_));
    all_taken_ = !more;
    return OkStatus();
  }

  ReadView& view_;
  const CodeScan& scan_;
  const EntryBounds& bounds_;
  TopCandidates& top_;
  std::unique_ptr<EntryStream> among_;
  ByteView among_entry_;
  bool all_taken_ = false;  // True if no row follows that may be a candidate.
  uint64_t compared_ = 0;
};

// Opens up to `count` more views of the same moment. There are fewer if the data file has just changed.
Result<std::vector<std::unique_ptr<ReadView>>> OpenSameViews(ReadView& view, unsigned count) {
  std::vector<std::unique_ptr<ReadView>> views;
  while (views.size() < count) {
    WR_ASSIGN_OR_RETURN(std::unique_ptr<ReadView> same, view.OpenSame());
    if (same == nullptr) break;
    views.push_back(std::move(same));
  }
  return views;
}

// Returns the entries of part `i` of `parts`. The first part begins where the scan begins, and the last part ends where
// the scan ends.
EntryBounds PartOf(const CodeScan& scan, uint64_t i, uint64_t parts) {
  const auto first = static_cast<uint64_t>(scan.tokens.first);
  const uint64_t step = (static_cast<uint64_t>(scan.tokens.last) - first) / parts;
  const Slice::TokenRange tokens{.first = static_cast<int64_t>(first + step * i),
                                 .last = static_cast<int64_t>(first + step * (i + 1) - 1)};
  EntryBounds bounds = EntriesOfTokens(scan.base, tokens);
  if (i == 0) bounds.begin = scan.bounds.begin;
  if (i + 1 == parts) bounds.end = scan.bounds.end;
  return bounds;
}

}  // namespace

Result<uint64_t> ScanCodes(ReadView& view, const CodeScan& scan, TopCandidates& top) {
  std::atomic<bool> failed = false;
  const uint64_t worth = scan.divisible ? std::clamp<uint64_t>(scan.codes_expected / kCodesPerPart, 1, 64) : 1;
  const SpareThreads spare(static_cast<unsigned>(worth - 1));
  WR_ASSIGN_OR_RETURN(const auto views, OpenSameViews(view, spare.taken()));
  if (views.empty()) return PartScan(view, scan, scan.bounds, top).Run(failed);

  const size_t parts = views.size() + 1;
  std::vector<EntryBounds> bounds;
  for (size_t i = 0; i < parts; ++i) bounds.push_back(PartOf(scan, i, parts));
  std::vector<TopCandidates> tops(parts - 1, top);
  std::vector<Result<uint64_t>> compared;
  for (size_t i = 0; i < parts; ++i) compared.emplace_back(uint64_t{0});
  const auto read_part = [&](size_t i) {
    compared[i] = i == 0 ? PartScan(view, scan, bounds[0], top).Run(failed)
                         : PartScan(*views[i - 1], scan, bounds[i], tops[i - 1]).Run(failed);
    if (!compared[i].ok()) failed = true;
  };
  std::vector<std::jthread> threads;
  size_t next = 1;
  try {
    for (; next < parts; ++next) threads.emplace_back(read_part, next);
  } catch (const std::system_error&) {
    // No more threads are available: this thread reads the rest.
  }
  read_part(0);
  for (; next < parts; ++next) read_part(next);
  threads.clear();
  uint64_t sum = 0;
  for (Result<uint64_t>& part : compared) {
    if (!part.ok()) return std::move(part).error();
    sum += *part;
  }
  for (TopCandidates& part : tops) top.Merge(std::move(part));
  return sum;
}

}  // namespace widerow
