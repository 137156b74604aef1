// DirectoryLock locks widerow.lock and the directory with flock and writes the process id into it; MarkInitialized adds
// a second line. CheckDataFile reads both meta pages of data.mdb (CheckMetaPages): magic number, version, page size,
// and the length that the newer one says.
#include "storage/lmdb/open_checks.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "base/text.h"
#include "storage/lmdb/copy_file.h"

namespace widerow::lmdb {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "widerow.lock";
constexpr std::string_view kInitialized = "initialized";

std::string Quoted(const fs::path& path) { return "'" + path.string() + "'"; }
std::string SystemText(int code) { return std::strerror(code); }

const char* NetworkFileSystemName(int64_t type) {
  switch (static_cast<uint32_t>(type)) {
    case 0x6969: return "NFS";
    case 0x517B:
    case 0xFE534D42: return "SMB";
    case 0xFF534D42: return "CIFS";
    case 0x01021997: return "9P";
    case 0x00C36400: return "CephFS";
    case 0x65735546: return "FUSE";
    default: return nullptr;
  }
}

// The fields of LMDB 0.9's meta page that are checked. They follow the page header (16 bytes), in the machine's byte
// order.
struct MetaPage {
  static constexpr size_t kOffset = 16;
  static constexpr size_t kBytes = 136;
  static constexpr uint32_t kMagic = 0xBEEFC0DE;
  static constexpr uint32_t kDataVersion = 1;
  static constexpr uint16_t kIsMetaFlag = 0x08;
  uint16_t page_flags = 0;
  uint32_t magic = 0, version = 0, page_bytes = 0;
  uint64_t last_page = 0, txn_id = 0;
};

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::optional<MetaPage> ReadMetaPage(int fd, uint64_t offset) {
  char raw[MetaPage::kOffset + MetaPage::kBytes];
  if (pread(fd, raw, sizeof raw, static_cast<off_t>(offset)) != static_cast<ssize_t>(sizeof raw)) return std::nullopt;
  const char* meta = raw + MetaPage::kOffset;
  MetaPage page;
  page.page_flags = Load<uint16_t>(raw + 10);
  page.magic = Load<uint32_t>(meta);
  page.version = Load<uint32_t>(meta + 4);
  page.page_bytes = Load<uint32_t>(meta + 24);
  page.last_page = Load<uint64_t>(meta + 120);
  page.txn_id = Load<uint64_t>(meta + 128);
  return page;
}

Error NotLmdb(const fs::path& file, const std::string& why) {
  return ServerError(Quoted(file) + " is not a Widerow data file, or it is damaged: " + why,
                     "restore the data directory from a backup, or start with an empty directory");
}

Error Truncated(const fs::path& file, uint64_t has, uint64_t needs) {
  return ServerError(StrCat(Quoted(file), " is truncated: it has ", has, " bytes and needs ", needs),
                     "restore the data directory from a backup");
}

Status CheckMetaPages(const fs::path& file, int fd, uint64_t size) {
  const std::optional<MetaPage> first = ReadMetaPage(fd, 0);
  if (!first.has_value()) return Truncated(file, size, 2 * 4096);
  const auto is_meta = [](const MetaPage& page) {
    return page.magic == MetaPage::kMagic && (page.page_flags & MetaPage::kIsMetaFlag) != 0;
  };
  if (!is_meta(*first)) return NotLmdb(file, "it does not begin with LMDB's magic number");
  if (first->version != MetaPage::kDataVersion) {
    return NotLmdb(file, "LMDB data version " + std::to_string(first->version) + ", expected 1");
  }
  const uint64_t page_bytes = first->page_bytes;
  if (page_bytes < 256 || page_bytes > 65'536 || (page_bytes & (page_bytes - 1)) != 0) {
    return NotLmdb(file, "page size " + std::to_string(page_bytes));
  }
  const std::optional<MetaPage> second = ReadMetaPage(fd, page_bytes);
  if (!second.has_value()) return Truncated(file, size, 2 * page_bytes);
  if (!is_meta(*second) || second->version != MetaPage::kDataVersion || second->page_bytes != page_bytes) {
    return NotLmdb(file, "its second meta page is not one");
  }
  const uint64_t last_page = second->txn_id > first->txn_id ? second->last_page : first->last_page;
  if (last_page >= (uint64_t{1} << 48)) return NotLmdb(file, "last page " + std::to_string(last_page));
  const uint64_t needs = (last_page + 1) * page_bytes;
  if (size < needs) return Truncated(file, size, needs);
  return OkStatus();
}

}  // namespace

Status PrepareDirectory(const fs::path& directory, const std::function<void(const std::string&)>& log) {
  if (directory.empty()) return ConfigError("No data directory given");
  std::error_code error;
  const fs::path own = directory.has_filename() ? directory : directory.parent_path();
  if (own.has_parent_path()) fs::create_directories(own.parent_path(), error);
  // Rows are for the owner alone. A directory that exists keeps its permissions.
  if (!error && mkdir(own.c_str(), kPrivateDirectoryMode) != 0) error = {errno, std::system_category()};
  struct stat info {};
  if (stat(directory.c_str(), &info) != 0) {
    const int code = error ? error.value() : errno;
    return ConfigError("Cannot create the data directory " + Quoted(directory) + ": " + SystemText(code));
  }
  if (!S_ISDIR(info.st_mode)) return ConfigError("The data directory " + Quoted(directory) + " is not a directory");
  if (access(directory.c_str(), R_OK | W_OK | X_OK) != 0) {
    return ConfigError("The data directory " + Quoted(directory) +
                       " is not readable and writable: " + SystemText(errno));
  }
  struct statfs file_system {};
  if (log && statfs(directory.c_str(), &file_system) == 0) {
    if (const char* name = NetworkFileSystemName(file_system.f_type); name != nullptr) {
      log(StrCat("warning: the data directory ", Quoted(directory), " is on ", name,
                 "; memory-mapped files and locks are not reliable there, use a local disk"));
    }
  }
  return OkStatus();
}

Result<DirectoryLock> DirectoryLock::Take(const fs::path& directory) {
  const fs::path path = directory / kLockName;
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivateFileMode);
  if (fd < 0) return ConfigError("Cannot open the lock file " + Quoted(path) + ": " + SystemText(errno));
  int locked = flock(fd, LOCK_EX | LOCK_NB);
  int code = errno;
  int directory_fd = locked == 0 ? open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (directory_fd >= 0 && flock(directory_fd, LOCK_EX | LOCK_NB) != 0) {
    code = errno;
    close(directory_fd);
    directory_fd = -1;
    if (code == EWOULDBLOCK) locked = -1;
  }
  char content[128];
  const ssize_t size = std::max<ssize_t>(0, pread(fd, content, sizeof content, 0));
  const std::string_view text(content, static_cast<size_t>(size));
  if (locked != 0) {
    close(fd);
    if (code != EWOULDBLOCK) return ConfigError("Cannot lock " + Quoted(path) + ": " + SystemText(code));
    const std::string owner(text.substr(0, text.find('\n')));
    const bool ours = owner == std::to_string(getpid());
    Error error =
        ConfigError("The data directory " + Quoted(directory) + " is in use by " +
                    (ours ? "this process already" : "another process" + (owner.empty() ? "" : ", pid " + owner)));
    error.hint = ours ? "open a data directory once and share the database"
                      : "stop that process, or connect to it instead of opening its directory";
    return error;
  }
  DirectoryLock lock(fd, directory_fd, path, text.find(kInitialized) != std::string_view::npos);
  WR_RETURN_IF_ERROR(lock.WriteOwner());
  return lock;
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      directory_fd_(std::exchange(other.directory_fd_, -1)),
      path_(std::move(other.path_)),
      initialized_(other.initialized_) {}

DirectoryLock::~DirectoryLock() {
  for (const int fd : {fd_, directory_fd_}) {
    if (fd >= 0) close(fd);
  }
}

Status DirectoryLock::WriteOwner() {
  std::string text = std::to_string(getpid()) + "\n";
  if (initialized_) text += std::string(kInitialized) + "\n";
  // A write that is cut short does not set errno.
  errno = ENOSPC;
  const bool written =
      ftruncate(fd_, 0) == 0 && pwrite(fd_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) return ConfigError("Cannot write the lock file " + Quoted(path_) + ": " + SystemText(errno));
  return OkStatus();
}

Status DirectoryLock::MarkInitialized() {
  if (initialized_) return OkStatus();
  // A new directory entry is durable when its directory is synced.
  for (const fs::path& directory : {path_.parent_path(), path_.parent_path().parent_path()}) {
    const int fd = open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A parent that cannot be opened is not synced: it belongs to somebody else.
    if (fd < 0) continue;
    const int synced = fsync(fd);
    close(fd);
    if (synced != 0 && errno != EINVAL) {
      return ConfigError("Cannot sync the directory " + Quoted(directory) + ": " + SystemText(errno));
    }
  }
  initialized_ = true;
  return WriteOwner();
}

Status CheckDataFile(const fs::path& directory, bool initialized) {
  const fs::path file = directory / kDataFileName;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT) return OkStatus();
    return ConfigError("Cannot read " + Quoted(file) + ": " + SystemText(errno));
  }
  struct stat info {};
  Status status = OkStatus();
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    status = ConfigError(Quoted(file) + " is not a file");
  } else if (info.st_size > 0) {
    status = CheckMetaPages(file, fd, static_cast<uint64_t>(info.st_size));
  } else if (initialized) {
    status = Truncated(file, 0, 2 * 4096);
  }
  // Before LMDB opens the file: closing any descriptor of a file drops this process's locks on it.
  close(fd);
  return status;
}

void MakeFilesPrivate(const fs::path& directory) {
  const auto narrow = [](const fs::path& path) {
    struct stat info {};
    // A failure means that the file belongs to somebody else, who decides about it.
    if (lstat(path.c_str(), &info) == 0 && !S_ISLNK(info.st_mode) && (info.st_mode & 0077) != 0) {
      static_cast<void>(chmod(path.c_str(), info.st_mode & 0700));
    }
  };
  for (const char* const name : {kDataFileName, kLockName, kLogDirectoryName}) narrow(directory / name);
  std::error_code error;
  for (fs::directory_iterator it(directory / kLogDirectoryName, error), end; !error && it != end; it.increment(error)) {
    narrow(it->path());
  }
}

Status RemoveReaderTable(const fs::path& directory) {
  const fs::path file = directory / "lock.mdb";
  if (unlink(file.c_str()) != 0 && errno != ENOENT) {
    return ConfigError("Cannot replace " + Quoted(file) + ": " + SystemText(errno));
  }
  return OkStatus();
}

}  // namespace widerow::lmdb
