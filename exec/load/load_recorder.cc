#include "exec/load/load_recorder.h"

namespace widerow {
namespace {

uint64_t MicrosSince(LoadRecorder::SteadyClock::time_point begun) {
  const auto spent = LoadRecorder::SteadyClock::now() - begun;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
}

}  // namespace

void LoadRecorder::EndRead(StatementRecord& record, uint32_t stands_for, const ReadMeter& meter, uint64_t rows_returned,
                           uint64_t bytes) {
  const StatementRun run{.rows_examined = meter.touched().rows(),
                         .rows_returned = rows_returned,
                         .bytes = bytes,
                         .micros = MicrosSince(meter.begun())};
  record.Add(run, stands_for, storage_.clock().NowSeconds());
}

void LoadRecorder::EndWrite(StatementRecord& record, uint32_t stands_for, SteadyClock::time_point begun,
                            const TouchedPartitions& touched) {
  const StatementRun run{.rows_written = touched.rows(), .bytes = touched.bytes(), .micros = MicrosSince(begun)};
  record.Add(run, stands_for, storage_.clock().NowSeconds());
}

uint32_t LoadRecorder::BeginBatch(const std::vector<StatementRecord*>& records) {
  bool any = false;
  for (StatementRecord* record : records) {
    if (record == nullptr) continue;
    record->Count();
    any = true;
  }
  return any ? sampler_.Take() : 0;
}

void LoadRecorder::EndBatch(const std::vector<StatementRecord*>& records, uint32_t stands_for, SteadyClock::time_point begun,
                            const TouchedPartitions& touched) {
  const uint64_t count = records.size();
  const auto share = [&](uint64_t whole) { return (whole + count - 1) / count; };
  const StatementRun run{
      .rows_written = share(touched.rows()), .bytes = share(touched.bytes()), .micros = share(MicrosSince(begun))};
  for (StatementRecord* record : records) {
    if (record != nullptr) record->Add(run, stands_for, storage_.clock().NowSeconds());
  }
}

}  // namespace widerow
