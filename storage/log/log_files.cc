#include "storage/log/log_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/write_back.h"

namespace widerow {
namespace {

std::error_code SystemError(int code) { return {code, std::generic_category()}; }

class PosixFile final : public LogFile {
 public:
  explicit PosixFile(int fd) : fd_(fd) {}
  ~PosixFile() override { close(fd_); }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  std::error_code Write(uint64_t offset, ByteView bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return SystemError(errno);
      if (written == 0) return SystemError(EIO);
      bytes.remove_prefix(static_cast<size_t>(written));
      offset += static_cast<uint64_t>(written);
    }
    return {};
  }

  std::error_code Read(uint64_t offset, size_t size, Bytes& out) override {
    out.resize(size);
    size_t done = 0;
    while (done < size) {
      const ssize_t got = pread(fd_, out.data() + done, size - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return SystemError(errno);
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    out.resize(done);
    return {};
  }

  std::error_code DataSync() override { return fdatasync(fd_) == 0 ? std::error_code() : SystemError(errno); }

  std::error_code WriteBack(uint64_t offset, uint64_t size) override { return widerow::WriteBack(fd_, offset, size); }

  std::error_code Size(uint64_t& bytes) override {
    struct stat info {};
    if (fstat(fd_, &info) != 0) return SystemError(errno);
    bytes = static_cast<uint64_t>(info.st_size);
    return {};
  }

 private:
  const int fd_;
};

// Only the owner may read the log.
class PosixFiles final : public LogFiles {
 public:
  std::error_code MakeDirectory(const std::filesystem::path& directory, bool& created) override {
    created = mkdir(directory.c_str(), 0700) == 0;
    return created || errno == EEXIST ? std::error_code() : SystemError(errno);
  }

  std::error_code List(const std::filesystem::path& directory, std::vector<std::string>& names) override {
    std::error_code error;
    for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
      names.push_back(it->path().filename().string());
    }
    return error;
  }

  std::error_code Open(const std::filesystem::path& file, bool create, std::unique_ptr<LogFile>& out) override {
    const int fd = open(file.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0600);
    if (fd < 0) return SystemError(errno);
    out = std::make_unique<PosixFile>(fd);
    return {};
  }

  std::error_code Remove(const std::filesystem::path& file) override {
    return unlink(file.c_str()) == 0 ? std::error_code() : SystemError(errno);
  }

  std::error_code SyncDirectory(const std::filesystem::path& directory) override {
    const int fd = open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return SystemError(errno);
    const int code = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    return code == 0 ? std::error_code() : SystemError(code);
  }
};

}  // namespace

LogFiles& PosixLogFiles() {
  static PosixFiles files;
  return files;
}

bool IsDiskFull(std::error_code error) {
  return error == std::errc::no_space_on_device || error == std::errc::file_too_large || error.value() == EDQUOT;
}

bool NeedsDescriptors(std::error_code error) {
  return error == std::errc::too_many_files_open || error == std::errc::too_many_files_open_in_system;
}

}  // namespace widerow
