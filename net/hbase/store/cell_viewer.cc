#include "net/hbase/store/cell_viewer.h"

#include <algorithm>

#include "net/hbase/cells/java_error.h"

namespace widerow::hbase {

namespace {

constexpr size_t kRangeBytesMax = 1u << 20;
constexpr size_t kShortRowBytes = 64u << 10;  // A row of a short read has at most this many bytes.
// The read of a range ends before the next row if it has skipped this many cells.
constexpr size_t kExaminedMax = 4'096;

}  // namespace

void CellViewer::ReadRow(const Bytes& row, bool* ran_long) {
  ran_long_ = ran_long;
  rows_.emplace_back(row, 0);
  if (read_.family->newest_first && read_.versions > 0) versions_.emplace(read_.versions, read_.times);
}

void CellViewer::ReadRange(bool reversed, uint32_t cells) {
  in_range_ = true;
  reversed_ = reversed;
  cells_max_ = cells;
  rows_.reserve(std::min<uint32_t>(cells, 128));
  if (read_.family->newest_first && read_.versions > 0 && !reversed) versions_.emplace(read_.versions, read_.times);
}

bool CellViewer::Fail(Status status) {
  status_ = std::move(status);
  return false;
}

bool CellViewer::BeginRow(ByteView row) {
  if (versions_) versions_->BeginRow();
  if (!rows_.empty()) {
    bool full = cells_ >= cells_max_ || examined_ >= cells_max_ + kExaminedMax || bytes_ >= kRangeBytesMax;
    if (!full && bytes_ >= granted_) {
      granted_ = 2 * bytes_;
      full = room_ != nullptr && !room_->GrowPage(granted_);
    }
    if (full) {
      ended_early_ = true;
      return false;
    }
  }
  rows_.emplace_back(Bytes(row), 0);
  bytes_ += sizeof(Row) + row.size();
  return true;
}

bool CellViewer::Show(std::span<const ByteView> values) {
  ++examined_;
  if (in_range_) {
    if (values[0].data() == nullptr) return true;
    if ((rows_.empty() || rows_.back().first != values[0]) && !BeginRow(values[0])) return false;
    values = values.subspan(1);
  }
  if (values[0].data() == nullptr || values[1].size() != 8) return true;
  return AddCell(values[0], ReadBigEndian<int64_t>(values[1].data()), values[2]);
}

bool CellViewer::AddCell(ByteView qualifier, int64_t timestamp, ByteView value) {
  std::vector<Cell>& cells = rows_.back().second;
  const bool same_column = !cells.empty() && cells.back().qualifier == qualifier;
  if (versions_ && !versions_->Keep(same_column, timestamp)) return true;
  const Cell& cell = cells.emplace_back(
      Cell{.family = read_.family->name, .qualifier = Bytes(qualifier), .timestamp = timestamp, .value = Bytes(value)});
  ++cells_;
  bytes_ += cell.bytes();
  if (ran_long_ != nullptr && bytes_ > kShortRowBytes) {
    *ran_long_ = true;
    return Fail(ServerError("a row is read on a thread that others need"));
  }
  if (bytes_ >= granted_ && (!in_range_ || bytes_ > kRangeBytesMax)) {
    if (bytes_ > limits::kPageBytesMax) {
      return Fail(MakeJavaError("org.apache.hadoop.hbase.regionserver.RowTooBigException", "the row is too large"));
    }
    granted_ = 2 * bytes_;
    if (Status grown = room_ == nullptr ? OkStatus() : room_->GrowWhole(granted_); !grown.ok()) {
      return Fail(std::move(grown));
    }
  }
  return in_range_ || !SkipsAlike() || read_.columns == nullptr || read_.columns->qualifiers.size() != 1;
}

// Brings the cells of a row into HBase's order.
void CellViewer::Order(std::vector<Cell>& cells) const {
  if (reversed_) std::ranges::reverse(cells);
  if (read_.family->newest_first) return;
  for (auto from = cells.begin(); from != cells.end();) {
    const auto to =
        std::find_if(from, cells.end(), [&](const Cell& cell) { return cell.qualifier != from->qualifier; });
    std::reverse(from, to);
    from = to;
  }
}

std::vector<CellViewer::Row> CellViewer::Take() && {
  for (Row& row : rows_) Order(row.second);
  return std::move(rows_);
}

}  // namespace widerow::hbase
