// Plans of statements that came as text, for other texts of the same shape: `INSERT INTO t (k, v) VALUES (1, 'x')` is
// parsed and planned once, whatever the numbers and strings. What cannot differ in its constants alone is kept by its
// whole text. Nothing but time tells a caller which way a statement went: see docs/internals/unprepared.md. Bounded;
// the least recently used goes first. Thread-safe.
#pragma once

#include <list>
#include <string>
#include <unordered_map>

#include "base/mutex.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

class ShapeCache {
 public:
  struct Found {
    PreparedPtr statement;  // Null: the text has to be planned.
    // The values of the statement's markers are constants of the text, these. False: it was planned for this very text.
    bool is_template = false;
    std::vector<BoundValue> constants;
  };
  Found Find(std::string_view text, std::string_view keyspace) WR_EXCLUDES(mutex_);
  // `planned` is what PlanText made of its text.
  void Insert(const PreparedPtr& planned) WR_EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string key;
    PreparedPtr statement;
    bool each_text = false;  // Of this shape, texts are kept one by one.
  };
  using Entries = std::list<Entry>;

  Entry Lookup(const std::string& key) WR_EXCLUDES(mutex_);
  void Put(Entry entry) WR_EXCLUDES(mutex_);

  Mutex mutex_;
  Entries entries_ WR_GUARDED_BY(mutex_);  // Most recently used first.
  // The keys point into the entries.
  std::unordered_map<std::string_view, Entries::iterator> by_key_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
