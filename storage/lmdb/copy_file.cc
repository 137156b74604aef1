// File is a data file with one transaction. Copy walks through each database of the old file with a cursor and appends
// every record to the new file. It commits after every 32 MiB. WriteCopy syncs the new file once, at the end. ReadBack
// reads the whole file. If anything fails, the new file is removed.
#include "storage/lmdb/copy_file.h"

#include <lmdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "storage/lmdb/env.h"
#include "storage/lmdb/handles.h"
#include "storage/lmdb/page_checks.h"

namespace widerow::lmdb {
namespace {

namespace fs = std::filesystem;

// Copy commits after this many bytes, because LMDB keeps uncommitted pages in memory.
constexpr uint64_t kCommitBytes = 32u << 20;
constexpr uint64_t kProgressEvery = 4'096;  // Progress is reported once for this many records.
constexpr const char* kNames[] = {"meta", "data"};

// A data file in an environment of its own, with one transaction.
struct File {
  EnvHandle env;
  TxnHandle txn;
  MDB_dbi databases[2] = {0, 0};

  int Open(const fs::path& path, uint64_t map_bytes, unsigned flags) {
    MDB_env* raw = nullptr;
    if (const int code = mdb_env_create(&raw); code != 0) return code;
    env.reset(raw);
    ExitOnFailedAssertions(raw);
    int code = mdb_env_set_maxdbs(raw, 2);
    if (code == 0) code = mdb_env_set_mapsize(raw, map_bytes);
    if (code == 0) code = mdb_env_open(raw, path.c_str(), MDB_NOSUBDIR | MDB_NOLOCK | flags, kPrivateFileMode);
    return code == 0 ? Begin() : code;
  }
  bool read_only() const {
    unsigned flags = 0;
    return mdb_env_get_flags(env.get(), &flags) == 0 && (flags & MDB_RDONLY) != 0;
  }
  int Begin() {
    MDB_txn* raw = nullptr;
    int code = mdb_txn_begin(env.get(), nullptr, read_only() ? MDB_RDONLY : 0, &raw);
    if (code != 0) return code;
    txn.reset(raw);
    for (int i = 0; i < 2 && code == 0; ++i) {
      code = mdb_dbi_open(raw, kNames[i], read_only() ? 0 : MDB_CREATE, &databases[i]);
    }
    return code;
  }
  int Commit() { return mdb_txn_commit(txn.release()); }
  int Records(uint64_t& count) const {
    count = 0;
    for (const MDB_dbi database : databases) {
      MDB_stat stats{};
      if (const int code = mdb_stat(txn.get(), database, &stats); code != 0) return code;
      count += stats.ms_entries;
    }
    return 0;
  }
  int OpenCursor(int database, CursorHandle& cursor) const {
    MDB_cursor* raw = nullptr;
    const int code = mdb_cursor_open(txn.get(), databases[database], &raw);
    if (code == 0) cursor.reset(raw);
    return code;
  }
};

class Copy {
 public:
  Copy(File& from, File& to, uint64_t records, const std::function<void(uint64_t, uint64_t)>& progress)
      : from_(from), to_(to), records_(records), progress_(progress) {}

  // Copies one database.
  int Database(int database) {
    CursorHandle read, write;
    int code = from_.OpenCursor(database, read);
    if (code == 0) code = to_.OpenCursor(database, write);
    while (code == 0) {
      MDB_val key, value;
      code = mdb_cursor_get(read.get(), &key, &value, MDB_NEXT);
      if (code == MDB_NOTFOUND) break;
      if (code == 0) code = mdb_cursor_put(write.get(), &key, &value, MDB_APPEND);
      if (code == 0) code = Count(key.mv_size + value.mv_size, database, write);
    }
    write.reset();
    return code == MDB_NOTFOUND ? 0 : code;
  }
  uint64_t done() const { return done_; }

 private:
  int Count(uint64_t bytes, int database, CursorHandle& write) {
    if (++done_ % kProgressEvery == 0 && progress_) progress_(done_, records_);
    if ((uncommitted_ += bytes) < kCommitBytes) return 0;
    uncommitted_ = 0;
    write.reset();  // The cursor ends with its transaction.
    int code = to_.Commit();
    if (code == 0) code = to_.Begin();
    return code == 0 ? to_.OpenCursor(database, write) : code;
  }

  File& from_;
  File& to_;
  const uint64_t records_;
  const std::function<void(uint64_t, uint64_t)>& progress_;
  uint64_t done_ = 0, uncommitted_ = 0;
};

// Makes the file as long as its meta page says. LMDB may have counted a last page without writing it.
int CoverLastPage(MDB_env* env, uint64_t& bytes) {
  MDB_envinfo info{};
  MDB_stat stats{};
  mdb_filehandle_t fd = -1;
  struct stat file {};
  int code = mdb_env_info(env, &info);
  if (code == 0) code = mdb_env_stat(env, &stats);
  if (code == 0) code = mdb_env_get_fd(env, &fd);
  if (code != 0) return code;
  bytes = (uint64_t{info.me_last_pgno} + 1) * stats.ms_psize;
  if (fstat(fd, &file) != 0) return errno;
  if (static_cast<uint64_t>(file.st_size) >= bytes) return 0;
  return ftruncate(fd, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

int WriteCopy(File& from, const fs::path& path, uint64_t map_bytes,
              const std::function<void(uint64_t, uint64_t)>& progress, CopiedFile& copied) {
  File to;
  uint64_t records = 0;
  int code = from.Records(records);
  // No commit is synced, because nobody reads the file before it is synced at the end.
  if (code == 0) code = to.Open(path, map_bytes, MDB_NOSYNC);
  if (code != 0) return code;
  Copy copy(from, to, records, progress);
  for (int i = 0; i < 2 && code == 0; ++i) code = copy.Database(i);
  if (code == 0) code = to.Commit();
  if (code == 0) code = CoverLastPage(to.env.get(), copied.bytes);
  if (code == 0) code = mdb_env_sync(to.env.get(), 1);
  copied.records = copy.done();
  return code;
}

// Counts the records of the new file. To do this, it reads every page that leads to a record.
int ReadBack(const fs::path& path, uint64_t map_bytes, uint64_t& records) {
  File file;
  records = 0;
  int code = file.Open(path, map_bytes, MDB_RDONLY);
  for (int i = 0; i < 2 && code == 0; ++i) {
    CursorHandle cursor;
    code = file.OpenCursor(i, cursor);
    MDB_val key, value;
    while (code == 0) {
      code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT);
      if (code == 0) ++records;
    }
    if (code == MDB_NOTFOUND) code = 0;
  }
  return code;
}

Error Failed(int code, const std::string& doing) { return ToError(Rc(code), doing); }

}  // namespace

Result<CopiedFile> CopyRecords(const fs::path& from_path, const fs::path& to_path,
                               const std::function<void(uint64_t, uint64_t)>& progress) {
  std::error_code error;
  const uint64_t bytes = fs::file_size(from_path, error);
  if (error) return Failed(error.value(), "reading " + from_path.string());
  const uint64_t map_bytes = 2 * bytes + (uint64_t{64} << 20);  // Only address space is reserved.
  File from;
  if (const int code = from.Open(from_path, map_bytes, MDB_RDONLY); code != 0) {
    return Failed(code, "reading " + from_path.string());
  }
  uint64_t expected = 0, found = 0;
  CopiedFile copied;
  int code = from.Records(expected);
  if (code == 0) code = WriteCopy(from, to_path, map_bytes, progress, copied);
  if (code == 0) code = ReadBack(to_path, map_bytes, found);
  if (code == 0 && (copied.records != expected || found != expected)) code = Rc::Damaged().code();
  if (code == 0) return copied;
  // LMDB reports EIO if a write is cut short because the disk is full.
  const fs::space_info space = fs::space(to_path.parent_path(), error);
  if (code == EIO && !error && space.available < (uint64_t{1} << 20)) code = ENOSPC;
  unlink(to_path.c_str());
  return Failed(code, "writing " + to_path.string());
}

}  // namespace widerow::lmdb
