// A cache of plans for statements that clients send as text. `INSERT INTO t (k, v) VALUES (1, 'x')` is planned once;
// other texts of the same shape, which differ only in constants, use the plan with their own constants. If a plan does
// not fit all constants of its shape, each text of the shape has its own plan. A statement has the same result with the
// cache and without it (docs/internals/unprepared.md). The number of entries and their memory are bounded: the least
// recently used entry is removed first. Thread-safe.
#pragma once

#include <list>
#include <string>

#include "base/bytes_map.h"
#include "base/mutex.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

class ShapeCache {
 public:
  static constexpr size_t kBytesMax = 32u << 20;
  // A larger entry is not kept: it would leave too little for others.
  static constexpr size_t kEntryBytesMax = kBytesMax / 16;

  struct Found {
    PreparedPtr statement;  // Null: the text has to be planned.
    // True: `statement` has a marker for each of `constants`. False: `statement` was planned for this very text.
    bool is_template = false;
    std::vector<BoundValue> constants;
  };
  Found Find(std::string_view text, std::string_view keyspace) WR_EXCLUDES(mutex_);
  // Adds `planned`, which PlanText made.
  void Insert(const PreparedPtr& planned) WR_EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string key;
    PreparedPtr statement;
    bool each_text = false;  // True if each text of this shape has its own plan.
    size_t bytes = 0;
  };
  using Entries = std::list<Entry>;

  Entry Lookup(const std::string& key) WR_EXCLUDES(mutex_);
  void Put(Entry entry) WR_EXCLUDES(mutex_);

  Mutex mutex_;
  size_t bytes_ WR_GUARDED_BY(mutex_) = 0;  // Of all entries.
  Entries entries_ WR_GUARDED_BY(mutex_);   // Most recently used first.
  // The keys point into the entries.
  ByteViewMap<Entries::iterator> by_key_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
