// The file is text: a title, then one "name value" line for each field, in the order of VisitLines. Writing goes to
// FILE.new, which is synced and renamed; then the directory is synced. CheckResumable compares identities and digests.
#include "shell/import_checkpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <sstream>
#include <type_traits>

#include "base/checksum.h"

namespace widerow {
namespace {

constexpr std::string_view kTitle = "widerow import 1";

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

Error Failed(const std::string& what, const std::string& file) {
  return ServerError("Cannot " + what + " " + file + ": " + std::strerror(errno));
}

Status SyncDirectoryOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  const OpenFile opened(directory, O_RDONLY | O_DIRECTORY);
  // EINVAL: directories of this file system cannot be synced.
  if (opened.fd() < 0 || (::fsync(opened.fd()) != 0 && errno != EINVAL)) return Failed("sync", directory);
  return OkStatus();
}

Status WriteSynced(const std::string& file, std::string_view text) {
  const OpenFile opened(file, O_WRONLY | O_CREAT | O_TRUNC);
  if (opened.fd() < 0) return Failed("write", file);
  while (!text.empty()) {
    const ssize_t written = ::write(opened.fd(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Failed("write", file);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return ::fsync(opened.fd()) == 0 ? OkStatus() : Status(Failed("sync", file));
}

Status ReadBlock(int fd, const std::string& file, uint64_t from, uint64_t to, std::string& out) {
  while (from < to) {
    char buffer[16 << 10];
    const ssize_t got = ::pread(fd, buffer, std::min<uint64_t>(sizeof buffer, to - from), static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed("read", file);
    if (got == 0) break;
    out.append(buffer, static_cast<size_t>(got));
    from += static_cast<uint64_t>(got);
  }
  return OkStatus();
}

// Visits the lines of the file by name. `first_bad` comes last, because it can be any text.
template <typename Checkpoint, typename Visitor>
void VisitLines(Checkpoint& c, Visitor&& visit) {
  visit("table", c.identity.table);
  visit("table_id", c.identity.table_id);
  visit("statement", c.identity.statement);
  visit("file_bytes", c.identity.file_bytes);
  visit("modified_nanos", c.identity.modified_nanos);
  visit("rows", c.rows);
  visit("bytes", c.bytes);
  visit("line", c.line);
  visit("digest", c.digest);
  visit("rows_in", c.rows_in);
  visit("bad_rows", c.bad_rows);
  visit("error_file_bytes", c.error_file_bytes);
  visit("first_bad", c.first_bad);
}

bool TakeValue(const std::string& text, std::string& to) {
  to = text;
  return true;
}

template <typename Number>
bool TakeValue(const std::string& text, Number& to) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), to);
  return failure == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string DigestOfText(std::string_view text) {
  char digest[17];
  std::snprintf(digest, sizeof digest, "%016" PRIx64, Hash64(text));
  return digest;
}

Result<std::string> DigestOfSource(const std::string& file, uint64_t bytes) {
  constexpr uint64_t kBlock = 64 << 10;
  const OpenFile opened(file, O_RDONLY);
  if (opened.fd() < 0) return Failed("read", file);
  std::string text;
  WR_RETURN_IF_ERROR(ReadBlock(opened.fd(), file, 0, std::min(bytes, kBlock), text));
  WR_RETURN_IF_ERROR(ReadBlock(opened.fd(), file, bytes - std::min(bytes, kBlock), bytes, text));
  return DigestOfText(text);
}

Status WriteCheckpoint(const std::string& file, const ImportCheckpoint& checkpoint) {
  std::ostringstream text;
  text << kTitle << '\n';
  VisitLines(checkpoint, [&](const char* name, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      text << name << ' ' << value << '\n';
    } else {
      std::string line = value;
      std::replace(line.begin(), line.end(), '\n', ' ');
      text << name << ' ' << line << '\n';
    }
  });
  WR_RETURN_IF_ERROR(WriteSynced(file + ".new", text.str()));
  if (::rename((file + ".new").c_str(), file.c_str()) != 0) return Failed("write", file);
  return SyncDirectoryOf(file);
}

Result<std::optional<ImportCheckpoint>> ReadCheckpoint(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    if (errno == ENOENT) return std::optional<ImportCheckpoint>();
    return Failed("read", file);
  }
  std::string line;
  bool good = std::getline(in, line) && line == kTitle;
  ImportCheckpoint checkpoint;
  VisitLines(checkpoint, [&](const char* name, auto& value) {
    const std::string start = std::string(name) + " ";
    good = good && std::getline(in, line) && line.starts_with(start) && TakeValue(line.substr(start.size()), value);
  });
  if (!good) {
    return InvalidError(file + " is not the progress of an import",
                        "another PROGRESSFILE can be given; without RESUME the import starts at the beginning");
  }
  return std::optional<ImportCheckpoint>(std::move(checkpoint));
}

Status RemoveCheckpoint(const std::string& file) {
  if (::unlink(file.c_str()) == 0) return SyncDirectoryOf(file);
  return errno == ENOENT ? OkStatus() : Status(Failed("remove", file));
}

Status CheckResumable(const ImportCheckpoint& checkpoint, const ImportIdentity& now, const std::string& source_file) {
  const ImportIdentity& then = checkpoint.identity;
  const std::string begun = "The import that stopped after row " + std::to_string(checkpoint.rows) + " ";
  const auto refuse = [&](const std::string& why) {
    return InvalidError(begun + why, "without RESUME the import starts at the beginning; SKIPROWS=" +
                                         std::to_string(checkpoint.rows) + " starts after that row");
  };
  if (then.table != now.table) return refuse("was into " + then.table);
  if (then.table_id != now.table_id)
    return refuse("was into another table " + then.table + ": it was dropped, or is in another database");
  if (then.statement != now.statement) {
    return refuse("had other columns or another HEADER, DELIMITER, QUOTE, ESCAPE, NULL, SET or SKIPROWS");
  }
  WR_ASSIGN_OR_RETURN(const std::string digest, DigestOfSource(source_file, checkpoint.bytes));
  if (then.file_bytes != now.file_bytes || then.modified_nanos != now.modified_nanos || checkpoint.digest != digest) {
    return refuse("was of another file: " + source_file + " has been changed");
  }
  return OkStatus();
}

}  // namespace widerow
