// LMDB with owners: environment, transactions, cursors. Nothing outside storage/lmdb/ includes <lmdb.h>.
//
// Borrowed bytes: a ByteView that came out of a transaction dies at its end, and in a write transaction at its next
// write. Read transactions are not tied to a thread (MDB_NOTLS); each belongs to one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/mutex.h"
#include "base/result.h"

struct MDB_env;
struct MDB_txn;
struct MDB_cursor;

namespace widerow::lmdb {

// How a call ended: done, nothing there, or failed. Smaller than a Result<bool> on the way of every row.
class [[nodiscard]] Rc {
 public:
  explicit constexpr Rc(int code) : code_(code) {}
  static constexpr Rc Done() { return Rc(0); }
  static constexpr Rc NotFound() { return Rc(kNotFoundCode); }
  static constexpr Rc Damaged() { return Rc(kDamagedCode); }

  bool ok() const { return code_ == 0; }
  bool not_found() const { return code_ == kNotFoundCode; }
  bool failed() const { return code_ != 0 && code_ != kNotFoundCode; }
  bool map_full() const { return code_ == kMapFullCode; }
  // The file system has no room: the data on disk is whole and writing may go on once there is.
  bool disk_full() const;
  // The environment writes no more, after a failed write of its meta page, and begins no more reads.
  bool broken() const { return code_ == kPanicCode; }
  int code() const { return code_; }

 private:
  static constexpr int kNotFoundCode = -30798, kDamagedCode = -30796, kMapFullCode = -30792, kPanicCode = -30795;
  // Checked in env.cc.
  int code_;
};

// A failed call as an error for people. `doing` completes "Storage failed while …".
Error ToError(Rc rc, std::string_view doing);

// The two named databases of a data directory.
enum class Db : uint8_t { kData, kMeta };

struct EnvOptions {
  std::filesystem::path directory;
  uint64_t map_bytes = uint64_t{1} << 40;
  unsigned readers_max = 2'048;
  std::function<void(const std::string&)> log;
};

// Makes data.mdb in `directory` if there is none, holding the named databases and, if given, a first record of the meta
// database. Whole or not at all, also after a power cut: it is written under another name, synced and renamed. What an
// earlier process left unfinished under that name goes.
Status CreateDataFile(const std::filesystem::path& directory, ByteView first_key = {}, ByteView first_value = {});

// Opened once per process and directory; open_checks.h is to have looked at the file before.
//
// LMDB answers everything with MDB_PANIC once the write of a meta page has failed. The file is whole then, at the commit
// before or at the failed one. Writes stay refused until the process is started again, reads go on in a second environment
// that only reads.
class Env {
 public:
  static Result<std::unique_ptr<Env>> Open(const EnvOptions& options);
  ~Env();
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  // Creates the named databases where absent and puts a record, if given, into the meta database: then what was found in
  // the file is durable on return. Before this only ReadMetaBeforeOpen and HoldsDatabases may be called.
  Status OpenDatabases(ByteView first_key = {}, ByteView first_value = {});
  // False for an environment that has just been created.
  bool HoldsDatabases() const;
  // A value of the meta database of an environment whose databases are not opened; nullopt if there is none.
  Result<std::optional<Bytes>> ReadMetaBeforeOpen(ByteView key);

  // Frees reader slots of processes that died. Done at open.
  void ClearStaleReaders();
  uint64_t map_bytes() const { return map_bytes_; }
  uint64_t page_bytes() const;
  // Of the file, as of the last commit.
  uint64_t pages() const;

 private:
  friend class TxnRef;
  friend class ReadTxn;
  friend class WriteTxn;
  friend class Cursor;
  explicit Env(MDB_env* env) : env_(env) {}
  void CoverLastPage();
  // Begins a read, in the second environment if the first one is broken.
  int BeginRead(MDB_txn*& txn);
  int OpenForReadingAlone() WR_REQUIRES(mutex_);
  bool DiskIsFull() const;

  MDB_env* env_;
  Mutex mutex_;
  std::atomic<MDB_env*> read_env_ = nullptr;  // Set once, where env_ is broken. Its databases have the same handles.
  unsigned dbi_[2] = {0, 0};
  uint64_t map_bytes_ = 0;
  uint64_t covered_bytes_ = 0;  // The file is known to be at least this long.
};

// Any transaction, borrowed: reads work the same in all of them.
class TxnRef {
 public:
  TxnRef() = default;
  TxnRef(MDB_txn* txn, const Env& env) : txn_(txn), env_(&env) {}

  Rc Get(Db db, ByteView key, ByteView& value) const;
  // Looks at every list of free pages: PageCounter says when that is wise.
  // Those that became free with commit `since` or a later one, as far as this transaction sees them.
  Rc CountFreePages(uint64_t& count, uint64_t since = 0) const;
  // Of a snapshot: the last commit it sees. Of a write transaction: the commit it will be.
  uint64_t id() const;

 private:
  friend class Cursor;
  MDB_txn* txn_ = nullptr;
  const Env* env_ = nullptr;
};

// A snapshot that can be given back (Reset) and taken anew (Renew) at the cost of some nanoseconds.
class ReadTxn {
 public:
  static Result<ReadTxn> Begin(Env& env);
  ReadTxn(ReadTxn&& other) noexcept : txn_(std::exchange(other.txn_, nullptr)), env_(other.env_) {}
  ReadTxn& operator=(ReadTxn&&) = delete;
  ~ReadTxn();

  Rc Renew();
  void Reset();
  TxnRef ref() const { return TxnRef(txn_, *env_); }

 private:
  ReadTxn(MDB_txn* txn, Env& env) : txn_(txn), env_(&env) {}
  MDB_txn* txn_;
  Env* env_;
};

// Not committed: undone by the destructor. One at a time in the process, and a child of it at a time.
class WriteTxn {
 public:
  static Result<WriteTxn> Begin(Env& env);
  // A part that can be undone alone. The parent must not be used until the child has ended.
  Result<WriteTxn> BeginChild();
  WriteTxn(WriteTxn&& other) noexcept
      : txn_(std::exchange(other.txn_, nullptr)), env_(other.env_), is_child_(other.is_child_) {}
  WriteTxn& operator=(WriteTxn&&) = delete;
  ~WriteTxn() { Abort(); }

  Rc Put(Db db, ByteView key, ByteView value);
  Rc Delete(Db db, ByteView key);
  // Durable on return (a child's commit only joins its parent).
  Rc Commit();
  void Abort();
  TxnRef ref() const { return TxnRef(txn_, *env_); }

 private:
  WriteTxn(MDB_txn* txn, Env& env, bool is_child) : txn_(txn), env_(&env), is_child_(is_child) {}
  MDB_txn* txn_;
  Env* env_;
  bool is_child_;
};

class Cursor {
 public:
  static Result<Cursor> Open(TxnRef txn, Db db);
  Cursor(Cursor&& other) noexcept : cursor_(std::exchange(other.cursor_, nullptr)) {}
  Cursor& operator=(Cursor&&) = delete;
  ~Cursor();

  // For a renewed snapshot of the same environment.
  Rc Renew(TxnRef txn);
  // Each move fills key and value, or leaves them as they were and answers not_found.
  Rc SeekExact(ByteView wanted, ByteView& key, ByteView& value);
  Rc SeekAtOrAfter(ByteView wanted, ByteView& key, ByteView& value);
  Rc Next(ByteView& key, ByteView& value);
  Rc Previous(ByteView& key, ByteView& value);
  Rc Last(ByteView& key, ByteView& value);

  // In a write transaction: puts the record and stays on it. Quicker than WriteTxn::Put where keys come in order.
  Rc Put(ByteView key, ByteView value);
  // The same for a key above all in the database; pages are filled to their end.
  Rc Append(ByteView key, ByteView value);

 private:
  explicit Cursor(MDB_cursor* cursor) : cursor_(cursor) {}
  MDB_cursor* cursor_;
};

}  // namespace widerow::lmdb
