#include "storage/backup/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>

namespace widerow {
namespace {

constexpr size_t kCopyBytes = 1 << 20;
constexpr mode_t kFileMode = 0600, kDirectoryMode = 0700;

}  // namespace

struct DurableFile::Hash {
  Hash() : state(XXH3_createState()) { XXH3_64bits_reset(state); }
  ~Hash() { XXH3_freeState(state); }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;
  XXH3_state_t* const state;
};

Error FileError(const std::string& doing, const std::filesystem::path& path, int code) {
  Error error = ServerError("Cannot " + doing + " '" + path.string() + "': " + std::strerror(code));
  if (code == ENOSPC || code == EDQUOT) error.hint = "free space on the disk of this directory, then try again";
  return error;
}

Status SyncDirectory(const std::filesystem::path& directory) {
  const int fd = open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return FileError("open the directory", directory, errno);
  const int code = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
  close(fd);
  return code == 0 ? OkStatus() : Status(FileError("sync the directory", directory, code));
}

Status MakePrivateDirectory(const std::filesystem::path& directory) {
  const std::filesystem::path own = directory.has_filename() ? directory : directory.parent_path();
  std::error_code error;
  if (own.has_parent_path()) std::filesystem::create_directories(own.parent_path(), error);
  if (mkdir(own.c_str(), kDirectoryMode) != 0) {
    const int code = errno;
    if (code != EEXIST || !std::filesystem::is_directory(own, error)) return FileError("make the directory", own, code);
    return OkStatus();
  }
  return SyncDirectory(own.parent_path());
}

DurableFile::DurableFile(std::filesystem::path path, int fd)
    : path_(std::move(path)), fd_(fd), hash_(std::make_unique<Hash>()) {}

DurableFile::~DurableFile() { close(fd_); }

Result<std::unique_ptr<DurableFile>> DurableFile::Create(const std::filesystem::path& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode);
  if (fd < 0) return FileError("make", path, errno);
  return std::unique_ptr<DurableFile>(new DurableFile(path, fd));
}

Status DurableFile::Append(ByteView bytes) {
  XXH3_64bits_update(hash_->state, bytes.data(), bytes.size());
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return FileError("write", path_, written < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return OkStatus();
}

Status DurableFile::Finish() {
  if (fsync(fd_) != 0) return FileError("sync", path_, errno);
  return SyncDirectory(path_.parent_path());
}

uint64_t DurableFile::checksum() const { return XXH3_64bits_digest(hash_->state); }

Result<std::unique_ptr<SequentialFile>> SequentialFile::Open(const std::filesystem::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileError("open", path, errno);
  return std::unique_ptr<SequentialFile>(new SequentialFile(path, fd));
}

SequentialFile::~SequentialFile() { close(fd_); }

Status SequentialFile::Read(size_t size, Bytes& out) {
  out.resize(size);
  size_t done = 0;
  while (done < size) {
    const ssize_t got = read(fd_, out.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError("read", path_, errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  out.resize(done);
  return OkStatus();
}

Status MeasureFile(const std::filesystem::path& path, uint64_t& bytes, uint64_t& checksum) {
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<SequentialFile> file, SequentialFile::Open(path));
  XXH3_state_t* const state = XXH3_createState();
  XXH3_64bits_reset(state);
  Bytes chunk;
  Status read;
  bytes = 0;
  do {
    read = file->Read(kCopyBytes, chunk);
    if (!read.ok()) break;
    XXH3_64bits_update(state, chunk.data(), chunk.size());
    bytes += chunk.size();
  } while (!chunk.empty());
  checksum = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return read;
}

Status CopyFileDurably(const std::filesystem::path& from, const std::filesystem::path& to) {
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<SequentialFile> in, SequentialFile::Open(from));
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<DurableFile> out, DurableFile::Create(to));
  Bytes chunk;
  do {
    WR_RETURN_IF_ERROR(in->Read(kCopyBytes, chunk));
    WR_RETURN_IF_ERROR(out->Append(chunk));
  } while (!chunk.empty());
  return out->Finish();
}

}  // namespace widerow
