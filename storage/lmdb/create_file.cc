// Creates data.mdb. An empty database is written under another name, synced, and then renamed (env.h, copy_file.h).
#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/env.h"
#include "storage/lmdb/handles.h"

namespace widerow::lmdb {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMapBytes = 1 << 20;  // Enough for two empty databases.

// Writes an empty database to `file`, durable on return.
int WriteFile(const fs::path& file, ByteView first_key, ByteView first_value) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  if (const int code = mdb_env_create(&env); code != 0) return code;
  const EnvHandle owner(env);
  int code = mdb_env_set_maxdbs(env, 2);
  if (code == 0) code = mdb_env_set_mapsize(env, kMapBytes);
  if (code == 0) code = mdb_env_open(env, file.c_str(), MDB_NOSUBDIR | MDB_NOLOCK, kPrivateFileMode);
  if (code == 0) code = mdb_txn_begin(env, nullptr, 0, &txn);
  if (code == 0) {
    MDB_dbi data = 0, meta = 0;
    MDB_val key{first_key.size(), const_cast<char*>(first_key.data())};
    MDB_val value{first_value.size(), const_cast<char*>(first_value.data())};
    code = mdb_dbi_open(txn, "data", MDB_CREATE, &data);
    if (code == 0) code = mdb_dbi_open(txn, "meta", MDB_CREATE, &meta);
    if (code == 0 && !first_key.empty()) code = mdb_put(txn, meta, &key, &value, 0);
    if (code == 0)
      code = mdb_txn_commit(txn);
    else
      mdb_txn_abort(txn);
  }
  if (code == 0) code = mdb_env_sync(env, 1);
  return code;
}

int SyncDirectory(const fs::path& directory) {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int code = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
  close(fd);
  return code;
}

}  // namespace

Status RemoveUnfinishedFile(const fs::path& directory) {
  const fs::path unfinished = directory / kUnfinishedFileName;
  if (unlink(unfinished.c_str()) == 0 || errno == ENOENT) return OkStatus();
  return ToError(Rc(errno), "removing " + unfinished.string());
}

Status ReplaceDataFile(const fs::path& directory) {
  const fs::path file = directory / kDataFileName, unfinished = directory / kUnfinishedFileName;
  int code = rename(unfinished.c_str(), file.c_str()) == 0 ? 0 : errno;
  if (code == 0) code = SyncDirectory(directory);
  if (code != 0) return ToError(Rc(code), "renaming " + unfinished.string());
  return OkStatus();
}

Status CreateDataFile(const fs::path& directory, ByteView first_key, ByteView first_value) {
  WR_RETURN_IF_ERROR(RemoveUnfinishedFile(directory));
  const fs::path file = directory / kDataFileName, unfinished = directory / kUnfinishedFileName;
  if (access(file.c_str(), F_OK) == 0) return OkStatus();
  if (const int code = WriteFile(unfinished, first_key, first_value); code != 0) {
    return ToError(Rc(code), "creating " + file.string());
  }
  return ReplaceDataFile(directory);
}

}  // namespace widerow::lmdb
