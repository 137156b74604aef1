#include "exec/load/load_recorder.h"

#include <algorithm>

#include "base/text.h"
#include "exec/heat/heat_key.h"

namespace widerow {
namespace {

uint64_t MicrosSince(LoadRecorder::SteadyClock::time_point begun) {
  const auto spent = LoadRecorder::SteadyClock::now() - begun;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
}

}  // namespace

void LoadRecorder::EndRead(StatementRecord& record, uint32_t stands_for, const ScanMeter& meter, uint64_t rows_returned,
                           uint64_t bytes) {
  const StatementRun run{.rows_examined = meter.touched().rows(),
                         .rows_returned = rows_returned,
                         .bytes = bytes,
                         .micros = MicrosSince(meter.begun())};
  times_.Add(StatementKind::kRead, run.micros, stands_for);
  heat_.RecordRead(meter.touched(), stands_for, run.micros);
  record.Add(run, stands_for, storage_.clock().NowSeconds());
}

void LoadRecorder::EndWrite(StatementRecord& record, uint32_t stands_for, SteadyClock::time_point begun,
                            const TouchedPartitions& touched, std::vector<std::string>& warnings) {
  const StatementRun run{.rows_written = touched.rows(), .bytes = touched.bytes(), .micros = MicrosSince(begun)};
  times_.Add(StatementKind::kWrite, run.micros, stands_for);
  heat_.RecordWriteTime(touched, stands_for, run.micros);
  GuardPartitions(touched, warnings);
  record.Add(run, stands_for, storage_.clock().NowSeconds());
}

uint32_t LoadRecorder::BeginBatch(const std::vector<StatementRecord*>& records) {
  bool any = false;
  for (StatementRecord* record : records) {
    if (record == nullptr) continue;
    record->Count();
    any = true;
  }
  return any ? writes_.Take() : 0;
}

void LoadRecorder::EndBatch(const std::vector<StatementRecord*>& records, uint32_t stands_for,
                            SteadyClock::time_point begun, const TouchedPartitions& touched,
                            std::vector<std::string>& warnings) {
  const uint64_t count = records.size(), micros = MicrosSince(begun);
  times_.Add(StatementKind::kBatch, micros, stands_for);
  heat_.RecordWriteTime(touched, stands_for, micros);
  GuardPartitions(touched, warnings);
  const auto share = [&](uint64_t whole) { return (whole + count - 1) / count; };
  const StatementRun run{
      .rows_written = share(touched.rows()), .bytes = share(touched.bytes()), .micros = share(micros)};
  for (StatementRecord* record : records) {
    if (record != nullptr) record->Add(run, stands_for, storage_.clock().NowSeconds());
  }
}

void LoadRecorder::GuardPartitions(const TouchedPartitions& touched, std::vector<std::string>& warnings) {
  constexpr int64_t kAskEverySeconds = 10;
  if (!guardrails_.on()) return;
  const int64_t now = storage_.clock().NowSeconds();
  GuardrailCheck check(guardrails_, warnings);
  GuardHot(touched, check);
  MutexLock lock(mutex_);
  for (const TouchedPartitions::One& one : touched.kept()) {
    LargePartitions& large = large_[one.table->storage_id];
    if (large.asked_seconds == 0 || now >= large.asked_seconds + kAskEverySeconds) {
      large = {.asked_seconds = now, .by_key = {}};
      for (PartitionSize& size : storage_.LargestPartitions(*one.table)) {
        if (!guardrails_.partition_bytes.Warns(size.bytes) && !guardrails_.partition_rows.Warns(size.rows)) continue;
        Bytes key = size.partition_key;
        large.by_key.emplace(std::move(key), std::move(size));
      }
    }
    const auto found = large.by_key.find(one.partition_key);
    if (found == large.by_key.end()) continue;
    const auto what = [&](int64_t number, const char* of) {
      return StrCat("Partition ", PartitionKeyText(*one.table, one.partition_key), " of table ", one.table->keyspace,
                    ".", one.table->name, " has ", GroupedDigits(number), of);
    };
    // The write is complete and cannot be refused, so these guardrails have no `fail`.
    (void)check.Check(&Guardrails::partition_bytes, found->second.bytes,
                      [&] { return what(found->second.bytes, " bytes"); });
    (void)check.Check(&Guardrails::partition_rows, found->second.rows,
                      [&] { return what(found->second.rows, " rows"); });
  }
}

void LoadRecorder::GuardHot(const TouchedPartitions& touched, GuardrailCheck& check) {
  for (const TouchedPartitions::One& one : touched.kept()) {
    const std::optional<HotPartition> hot = heat_.HotPartitionOf(*one.table, one.partition_key);
    if (!hot) continue;
    const auto what = [&](int64_t rate, const char* of) {
      return StrCat("Partition ", PartitionKeyText(*one.table, one.partition_key), " of table ", one.table->keyspace,
                    ".", one.table->name, " takes ", GroupedDigits(rate), of);
    };
    // The rates that the partition certainly had.
    const auto writes = static_cast<int64_t>(hot->writes_a_second - hot->writes_error);
    const auto reads = static_cast<int64_t>(hot->reads_a_second - hot->reads_error);
    (void)check.Check(&Guardrails::partition_writes_a_second, writes, [&] { return what(writes, " writes a second"); });
    (void)check.Check(&Guardrails::partition_reads_a_second, reads, [&] { return what(reads, " reads a second"); });
    return;
  }
}

Status LoadRecorder::GuardDataFile(std::vector<std::string>& warnings) {
  constexpr int64_t kAskEverySeconds = 10;
  const int64_t now = storage_.clock().NowSeconds();
  int64_t asked = file_asked_seconds_.load(std::memory_order_relaxed);
  if ((asked == 0 || now >= asked + kAskEverySeconds) && file_asked_seconds_.compare_exchange_strong(asked, now)) {
    const Result<StorageUsage> usage = storage_.Usage();
    if (usage.ok() && usage->map_bytes > 0) {
      file_percent_ =
          static_cast<int64_t>((usage->pages - usage->free_pages) * usage->page_bytes * 100 / usage->map_bytes);
    }
  }
  const int64_t percent = file_percent_.load(std::memory_order_relaxed);
  return GuardrailCheck(guardrails_, warnings).Check(&Guardrails::data_file_percent, percent, [&] {
    return "The data file has " + std::to_string(percent) + " % of the address space it can grow to (--map-size)";
  });
}

}  // namespace widerow
