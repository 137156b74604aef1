// DirectoryLock locks widerow.lock and the directory with flock, and writes the process id into widerow.lock.
// MarkInitialized adds a second line to this file. CheckDataFile reads both meta pages of data.mdb (CheckMetaPages). It
// checks their magic number, version, checksum and page size. It also checks that the file is as long as the newer meta
// page says.
#include "storage/lmdb/open_checks.h"

#include <fcntl.h>
#include <page_hooks.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/bytes.h"
#include "base/text.h"
#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/page_layout.h"

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

Error NotLmdb(const fs::path& file, const std::string& why) {
  return ServerError(Quoted(file) + " is not a Widerow data file, or it is damaged: " + why,
                     "restore the data directory from a backup, or start with an empty directory");
}

Error Truncated(const fs::path& file, uint64_t has, uint64_t needs) {
  return ServerError(StrCat(Quoted(file), " is truncated: it has ", has, " bytes and needs ", needs),
                     "restore the data directory from a backup");
}

// One of the first two pages of the file. It has two copies of a record of the file's state.
class MetaPage {
 public:
  // Reads the page. Returns false if the file ends before the page is complete.
  bool Read(int fd, uint64_t number, uint64_t page_bytes) {
    number_ = number;
    offset_ = number * page_bytes;
    return pread(fd, raw_, sizeof raw_, static_cast<off_t>(offset_)) == static_cast<ssize_t>(sizeof raw_);
  }
  bool is_meta() const {
    return (PageView(raw_).flags() & PageView::kMeta) != 0 && (first().magic() == MetaView::kMagic || IsGood(second()));
  }
  // True if only the first copy is damaged. LMDB reads this copy.
  bool needs_repair() const { return !IsGood(first()) && !IsOfLmdb() && IsGood(second()); }
  // If only the first copy is damaged, replaces it by the second one. Fails if both are damaged.
  Status Repair(const fs::path& file, int fd, bool may_write) {
    if (IsGood(first()) || IsOfLmdb()) return OkStatus();
    if (!IsGood(second())) {
      if (first().version() != kLmdbVersion && first().version() != WIDEROW_DATA_VERSION) {
        return NotLmdb(file, StrCat("LMDB data version ", first().version(), ", expected ", kLmdbVersion, " or ",
                                    WIDEROW_DATA_VERSION));
      }
      return NotLmdb(file, StrCat("page ", number_, " at offset ", offset_, " does not match its checksum"));
    }
    std::memcpy(raw_ + kFirstAt, raw_ + kSecondAt, MetaView::kBytes);
    if (!may_write) return OkStatus();
    const ssize_t written = pwrite(fd, raw_ + kFirstAt, MetaView::kBytes, static_cast<off_t>(offset_ + kFirstAt));
    if (written == static_cast<ssize_t>(MetaView::kBytes) && fdatasync(fd) == 0) return OkStatus();
    return ConfigError("Cannot repair " + Quoted(file) + ": " + SystemText(errno));
  }
  MetaView record() const { return first(); }

 private:
  static constexpr uint32_t kLmdbVersion = 1;
  static constexpr size_t kFirstAt = PageView::kHeaderBytes, kSecondAt = kFirstAt + MetaView::kBytes;

  MetaView first() const { return MetaView(raw_ + kFirstAt); }
  MetaView second() const { return MetaView(raw_ + kSecondAt); }
  bool IsGood(const MetaView& record) const {
    return record.magic() == MetaView::kMagic && record.version() == WIDEROW_DATA_VERSION &&
           record.sum() == widerow_meta_sum(record.at(), MetaView::kSumAt, static_cast<unsigned>(number_));
  }
  // True if an unchanged LMDB has written the record: it has no checksums, and only zeros follow it.
  bool IsOfLmdb() const {
    const std::string_view rest(raw_ + kFirstAt + MetaView::kBytesWithoutSum, raw_ + sizeof raw_);
    return first().magic() == MetaView::kMagic && first().version() == kLmdbVersion &&
           rest.find_first_not_of('\0') == rest.npos;
  }

  char raw_[kSecondAt + MetaView::kBytes] = {};
  uint64_t number_ = 0, offset_ = 0;
};

Error NeedsRepair(const fs::path& file, uint64_t page) {
  return ServerError(
      StrCat(Quoted(file), ", page ", page, ": the record of the file's state is damaged; its copy is whole"),
      "a start of a server or a shell on the directory repairs the record; then check again");
}

enum class MetaDamage : uint8_t { kRepair, kRefuse, kIgnore };  // What to do if only the first copy is damaged.

// Returns true if every page has a checksum.
Result<bool> CheckMetaPages(const fs::path& file, int fd, uint64_t size, MetaDamage damage) {
  MetaPage first, second;
  if (!first.Read(fd, 0, 0)) return Truncated(file, size, 2 * 4096);
  if (!first.is_meta()) return NotLmdb(file, "it does not begin with LMDB's magic number");
  if (damage == MetaDamage::kRefuse && first.needs_repair()) return NeedsRepair(file, 0);
  WR_RETURN_IF_ERROR(first.Repair(file, fd, damage == MetaDamage::kRepair));
  const uint64_t page_bytes = first.record().page_bytes();
  if (page_bytes < 512 || page_bytes > 65'536 || (page_bytes & (page_bytes - 1)) != 0) {
    return NotLmdb(file, "page size " + std::to_string(page_bytes));
  }
  if (!second.Read(fd, 1, page_bytes)) return Truncated(file, size, 2 * page_bytes);
  if (!second.is_meta()) return NotLmdb(file, "its second meta page is not one");
  if (damage == MetaDamage::kRefuse && second.needs_repair()) return NeedsRepair(file, 1);
  WR_RETURN_IF_ERROR(second.Repair(file, fd, damage == MetaDamage::kRepair));
  if (second.record().page_bytes() != page_bytes) return NotLmdb(file, "its second meta page is not one");
  const MetaView newest = second.record().commit() > first.record().commit() ? second.record() : first.record();
  if (newest.last_page() >= (uint64_t{1} << 32)) return NotLmdb(file, StrCat("last page ", newest.last_page()));
  const uint64_t needs = (newest.last_page() + 1) * page_bytes;
  if (size < needs) return Truncated(file, size, needs);
  return newest.version() == WIDEROW_DATA_VERSION && newest.all_sealed();
}

}  // namespace

Status PrepareDirectory(const fs::path& directory, const LogFunction& log) {
  if (directory.empty()) return ConfigError("No data directory given");
  std::error_code error;
  const fs::path own = directory.has_filename() ? directory : directory.parent_path();
  if (own.has_parent_path()) fs::create_directories(own.parent_path(), error);
  // Only the owner of the database may read rows. A directory that exists keeps its permissions.
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
      log({LogLevel::kWarning, "storage",
           StrCat("the data directory ", Quoted(directory), " is on ", name,
                  "; memory-mapped files and locks are not reliable there, use a local disk")});
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
  // If a write is cut short, the system does not set errno. Then the error is ENOSPC.
  errno = ENOSPC;
  const bool written =
      ftruncate(fd_, 0) == 0 && pwrite(fd_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) return ConfigError("Cannot write the lock file " + Quoted(path_) + ": " + SystemText(errno));
  return OkStatus();
}

Status DirectoryLock::MarkInitialized() {
  if (initialized_) return OkStatus();
  // The name of a new file is durable only after its directory has been synced.
  for (const fs::path& directory : {path_.parent_path(), path_.parent_path().parent_path()}) {
    const int fd = open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A parent directory that cannot be opened belongs to somebody else, and is not synced.
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

Result<bool> CheckDataFile(const fs::path& directory, bool initialized) {
  const fs::path file = directory / kDataFileName;
  const int fd = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    if (errno != ENOENT) return ConfigError("Cannot read " + Quoted(file) + ": " + SystemText(errno));
    std::error_code error;
    if (!initialized && !fs::exists(directory / kLogDirectoryName / "list", error)) return true;
    return ServerError(Quoted(file) + " is missing, and other files of the database are there",
                       "restore the data directory from a backup, or start with an empty directory");
  }
  struct stat info {};
  Result<bool> all_sealed = true;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    all_sealed = ConfigError(Quoted(file) + " is not a file");
  } else if (info.st_size > 0) {
    all_sealed = CheckMetaPages(file, fd, static_cast<uint64_t>(info.st_size), MetaDamage::kRepair);
  } else if (initialized) {
    all_sealed = Truncated(file, 0, 2 * 4096);
  }
  // `fd` is closed before LMDB opens data.mdb, because closing any descriptor of a file drops all locks that the
  // process has on the file.
  close(fd);
  return all_sealed;
}

Result<bool> InspectDataFile(const fs::path& directory, bool for_lmdb) {
  const fs::path file = directory / kDataFileName;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ConfigError("Cannot read " + Quoted(file) + ": " + SystemText(errno));
  struct stat info {};
  Result<bool> sealed = true;
  if (fstat(fd, &info) != 0) {
    sealed = ConfigError("Cannot read " + Quoted(file) + ": " + SystemText(errno));
  } else {
    const MetaDamage damage = for_lmdb ? MetaDamage::kRefuse : MetaDamage::kIgnore;
    sealed = CheckMetaPages(file, fd, static_cast<uint64_t>(info.st_size), damage);
  }
  close(fd);
  return sealed;
}

Result<std::optional<Bytes>> ReadMetaPage(const fs::path& directory, std::optional<uint64_t> commit) {
  const fs::path file = directory / kDataFileName;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ConfigError("Cannot read " + Quoted(file) + ": " + SystemText(errno));
  std::optional<Bytes> found;
  MetaPage first;
  if (first.Read(fd, 0, 0)) {
    MetaPage second;
    const bool both = first.Repair(file, fd, false).ok() && second.Read(fd, 1, first.record().page_bytes()) &&
                      second.Repair(file, fd, false).ok();
    if (both && !commit) commit = std::max(first.record().commit(), second.record().commit());
    for (const MetaPage* const page : {&first, &second}) {
      if (both && page->record().commit() == commit) found = Bytes(page->record().at(), MetaView::kBytes);
    }
  }
  close(fd);
  return found;
}

void MakeFilesPrivate(const fs::path& directory) {
  const auto narrow = [](const fs::path& path) {
    struct stat info {};
    // Errors of chmod are ignored: then the file belongs to another user, who decides about its permissions.
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
