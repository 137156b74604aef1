#include <algorithm>

#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/filter_language.h"
#include "net/hbase/thrift/call_memory.h"
#include "net/hbase/thrift/thrift_handler.h"

namespace widerow::hbase {

namespace {

constexpr int32_t kRowsMax = 10'000;  // The most rows of one answer.

std::unique_ptr<ScanSpec> ThriftScan(const std::string& start, const std::string& stop,
                                     const std::vector<std::string>& columns, int64_t timestamp) {
  auto spec = std::make_unique<ScanSpec>();
  spec->range.start = start;
  spec->range.stop = stop;
  spec->read.time_range.to = timestamp;
  for (const std::string& column : columns) AddThriftColumn(column, spec->read);
  return spec;
}

}  // namespace

int32_t ThriftHandler::Open(const std::string& table, std::unique_ptr<ScanSpec> spec, bool sort_columns,
                            size_t filter_bytes) {
  size_t request_bytes = filter_bytes + spec->range.start.size() + spec->range.stop.size();
  for (const FamilyColumns& columns : spec->read.families) {
    for (const Bytes& qualifier : columns.qualifiers) request_bytes += sizeof(Bytes) + qualifier.size();
  }
  const HTablePtr found = Enabled(table);
  if (found->unordered()) ThrowIoError(NotSupported("a scan of a table without PARTITION BY"));
  const std::vector<ReadFamily> families = OrThrow(FamiliesOf(*found, spec->read));
  auto scanner = std::make_unique<Scanner>(found, MakeTableSource(catalog_.For(Caller()), found, families), families,
                                           std::move(spec));
  auto open = std::make_shared<OpenScanner>(std::move(scanner), Caller(), 0);
  open->sort_columns = sort_columns;
  return static_cast<int32_t>(OrThrow(scanners_.Add(std::move(open), request_bytes)));
}

int32_t ThriftHandler::scannerOpenWithScan(const std::string& table, const thrift::TScan& scan, const Attributes&) {
  auto spec =
      ThriftScan(scan.startRow, scan.stopRow, scan.columns, scan.__isset.timestamp ? scan.timestamp : kLatestTimestamp);
  if (scan.__isset.reversed) spec->range.reversed = scan.reversed;
  if (scan.__isset.batchSize) spec->batch = std::max(0, scan.batchSize);
  if (scan.__isset.filterString && !scan.filterString.empty()) {
    spec->read.filter = OrThrow(ParseFilterText(scan.filterString));
  }
  return Open(table, std::move(spec), scan.__isset.sortColumns && scan.sortColumns, scan.filterString.size());
}

int32_t ThriftHandler::scannerOpen(const std::string& table, const std::string& start,
                                   const std::vector<std::string>& columns, const Attributes&) {
  return Open(table, ThriftScan(start, {}, columns, kLatestTimestamp), false);
}
int32_t ThriftHandler::scannerOpenWithStop(const std::string& table, const std::string& start, const std::string& stop,
                                           const std::vector<std::string>& columns, const Attributes&) {
  return Open(table, ThriftScan(start, stop, columns, kLatestTimestamp), false);
}
int32_t ThriftHandler::scannerOpenWithPrefix(const std::string& table, const std::string& prefix,
                                             const std::vector<std::string>& columns, const Attributes&) {
  std::string after = prefix;
  while (!after.empty() && static_cast<uint8_t>(after.back()) == 0xff) after.pop_back();
  if (!after.empty()) ++after.back();
  return Open(table, ThriftScan(prefix, after, columns, kLatestTimestamp), false);
}
int32_t ThriftHandler::scannerOpenTs(const std::string& table, const std::string& start,
                                     const std::vector<std::string>& columns, int64_t timestamp, const Attributes&) {
  return Open(table, ThriftScan(start, {}, columns, timestamp), false);
}
int32_t ThriftHandler::scannerOpenWithStopTs(const std::string& table, const std::string& start,
                                             const std::string& stop, const std::vector<std::string>& columns,
                                             int64_t timestamp, const Attributes&) {
  return Open(table, ThriftScan(start, stop, columns, timestamp), false);
}

void ThriftHandler::scannerGet(std::vector<thrift::TRowResult>& rows, int32_t id) { scannerGetList(rows, id, 1); }

void ThriftHandler::scannerGetList(std::vector<thrift::TRowResult>& rows, int32_t id, int32_t count) {
  const std::shared_ptr<OpenScanner> open = scanners_.Find(static_cast<uint64_t>(id), Caller());
  if (open == nullptr) {
    thrift::IllegalArgument unknown;
    unknown.__set_message("scanner ID is invalid");
    throw unknown;
  }
  MutexLock lock(open->mutex);
  const ScanLimits limits{
      .results = static_cast<size_t>(std::clamp(count, 0, kRowsMax)), .bytes = 16u << 20, .room = CallMemory::Room()};
  ScanAnswer answer;
  do {
    answer = OrThrow(open->scanner().Next(limits, catalog_.own().NowMs()));
  } while (answer.results.empty() && answer.more && limits.results > 0);
  for (const ScanResult& result : answer.results) {
    rows.push_back(ThriftRow(result.cells.row, result.cells.cells, open->sort_columns));
  }
  scanners_.Keep(static_cast<uint64_t>(id));
}

void ThriftHandler::scannerClose(int32_t id) { scanners_.Close(static_cast<uint64_t>(id)); }

}  // namespace widerow::hbase
