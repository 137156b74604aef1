// The thread (Loop) wakes up after schema changes. BuildWhatIsDue finds one index or view that is not built (FindWork)
// and builds it; a failed build goes to set_aside_ with a growing delay. BuildSlice submits a write with a decide step
// that reads kSliceRows base rows and writes what follows from them. When nothing is left to build, RemoveStale deletes
// the derived rows of truncated or dropped partitions (stale_entries.h), and Sweep deletes the derived rows that large
// deletions have left (stale_sweep.h).

#include "exec/derived/derived_builder.h"

#include <map>
#include <utility>

#include "exec/derived/maintenance.h"
#include "exec/derived/stale_entries.h"
#include "exec/derived/unique_check.h"

namespace widerow {
namespace {

// The number of base rows in a slice. A slice takes some tenths of a millisecond on the writer's thread.
constexpr size_t kSliceRows = 256;
constexpr std::chrono::milliseconds kFirstDelay(1'000), kLongestDelay(60'000);

// For each base table (by its id): the extents for which all stale rows have been removed. An extent is a range of keys
// with a storage id of its own; TRUNCATE and DROP PARTITION change the extents of a table.
using Cleaned = std::map<Uuid, std::vector<Extent>>;

bool MayHaveStale(const TableSchema& table, const Cleaned& cleaned) {
  if (!table.has_derived() || table.partitioning.extents.empty()) return false;
  const auto known = cleaned.find(table.id);
  return known == cleaned.end() || known->second != table.partitioning.extents;
}

// Returns a base table that may have stale derived rows; null if there is none.
TablePtr FindStale(const SchemaSnapshot& schema, const Cleaned& cleaned) {
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (MayHaveStale(*table, cleaned)) return table;
    }
  }
  return nullptr;
}

// Removes stale rows until there are none, or `stop` returns true. After a restart `cleaned` is empty, so an
// interrupted removal starts again.
Status RemoveStale(StorageEngine& storage, const std::function<SchemaPtr()>& newest,
                   const DerivedBuilder::Publish& publish, const std::function<bool()>& stop, Cleaned& cleaned) {
  while (true) {
    const SchemaPtr schema = newest();
    const TablePtr base = FindStale(*schema, cleaned);
    if (base == nullptr) return OkStatus();
    bool so = true;
    for (const DerivationPtr& derivation : DerivationsOf(base, *schema)) {
      // A derived table that is being built gets rows of the present partitions only, so it has no stale rows.
      if (!derivation->built()) continue;
      // This derived table is built already, so `publish` changes nothing. The call is made because it waits for schema
      // changes in progress, and returns false if the partitions are no longer those of `base`.
      const auto still_so = [&]() -> Result<bool> {
        WR_ASSIGN_OR_RETURN(so, publish(base, *derivation));
        return so;
      };
      StaleEntries entries(storage, base, derivation, StaleEntries::Of::kLostPartitions);
      for (bool last = false; !last;) {
        if (stop()) return OkStatus();
        WR_ASSIGN_OR_RETURN(last, entries.RemoveSome(still_so));
      }
    }
    if (so) cleaned[base->id] = base->partitioning.extents;
  }
}

}  // namespace

DerivedBuilder::DerivedBuilder(StorageEngine& storage, std::function<SchemaPtr()> schema, Publish publish, Drop drop,
                               LogFunction log)
    : storage_(storage),
      schema_(std::move(schema)),
      publish_(std::move(publish)),
      drop_(std::move(drop)),
      log_(std::move(log)),
      stale_sweep_(storage_, schema_, publish_) {}

DerivedBuilder::~DerivedBuilder() {
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.NotifyAll();
}

std::optional<DerivedBuilder::Work> DerivedBuilder::FindWork(bool due) const {
  const SchemaPtr schema = schema_();
  const auto now = std::chrono::steady_clock::now();
  const auto rests = [&](const TableDerivation& derivation) {
    const auto found = set_aside_.find(derivation.table()->id);
    return found != set_aside_.end() && now < found->second.until;
  };
  for (const auto& [name, keyspace] : schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (!table->has_derived()) continue;
      for (DerivationPtr& derivation : DerivationsOf(table, *schema)) {
        if (!derivation->built() && !(due && rests(*derivation))) return Work{table, std::move(derivation)};
      }
    }
  }
  return std::nullopt;
}

void DerivedBuilder::Look() {
  if (!FindWork(false) && FindStale(*schema_(), {}) == nullptr && storage_.StaleMarks().empty()) return;
  MutexLock lock(mutex_);
  ++looks_;
  Wake();
}

void DerivedBuilder::StaleRowsLeft() {
  MutexLock lock(mutex_);
  stale_rows_left_ = true;
  Wake();
}

void DerivedBuilder::Wake() {
  wake_.NotifyAll();
  if (started_ || stopping_) return;
  started_ = true;
  thread_ = std::jthread([this] { Loop(); });
}

void DerivedBuilder::WaitUntilBuilt(std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  MutexLock lock(mutex_);
  const uint64_t wanted = looks_;
  while (finished_ < wanted) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    idle_.WaitFor(mutex_, left.count());
  }
}

std::optional<Error> DerivedBuilder::TakeRefusal(const TableSchema& entries) {
  MutexLock lock(mutex_);
  const auto refusal = refusals_.extract(entries.id);
  return refusal.empty() ? std::nullopt : std::optional(refusal.mapped());
}

std::string DerivedBuilder::ErrorOf(const TableSchema& derived) const {
  MutexLock lock(mutex_);
  const auto found = errors_.find(derived.id);
  return found == errors_.end() ? std::string() : found->second;
}

bool DerivedBuilder::Stopping() {
  MutexLock lock(mutex_);
  return stopping_;
}

std::chrono::milliseconds DerivedBuilder::UntilNextDue() const {
  auto next = kLongestDelay;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& [table, aside] : set_aside_) {
    next = std::min(next, std::chrono::ceil<std::chrono::milliseconds>(aside.until - now));
  }
  return std::max(next, std::chrono::milliseconds(0));
}

bool DerivedBuilder::BuildWhatIsDue() {
  while (true) {
    const auto now = std::chrono::steady_clock::now();
    const std::optional<Work> work = FindWork(true);
    if (Stopping()) return false;
    if (!work) {
      // FindWork found nothing to build. A derived table whose build failed was set aside for a time. If this time is
      // over and the table is still set aside, the table does not exist any more.
      std::erase_if(set_aside_, [&](const auto& aside) { return aside.second.until <= now; });
      MutexLock lock(mutex_);
      std::erase_if(errors_, [&](const auto& error) { return !set_aside_.contains(error.first); });
      return true;
    }
    BuildOrSetAside(*work);
  }
}

void DerivedBuilder::Loop() {
  Cleaned cleaned;
  bool again = false;  // True: removing stale rows has failed and must be tried again.
  while (true) {
    uint64_t looked = 0;
    {
      MutexLock lock(mutex_);
      while (!stopping_ && !again && finished_ == looks_ && !stale_rows_left_) {
        const std::chrono::milliseconds wait = UntilNextDue();
        if (wait.count() == 0) break;
        wake_.WaitFor(mutex_, wait.count());
      }
      if (stopping_) return;
      looked = looks_;
    }
    if (!BuildWhatIsDue()) return;
    {
      MutexLock lock(mutex_);
      finished_ = looked;
      idle_.NotifyAll();
    }
    const auto stop = [&] {
      MutexLock lock(mutex_);
      // Removal stops when a build may be due: callers wait for builds, but not for removal.
      return stopping_ || looks_ != looked;
    };
    again = !RemoveStale(storage_, schema_, publish_, stop, cleaned).ok();
    if (!again) Sweep(stop);
    MutexLock lock(mutex_);
    if (again && !stopping_) wake_.WaitFor(mutex_, kFirstDelay.count());
  }
}

void DerivedBuilder::Sweep(const std::function<bool()>& stop) {
  while (!stop() && UntilNextDue().count() > 0) {
    {
      MutexLock lock(mutex_);
      stale_rows_left_ = false;
    }
    const Result<std::optional<StaleSweep::Clock::duration>> rest = stale_sweep_.Some();
    if (rest.ok() && !rest->has_value()) return;
    const auto until = StaleSweep::Clock::now() + (rest.ok() ? **rest : kFirstDelay);
    MutexLock lock(mutex_);
    stale_rows_left_ = true;
    const uint64_t looked = looks_;
    while (!stopping_ && looks_ == looked) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - StaleSweep::Clock::now());
      if (left.count() <= 0) break;
      wake_.WaitFor(mutex_, left.count());
    }
  }
}

std::string DerivedBuilder::NameOf(const Work& work) const {
  const bool is_view = work.derivation->table()->view != nullptr;
  return (is_view ? "materialized view " : "index ") + work.base->keyspace + "." + work.derivation->name();
}

void DerivedBuilder::BuildOrSetAside(const Work& work) {
  const Uuid id = work.derivation->table()->id;
  const auto known = set_aside_.find(id);
  // If a partition was emptied meanwhile, the derived rows built so far are stale, and the build starts again.
  const bool goes_on = known != set_aside_.end() && HasSameRows(*known->second.base, *work.base);
  Progress progress = goes_on ? known->second.progress : Progress();
  const Status built = Build(work, progress);
  if (built.ok()) {
    if (progress.done && progress.left_out > 0 && log_) {
      log_({LogLevel::kWarning, "schema",
            NameOf(work) + ": " + std::to_string(progress.left_out) + " rows of " + work.base->name +
                " are not in it, as their keys would be longer than keys may be"});
    }
    set_aside_.erase(id);
    MutexLock lock(mutex_);
    errors_.erase(id);
    return;
  }
  const std::string& error = built.error().message;
  SetAside& aside = set_aside_[id];
  aside.base = work.base;
  aside.progress = std::move(progress);
  aside.delay = std::clamp(aside.delay * 2, kFirstDelay, kLongestDelay);
  aside.until = std::chrono::steady_clock::now() + aside.delay;
  {
    MutexLock lock(mutex_);
    if (std::exchange(errors_[id], error) == error) return;
  }
  if (log_) log_({LogLevel::kError, "schema", "building " + NameOf(work) + " failed, and is tried again: " + error});
}

Status DerivedBuilder::Build(const Work& work, Progress& progress) {
  // A bulk load that began before the derived table existed fails at its next slice. This empty write waits for the
  // slice that the load may be storing now, so that the build reads the rows of that slice.
  WR_RETURN_IF_ERROR(storage_.WriteNotes({}));
  while (!progress.done) {
    if (Stopping()) return OkStatus();
    WR_ASSIGN_OR_RETURN(Progress next, BuildSlice(work, progress));
    if (next.duplicate) return Refuse(work, *next.duplicate);
    progress = std::move(next);
  }
  WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool published, publish_(work.base, *work.derivation));
  return OkStatus();
}

Status DerivedBuilder::Refuse(const Work& work, const Error& duplicate) {
  WR_ASSIGN_OR_RETURN(const bool dropped, drop_(work.base, *work.derivation));
  if (!dropped) return OkStatus();
  if (log_) log_({LogLevel::kWarning, "schema", NameOf(work) + " is dropped, because two rows have the same value"});
  // Most refusals are taken by the statement that waits for the build. The other refusals must not use memory forever.
  constexpr size_t kRefusalsMax = 64;
  MutexLock lock(mutex_);
  if (refusals_.size() >= kRefusalsMax) refusals_.clear();
  refusals_.insert_or_assign(work.derivation->table()->id, duplicate);
  return OkStatus();
}

Result<DerivedBuilder::Progress> DerivedBuilder::BuildSlice(const Work& work, const Progress& from) {
  Progress end;
  const auto decide = [&](ReadView& view) -> Result<Mutation> {
    Slice slice;
    slice.table = work.base;
    if (work.base->partitioning.by_token())
      slice.partitions = Slice::TokenRange{};
    else
      slice.partitions = Slice::KeyRange{};
    slice.want_statics = work.base->has_statics();
    slice.resume = from.at;
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view.OpenSlice(slice));
    end = {.done = true, .at = from.at, .left_out = from.left_out, .duplicate = {}};
    Mutation out;
    RowView row;
    const int64_t timestamp = storage_.NextTimestampMicros();
    UniqueCheck unique(storage_.clock().NowSeconds());
    for (size_t rows = 0; rows < kSliceRows; ++rows) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      end.done = !more;
      if (end.done) break;
      end.at = Slice::ResumePoint{.partition_key = Bytes(row.partition_key), .clustering = Bytes(row.clustering)};
      end.at->after_static = row.is_static;
      end.at->partition_done = !row.is_static && work.base->clustering_size == 0;
      row.ExpandUniform();
      const BaseRow base{*work.base, end.at->partition_key, row.is_static, end.at->clustering, &row};
      WR_ASSIGN_OR_RETURN(const DerivedRows keys, SortedKeysOf(*work.derivation, base));
      end.left_out += keys.left_out ? 1 : 0;
      AppendDerivedChanges(work.derivation->table(), {}, keys.rows, timestamp, 0, out);
      unique.Add(work.derivation, {work.base, Bytes(base.partition_key), base.is_static, Bytes(base.clustering)}, {},
                 keys.rows);
    }
    WR_ASSIGN_OR_RETURN(const std::optional<SharedValue> shared, unique.Find(view));
    if (!shared) return out;
    end.duplicate = DuplicateInBuild(*shared);
    return Mutation();
  };
  WR_RETURN_IF_ERROR(storage_.Apply(Write{.mutation = {}, .decide = decide}));
  return end;
}

}  // namespace widerow
