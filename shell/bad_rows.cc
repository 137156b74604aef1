#include "shell/bad_rows.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace widerow {

BadRows::BadRows(std::string file, CsvFormat format, std::string header, uint64_t max)
    : file_(std::move(file)), format_(format), header_(std::move(header)), max_(max) {}

Error BadRows::WriteFailure() const {
  return ServerError("Cannot write the error file " + file_ + ": " + std::strerror(errno));
}

Status BadRows::GoOn(uint64_t count, uint64_t bytes, std::string first) {
  MutexLock lock(mutex_);
  count_ = count;
  first_ = std::move(first);
  bytes_before_ = bytes;
  std::error_code gone;
  if (count > 0 && std::filesystem::file_size(file_, gone) > bytes && !gone &&
      ::truncate(file_.c_str(), static_cast<off_t>(bytes)) != 0) {
    return WriteFailure();
  }
  return OkStatus();
}

Status BadRows::Open() {
  out_.open(file_, std::ios::binary | (bytes_before_ > 0 ? std::ios::app : std::ios::trunc));
  if (!out_) return WriteFailure();
  const char d = format_.delimiter;
  std::error_code unknown;
  const bool empty = std::filesystem::file_size(file_, unknown) == 0;
  if (empty && !header_.empty()) out_ << "_line" << d << "_column" << d << "_reason" << d << header_ << '\n';
  return OkStatus();
}

Status BadRows::Add(const BadRow& row) {
  MutexLock lock(mutex_);
  if (!out_.is_open()) WR_RETURN_IF_ERROR(Open());
  if (count_.load() == 0) {
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
  if (!out_) return WriteFailure();
  if (count_.load() > max_) {
    return ServerError("More than " + std::to_string(max_) + " bad rows (MAXERRORS); the first: " + first_);
  }
  return OkStatus();
}

std::string BadRows::first() const {
  MutexLock lock(mutex_);
  return first_;
}

Result<uint64_t> BadRows::Sync() {
  MutexLock lock(mutex_);
  if (!out_.is_open()) return bytes_before_;
  if (!out_.flush()) return WriteFailure();
  const int file = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!synced) return WriteFailure();
  return static_cast<uint64_t>(out_.tellp());
}

Status BadRows::Close() {
  MutexLock lock(mutex_);
  if (!out_.is_open()) return OkStatus();
  out_.close();
  return out_ ? OkStatus() : Status(WriteFailure());
}

}  // namespace widerow
