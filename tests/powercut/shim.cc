// A library that is loaded with LD_PRELOAD. It is between a process and the functions of the C library that change
// files. It records changes in the data directory (recorder.h). Calls for other files go to the C library unchanged.
// The shim knows nothing of the database. It would miss changes that do not use these functions: stdio's own writes,
// shared mappings, io_uring. So the campaign of power cuts first checks that the whole trace gives the files of the
// directory.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "recorder.h"

using widerow::powercut::Recorder;

namespace {

Recorder* For(int fd) {
  Recorder* recorder = Recorder::Get();
  return recorder != nullptr && recorder->Tracks(fd) ? recorder : nullptr;
}

int DoOpen(int at, const char* path, int flags, unsigned mode) {
  Recorder* recorder = Recorder::Get();
  return recorder != nullptr ? recorder->Open(at, path, flags, mode)
                             : static_cast<int>(syscall(SYS_openat, at, path, flags, mode));
}

FILE* DoOpenStream(const char* symbol, const char* path, const char* mode) {
  using Function = FILE* (*)(const char*, const char*);
  const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
  Recorder* recorder = Recorder::Get();
  const bool existed = recorder != nullptr && recorder->Exists(path);
  FILE* file = real(path, mode);
  if (recorder != nullptr && file != nullptr) recorder->Opened(fileno(file), path, existed);
  return file;
}

ssize_t DoWrite(int fd, const iovec* parts, int count, int64_t offset) {
  if (Recorder* recorder = For(fd)) return recorder->Write(fd, parts, count, offset);
  return offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
}

ssize_t DoWriteOne(int fd, const void* bytes, size_t size, int64_t offset) {
  const iovec part{const_cast<void*>(bytes), size};
  if (Recorder* recorder = For(fd)) return recorder->Write(fd, &part, 1, offset);
  return offset < 0 ? syscall(SYS_write, fd, bytes, size) : syscall(SYS_pwrite64, fd, bytes, size, offset);
}

int DoResize(int fd, int64_t size) {
  if (Recorder* recorder = For(fd)) return recorder->Resize(fd, size);
  return static_cast<int>(syscall(SYS_ftruncate, fd, size));
}

int DoResizePath(const char* path, int64_t size) {
  const int fd = DoOpen(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
  if (fd < 0) return -1;
  const int result = DoResize(fd, size);
  close(fd);
  return result;
}

int DoAllocate(int fd, int mode, int64_t offset, int64_t length) {
  if (Recorder* recorder = For(fd)) return recorder->Allocate(fd, mode, offset, length);
  return static_cast<int>(syscall(SYS_fallocate, fd, mode, offset, length));
}

int DoRename(int from_at, const char* from, int to_at, const char* to, unsigned flags) {
  if (Recorder* recorder = Recorder::Get()) return recorder->Rename(from_at, from, to_at, to, flags);
  return static_cast<int>(syscall(SYS_renameat2, from_at, from, to_at, to, flags));
}

int DoUnlink(int at, const char* path, int flags) {
  if (Recorder* recorder = Recorder::Get()) return recorder->Unlink(at, path, flags);
  return static_cast<int>(syscall(SYS_unlinkat, at, path, flags));
}

void* DoMap(void* at, size_t bytes, int protection, int flags, int fd, int64_t offset) {
  if (fd >= 0 && (flags & MAP_ANONYMOUS) == 0) {
    Recorder* recorder = For(fd);
    if (recorder != nullptr && !recorder->MayMap()) return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

unsigned ModeOf(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, unsigned) : 0;
}

}  // namespace

#pragma GCC diagnostic ignored "-Wnonnull-compare"
extern "C" {

#define WR_OPEN(name)                               \
  int name(const char* path, int flags, ...) {      \
    va_list arguments;                              \
    va_start(arguments, flags);                     \
    const unsigned mode = ModeOf(flags, arguments); \
    va_end(arguments);                              \
    return DoOpen(AT_FDCWD, path, flags, mode);     \
  }
#define WR_OPENAT(name)                                \
  int name(int at, const char* path, int flags, ...) { \
    va_list arguments;                                 \
    va_start(arguments, flags);                        \
    const unsigned mode = ModeOf(flags, arguments);    \
    va_end(arguments);                                 \
    return DoOpen(at, path, flags, mode);              \
  }
WR_OPEN(open)
WR_OPEN(open64)
WR_OPENAT(openat)
WR_OPENAT(openat64)
int __open_2(const char* path, int flags) { return DoOpen(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return DoOpen(AT_FDCWD, path, flags, 0); }
int creat(const char* path, mode_t mode) { return DoOpen(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return DoOpen(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
FILE* fopen(const char* path, const char* mode) { return DoOpenStream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return DoOpenStream("fopen64", path, mode); }
int close(int fd) {
  Recorder* recorder = Recorder::Get();
  return recorder != nullptr ? recorder->Close(fd) : static_cast<int>(syscall(SYS_close, fd));
}

ssize_t write(int fd, const void* bytes, size_t size) { return DoWriteOne(fd, bytes, size, -1); }
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) { return DoWriteOne(fd, bytes, size, offset); }
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) { return DoWriteOne(fd, bytes, size, offset); }
ssize_t writev(int fd, const iovec* parts, int count) { return DoWrite(fd, parts, count, -1); }
ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) { return DoWrite(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const iovec* parts, int count, off64_t offset) { return DoWrite(fd, parts, count, offset); }
int ftruncate(int fd, off_t size) noexcept { return DoResize(fd, size); }
int ftruncate64(int fd, off64_t size) noexcept { return DoResize(fd, size); }
int truncate(const char* path, off_t size) noexcept { return DoResizePath(path, size); }
int truncate64(const char* path, off64_t size) noexcept { return DoResizePath(path, size); }
int fallocate(int fd, int mode, off_t offset, off_t length) { return DoAllocate(fd, mode, offset, length); }
int fallocate64(int fd, int mode, off64_t offset, off64_t length) { return DoAllocate(fd, mode, offset, length); }
int posix_fallocate(int fd, off_t offset, off_t length) { return DoAllocate(fd, 0, offset, length) == 0 ? 0 : errno; }
int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  return DoAllocate(fd, 0, offset, length) == 0 ? 0 : errno;
}

int fsync(int fd) {
  if (Recorder* recorder = For(fd)) return recorder->Sync(fd);
  return static_cast<int>(syscall(SYS_fsync, fd));
}
int fdatasync(int fd) {
  if (Recorder* recorder = For(fd)) return recorder->Sync(fd);
  return static_cast<int>(syscall(SYS_fdatasync, fd));
}
int sync_file_range(int fd, off64_t offset, off64_t length, unsigned flags) {
  if (Recorder* recorder = For(fd)) return recorder->WriteBack(fd);
  return static_cast<int>(syscall(SYS_sync_file_range, fd, offset, length, flags));
}
int syncfs(int fd) noexcept {
  Recorder* recorder = For(fd);
  if (recorder == nullptr) return static_cast<int>(syscall(SYS_syncfs, fd));
  recorder->SyncEverything();
  return 0;
}
void sync() noexcept {
  if (Recorder* recorder = Recorder::Get()) return recorder->SyncEverything();
  syscall(SYS_sync);
}

int rename(const char* from, const char* to) noexcept { return DoRename(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_at, const char* from, int to_at, const char* to) noexcept {
  return DoRename(from_at, from, to_at, to, 0);
}
int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned flags) noexcept {
  return DoRename(from_at, from, to_at, to, flags);
}
int unlink(const char* path) noexcept { return DoUnlink(AT_FDCWD, path, 0); }
int unlinkat(int at, const char* path, int flags) noexcept { return DoUnlink(at, path, flags); }
int rmdir(const char* path) noexcept { return DoUnlink(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
  const int result = DoUnlink(AT_FDCWD, path, 0);
  return result != 0 && errno == EISDIR ? DoUnlink(AT_FDCWD, path, AT_REMOVEDIR) : result;
}
int mkdir(const char* path, mode_t mode) noexcept { return mkdirat(AT_FDCWD, path, mode); }
int mkdirat(int at, const char* path, mode_t mode) noexcept {
  Recorder* recorder = Recorder::Get();
  return recorder != nullptr ? recorder->MakeDirectory(at, path, mode)
                             : static_cast<int>(syscall(SYS_mkdirat, at, path, mode));
}

void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  return DoMap(at, bytes, protection, flags, fd, offset);
}
void* mmap64(void* at, size_t bytes, int protection, int flags, int fd, off64_t offset) noexcept {
  return DoMap(at, bytes, protection, flags, fd, offset);
}

// The workload finds these functions by dlsym.
void widerow_powercut_mark(const void* bytes, size_t size) { Recorder::Get()->AddMark(bytes, size); }
uint64_t widerow_powercut_calls() { return Recorder::Get()->calls(); }
// Writes the letters (NameCall) of the calls so far to `out`, at most `size` of them. Returns the number of letters.
size_t widerow_powercut_name_calls(char* out, size_t size) { return Recorder::Get()->name_calls().copy(out, size); }

}  // extern "C"
