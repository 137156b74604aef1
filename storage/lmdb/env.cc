// Env::Open tries smaller and smaller maps until the system accepts one. TxnRef, ReadTxn, WriteTxn and Cursor are thin
// wrappers of LMDB's functions. If LMDB refuses reads after a failed commit, BeginRead opens a second environment for
// reading (OpenForReadingAlone). After each commit CoverLastPage makes sure that the file has its full length.
#include "storage/lmdb/env.h"

#include <lmdb.h>
#include <page_hooks.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/limits.h"
#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/handles.h"
#include "storage/lmdb/paced_writes.h"
#include "storage/lmdb/page_checks.h"

namespace widerow::lmdb {
namespace {

constexpr uint64_t kMapBytesFloor = uint64_t{1} << 30;
constexpr unsigned kDatabasesMax = 4;
constexpr const char* kDataName = "data";
constexpr const char* kMetaName = "meta";

MDB_val ToVal(ByteView bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }
ByteView ToView(const MDB_val& val) { return {static_cast<const char*>(val.mv_data), val.mv_size}; }

Result<EnvHandle> OpenWithMap(const EnvOptions& options, uint64_t map_bytes, int& code) {
  MDB_env* raw = nullptr;
  code = mdb_env_create(&raw);
  if (code != 0) return ToError(Rc(code), "creating the environment");
  EnvHandle env(raw);
  ExitOnFailedAssertions(raw);
  if (code = mdb_env_set_maxdbs(raw, kDatabasesMax); code != 0) return ToError(Rc(code), "setting up the environment");
  if (code = mdb_env_set_maxreaders(raw, options.readers_max); code != 0) {
    return ToError(Rc(code), "setting up the environment");
  }
  code = mdb_env_set_mapsize(raw, map_bytes);
  // MDB_WRITEMAP is not set, because with it a full disk would cause SIGBUS. MDB_NOSYNC is not set, because with it a
  // power cut could damage the file.
  if (code == 0) code = mdb_env_open(raw, options.directory.c_str(), MDB_NOTLS, kPrivateFileMode);
  if (code != 0) return ToError(Rc(code), "opening " + (options.directory / "data.mdb").string());
  return env;
}

}  // namespace

bool Rc::disk_full() const { return code_ == ENOSPC || code_ == EDQUOT || code_ == EFBIG; }

static_assert(MDB_NOTFOUND == -30798 && MDB_CORRUPTED == -30796 && MDB_MAP_FULL == -30792 && MDB_PANIC == -30795,
              "Rc spells these out");
static_assert(WIDEROW_PAGE_DAMAGED == -30700, "Rc spells this out too");

Error ToError(Rc rc, std::string_view doing) {
  std::string message = "Storage failed while " + std::string(doing) + ": ";
  if (rc.map_full()) {
    return ServerError(message + "the database has reached its map size", "raise --map-size, or delete data");
  }
  if (rc.disk_full()) {
    return ServerError(message + "no space left on the device (" + std::strerror(rc.code()) + ")",
                       "free space on the disk of the data directory (--data), then try again");
  }
  if (rc.broken()) {
    return ServerError(message + "an earlier write to data.mdb failed, nothing can be written until a restart",
                       "see to the disk of the data directory (--data), then restart");
  }
  if (rc.damaged_page()) {
    return ServerError(message + ToText(LastDamagedPage()),
                       "other data can still be read; see to the disk, let `widerow check` list all damage, and "
                       "restore a backup");
  }
  if (rc.code() == MDB_READERS_FULL) {
    return {.code = ErrorCode::kOverloaded, .message = message + "too many reads at the same time"};
  }
  return ServerError(message + mdb_strerror(rc.code()));
}

Result<std::unique_ptr<Env>> Env::Open(const EnvOptions& options) {
  for (uint64_t map_bytes = options.map_bytes;; map_bytes /= 2) {
    int code = 0;
    Result<EnvHandle> opened = OpenWithMap(options, map_bytes, code);
    if (opened.ok()) {
      if (map_bytes != options.map_bytes && options.log) {
        options.log({LogLevel::kWarning, "storage",
                     "map size reduced to " + std::to_string(map_bytes >> 20) +
                         " MiB: the system refused more address space (see ulimit -v)"});
      }
      std::unique_ptr<Env> env(new Env(opened.value().release()));
      env->map_bytes_ = map_bytes;
      env->ClearStaleReaders();
      return env;
    }
    const bool refused_map = code == ENOMEM || code == EINVAL;
    if (!refused_map || map_bytes / 2 < kMapBytesFloor) return std::move(opened).error();
  }
}

Result<std::unique_ptr<Env>> Env::OpenForReading(const std::filesystem::path& directory, bool shared) {
  const auto failed = [&](int code) { return ToError(Rc(code), "opening " + (directory / kDataFileName).string()); };
  MDB_env* raw = nullptr;
  if (const int code = mdb_env_create(&raw); code != 0) return failed(code);
  std::unique_ptr<Env> env(new Env(raw));
  ExitOnFailedAssertions(raw);
  int code = mdb_env_set_maxdbs(raw, kDatabasesMax);
  // LMDB enlarges the map to the size of the file's data only when it opens the file. A server may make the file longer
  // after that, so the map is larger from the beginning.
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(directory / kDataFileName, error);
  env->map_bytes_ = 2 * bytes + kMapBytesFloor;
  if (code == 0) code = mdb_env_set_mapsize(raw, env->map_bytes_);
  const unsigned flags = MDB_RDONLY | MDB_NOTLS | (shared ? 0u : static_cast<unsigned>(MDB_NOLOCK));
  if (code == 0) code = mdb_env_open(raw, directory.c_str(), flags, kPrivateFileMode);
  MDB_txn* txn = nullptr;
  if (code == 0) code = mdb_txn_begin(raw, nullptr, MDB_RDONLY, &txn);
  if (code != 0) return failed(code);
  code = mdb_dbi_open(txn, kDataName, 0, &env->dbi_[0]);
  if (code == 0) code = mdb_dbi_open(txn, kMetaName, 0, &env->dbi_[1]);
  if (code != 0) {
    mdb_txn_abort(txn);
    return failed(code);
  }
  if (code = mdb_txn_commit(txn); code != 0) return failed(code);
  return env;
}

Env::~Env() {
  if (MDB_env* reading = read_env_; reading != nullptr) EnvCloser()(reading);
  EnvCloser()(env_);
}

// Opens the second environment, which only reads. The first one writes no more, so the second one needs neither locks
// nor a reader table.
int Env::OpenForReadingAlone() {
  const char* path = nullptr;
  MDB_env* raw = nullptr;
  if (const int code = mdb_env_get_path(env_, &path); code != 0) return code;
  if (const int code = mdb_env_create(&raw); code != 0) return code;
  EnvHandle env(raw);
  ExitOnFailedAssertions(raw);
  MDB_txn* txn = nullptr;
  int code = mdb_env_set_maxdbs(raw, kDatabasesMax);
  // A small map is enough here, because LMDB enlarges it to the size of the file's data.
  if (code == 0) code = mdb_env_set_mapsize(raw, 1 << 20);
  if (code == 0) code = mdb_env_open(raw, path, MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS, kPrivateFileMode);
  if (code == 0) code = mdb_txn_begin(raw, nullptr, MDB_RDONLY, &txn);
  if (code != 0) return code;
  unsigned dbi[2] = {0, 0};
  code = mdb_dbi_open(txn, kDataName, 0, &dbi[0]);
  if (code == 0) code = mdb_dbi_open(txn, kMetaName, 0, &dbi[1]);
  if (code != 0) {
    mdb_txn_abort(txn);
    return code;
  }
  if (code = mdb_txn_commit(txn); code != 0) return code;
  // LMDB gives handles in the order in which databases are opened.
  WR_CHECK(dbi[0] == dbi_[0] && dbi[1] == dbi_[1]);
  read_env_ = env.release();
  return 0;
}

int Env::BeginRead(MDB_txn*& txn) {
  MDB_env* reading = read_env_;
  if (reading == nullptr) {
    const int code = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
    if (code != MDB_PANIC) return code;
    MutexLock lock(mutex_);
    if (read_env_ == nullptr) {
      if (const int opened = OpenForReadingAlone(); opened != 0) return opened;
    }
    reading = read_env_;
  }
  return mdb_txn_begin(reading, nullptr, MDB_RDONLY, &txn);
}

bool Env::HoldsDatabases() const {
  MDB_stat stats{};
  return mdb_env_stat(env_, &stats) == 0 && stats.ms_entries > 0;
}

Status Env::OpenDatabases(ByteView first_key, ByteView first_value) {
  MDB_txn* txn = nullptr;
  if (const int code = mdb_txn_begin(env_, nullptr, 0, &txn); code != 0) return ToError(Rc(code), "opening");
  int code = mdb_dbi_open(txn, kDataName, MDB_CREATE, &dbi_[0]);
  if (code == 0) code = mdb_dbi_open(txn, kMetaName, MDB_CREATE, &dbi_[1]);
  // This record is written at every open, because its commit makes durable what an earlier process may have left in the
  // page cache. That process was killed before its sync ended, or was told that the sync had failed. After a failed
  // sync the system treats the pages as written, so another sync would do nothing.
  if (code == 0 && !first_key.empty()) {
    MDB_val key = ToVal(first_key), value = ToVal(first_value);
    code = mdb_put(txn, dbi_[1], &key, &value, 0);
  }
  if (code != 0) {
    mdb_txn_abort(txn);
    return ToError(Rc(code), "opening the databases in data.mdb");
  }
  if (code = mdb_txn_commit(txn); code != 0) return ToError(Rc(code), "creating the databases in data.mdb");
  return OkStatus();
}

Result<std::optional<Bytes>> Env::ReadMetaBeforeOpen(ByteView key) {
  MDB_txn* txn = nullptr;
  if (const int code = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn); code != 0) return ToError(Rc(code), "opening");
  MDB_dbi dbi = 0;
  int code = mdb_dbi_open(txn, kMetaName, 0, &dbi);
  MDB_val wanted = ToVal(key), found{};
  if (code == 0) code = mdb_get(txn, dbi, &wanted, &found);
  std::optional<Bytes> value;
  if (code == 0) value = Bytes(ToView(found));
  mdb_txn_abort(txn);
  if (code != 0 && code != MDB_NOTFOUND) return ToError(Rc(code), "reading the format version");
  return value;
}

void Env::ClearStaleReaders() {
  int dead = 0;
  // An error is ignored: a reader slot that is not freed only delays the reuse of pages.
  static_cast<void>(mdb_reader_check(env_, &dead));
}

uint64_t Env::page_bytes() const {
  MDB_stat stats{};
  return mdb_env_stat(env_, &stats) == 0 ? stats.ms_psize : 0;
}

uint64_t Env::pages() const {
  MDB_envinfo info{};
  return mdb_env_info(env_, &info) == 0 ? uint64_t{info.me_last_pgno} + 1 : 0;
}

uint64_t Env::pieces_sent() const {
  mdb_filehandle_t fd = -1;
  return mdb_env_get_fd(env_, &fd) == 0 ? PiecesSent(fd) : 0;
}

// If a transaction takes a page and gives it back, LMDB counts the page in the file's length but does not write it. If
// it is the last page, the file is shorter than its meta page says, and CheckDataFile would refuse it as truncated.
void Env::CoverLastPage() {
  const uint64_t needs = pages() * page_bytes();
  if (needs <= covered_bytes_) return;
  mdb_filehandle_t fd = -1;
  struct stat file {};
  if (mdb_env_get_fd(env_, &fd) != 0 || fstat(fd, &file) != 0) return;
  if (static_cast<uint64_t>(file.st_size) < needs) {
    if (ftruncate(fd, static_cast<off_t>(needs)) != 0 || fdatasync(fd) != 0) return;  // The next commit tries again.
  }
  covered_bytes_ = needs;
}

// True if the disk has nearly no room. LMDB reports EIO for a write that is cut short because the disk is full.
bool Env::DiskIsFull() const {
  constexpr uint64_t kNearlyNothing = 1 << 20;
  const char* path = nullptr;
  struct statvfs disk {};
  if (mdb_env_get_path(env_, &path) != 0 || statvfs(path, &disk) != 0) return false;
  return uint64_t{disk.f_bavail} * disk.f_frsize < kNearlyNothing;
}

Rc TxnRef::Get(Db db, ByteView key, ByteView& value) const {
  MDB_val wanted = ToVal(key), found;
  const int code = mdb_get(txn_, env_->dbi_[static_cast<int>(db)], &wanted, &found);
  if (code == 0) value = ToView(found);
  return Rc(code);
}

uint64_t TxnRef::CountRecords() const {
  uint64_t count = 0;
  for (const unsigned database : env_->dbi_) {
    MDB_stat stats{};
    if (mdb_stat(txn_, database, &stats) == 0) count += stats.ms_entries;
  }
  return count;
}

uint64_t TxnRef::id() const { return mdb_txn_id(txn_); }

Result<ReadTxn> ReadTxn::Begin(Env& env) {
  MDB_txn* txn = nullptr;
  if (const int code = env.BeginRead(txn); code != 0) return ToError(Rc(code), "beginning a read");
  return ReadTxn(txn, env);
}

ReadTxn::~ReadTxn() {
  if (txn_ != nullptr) mdb_txn_abort(txn_);
}

Rc ReadTxn::Renew() { return Rc(mdb_txn_renew(txn_)); }
void ReadTxn::Reset() { mdb_txn_reset(txn_); }

Result<WriteTxn> WriteTxn::Begin(Env& env) {
  MDB_txn* txn = nullptr;
  if (const int code = mdb_txn_begin(env.env_, nullptr, 0, &txn); code != 0)
    return ToError(Rc(code), "beginning a write");
  return WriteTxn(txn, env, false);
}

Result<WriteTxn> WriteTxn::BeginChild() {
  MDB_txn* child = nullptr;
  if (const int code = mdb_txn_begin(env_->env_, txn_, 0, &child); code != 0) {
    return ToError(Rc(code), "beginning a part of a write");
  }
  return WriteTxn(child, *env_, true);
}

Rc WriteTxn::Put(Db db, ByteView key, ByteView value) {
  WR_DCHECK(!key.empty() && key.size() <= limits::kLmdbKeyBytesMax);
  MDB_val k = ToVal(key), v = ToVal(value);
  return Rc(mdb_put(txn_, env_->dbi_[static_cast<int>(db)], &k, &v, 0));
}

Rc WriteTxn::Delete(Db db, ByteView key) {
  MDB_val k = ToVal(key);
  return Rc(mdb_del(txn_, env_->dbi_[static_cast<int>(db)], &k, nullptr));
}

Rc WriteTxn::Commit() {
  Rc rc(mdb_txn_commit(std::exchange(txn_, nullptr)));
  if (rc.code() == EIO && env_->DiskIsFull()) rc = Rc(ENOSPC);
  if (rc.ok() && !is_child_) env_->CoverLastPage();
  return rc;
}

void WriteTxn::Abort() {
  if (txn_ != nullptr) mdb_txn_abort(std::exchange(txn_, nullptr));
}

Result<Cursor> Cursor::Open(TxnRef txn, Db db) {
  MDB_cursor* cursor = nullptr;
  if (const int code = mdb_cursor_open(txn.txn_, txn.env_->dbi_[static_cast<int>(db)], &cursor); code != 0) {
    return ToError(Rc(code), "opening a cursor");
  }
  return Cursor(cursor);
}

Cursor::~Cursor() {
  if (cursor_ != nullptr) mdb_cursor_close(cursor_);
}

Rc Cursor::Renew(TxnRef txn) { return Rc(mdb_cursor_renew(txn.txn_, cursor_)); }

namespace {
Rc Move(MDB_cursor* cursor, MDB_cursor_op op, ByteView wanted, ByteView& key, ByteView& value) {
  MDB_val k = ToVal(wanted), v;
  const int code = mdb_cursor_get(cursor, &k, &v, op);
  if (code == 0) {
    key = ToView(k);
    value = ToView(v);
  }
  return Rc(code);
}
}  // namespace

Rc TxnRef::GetAtOrAfter(Db db, ByteView wanted, ByteView& key, ByteView& value) const {
  MDB_cursor* cursor = nullptr;
  if (const int code = mdb_cursor_open(txn_, env_->dbi_[static_cast<int>(db)], &cursor); code != 0) return Rc(code);
  const CursorHandle owned(cursor);
  return Move(cursor, MDB_SET_RANGE, wanted, key, value);
}

Rc Cursor::SeekExact(ByteView wanted, ByteView& key, ByteView& value) {
  return Move(cursor_, MDB_SET_KEY, wanted, key, value);
}
Rc Cursor::SeekAtOrAfter(ByteView wanted, ByteView& key, ByteView& value) {
  return Move(cursor_, MDB_SET_RANGE, wanted, key, value);
}
Rc Cursor::Next(ByteView& key, ByteView& value) { return Move(cursor_, MDB_NEXT, {}, key, value); }
Rc Cursor::Previous(ByteView& key, ByteView& value) { return Move(cursor_, MDB_PREV, {}, key, value); }
Rc Cursor::Last(ByteView& key, ByteView& value) { return Move(cursor_, MDB_LAST, {}, key, value); }

Rc Cursor::Put(ByteView key, ByteView value) {
  MDB_val k = ToVal(key), v = ToVal(value);
  return Rc(mdb_cursor_put(cursor_, &k, &v, 0));
}
Rc Cursor::Append(ByteView key, ByteView value) {
  MDB_val k = ToVal(key), v = ToVal(value);
  return Rc(mdb_cursor_put(cursor_, &k, &v, MDB_APPEND));
}

}  // namespace widerow::lmdb
