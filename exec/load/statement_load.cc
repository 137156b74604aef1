// RecordOf computes a key from the shape of a statement (its normalized text) and finds or makes the record. by_key_
// finds records by their keys; records_ keeps them in the order of planning. Executions are counted in stripes, to
// avoid contention. TakeOne chooses a record to drop when there are kRecordsMax.

#include "exec/load/statement_load.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "parser/statement_shape.h"
#include "planner/plan_bytes.h"

namespace widerow {
namespace {

// True for statements over stored tables. Other tables have storage id 0 (exec/virtual/virtual_tables.h) and are not
// recorded.
bool IsRecorded(const Plan& plan) {
  const bool kind = std::holds_alternative<SelectPlan>(plan.node) || std::holds_alternative<ModifyPlan>(plan.node) ||
                    std::holds_alternative<BatchPlan>(plan.node);
  return kind && !plan.tables.empty() && plan.tables[0]->storage_id != 0;
}

// Returns the text of a statement's shape. Batches have different numbers of statements, so all batches with the same
// first table are one shape.
std::string TextOf(std::string_view text, const Plan& plan) {
  if (!std::holds_alternative<BatchPlan>(plan.node)) return NormalizedText(text);
  return "BEGIN BATCH … APPLY BATCH: " + plan.tables[0]->keyspace + "." + plan.tables[0]->name;
}

std::string IdOf(std::string_view key) {
  static constexpr char kDigits[] = "0123456789abcdef";
  uint64_t hash = XXH3_64bits(key.data(), key.size());
  std::string id(16, '0');
  for (size_t i = id.size(); i-- > 0; hash >>= 4) id[i] = kDigits[hash & 15];
  return id;
}

void Raise(std::atomic<uint64_t>& greatest, uint64_t value) {
  uint64_t before = greatest.load(std::memory_order_relaxed);
  while (before < value && !greatest.compare_exchange_weak(before, value, std::memory_order_relaxed)) {}
}

}  // namespace

std::string NormalizedText(std::string_view text) {
  const StatementShape shape = ShapeOf(text);
  std::string out;
  size_t at = 0;
  bool in_quotes = false;
  const auto copy_until = [&](size_t end) {
    for (; at < end; ++at) {
      const char c = text[at];
      if (c == '"' || c == '\'') in_quotes = !in_quotes;
      const bool blank = !in_quotes && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
      if (!blank) {
        out.push_back(c);
      } else if (!out.empty() && out.back() != ' ') {
        out.push_back(' ');
      }
    }
  };
  for (const TextConstant& constant : shape.constants) {
    copy_until(constant.range.begin);
    out.push_back('?');
    at = constant.range.end;
  }
  copy_until(text.size());
  while (!out.empty() && (out.back() == ' ' || out.back() == ';')) out.pop_back();
  return out;
}

void StatementRecord::Add(const StatementRun& run, uint32_t stands_for, int64_t now_seconds) {
  const auto add = [&](std::atomic<uint64_t>& sum, uint64_t number) {
    if (number != 0) sum.fetch_add(number * stands_for, std::memory_order_relaxed);
  };
  add(rows_examined_, run.rows_examined);
  add(rows_returned_, run.rows_returned);
  add(rows_written_, run.rows_written);
  add(bytes_, run.bytes);
  add(micros_, run.micros);
  Raise(micros_max_, run.micros);
  int64_t never = 0;
  first_seconds_.compare_exchange_strong(never, now_seconds, std::memory_order_relaxed);
  last_seconds_.store(now_seconds, std::memory_order_relaxed);
}

uint64_t StatementRecord::executions() const {
  uint64_t sum = 0;
  for (const Stripe& stripe : stripes_) sum += stripe.executions.load(std::memory_order_relaxed);
  return sum;
}

StatementRecordPtr StatementLoad::RecordOf(std::string_view text, const std::shared_ptr<const Plan>& plan) {
  if (!IsRecorded(*plan)) return nullptr;
  std::string normalized = TextOf(text, *plan);
  const TableSchema& table = *plan->tables[0];
  std::string key = table.keyspace + '\0' + table.name + '\0' + normalized;
  const size_t bytes =
      sizeof(StatementRecord) + key.size() + std::min(normalized.size(), kTextBytesMax) + PlanBytes(*plan);
  if (bytes > kRecordBytesMax) return nullptr;
  // Plans that are replaced or dropped are destroyed after the locks are released, because a plan may be large.
  std::shared_ptr<const Plan> kept = plan;
  std::vector<StatementRecordPtr> dropped;
  MutexLock lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    records_.splice(records_.begin(), records_, found->second);
    const StatementRecordPtr record = records_.front();
    bytes_ += bytes - std::exchange(record->bytes_held_, bytes);
    {
      MutexLock plan_lock(record->mutex_);
      record->plan_.swap(kept);
    }
    DropSome(dropped);
    return record;
  }
  auto record = std::make_shared<StatementRecord>();
  record->id_ = IdOf(key);
  record->key_ = std::move(key);
  if (normalized.size() > kTextBytesMax) {
    size_t end = kTextBytesMax;
    while (end > 0 && (static_cast<uint8_t>(normalized[end]) & 0xC0) == 0x80) --end;  // Cuts between characters.
    normalized.replace(end, std::string::npos, "…");
  }
  record->text_ = std::move(normalized);
  record->keyspace_ = table.keyspace;
  record->table_ = table.name;
  {
    MutexLock plan_lock(record->mutex_);
    record->plan_ = std::move(kept);
  }
  record->bytes_held_ = bytes;
  bytes_ += bytes;
  records_.push_front(record);
  by_key_.emplace(record->key_, records_.begin());
  DropSome(dropped);
  return record;
}

void StatementLoad::DropSome(std::vector<StatementRecordPtr>& dropped) {
  while (records_.size() > kRecordsMax || bytes_ > kBytesMax) dropped.push_back(TakeOne());
}

// Removes the record that was planned longest ago and returns it, but skips each record that has been run since it was
// last checked: a statement prepared once and run for days must outlive texts that are run once.
StatementRecordPtr StatementLoad::TakeOne() {
  for (size_t tries = 0; tries < kRecordsMax; ++tries) {
    StatementRecord& last = *records_.back();
    const uint64_t executions = last.executions();
    if (executions == std::exchange(last.executions_seen_, executions)) break;
    records_.splice(std::next(records_.begin()), records_, std::prev(records_.end()));
  }
  StatementRecordPtr taken = std::move(records_.back());
  by_key_.erase(taken->key_);
  bytes_ -= taken->bytes_held_;
  records_.pop_back();
  return taken;
}

std::vector<StatementFacts> StatementLoad::List() const {
  std::vector<StatementFacts> out;
  MutexLock lock(mutex_);
  for (const StatementRecordPtr& record : records_) {
    const uint64_t executions = record->executions();
    if (executions == 0) continue;
    StatementFacts facts{.id = record->id_,
                         .text = record->text_,
                         .keyspace = record->keyspace_,
                         .table = record->table_,
                         .plan = nullptr,
                         .executions = executions,
                         .rows_examined = record->rows_examined_,
                         .rows_returned = record->rows_returned_,
                         .rows_written = record->rows_written_,
                         .bytes = record->bytes_,
                         .micros = record->micros_,
                         .micros_max = record->micros_max_,
                         .first_seconds = record->first_seconds_,
                         .last_seconds = record->last_seconds_};
    MutexLock plan_lock(record->mutex_);
    facts.plan = record->plan_;
    out.push_back(std::move(facts));
  }
  return out;
}

}  // namespace widerow
