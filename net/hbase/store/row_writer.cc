#include "net/hbase/store/row_writer.h"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "base/checksum.h"
#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/store/row_changes.h"
#include "net/hbase/store/row_reader.h"

namespace widerow::hbase {

namespace {

// After one in 64 puts into a family, the writer looks for old versions in the column of this put.
constexpr uint32_t kPutsPerTrim = 64;
// True if the writer looks for old versions after the put with this number. A hash chooses the numbers. With every 64th
// number, a client that puts into the same columns in turn would never reach some of the columns.
bool IsTurnToTrim(uint32_t put) {
  return Hash64({reinterpret_cast<const char*>(&put), sizeof put}) % kPutsPerTrim == 0;
}
// A column may keep this many versions more than a read can show. If it has more, the old ones are removed.
constexpr size_t kSpareVersions = 100;
// The most attempts for a write that depends on the row. An attempt fails if another client has changed the row
// meanwhile.
constexpr int kAttemptsMax = 100;

Result<const HFamily*> FamilyOf(const HTable& table, ByteView name) {
  const HFamily* family = table.Find(name);
  if (family != nullptr) return family;
  return MakeJavaError(kNoSuchFamily, StrCat("Column family ", name, " does not exist in table ", table.id.Text()));
}

Result<int64_t> LongOf(const Bytes& value) {
  if (value.size() == 8) return ReadBigEndian<int64_t>(value.data());
  return MakeJavaError(kDoNotRetry, StrCat("Field is not a long, it's ", value.size(), " bytes wide"));
}

Status CheckMutation(const Mutation& mutation) {
  if (mutation.row.empty() || mutation.row.size() > kRowBytesMax) {
    return MakeJavaError(kDoNotRetry, StrCat("java.lang.IllegalArgumentException: Row length ", mutation.row.size(),
                                             " is not from 1 to ", kRowBytesMax));
  }
  for (const Cell& cell : mutation.cells) {
    if (cell.timestamp < 0) return MakeJavaError(kDoNotRetry, "Timestamp cannot be negative");
  }
  return OkStatus();
}

Status CheckMutations(std::span<const Mutation> mutations) {
  for (const Mutation& mutation : mutations) {
    WR_RETURN_IF_ERROR(CheckMutation(mutation));
    if (mutation.row != mutations.front().row) {
      return MakeJavaError("org.apache.hadoop.hbase.regionserver.WrongRegionException",
                           "all mutations of an atomic request must be for one row");
    }
  }
  return OkStatus();
}

Status CheckFamilies(const HTable& table, std::span<const Mutation> mutations) {
  for (const Mutation& mutation : mutations) {
    for (const Cell& cell : mutation.cells) WR_RETURN_IF_ERROR(StatusOf(FamilyOf(table, cell.family)));
  }
  return OkStatus();
}

// Checks that the caller may write to the families. The engine checks each write too, but that is not enough, because a
// write that depends on the row may consist of a delete marker alone, or of nothing.
Status CheckPermissions(const Database& database, const HTable& table, std::span<const Mutation> mutations) {
  for (const Mutation& mutation : mutations) {
    for (const HFamily& family : table.families) {
      const bool written = mutation.cells.empty() ||
                           std::ranges::find(mutation.cells, family.name, &Cell::family) != mutation.cells.end();
      if (written) WR_RETURN_IF_ERROR(database.CheckPermission(*family.statements.insert));
    }
  }
  return OkStatus();
}

// True if the condition is met. `order` is the order of the condition's value and the stored value. As in HBase, a
// condition means "the condition's value OP the stored value", but a filter means "the stored value OP its value".
Result<bool> Matches(CompareOp op, int order) {
  switch (op) {
    case CompareOp::kLess: return order < 0;
    case CompareOp::kLessOrEqual: return order <= 0;
    case CompareOp::kEqual: return order == 0;
    case CompareOp::kNotEqual: return order != 0;
    case CompareOp::kGreaterOrEqual: return order >= 0;
    case CompareOp::kGreater: return order > 0;
    case CompareOp::kNoOp: break;
  }
  return MakeJavaError(kDoNotRetry, "Unknown Compare op NO_OP");
}

// Holds the locks of the rows of some puts, shared with other puts.
class SharedRowLocks {
 public:
  SharedRowLocks(RowLocks& locks, ByteView table, std::span<const Mutation> puts) {
    for (const Mutation& put : puts) locks_.push_back(&locks.Of(table, put.row));
    // All requests take their locks in the same order, so that two requests cannot wait for each other.
    std::ranges::sort(locks_);
    const auto repeated = std::ranges::unique(locks_);
    locks_.erase(repeated.begin(), repeated.end());
    for (RowLock* lock : locks_) lock->LockShared();
  }
  ~SharedRowLocks() {
    for (RowLock* lock : locks_) lock->UnlockShared();
  }
  SharedRowLocks(const SharedRowLocks&) = delete;
  SharedRowLocks& operator=(const SharedRowLocks&) = delete;

 private:
  std::vector<RowLock*> locks_;
};

}  // namespace

// The changes of one row in all families.
class RowWriter::Changes {
 public:
  Changes(Catalog& catalog, const Database& database, const HTable& table, const Bytes& row, int64_t now_ms,
          bool unseen)
      : catalog_(catalog), database_(database), table_(table), row_(row), now_ms_(now_ms), unseen_(unseen) {}

  // `newest`: the timestamp of the cell that the condition has seen.
  Status Add(const Mutation& mutation, int64_t newest, std::vector<Cell>& results);
  Result<std::vector<BatchEntry>> Writes() {
    std::vector<BatchEntry> entries;
    for (auto& [name, family] : families_) WR_RETURN_IF_ERROR(family.AppendWrites(entries));
    return entries;
  }

 private:
  Result<FamilyChanges*> Family(const Bytes& name) {
    if (const auto found = families_.find(name); found != families_.end()) return &found->second;
    WR_ASSIGN_OR_RETURN(const HFamily* family, FamilyOf(table_, name));
    return &families_.try_emplace(name, catalog_, database_, *family, row_, now_ms_, unseen_).first->second;
  }
  Status AddDelete(const Mutation& mutation);
  Status AddDelta(const Mutation& mutation, std::vector<Cell>& results);

  Catalog& catalog_;
  const Database& database_;
  const HTable& table_;
  const Bytes& row_;
  const int64_t now_ms_;
  const bool unseen_;
  std::map<Bytes, FamilyChanges> families_;
};

Status RowWriter::Changes::Add(const Mutation& mutation, int64_t newest, std::vector<Cell>& results) {
  switch (mutation.kind) {
    case MutationKind::kPut:
      for (Cell cell : mutation.cells) {
        WR_ASSIGN_OR_RETURN(FamilyChanges* const family, Family(cell.family));
        if (cell.timestamp == kLatestTimestamp) cell.timestamp = std::max(now_ms_, newest);
        WR_RETURN_IF_ERROR(family->Put(std::move(cell), mutation.ttl_ms));
      }
      return OkStatus();
    case MutationKind::kDelete: return AddDelete(mutation);
    case MutationKind::kIncrement:
    case MutationKind::kAppend: return AddDelta(mutation, results);
  }
  return OkStatus();
}

Status RowWriter::Changes::AddDelete(const Mutation& mutation) {
  std::map<std::pair<ByteView, ByteView>, int32_t> newest;  // Counts the deletes of the newest version in each column.
  for (const Cell& cell : mutation.cells) {
    WR_ASSIGN_OR_RETURN(FamilyChanges* const family, Family(cell.family));
    const bool of_newest = cell.type == CellType::kDelete && cell.timestamp == kLatestTimestamp;
    WR_RETURN_IF_ERROR(family->Delete(cell, of_newest ? ++newest[{cell.family, cell.qualifier}] : 0));
  }
  if (!mutation.cells.empty()) return OkStatus();
  // A Delete without cells deletes the row in all families.
  for (const HFamily& each : table_.families) {
    WR_ASSIGN_OR_RETURN(FamilyChanges* const family, Family(each.name));
    WR_RETURN_IF_ERROR(
        family->Delete({.family = each.name, .timestamp = mutation.timestamp, .type = CellType::kDeleteFamily}, 0));
  }
  return OkStatus();
}

Status RowWriter::Changes::AddDelta(const Mutation& mutation, std::vector<Cell>& results) {
  // Every amount or suffix is added to the value that the cell had before the request.
  struct Made {
    Cell cell;
    int64_t ttl_ms;
  };
  std::vector<Made> made;
  for (const Cell& delta : mutation.cells) {
    WR_ASSIGN_OR_RETURN(FamilyChanges* const family, Family(delta.family));
    WR_ASSIGN_OR_RETURN(const std::optional<Cell> now, family->Newest(delta.qualifier, mutation.time_range));
    Cell cell = delta;
    int64_t ttl_ms = mutation.ttl_ms;
    if (now && ttl_ms == 0) {
      // As in HBase, the new cell gets the TTL of the old cell, counted from the timestamp of the new cell.
      WR_ASSIGN_OR_RETURN(ttl_ms, family->LifeMs(*now));
    }
    if (now || cell.timestamp == kLatestTimestamp) {
      const int64_t timestamp = now ? std::max(now_ms_, now->timestamp + 1) : now_ms_;
      WR_ASSIGN_OR_RETURN(cell.timestamp, family->VisibleFrom(cell.qualifier, timestamp));
    }
    if (mutation.kind == MutationKind::kAppend) {
      cell.value = now ? now->value + delta.value : delta.value;
    } else {
      WR_ASSIGN_OR_RETURN(const int64_t amount, LongOf(delta.value));
      int64_t before = 0;
      if (now) { WR_ASSIGN_OR_RETURN(before, LongOf(now->value)); }
      cell.value.clear();
      AppendBigEndian(cell.value, static_cast<uint64_t>(before) + static_cast<uint64_t>(amount));
    }
    made.push_back({std::move(cell), ttl_ms});
  }
  std::ranges::stable_sort(made, [](const Made& a, const Made& b) {
    return std::tie(a.cell.family, a.cell.qualifier) < std::tie(b.cell.family, b.cell.qualifier);
  });
  for (auto& [cell, ttl_ms] : made) {
    WR_ASSIGN_OR_RETURN(FamilyChanges* const family, Family(cell.family));
    if (mutation.return_results) results.push_back(cell);
    WR_RETURN_IF_ERROR(family->Put(std::move(cell), ttl_ms));
  }
  return OkStatus();
}

Result<std::vector<Cell>> RowWriter::GetLocked(const Database& database, const HTable& table, const Bytes& row,
                                               ReadSpec& spec) const {
  WR_ASSIGN_OR_RETURN(std::vector<ReadFamily> families, FamiliesOf(table, spec));
  WR_ASSIGN_OR_RETURN(StoredRow stored, ReadStoredRow(database, families, row, spec.room, {.ran_long = spec.ran_long}));
  std::vector<Cell> cells;
  if (stored.empty()) return cells;
  RowMatcher matcher(std::move(families), spec);
  const RowVerdict verdict = matcher.Match(stored, database.NowMs(), cells);
  if (verdict == RowVerdict::kFilterTooSlow) return FilterTooSlow(spec);
  if (verdict != RowVerdict::kShown) cells.clear();
  return cells;
}

Result<std::vector<Cell>> RowWriter::Get(const Caller& caller, const HTable& table, const Bytes& row, ReadSpec& spec) {
  if (row.empty() || row.size() > kRowBytesMax) {
    return MakeJavaError(kDoNotRetry, "java.lang.IllegalArgumentException: Row length 0 is not from 1 to 32767");
  }
  const size_t statements = spec.families.empty() ? table.families.size() : spec.families.size();
  const Database database = catalog_.For(caller);
  if (statements <= 1) return GetLocked(database, table, row, spec);
  if (spec.ran_long != nullptr) {
    *spec.ran_long = true;
    return ServerError("a thread that others need cannot wait for a row's lock");
  }
  const std::unique_lock lock(locks_.Of(table.families[0].state->id, row));
  return GetLocked(database, table, row, spec);
}

Result<bool> RowWriter::Holds(const Database& database, const HTable& table, RowCondition& condition,
                              int64_t& newest) const {
  if (condition.filter) { WR_ASSIGN_OR_RETURN(condition.read.filter, condition.filter()); }
  WR_ASSIGN_OR_RETURN(const std::vector<Cell> cells, GetLocked(database, table, condition.row, condition.read));
  if (!cells.empty()) newest = cells.front().timestamp;
  if (condition.filter) return !cells.empty();
  const bool wants_null = condition.comparator == nullptr || condition.comparator->value().empty();
  const bool not_equal = condition.op == CompareOp::kNotEqual;
  if (cells.empty()) return wants_null && !not_equal;
  if (wants_null) return cells.front().value.empty() != not_equal;
  return Matches(condition.op, condition.comparator->Compare(cells.front().value));
}

Result<bool> RowWriter::PutMany(const Caller& caller, const HTable& table, std::span<const Mutation> puts) {
  const Database database = catalog_.For(caller);
  WR_ASSIGN_OR_RETURN(const bool done, PutLocked(database, table, puts));
  if (done) TrimVersions(database, table, puts);
  return done;
}

Result<bool> RowWriter::PutLocked(const Database& database, const HTable& table, std::span<const Mutation> puts) {
  const int64_t now_ms = database.NowMs();
  const SharedRowLocks locks(locks_, table.families[0].state->id, puts);
  std::map<std::pair<ByteView, ByteView>, FamilyChanges> rows;  // By row and family.
  for (const Mutation& put : puts) {
    WR_RETURN_IF_ERROR(CheckMutation(put));
    for (Cell cell : put.cells) {
      WR_ASSIGN_OR_RETURN(const HFamily* family, FamilyOf(table, cell.family));
      if (cell.timestamp == kLatestTimestamp) cell.timestamp = now_ms;
      if (cell.timestamp <= family->state->newest_marker) return false;
      const std::pair<ByteView, ByteView> key{put.row, family->name};
      auto& changes = rows.try_emplace(key, catalog_, database, *family, put.row, now_ms, true).first->second;
      WR_RETURN_IF_ERROR(changes.Put(std::move(cell), put.ttl_ms));
    }
  }
  std::vector<BatchEntry> entries;
  for (auto& [key, changes] : rows) WR_RETURN_IF_ERROR(changes.AppendWrites(entries));
  return database.Write(entries);
}

bool RowWriter::StartPut(const Caller& caller, const HTable& table, const Mutation& put,
                         std::function<void(Status)> done) {
  if (put.kind != MutationKind::kPut || put.cells.size() != 1 || !CheckMutation(put).ok()) return false;
  Cell cell = put.cells.front();
  const HFamily* const family = table.Find(cell.family);
  if (family == nullptr || IsTurnToTrim(family->state->puts + 1)) return false;
  const Database database = catalog_.For(caller);
  const int64_t now_ms = database.NowMs();
  if (cell.timestamp == kLatestTimestamp) cell.timestamp = now_ms;
  RowLock& lock = locks_.Of(table.families[0].state->id, put.row);
  if (!lock.TryLockShared()) return false;
  const auto start = [&] {
    if (cell.timestamp <= family->state->newest_marker) return false;
    FamilyChanges changes(catalog_, database, *family, put.row, now_ms, true);
    std::vector<BatchEntry> entries;
    if (!changes.Put(std::move(cell), put.ttl_ms).ok() || !changes.AppendWrites(entries).ok()) return false;
    return entries.size() == 1 && database.StartWrite(entries[0], [&lock, done = std::move(done)](Status status) {
      lock.UnlockShared();
      done(std::move(status));
    });
  };
  if (!start()) {
    lock.UnlockShared();
    return false;
  }
  ++family->state->puts;
  return true;
}

Result<WriteResult> RowWriter::Apply(const Caller& caller, const HTable& table, std::span<const Mutation> mutations,
                                     RowCondition* condition) {
  WriteResult result;
  if (mutations.empty() && condition == nullptr) return result;
  WR_RETURN_IF_ERROR(CheckMutations(mutations));
  const auto only = [&](MutationKind one, MutationKind other) {
    return condition == nullptr && std::ranges::all_of(mutations, [&](const Mutation& mutation) {
             return mutation.kind == one || mutation.kind == other;
           });
  };
  if (only(MutationKind::kPut, MutationKind::kPut)) {
    WR_ASSIGN_OR_RETURN(const bool done, PutMany(caller, table, mutations));
    if (done) return result;
  }
  const Bytes& row = condition != nullptr ? condition->row : mutations.front().row;
  if (condition != nullptr && !mutations.empty() && mutations.front().row != row) {
    return MakeJavaError(kDoNotRetry, "The row of the condition must be the row of the action");
  }
  WR_RETURN_IF_ERROR(CheckPermissions(catalog_.For(caller), table, mutations));
  // What an Increment, an Append or a conditional mutation writes depends on what it has read. So the transaction must
  // fail if somebody else changes the row in between.
  bool in_transaction = !only(MutationKind::kPut, MutationKind::kDelete);
  {
    const std::unique_lock lock(locks_.Of(table.families[0].state->id, row));
    for (int attempt = 1;; ++attempt) {
      std::unique_ptr<RowTransaction> transaction;
      if (in_transaction) { WR_ASSIGN_OR_RETURN(transaction, RowTransaction::Begin(catalog_.engine())); }
      const Database database(catalog_.engine(), caller, transaction.get());
      result = WriteResult();
      const Result<bool> done = Attempt(database, table, mutations, condition, result);
      if (transaction != nullptr && transaction->refused()) {
        in_transaction = false;
      } else if (!done.ok()) {
        return done.error();
      } else if (*done) {
        break;
      } else if (attempt >= kAttemptsMax) {
        return Error{.code = ErrorCode::kOverloaded,
                     .message = "other clients change the row all the time",
                     .hint = "try again later"};
      }
    }
  }
  if (result.processed) TrimVersions(catalog_.For(caller), table, mutations);
  return result;
}

Result<bool> RowWriter::Attempt(const Database& database, const HTable& table, std::span<const Mutation> mutations,
                                RowCondition* condition, WriteResult& result) {
  int64_t newest = 0;
  if (condition != nullptr) {
    WR_ASSIGN_OR_RETURN(result.processed, Holds(database, table, *condition, newest));
    if (!result.processed) return true;
  }
  WR_RETURN_IF_ERROR(CheckFamilies(table, mutations));
  const Bytes& row = condition != nullptr ? condition->row : mutations.front().row;
  Changes changes(catalog_, database, table, row, database.NowMs(),
                  std::ranges::none_of(mutations, IsDelta, &Mutation::kind));
  for (const Mutation& mutation : mutations) WR_RETURN_IF_ERROR(changes.Add(mutation, newest, result.cells));
  WR_ASSIGN_OR_RETURN(const std::vector<BatchEntry> entries, changes.Writes());
  return database.Write(entries);
}

void RowWriter::TrimVersions(const Database& database, const HTable& table, std::span<const Mutation> mutations) {
  for (const Mutation& mutation : mutations) {
    if (mutation.kind == MutationKind::kDelete) continue;
    for (const Cell& cell : mutation.cells) {
      const HFamily* family = table.Find(cell.family);
      if (family == nullptr || !IsTurnToTrim(++family->state->puts)) continue;
      // The cell is stored. If the old versions cannot be removed now, a later put tries again.
      if (!TrimColumn(database, *family, mutation.row, cell.qualifier).ok()) return;
    }
  }
}

Status RowWriter::TrimColumn(const Database& database, const HFamily& family, const Bytes& row,
                             const Bytes& qualifier) {
  const FamilyColumns columns{.family = family.name, .qualifiers = {qualifier}};
  WR_ASSIGN_OR_RETURN(const StoredRow stored,
                      ReadStoredRow(database, {ReadFamily{&family, &columns}}, row, nullptr, {.unseen = true}));
  const std::vector<Cell>& cells = stored.families[0];
  const auto kept = static_cast<size_t>(family.options.max_versions);
  if (cells.size() <= kept + kSpareVersions) return OkStatus();
  const BatchEntry entry{.statement = family.statements.delete_older,
                         .values = {BytesValue(row), BytesValue(qualifier), BigintValue(cells[kept - 1].timestamp)},
                         .names = {}};
  return StatusOf(database.Write({&entry, 1}));
}

}  // namespace widerow::hbase
