// SalvageDirectory copies the records (CopyRecords), removes those that cannot be read because they need a lost record
// (RemoveUnreadable), and replays the log (Finish). Finish also empties the indexes and views, and the next start
// builds them again. LostKeys and PartialRows find out which rows may then lack a part. Until the end, the new
// directory has the mark of an unfinished restore.
#include "storage/check/salvage.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <set>

#include "base/text.h"
#include "storage/backup/durable_file.h"
#include "storage/check/check_records.h"
#include "storage/check/partial_rows.h"
#include "storage/engine/history_mark.h"
#include "storage/engine/lmdb_engine.h"
#include "storage/engine/restored.h"
#include "storage/fold/catalog_records.h"
#include "storage/format/key_codec.h"
#include "storage/lmdb/open_checks.h"
#include "storage/lmdb/page_salvage.h"
#include "storage/lmdb/record_file.h"
#include "storage/log/log_format.h"
#include "storage/log/segment.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;
using catalog::KeyOf;
using catalog::MetaKind;

constexpr int kRoundsMax = 8;
constexpr ByteView kChildSpacePrefix = "\xFF\xFF\xFF\xFF";

class Salvage {
 public:
  Salvage(const fs::path& from, const fs::path& to, const CheckProgress& progress)
      : from_(from), to_(to), progress_(progress) {}

  Result<SalvageReport> Run(const std::function<std::string(const SalvageReport&)>& describe) {
    WR_RETURN_IF_ERROR(PrepareTarget());
    progress_("copying records", 0, 0);
    WR_RETURN_IF_ERROR(CopyRecords());
    WR_RETURN_IF_ERROR(WithKept([&](lmdb::TxnRef txn) { return lost_.Translate(txn); }));
    progress_("checking records", 0, 0);
    WR_RETURN_IF_ERROR(RemoveUnreadable());
    lost_.Settle();
    partial_.emplace(lost_, out_.newest_micros.value_or(std::numeric_limits<int64_t>::max()));
    WR_RETURN_IF_ERROR(WithKept([&](lmdb::TxnRef txn) { return partial_->FindKept(txn); }));
    progress_("replaying the commit log", 0, 0);
    WR_RETURN_IF_ERROR(Finish());
    // RemoveUnreadable is called again, because the replayed writes may refer to large values whose pieces are lost.
    WR_RETURN_IF_ERROR(RemoveUnreadable());
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<DurableFile> text, DurableFile::Create(to_ / kSalvageTextName));
    WR_RETURN_IF_ERROR(text->Append(describe(out_)));
    WR_RETURN_IF_ERROR(text->Finish());
    const fs::path mark = to_ / kRestoringName;
    if (unlink(mark.c_str()) != 0) return FileError("remove", mark, errno);
    WR_RETURN_IF_ERROR(SyncDirectory(to_));
    return std::move(out_);
  }

 private:
  Status PrepareTarget() const {
    std::error_code error;
    WR_RETURN_IF_ERROR(MakePrivateDirectory(to_));
    if (!fs::is_empty(to_, error)) {
      return InvalidError("The directory '" + to_.string() + "' is not empty", "give --salvage a new directory");
    }
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<DurableFile> file, DurableFile::Create(to_ / kRestoringName));
    return file->Finish();
  }

  Status CopyRecords() {
    WR_ASSIGN_OR_RETURN(const std::optional<Bytes> meta, lmdb::ReadMetaPage(from_, std::nullopt));
    if (!meta) return ServerError("The state of the data file cannot be read", "restore a backup");
    WR_ASSIGN_OR_RETURN(file_, lmdb::RecordFile::Create(to_ / lmdb::kDataFileName));
    WR_ASSIGN_OR_RETURN(
        const lmdb::PageSalvage pages,
        lmdb::SalvageRecords(from_ / lmdb::kDataFileName, *meta, [&](lmdb::Db db, ByteView key, ByteView value) {
          return db == lmdb::Db::kData ? TakeData(key, value) : TakeMeta(key, value);
        }));
    WR_RETURN_IF_ERROR(AddMissing(Bytes(1, '\x7F')));
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const lmdb::CopiedFile copied, file_->Finish());
    file_.reset();
    for (const lmdb::KeyRange& range : pages.lost) lost_.AddStored(range);
    out_.damaged_pages = pages.damaged_pages;
    out_.found_pages = pages.found_pages;
    out_.lost_records += pages.lost_values;
    whole_catalog_ = whole_catalog_ && pages.catalog_whole;
    if (!pages.catalog_whole) out_.notes.push_back("a page of the catalog is damaged, so tables may be lost");
    if (!pages.free_list_whole) {
      out_.notes.push_back("the list of free pages is damaged, so pages below damaged ones were not looked for");
    }
    return SyncDirectory(to_);
  }

  Status TakeData(ByteView key, ByteView value) {
    const bool is_link = key.size() == kLinkBytes;
    ByteView record = value;
    if (is_link ? value.size() != sizeof(uint64_t) : !Unseal(record)) {
      lost_.AddStored({Bytes(key), Bytes(key) + '\0'});
      return ++out_.lost_records, OkStatus();
    }
    if (is_link) last_child_ = std::max(last_child_, ReadBigEndian<uint64_t>(value.data()));
    ++out_.records;
    return file_->Append(lmdb::Db::kData, key, value);
  }

  Status TakeMeta(ByteView key, ByteView value) {
    const auto kind = static_cast<MetaKind>(key[0]);
    ByteView record = value;
    if (kind != MetaKind::kFormatVersion && !Unseal(record)) {
      whole_catalog_ = false;
      out_.notes.push_back("a record of the catalog is damaged and lost: " + std::string(key.substr(0, 1)) + " 0x" +
                           ToHex(key.substr(1)));
      return ++out_.lost_records, OkStatus();
    }
    if (kind == MetaKind::kLogId || key == KeyOf(MetaKind::kNote, kHistoryNote)) return OkStatus();
    knows_folded_ = knows_folded_ || kind == MetaKind::kFoldedThrough;
    knows_newest_ = knows_newest_ || kind == MetaKind::kLastTimestamp;
    if (kind == MetaKind::kKeyspace) keyspaces_.emplace(key.substr(1));
    if (kind == MetaKind::kTable && !keyspaces_.contains(key.substr(1, key.find('\0') - 1))) {
      out_.notes.push_back("a table is lost, because the record of its keyspace is damaged: 0x" + ToHex(key.substr(1)));
      return ++out_.lost_records, OkStatus();
    }
    WR_RETURN_IF_ERROR(AddMissing(key));
    ++out_.records;
    return file_->Append(lmdb::Db::kMeta, key, value);
  }

  // The directory cannot be used without certain records. `key` is the key of the next record; records are read in the
  // order of their keys. If a necessary record with a smaller key is lost, appends a new one.
  Status AddMissing(ByteView key) {
    const auto add = [&](MetaKind kind, bool& known, Bytes value) -> Status {
      const Bytes own = KeyOf(kind);
      const bool wanted = !known && key > own;
      known = known || key >= own;
      return wanted ? file_->Append(lmdb::Db::kMeta, own, value) : OkStatus();
    };
    Bytes next_child = catalog::Fixed(last_child_ + 1);
    Seal(next_child);
    if (last_child_ > 0) WR_RETURN_IF_ERROR(add(MetaKind::kNextChildId, knows_children_, next_child));
    return add(MetaKind::kFormatVersion, knows_version_, EncodeFormatVersion(kStorageFormatVersion));
  }

  // Calls `read` with a read transaction of the new data file.
  Status WithKept(const std::function<Status(lmdb::TxnRef)>& read) const {
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<lmdb::Env> env, lmdb::Env::Open({.directory = to_, .log = {}}));
    WR_RETURN_IF_ERROR(env->OpenDatabases());
    WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(*env));
    return read(txn.ref());
  }

  // Removes the records that a read would fail on. Repeats this until a check finds none, at most kRoundsMax times.
  Status RemoveUnreadable() {
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<lmdb::Env> env, lmdb::Env::Open({.directory = to_, .log = {}}));
    WR_RETURN_IF_ERROR(env->OpenDatabases());
    for (int round = 0; round < kRoundsMax; ++round) {
      CheckReport report;
      {
        WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(*env));
        WR_ASSIGN_OR_RETURN(const MetaRecords records, ReadMeta(txn.ref()));
        WR_ASSIGN_OR_RETURN(const StoredMeta meta, LoadMeta(records));
        folded_through_ = meta.folded_through;
        if (!partial_ && (knows_newest_ || whole_catalog_)) out_.newest_micros = meta.last_timestamp;
        CheckRecords(
            txn.ref(), meta, true, [](uint64_t) {}, report);
      }
      bool any = false;
      WR_ASSIGN_OR_RETURN(lmdb::WriteTxn txn, lmdb::WriteTxn::Begin(*env));
      for (const CheckFault& fault : report.faults) {
        if (!fault.unreadable && !IsPiece(fault.key)) continue;
        any = true;
        WR_RETURN_IF_ERROR(Remove(txn, fault.key));
      }
      WR_RETURN_IF_ERROR(CheckRc(txn.Commit(), "removing records"));
      if (!any) return OkStatus();
    }
    out_.notes.push_back("some records that cannot be read are left; widerow check lists them");
    return OkStatus();
  }

  static bool IsPiece(ByteView key) {
    const size_t prefix_size = key.size() > kKeyHeadBytes ? PartitionPrefixSize(key) : 0;
    return prefix_size > 0 && static_cast<RecordKind>(key[prefix_size]) == RecordKind::kPiece;
  }

  Status Remove(lmdb::WriteTxn& txn, ByteView key) {
    if (key.size() == kLinkBytes) return Raw(txn, key);
    if (key.starts_with(kChildSpacePrefix)) return RawUnder(txn, key);
    const size_t prefix_size = PartitionPrefixSize(key);
    if (prefix_size == 0) return Raw(txn, key);
    const ByteView prefix = key.substr(0, prefix_size), rest = key.substr(prefix_size + 1);
    const auto kind = static_cast<RecordKind>(key[prefix_size]);
    Bytes clustering;
    if (kind != RecordKind::kSpill) {
      clustering = rest;
    } else if (ByteView delimited = rest; !TakeDelimited(delimited, clustering)) {
      return Delete(txn, Bytes(key));
    }
    if (kind == RecordKind::kHeader || kind == RecordKind::kRangeTombstone) return Delete(txn, Bytes(key));
    if (kind == RecordKind::kPiece) return DeleteUnder(txn, Bytes(key.substr(0, key.size() - sizeof(uint32_t))));
    // The record is a row, or a spilled record of a row. The row is removed with all of its spilled records. If the
    // clustering of a spilled record is empty, its row is the static row, or the row of a table without clustering
    // columns. Then the keys of both rows are removed.
    for (const RecordKind row : {RecordKind::kStatic, RecordKind::kRow}) {
      if (kind != RecordKind::kSpill && row != kind) continue;
      if (row == RecordKind::kStatic && !clustering.empty()) continue;
      Bytes row_key(prefix);
      AppendKind(row, row_key);
      WR_RETURN_IF_ERROR(Delete(txn, row_key + clustering));
    }
    Bytes spills(prefix);
    AppendKind(RecordKind::kSpill, spills);
    AppendDelimited(clustering, spills);
    return DeleteUnder(txn, spills);
  }

  Status Delete(lmdb::WriteTxn& txn, const Bytes& key) {
    const lmdb::Rc rc = DeleteLong(txn, key);
    out_.removed += rc.ok() ? 1 : 0;
    if (rc.ok() && !partial_) lost_.Add(key);
    return CheckRc(rc, "removing a record");
  }
  Status DeleteUnder(lmdb::WriteTxn& txn, const Bytes& prefix) {
    std::vector<Bytes> keys;
    {
      WR_ASSIGN_OR_RETURN(lmdb::Cursor opened, lmdb::Cursor::Open(txn.ref(), lmdb::Db::kData));
      LongKeyCursor cursor(std::move(opened));
      lmdb::Rc rc = cursor.SeekAtOrAfter(prefix);
      for (; rc.ok() && cursor.key().starts_with(prefix); rc = cursor.Next()) keys.emplace_back(cursor.key());
    }
    for (const Bytes& key : keys) WR_RETURN_IF_ERROR(Delete(txn, key));
    return OkStatus();
  }
  Status Raw(lmdb::WriteTxn& txn, ByteView key) {
    const lmdb::Rc rc = txn.Delete(lmdb::Db::kData, key);
    out_.removed += rc.ok() ? 1 : 0;
    return CheckRc(rc, "removing a record");
  }
  Status RawUnder(lmdb::WriteTxn& txn, ByteView prefix) {
    std::vector<Bytes> keys;
    {
      WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn.ref(), lmdb::Db::kData));
      ByteView key, value;
      lmdb::Rc rc = cursor.SeekAtOrAfter(prefix, key, value);
      for (; rc.ok() && key.starts_with(prefix); rc = cursor.Next(key, value)) keys.emplace_back(key);
    }
    for (const Bytes& key : keys) WR_RETURN_IF_ERROR(Raw(txn, key));
    return OkStatus();
  }

  // Called if the record of the last fold is lost, so that it is unknown which groups are in the data file. Returns the
  // smallest sequence number after which the log can be replayed to its end. Replaying a group again changes nothing.
  static uint64_t FirstWholePlace(const LogDirectory& inspected, const std::vector<LogSegmentPtr>& segments) {
    std::set<uint64_t> places{0};
    for (const LogSegmentPtr& segment : segments) {
      Bytes bytes;
      if (segment->file->Read(log_format::kRecordsOffset, log_format::kRecordHeaderBytes, bytes)) continue;
      if (bytes.size() < log_format::kRecordHeaderBytes) continue;
      const auto first = log_format::DecodeRecordHeader(bytes.data(), segment->salt);
      if (first) places.insert(first->previous_sequence);
    }
    for (const uint64_t place : places) {
      const auto skip = [](const LogGroup&) { return OkStatus(); };
      if (RecoverLog(inspected, segments, place, skip).ok()) return place;
    }
    return 0;
  }

  // Replays the readable part of the log. The new directory gets a new log.
  Status FeedLog(const LogReplay& replay) {
    const LogDirectory inspected{
        .path = from_ / lmdb::kLogDirectoryName, .files = &PosixLogFiles(), .inspects = true, .log = {}};
    const Result<std::vector<LogSegmentPtr>> segments = OpenSegments(inspected);
    if (!segments.ok()) {
      out_.notes.push_back("the commit log was not replayed: " + segments.error().message);
      return OkStatus();
    }
    const uint64_t after = knows_folded_ || whole_catalog_ ? folded_through_ : FirstWholePlace(inspected, *segments);
    const Result<RecoveredLog> found = RecoverLog(inspected, *segments, after, [&](const LogGroup& group) {
      ++out_.groups;
      partial_->Note(group);
      return replay(group);
    });
    if (!found.ok()) out_.notes.push_back("a part of the commit log is lost: " + found.error().message);
    return OkStatus();
  }

  Status Finish() {
    std::optional<Error> closing;
    StorageOptions storage;
    storage.directory = to_;
    storage.background_sweep = false;
    storage.closing_failed = [&](const Error& error) {
      if (!closing) closing = error;
    };
    {
      WR_ASSIGN_OR_RETURN(
          const std::unique_ptr<LmdbEngine> engine,
          LmdbEngine::Open(std::move(storage), [&](const LogReplay& replay) { return FeedLog(replay); }));
      out_.partial_rows = partial_->Rows(*engine->LoadedSchema());
      out_.lost_ranges = partial_->Ranges(*engine->LoadedSchema());
      WR_RETURN_IF_ERROR(engine->CommitSchema(WithoutDerived(*engine)));
      WR_RETURN_IF_ERROR(engine->Flush());
    }
    return closing ? Status(*closing) : OkStatus();
  }

  // Returns the schema in which all indexes and views are empty and not built. Leaves out the views whose base table is
  // lost.
  SchemaPtr WithoutDerived(LmdbEngine& engine) {
    auto schema = std::make_shared<SchemaSnapshot>(*engine.LoadedSchema());
    schema->version = Uuid::Random();
    for (auto& [name, keyspace] : schema->keyspaces) {
      auto changed = std::make_shared<KeyspaceSchema>(*keyspace);
      std::erase_if(changed->tables, [&](const auto& entry) {
        const TableSchema& view = *entry.second;
        if (view.view == nullptr || keyspace->tables.contains(view.view->base_table)) return false;
        out_.notes.push_back(StrCat("the view ", name, ".", view.name, " is lost, because its table is"));
        return true;
      });
      for (auto& [table_name, table] : changed->tables) {
        if (table->view == nullptr && table->indexes.empty()) continue;
        auto emptied = std::make_shared<TableSchema>(*table);
        if (table->view != nullptr) {
          auto view = std::make_shared<ViewSchema>(*table->view);
          view->built = false;
          emptied->view = std::move(view);
          emptied->storage_id = engine.NewStorageId();
        }
        for (IndexSchema& index : emptied->indexes) {
          auto entries = std::make_shared<TableSchema>(*index.entries);
          entries->storage_id = engine.NewStorageId();
          index.entries = std::move(entries);
          index.built = false;
        }
        table = std::move(emptied);
      }
      keyspace = std::move(changed);
    }
    return schema;
  }

  const fs::path& from_;
  const fs::path& to_;
  const CheckProgress& progress_;
  SalvageReport out_;
  std::unique_ptr<lmdb::RecordFile> file_;
  std::set<std::string, std::less<>> keyspaces_;
  LostKeys lost_;
  std::optional<PartialRows> partial_;  // Set when lost_ is complete.
  uint64_t last_child_ = 0, folded_through_ = 0;
  bool knows_children_ = false, knows_version_ = false, knows_folded_ = false, knows_newest_ = false;
  bool whole_catalog_ = true;
};

}  // namespace

Result<SalvageReport> SalvageDirectory(const fs::path& from, const fs::path& to, const CheckProgress& progress,
                                       const std::function<std::string(const SalvageReport&)>& describe) {
  // A shared lock of widerow.lock keeps servers away, as in ReadOnlyStore.
  const int lock = open((from / "widerow.lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0) {
    close(lock);
    return ConfigError("The data directory '" + from.string() + "' is in use; stop the server before the salvage");
  }
  const Result<bool> head = lmdb::InspectDataFile(from, false);
  Result<SalvageReport> report =
      head.ok() ? Salvage(from, to, progress).Run(describe) : Result<SalvageReport>(head.error());
  if (lock >= 0) close(lock);
  return report;
}

}  // namespace widerow
