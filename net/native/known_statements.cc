#include "net/native/known_statements.h"

#include "exec/engine/engine.h"

namespace widerow {

KnownStatements::Known& KnownStatements::KnownOf(const PreparedStatement& statement) {
  // If too many statements are known, all entries are removed. The client may then have to prepare once more.
  if (known_.size() >= kStatementsMax) known_.clear();
  return known_[statement.id];
}

void KnownStatements::NotePrepared(const PreparedStatement& statement) {
  if (!statement.columns_changed && !statement.markers_changed) return;
  MutexLock lock(mutex_);
  KnownOf(statement).told = statement.description;
}

bool KnownStatements::MayRun(const PreparedStatement& statement, bool reads_described) {
  if (!statement.markers_changed && (!statement.columns_changed || reads_described)) [[likely]]
    return true;
  MutexLock lock(mutex_);
  Known& known = KnownOf(statement);
  if (known.told == statement.description) return true;
  const Clock::time_point now = Clock::now();
  if (known.refused != statement.description) {
    known.refused = statement.description;
    known.refused_at = now;
  }
  if (now - known.refused_at < kRefusalTime) return false;
  known.told = statement.description;
  return true;
}

}  // namespace widerow
