// Some() begins a pass if there is none (Begin), does one step of it (Step), and returns how long to rest. If the base
// table changes, the pass is given up. The mark stays, so another pass follows.
#include "exec/derived/stale_sweep.h"

namespace widerow {
namespace {

// After a step, the thread rests for this many times the duration of the step. After a pass, it rests for this many
// times the duration of the pass.
constexpr int kRestPerStep = 3;
// The rest between two passes is at most this long.
constexpr auto kRestMax = std::chrono::minutes(10);

TablePtr FindBase(const SchemaSnapshot& schema, StorageId id) {
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (table->storage_id == id && table->has_derived()) return table;
    }
  }
  return nullptr;
}

}  // namespace

Result<bool> StaleSweep::Begin() {
  // The marks are read before the schema, and both before the first snapshot: ClearStaleMark requires a mark that is
  // older than the snapshots.
  for (const auto& [table, mark] : storage_.StaleMarks()) {
    const SchemaPtr schema = schema_();
    const TablePtr base = FindBase(*schema, table);
    if (base == nullptr) {
      WR_RETURN_IF_ERROR(storage_.ClearStaleMark(table, mark));
      continue;
    }
    std::vector<DerivationPtr> derivations = DerivationsOf(base, *schema);
    if (!std::all_of(derivations.begin(), derivations.end(), [](const auto& one) { return one->built(); })) continue;
    pass_ = {.table = table,
             .mark = mark,
             .base = base,
             .derivations = std::move(derivations),
             .entries = nullptr,
             .begun = Clock::now()};
    return true;
  }
  return false;
}

Status StaleSweep::Step() {
  Pass& pass = *pass_;
  if (pass.next == pass.derivations.size()) {
    WR_RETURN_IF_ERROR(storage_.ClearStaleMark(pass.table, pass.mark));
    const Clock::time_point now = Clock::now();
    rest_until_ = now + std::min<Clock::duration>(kRestMax, kRestPerStep * (now - pass.begun));
    pass_.reset();
    return OkStatus();
  }
  const DerivationPtr& derivation = pass.derivations[pass.next];
  WR_ASSIGN_OR_RETURN(const bool so, still_so_(pass.base, *derivation));
  if (!so || FindBase(*schema_(), pass.table) != pass.base) {
    pass_.reset();
    return OkStatus();
  }
  if (pass.entries == nullptr) {
    pass.entries = std::make_unique<StaleEntries>(storage_, pass.base, derivation, StaleEntries::Of::kAnyRows);
  }
  WR_ASSIGN_OR_RETURN(const bool last, pass.entries->RemoveSome([&] { return still_so_(pass.base, *derivation); }));
  if (last) {
    pass.entries = nullptr;
    ++pass.next;
  }
  return OkStatus();
}

Result<std::optional<StaleSweep::Clock::duration>> StaleSweep::Some() {
  const Clock::time_point begun = Clock::now();
  if (!pass_) {
    WR_ASSIGN_OR_RETURN(const bool any, Begin());
    if (!any) return std::optional<Clock::duration>();
    if (begun < rest_until_) {
      // After the rest, the pass begins anew and reads the marks again. So it also covers the deletions during the
      // rest.
      pass_.reset();
      return std::optional<Clock::duration>(rest_until_ - begun);
    }
  }
  WR_RETURN_IF_ERROR(Step());
  return std::optional<Clock::duration>(kRestPerStep * (Clock::now() - begun));
}

}  // namespace widerow
