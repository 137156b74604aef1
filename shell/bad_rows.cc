#include "shell/bad_rows.h"

#include <cerrno>
#include <cstring>

namespace widerow {

BadRows::BadRows(std::string file, CsvFormat format, std::string header, uint64_t max)
    : file_(std::move(file)), format_(format), header_(std::move(header)), max_(max) {}

Status BadRows::Open() {
  out_.open(file_, std::ios::binary | std::ios::trunc);
  if (!out_) return ServerError("Cannot write the error file " + file_ + ": " + std::strerror(errno));
  const char d = format_.delimiter;
  if (!header_.empty()) out_ << "_line" << d << "_column" << d << "_reason" << d << header_ << '\n';
  return OkStatus();
}

Status BadRows::Add(const BadRow& row) {
  MutexLock lock(mutex_);
  if (count_.load() == 0) {
    WR_RETURN_IF_ERROR(Open());
    first_ = "line " + std::to_string(row.line) + (row.column.empty() ? "" : ", column " + std::string(row.column)) +
             ": " + std::string(row.reason);
  }
  ++count_;
  std::string text = std::to_string(row.line) + format_.delimiter;
  AppendCsvField(row.column, false, format_, text);
  text += format_.delimiter;
  AppendCsvField(row.reason, true, format_, text);
  text += format_.delimiter;
  text += row.raw;
  out_ << text << '\n';
  if (!out_) return ServerError("Cannot write the error file " + file_ + ": " + std::strerror(errno));
  if (count_.load() > max_) {
    return ServerError("More than " + std::to_string(max_) + " bad rows (MAXERRORS); the first: " + first_);
  }
  return OkStatus();
}

std::string BadRows::first() const {
  MutexLock lock(mutex_);
  return first_;
}

Status BadRows::Close() {
  MutexLock lock(mutex_);
  if (!out_.is_open()) return OkStatus();
  out_.close();
  return out_ ? OkStatus() : Status(ServerError("Cannot write the error file " + file_ + ": " + std::strerror(errno)));
}

}  // namespace widerow
