// The interface through which a backup reads a database (docs/internals/decisions/0030-backup.md). A full backup reads
// all records of the data file as they are in one snapshot, and the groups of the commit log (log/commit_log.h) that
// the snapshot does not contain. An incremental backup reads the groups after those of an earlier backup. The engine
// implements the interface, and so does the client of a server (server/remote_backup.h).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "base/uuid.h"

namespace widerow {

// A place in the history of a database. A *history* is a period in which the commit log was kept without a gap. Each
// history has an id.
struct BackupPlace {
  Uuid history;
  uint64_t sequence = 0;
  // The time of the group that ends at `sequence`; 0: unknown. If an older copy of the data directory is put back after
  // a backup, the log may later have another group with the same number. The time tells the two groups apart.
  int64_t micros = 0;
};

// Describes a backup when it begins. Times are in microseconds since 1970.
struct BackupFacts {
  Uuid database_id;
  uint32_t format_version = 0;
  std::string program_version;
  // The history; absent if the server does not keep its log. Then there can be no incremental backup.
  std::optional<Uuid> history;
  // Full backups: the records contain the groups up to `folded_through`. If the groups up to `through` are replayed,
  // the backup shows the database at the time `moment`.
  uint64_t folded_through = 0;
  uint64_t through = 0;
  int64_t moment = 0;
  int64_t through_micros = 0;  // The time of the group that ends at `through`; 0: unknown.
  uint64_t records = 0;        // The number of records of the data file.
};

// A part of the records of `data` or of `meta`, in the order of their keys.
struct RecordsPart {
  Bytes records;  // For each record the key and the value, both sized (AppendSized).
  bool last = false;
};

// A part of the log. The bytes are encoded groups (storage/backup/group_codec.h). A part has whole groups, or a piece
// of one long group.
struct LogPart {
  Bytes bytes;
  uint64_t sequence = 0;  // The last group that is complete with this part.
  uint64_t offset = 0;    // How many bytes of the next group the parts so far contain.
  int64_t micros = 0;     // The time of group `sequence`; 0 if this part does not complete a group.
  bool last = false;      // True if there are no more durable groups now.
};

// One backup that is being made. Used by one thread at a time.
class BackupSource {
 public:
  virtual ~BackupSource() = default;
  virtual const BackupFacts& facts() const = 0;
  // Full backups: returns the records after the key `after`. The first call for `data` or `meta` has an empty key.
  virtual Result<RecordsPart> ReadRecords(bool meta, const Bytes& after) = 0;
  // Returns the log after group `sequence`, from byte `offset` of the next group on.
  virtual Result<LogPart> ReadLog(uint64_t sequence, uint64_t offset) = 0;
  // Says that a complete backup has everything up to the group `through`. Only metrics use this.
  virtual Status Finished(uint64_t through) = 0;
};

// Figures about backups and about the log that is kept for them.
struct BackupStatistics {
  uint64_t kept_log_bytes = 0;  // The size of the kept segments.
  uint64_t kept_log_bytes_max = 0;
  uint64_t finished_through = 0;  // The group at which the last finished backup ends; 0 if there was none.
  int64_t finished_seconds = 0;   // The time at which it was finished; 0 if there was none.
  uint64_t groups_not_in_backup = 0;
  // True if the next incremental backup can follow the last finished one: the log still has all groups after it.
  bool log_reaches_backup = false;
};

}  // namespace widerow
