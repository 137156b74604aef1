#include "net/hbase/store/scanner.h"

#include <algorithm>

#include "net/hbase/store/row_encoder.h"

namespace widerow::hbase {

namespace {

constexpr uint32_t kFirstChunkCells = 64, kChunkCellsMax = 4'096;
// An answer ends after this many cells have been examined, even if none of them is in a result. The client then asks
// again.
constexpr size_t kCellsExaminedMax = 400'000;
constexpr size_t kBytesExaminedMax = 256u << 20;

class TableSource final : public RowSource {
 public:
  TableSource(Database database, HTablePtr table, std::vector<ReadFamily> families)
      : database_(std::move(database)), table_(std::move(table)), families_(std::move(families)) {}
  Result<RowChunk> Read(const RowRangeSpec& range, uint32_t cells, AnswerRoom* room) override {
    return ReadChunk(database_, families_, range, cells, room);
  }
  Result<bool> Show(const RowRangeSpec& range, RowViewer& viewer) override {
    if (families_.size() != 1) return false;
    WR_RETURN_IF_ERROR(ShowRange(database_, *families_[0].family, range, viewer));
    return true;
  }

 private:
  const Database database_;
  const HTablePtr table_;  // Owns the families.
  const std::vector<ReadFamily> families_;
};

size_t CellsOf(const StoredRow& row) {
  size_t cells = 0;
  for (const std::vector<Cell>& family : row.families) cells += family.size();
  return cells;
}

}  // namespace

std::unique_ptr<RowSource> MakeTableSource(Database database, HTablePtr table, std::vector<ReadFamily> families) {
  return std::make_unique<TableSource>(std::move(database), std::move(table), std::move(families));
}

Scanner::Scanner(HTablePtr table, std::unique_ptr<RowSource> source, std::vector<ReadFamily> families,
                 std::unique_ptr<ScanSpec> spec)
    : table_(std::move(table)),
      source_(std::move(source)),
      spec_(std::move(spec)),
      matcher_(std::move(families), spec_->read) {
  spec_->read.reversed = spec_->range.reversed;
  fits_encoder_ = spec_->batch <= 0 && RowEncoder::Fits(matcher_.families(), spec_->read);
  if (spec_->read.filter != nullptr) spec_->read.filter->SetReversed(spec_->range.reversed);
}

uint32_t Scanner::NextChunkCells(size_t rows_wanted) {
  size_t cells = chunk_cells_ == 0 ? kFirstChunkCells : chunk_cells_ * size_t{4};
  if (rows_wanted > 0 && spec_->read.filter == nullptr) {
    // The next rows are expected to have as many cells as the rows read so far. If a chunk was not enough, the next one
    // is at least twice as large.
    const size_t cells_of_row = rows_read_ == 0 ? 1 : cells_read_ / rows_read_ + 1;
    cells = std::max<size_t>(rows_wanted * cells_of_row, std::max<size_t>(chunk_cells_ * size_t{2}, 16));
  }
  chunk_cells_ = static_cast<uint32_t>(std::min<size_t>(cells, kChunkCellsMax));
  return chunk_cells_;
}

Result<bool> Scanner::ReadMore(size_t rows_wanted, AnswerRoom* room) {
  if (range_ended_) return false;
  WR_ASSIGN_OR_RETURN(RowChunk chunk, source_->Read(spec_->range, NextChunkCells(rows_wanted), room));
  range_ended_ = chunk.last;
  rows_read_ += chunk.rows.size();
  for (StoredRow& row : chunk.rows) {
    held_bytes_ += row.bytes();
    cells_read_ += CellsOf(row);
    rows_.push_back(std::move(row));
  }
  if (!rows_.empty()) {
    spec_->range.start = rows_.back().row;
    spec_->range.start_inclusive = false;
  }
  return !rows_.empty();
}

void Scanner::DropRows() {
  if (rows_.empty()) return;
  spec_->range.start = rows_.front().row;
  spec_->range.start_inclusive = true;
  range_ended_ = false;
  for (const StoredRow& row : rows_) held_bytes_ -= std::min(held_bytes_, row.bytes());
  rows_.clear();
}

bool Scanner::examined_enough() const {
  if (cells_examined_ >= kCellsExaminedMax || bytes_examined_ >= kBytesExaminedMax) return true;
  // The deadline concerns only scans with a filter, because other scans need little time for a cell. Each request
  // examines at least one row.
  return spec_->read.filter != nullptr && cells_examined_ > 0 && std::chrono::steady_clock::now() >= deadline_;
}

Result<bool> Scanner::Advance(int64_t now_ms, size_t rows_wanted, AnswerRoom* room) {
  while (!ended_) {
    if (examined_enough()) return false;
    if (matcher_.ended()) break;
    if (rows_.empty()) {
      WR_ASSIGN_OR_RETURN(const bool more, ReadMore(rows_wanted, room));
      if (!more) break;
    }
    StoredRow row = std::move(rows_.front());
    rows_.pop_front();
    const size_t row_bytes = row.bytes();
    held_bytes_ -= std::min(held_bytes_, row_bytes);
    cells_examined_ += CellsOf(row) + 1;
    bytes_examined_ += row_bytes;
    std::vector<Cell> cells;
    const RowVerdict verdict = matcher_.Match(row, now_ms, cells);
    if (verdict == RowVerdict::kEndOfRead) break;
    if (verdict == RowVerdict::kFilterTooSlow) return FilterTooSlow(spec_->read);
    if (verdict == RowVerdict::kExcluded) {
      const std::optional<Bytes> next = spec_->range.reversed ? std::nullopt : matcher_.seek_row();
      if (next) SkipTo(*next);
      continue;
    }
    pending_ = {.row = std::move(row.row), .cells = std::move(cells)};
    for (const Cell& cell : pending_.cells) held_bytes_ += cell.bytes();
    pending_shown_ = 0;
    in_row_ = true;
    return true;
  }
  ended_ = true;
  return false;
}

void Scanner::SkipTo(const Bytes& row) {
  while (!rows_.empty() && CompareBytes(rows_.front().row, row) < 0) {
    held_bytes_ -= std::min(held_bytes_, rows_.front().bytes());
    rows_.pop_front();
  }
  if (!rows_.empty() || CompareBytes(spec_->range.start, row) >= 0) return;
  spec_->range.start = row;
  spec_->range.start_inclusive = true;
}

size_t Scanner::TakeResult(const ScanLimits& limits, size_t bytes_left, ScanAnswer& answer) {
  const Filter* const filter = spec_->read.filter.get();
  const bool may_cut = limits.may_cut_rows && (filter == nullptr || !filter->HasFilterRow());
  ScanResult result;
  result.cells.row = pending_.row;
  const bool by_batch = spec_->batch > 0;
  size_t bytes = 0;
  for (; pending_shown_ < pending_.cells.size(); ++pending_shown_) {
    Cell& cell = pending_.cells[pending_shown_];
    if (by_batch && result.cells.cells.size() >= static_cast<size_t>(spec_->batch)) break;
    if (may_cut && bytes >= bytes_left && !result.cells.cells.empty()) break;
    bytes += ObjectBytes(pending_.row.size(), cell.family.size(), cell.qualifier.size(), cell.value.size());
    held_bytes_ -= std::min(held_bytes_, cell.bytes());
    result.cells.cells.push_back(std::move(cell));
  }
  result.cut = pending_shown_ < pending_.cells.size();
  in_row_ = result.cut;
  answer.results.push_back(std::move(result));
  return bytes;
}

Result<bool> Scanner::EncodeRows(const ScanLimits& limits, int64_t now_ms, ScanAnswer& answer) {
  const ReadFamily& family = matcher_.families()[0];
  RowEncoder encoder(family, family.family->options.OldestUnexpired(now_ms),
                     {.rows = limits.rows == 0 ? limits.results : std::min(limits.rows, limits.results),
                      .bytes = limits.bytes,
                      .examined = kCellsExaminedMax,
                      .room = limits.room});
  while (fits_encoder_ && !range_ended_ && !encoder.full()) {
    WR_ASSIGN_OR_RETURN(const bool shown, source_->Show(spec_->range, encoder));
    range_ended_ = shown && encoder.End();
    // If a row is too large for the encoder, Advance must read it and all rows after it.
    fits_encoder_ = range_ended_ || (shown && encoder.any_row());
    if (!shown || !encoder.any_row()) continue;
    spec_->range.start = encoder.last_row();
    spec_->range.start_inclusive = false;
  }
  cells_examined_ = encoder.examined();
  answer.cells_of_rows = encoder.TakeCellsOfRows();
  answer.cell_block = encoder.TakeCells();
  answer.limit_reached = limits.rows > 0 && answer.cells_of_rows.size() >= limits.rows;
  if (answer.limit_reached || range_ended_) ended_ = true;
  return fits_encoder_ || !answer.cells_of_rows.empty();
}

Result<ScanAnswer> Scanner::Next(const ScanLimits& limits, int64_t now_ms) {
  ScanAnswer answer;
  cells_examined_ = bytes_examined_ = 0;
  deadline_ = std::chrono::steady_clock::now() + limits.time;
  bool encoded = limits.may_encode && fits_encoder_ && !ended_ && !in_row_ && rows_.empty();
  if (encoded) { WR_ASSIGN_OR_RETURN(encoded, EncodeRows(limits, now_ms, answer)); }
  if (!encoded) WR_RETURN_IF_ERROR(TakeResults(limits, now_ms, answer));
  answer.out_of_time = !ended_ && examined_enough();
  answer.more = !ended_;
  return answer;
}

Status Scanner::TakeResults(const ScanLimits& limits, int64_t now_ms, ScanAnswer& answer) {
  size_t bytes = 0, rows = 0, taken_bytes = 0;
  while (answer.results.size() < limits.results && bytes < limits.bytes) {
    if (!in_row_) {
      WR_ASSIGN_OR_RETURN(const bool found, Advance(now_ms, limits.rows - std::min(limits.rows, rows), limits.room));
      if (!found) break;
    }
    if (limits.room != nullptr && !limits.room->GrowPage(taken_bytes + held_bytes_)) {
      if (!answer.results.empty()) break;
      WR_RETURN_IF_ERROR(limits.room->GrowWhole(taken_bytes + held_bytes_));
    }
    const size_t held_before = held_bytes_;
    bytes += TakeResult(limits, limits.bytes - bytes, answer);
    taken_bytes += held_before - held_bytes_;
    if (!in_row_ && ++rows == limits.rows) {
      answer.limit_reached = true;
      ended_ = true;
      break;
    }
  }
  // A scan whose last row was just shown ends now, so that the client does not have to ask again.
  if (!in_row_ && !ended_ && rows_.empty() && (range_ended_ || matcher_.ended())) ended_ = true;
  return OkStatus();
}

}  // namespace widerow::hbase
