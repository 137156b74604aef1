// State has the environment and one transaction, which is committed after every 32 MiB. Commits are not synced. The
// file is synced once, at the end, because nobody reads it before.
#include "storage/lmdb/record_file.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "storage/lmdb/handles.h"
#include "storage/lmdb/page_checks.h"

namespace widerow::lmdb {
namespace {

constexpr uint64_t kCommitAfterBytes = 32u << 20;
// The address space for the file. If the system refuses it, half of it is tried, and so on down to the minimum.
constexpr uint64_t kRecordMapBytes = uint64_t{1} << 42, kRecordMapBytesMin = uint64_t{1} << 30;
constexpr const char* kDatabaseNames[] = {"data", "meta"};

MDB_val ValOf(ByteView bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

ByteView ViewOf(const MDB_val& val) { return {static_cast<const char*>(val.mv_data), val.mv_size}; }

}  // namespace

struct RecordFile::State {
  std::filesystem::path path;
  EnvHandle env;
  TxnHandle txn;
  MDB_dbi databases[2] = {0, 0};
  CursorHandle cursor;
  int open = -1;  // The database of `cursor`; -1 if there is none.
  uint64_t uncommitted = 0, records = 0;

  int Open(unsigned flags, uint64_t map_bytes) {
    MDB_env* raw = nullptr;
    if (const int code = mdb_env_create(&raw); code != 0) return code;
    env.reset(raw);
    ExitOnFailedAssertions(raw);
    int code = mdb_env_set_maxdbs(raw, 2);
    if (code == 0) code = mdb_env_set_mapsize(raw, map_bytes);
    if (code == 0) code = mdb_env_open(raw, path.c_str(), MDB_NOSUBDIR | MDB_NOLOCK | flags, kPrivateFileMode);
    return code == 0 ? Begin(flags & MDB_RDONLY) : code;
  }
  int Begin(unsigned flags) {
    MDB_txn* raw = nullptr;
    int code = mdb_txn_begin(env.get(), nullptr, flags, &raw);
    if (code != 0) return code;
    txn.reset(raw);
    for (int i = 0; i < 2 && code == 0; ++i) {
      code = mdb_dbi_open(raw, kDatabaseNames[i], flags != 0 ? 0 : MDB_CREATE, &databases[i]);
    }
    return code;
  }
  int Select(Db db) {
    if (open == static_cast<int>(db)) return 0;
    cursor.reset();
    MDB_cursor* raw = nullptr;
    const int code = mdb_cursor_open(txn.get(), databases[static_cast<int>(db)], &raw);
    if (code != 0) return code;
    cursor.reset(raw);
    open = static_cast<int>(db);
    return 0;
  }
  int Put(Db db, ByteView key, ByteView value) {
    int code = Select(db);
    MDB_val k = ValOf(key), v = ValOf(value);
    if (code == 0) code = mdb_cursor_put(cursor.get(), &k, &v, MDB_APPEND);
    if (code != 0) return code;
    ++records;
    uncommitted += key.size() + value.size();
    return uncommitted < kCommitAfterBytes ? 0 : Commit();
  }
  // Commits, and begins the next transaction.
  int Commit() {
    cursor.reset();
    open = -1;
    uncommitted = 0;
    const int code = mdb_txn_commit(txn.release());
    return code == 0 ? Begin(0) : code;
  }
  // Returns the size that the file must have according to its meta page.
  int Size(uint64_t& bytes) const {
    MDB_envinfo info{};
    MDB_stat stats{};
    int code = mdb_env_info(env.get(), &info);
    if (code == 0) code = mdb_env_stat(env.get(), &stats);
    bytes = (uint64_t{info.me_last_pgno} + 1) * stats.ms_psize;
    return code;
  }
  // Commits, extends the file to its full size, and syncs it. LMDB may have counted last pages without writing them.
  int Sync(uint64_t& bytes) {
    cursor.reset();
    int code = mdb_txn_commit(txn.release());
    if (code == 0) code = Size(bytes);
    mdb_filehandle_t fd = -1;
    struct stat file {};
    if (code == 0) code = mdb_env_get_fd(env.get(), &fd);
    if (code == 0 && fstat(fd, &file) != 0) code = errno;
    if (code == 0 && static_cast<uint64_t>(file.st_size) < bytes && ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
      code = errno;
    }
    if (code == 0) code = mdb_env_sync(env.get(), 1);
    env.reset();
    return code;
  }
  // Counts the records of the finished file.
  int ReadBack(uint64_t bytes, uint64_t& found) {
    int code = Open(MDB_RDONLY, bytes);
    for (const Db db : {Db::kData, Db::kMeta}) {
      open = -1;
      if (code == 0) code = Select(db);
      MDB_val key, value;
      while (code == 0 && (code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) == 0) ++found;
      if (code == MDB_NOTFOUND) code = 0;
    }
    cursor.reset();
    txn.reset();
    env.reset();
    return code;
  }
};

RecordFile::RecordFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordFile::~RecordFile() = default;

Result<std::unique_ptr<RecordFile>> RecordFile::Create(const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  int code = 0;
  // The file must be new, because LMDB would open an existing file as a database.
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kPrivateFileMode);
  if (fd < 0) code = errno;
  if (fd >= 0) close(fd);
  if (code == 0) code = ENOMEM;
  for (uint64_t map = kRecordMapBytes; fd >= 0 && map >= kRecordMapBytesMin && (code == ENOMEM || code == EINVAL);
       map /= 2) {
    code = state->Open(MDB_NOSYNC, map);
  }
  if (code != 0) return ToError(Rc(code), "making '" + path.string() + "'");
  return std::unique_ptr<RecordFile>(new RecordFile(std::move(state)));
}

Status RecordFile::Append(Db db, ByteView key, ByteView value) {
  if (const int code = state_->Put(db, key, value); code != 0) {
    return ToError(Rc(code), "writing '" + state_->path.string() + "'");
  }
  return OkStatus();
}

Result<CopiedFile> RecordFile::Finish() {
  CopiedFile copied{.records = state_->records};
  uint64_t found = 0;
  int code = state_->Sync(copied.bytes);
  if (code == 0) code = state_->ReadBack(copied.bytes, found);
  if (code == 0 && found != copied.records) code = Rc::Damaged().code();
  if (code != 0) return ToError(Rc(code), "writing '" + state_->path.string() + "'");
  return copied;
}

Status ForEachRecord(const std::filesystem::path& path, Db db,
                     const std::function<Status(ByteView key, ByteView value)>& take) {
  EnvHandle env;
  TxnHandle txn;
  CursorHandle cursor;
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  const auto failed = [&](int code) { return ToError(Rc(code), "reading '" + path.string() + "'"); };
  if (error) return failed(error.value());
  MDB_env* raw_env = nullptr;
  MDB_txn* raw_txn = nullptr;
  MDB_cursor* raw_cursor = nullptr;
  MDB_dbi database = 0;
  int code = mdb_env_create(&raw_env);
  env.reset(raw_env);
  if (code == 0) ExitOnFailedAssertions(raw_env);
  if (code == 0) code = mdb_env_set_maxdbs(raw_env, 2);
  if (code == 0) code = mdb_env_set_mapsize(raw_env, bytes);
  if (code == 0) code = mdb_env_open(raw_env, path.c_str(), MDB_NOSUBDIR | MDB_NOLOCK | MDB_RDONLY, kPrivateFileMode);
  if (code == 0) code = mdb_txn_begin(raw_env, nullptr, MDB_RDONLY, &raw_txn);
  txn.reset(raw_txn);
  if (code == 0) code = mdb_dbi_open(raw_txn, kDatabaseNames[static_cast<int>(db)], 0, &database);
  if (code == 0) code = mdb_cursor_open(raw_txn, database, &raw_cursor);
  cursor.reset(raw_cursor);
  MDB_val key, value;
  while (code == 0 && (code = mdb_cursor_get(raw_cursor, &key, &value, MDB_NEXT)) == 0) {
    WR_RETURN_IF_ERROR(take(ViewOf(key), ViewOf(value)));
  }
  return code == 0 || code == MDB_NOTFOUND ? OkStatus() : Status(failed(code));
}

}  // namespace widerow::lmdb
