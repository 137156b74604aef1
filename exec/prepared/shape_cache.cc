#include "exec/prepared/shape_cache.h"

#include "base/limits.h"
#include "planner/statement/plan_template.h"

namespace widerow {
namespace {

constexpr size_t kEntriesMax = 1'000;
constexpr size_t kKeyBytesMax = 8'192;

std::string KeyOf(StatementShape& shape, std::string_view keyspace) {
  std::string key = std::move(shape.key);
  key.push_back('\0');
  key.append(keyspace);
  return key;
}

}  // namespace

ShapeCache::Found ShapeCache::Find(std::string_view text, std::string_view keyspace) {
  if (text.size() > limits::kStatementBytesMax) return {};
  StatementShape shape = ShapeOf(text);
  Entry entry = Lookup(KeyOf(shape, keyspace));
  if (entry.each_text) {
    StatementShape alone = ShapeOfTextAlone(text);
    return {.statement = Lookup(KeyOf(alone, keyspace)).statement};
  }
  Found found{.statement = std::move(entry.statement), .is_template = !shape.constants.empty()};
  if (found.statement == nullptr || !found.is_template) return found;
  found.constants.reserve(shape.constants.size());
  for (size_t i = 0; i < shape.constants.size(); ++i) {
    Value value = ConstantFor(*found.statement->plan, i, shape.constants[i], text);
    if (!value) return {};
    found.constants.push_back({BoundValue::Kind::kValue, std::move(*value)});
  }
  return found;
}

void ShapeCache::Insert(const PreparedPtr& planned) {
  const Plan& plan = *planned->plan;
  const bool kept = std::holds_alternative<ModifyPlan>(plan.node) || std::holds_alternative<SelectPlan>(plan.node);
  if (!kept) return;
  StatementShape shape = ShapeOf(planned->text);
  if (!shape.constants.empty()) {
    std::optional<Plan> made = MakePlanTemplate(plan, shape, planned->text);
    Entry entry{.key = KeyOf(shape, planned->keyspace), .statement = nullptr, .each_text = !made};
    if (made) {
      auto statement = std::make_shared<PreparedStatement>(*planned);
      statement->text.clear();
      statement->SetPlan(std::move(*made));
      statement->constants_in_text = true;
      entry.statement = std::move(statement);
    }
    Put(std::move(entry));
    if (made) return;
    shape = ShapeOfTextAlone(planned->text);
  }
  Put({.key = KeyOf(shape, planned->keyspace), .statement = planned});
}

ShapeCache::Entry ShapeCache::Lookup(const std::string& key) {
  MutexLock lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return {};
  entries_.splice(entries_.begin(), entries_, found->second);
  const Entry& entry = *found->second;
  return {.key = {}, .statement = entry.statement, .each_text = entry.each_text};
}

void ShapeCache::Put(Entry entry) {
  if (entry.key.size() > kKeyBytesMax) return;
  entry.bytes = sizeof entry + entry.key.size() + (entry.statement != nullptr ? entry.statement->HeldBytes() : 0);
  if (entry.bytes > kEntryBytesMax) return;
  // Entries that are replaced or dropped are destroyed after the lock is released: a plan may be large.
  Entries dropped;
  MutexLock lock(mutex_);
  if (const auto found = by_key_.find(entry.key); found != by_key_.end()) {
    const auto replaced = found->second;
    by_key_.erase(found);
    bytes_ -= replaced->bytes;
    dropped.splice(dropped.begin(), entries_, replaced);
  }
  bytes_ += entry.bytes;
  entries_.push_front(std::move(entry));
  by_key_.emplace(entries_.front().key, entries_.begin());
  while (entries_.size() > kEntriesMax || bytes_ > kBytesMax) {
    by_key_.erase(entries_.back().key);
    bytes_ -= entries_.back().bytes;
    dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
  }
}

}  // namespace widerow
