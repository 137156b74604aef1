// The methods of HBase's Thrift interface. Thread-safe: each client has a thread, and all threads share a handler.
#pragma once

#include "net/hbase/service/services.h"
#include "net/hbase/store/admin.h"
#include "net/hbase/thrift/Hbase.h"

namespace widerow::hbase {

namespace thrift = ::hbase::thrift;

class ThriftHandler final : public thrift::HbaseIf {
 public:
  using Attributes = std::map<std::string, std::string>;  // The attributes of a request. They have no effect.

  explicit ThriftHandler(Services& services)
      : services_(services), catalog_(services.catalog()), admin_(services.catalog()) {}

  // Tables (tables.cc).
  void enableTable(const std::string& table) override;
  void disableTable(const std::string& table) override;
  bool isTableEnabled(const std::string& table) override;
  void compact(const std::string& table) override;
  void majorCompact(const std::string& table) override;
  void getTableNames(std::vector<std::string>& names) override;
  void getColumnDescriptors(std::map<std::string, thrift::ColumnDescriptor>& families,
                            const std::string& table) override;
  void getTableRegions(std::vector<thrift::TRegionInfo>& regions, const std::string& table) override;
  void createTable(const std::string& table, const std::vector<thrift::ColumnDescriptor>& families) override;
  void deleteTable(const std::string& table) override;

  // Reads (reads.cc). A timestamp is an exclusive upper bound for the timestamps of the cells.
  void get(std::vector<thrift::TCell>& cells, const std::string& table, const std::string& row,
           const std::string& column, const Attributes&) override;
  void getVer(std::vector<thrift::TCell>& cells, const std::string& table, const std::string& row,
              const std::string& column, int32_t versions, const Attributes&) override;
  void getVerTs(std::vector<thrift::TCell>& cells, const std::string& table, const std::string& row,
                const std::string& column, int64_t timestamp, int32_t versions, const Attributes&) override;
  void getRow(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::string& row,
              const Attributes&) override;
  void getRowWithColumns(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::string& row,
                         const std::vector<std::string>& columns, const Attributes&) override;
  void getRowTs(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::string& row,
                int64_t timestamp, const Attributes&) override;
  void getRowWithColumnsTs(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::string& row,
                           const std::vector<std::string>& columns, int64_t timestamp, const Attributes&) override;
  void getRows(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::vector<std::string>& keys,
               const Attributes&) override;
  void getRowsWithColumns(std::vector<thrift::TRowResult>& rows, const std::string& table,
                          const std::vector<std::string>& keys, const std::vector<std::string>& columns,
                          const Attributes&) override;
  void getRowsTs(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::vector<std::string>& keys,
                 int64_t timestamp, const Attributes&) override;
  void getRowsWithColumnsTs(std::vector<thrift::TRowResult>& rows, const std::string& table,
                            const std::vector<std::string>& keys, const std::vector<std::string>& columns,
                            int64_t timestamp, const Attributes&) override;

  // Writes (writes.cc).
  void mutateRow(const std::string& table, const std::string& row, const std::vector<thrift::Mutation>& mutations,
                 const Attributes&) override;
  void mutateRowTs(const std::string& table, const std::string& row, const std::vector<thrift::Mutation>& mutations,
                   int64_t timestamp, const Attributes&) override;
  void mutateRows(const std::string& table, const std::vector<thrift::BatchMutation>& rows, const Attributes&) override;
  void mutateRowsTs(const std::string& table, const std::vector<thrift::BatchMutation>& rows, int64_t timestamp,
                    const Attributes&) override;
  int64_t atomicIncrement(const std::string& table, const std::string& row, const std::string& column,
                          int64_t amount) override;
  void deleteAll(const std::string& table, const std::string& row, const std::string& column,
                 const Attributes&) override;
  void deleteAllTs(const std::string& table, const std::string& row, const std::string& column, int64_t timestamp,
                   const Attributes&) override;
  void deleteAllRow(const std::string& table, const std::string& row, const Attributes&) override;
  void deleteAllRowTs(const std::string& table, const std::string& row, int64_t timestamp, const Attributes&) override;
  void increment(const thrift::TIncrement& increment) override;
  void incrementRows(const std::vector<thrift::TIncrement>& increments) override;
  void append(std::vector<thrift::TCell>& cells, const thrift::TAppend& append) override;
  bool checkAndPut(const std::string& table, const std::string& row, const std::string& column,
                   const std::string& value, const thrift::Mutation& put, const Attributes&) override;

  // Scans (scans.cc).
  int32_t scannerOpenWithScan(const std::string& table, const thrift::TScan& scan, const Attributes&) override;
  int32_t scannerOpen(const std::string& table, const std::string& start, const std::vector<std::string>& columns,
                      const Attributes&) override;
  int32_t scannerOpenWithStop(const std::string& table, const std::string& start, const std::string& stop,
                              const std::vector<std::string>& columns, const Attributes&) override;
  int32_t scannerOpenWithPrefix(const std::string& table, const std::string& prefix,
                                const std::vector<std::string>& columns, const Attributes&) override;
  int32_t scannerOpenTs(const std::string& table, const std::string& start, const std::vector<std::string>& columns,
                        int64_t timestamp, const Attributes&) override;
  int32_t scannerOpenWithStopTs(const std::string& table, const std::string& start, const std::string& stop,
                                const std::vector<std::string>& columns, int64_t timestamp, const Attributes&) override;
  void scannerGet(std::vector<thrift::TRowResult>& rows, int32_t id) override;
  void scannerGetList(std::vector<thrift::TRowResult>& rows, int32_t id, int32_t count) override;
  void scannerClose(int32_t id) override;

 private:
  // Returns the table. Throws IOError unless it exists and is enabled.
  HTablePtr Enabled(const std::string& table);
  std::vector<Cell> Read(const std::string& table, const std::string& row, ReadSpec& read);
  // Appends the row, if it has cells. `bytes` is the size of all cells that the answer has so far.
  void AddRow(const std::string& table, const std::string& row, const std::vector<std::string>& columns,
              int64_t timestamp, size_t& bytes, std::vector<thrift::TRowResult>& rows);
  WriteResult Write(const std::string& table, std::span<const Mutation> mutations, RowCondition* condition = nullptr);
  int32_t Open(const std::string& table, std::unique_ptr<ScanSpec> spec, bool sort_columns, size_t filter_bytes = 0);

  Services& services_;
  Catalog& catalog_;
  Admin admin_;
  Scanners scanners_;
};

// ThrowIoError throws the error as an IOError. OrThrow does so if the result is an error.
[[noreturn]] void ThrowIoError(const Error& error);
template <typename T>
T OrThrow(Result<T> result) {
  if (!result.ok()) ThrowIoError(result.error());
  return std::move(result).value();
}
void OrThrow(const Status& status);

// Adds "family:qualifier", "family:" or "family" to the columns that are read. As in HBase, a family replaces the
// columns of it that were added before, and a column replaces its family.
void AddThriftColumn(const std::string& column, ReadSpec& read);
// Splits "family:qualifier". Returns false if there is no qualifier.
bool SplitColumn(const std::string& column, Bytes& family, Bytes& qualifier);
thrift::TCell ThriftCell(const Cell& cell);
thrift::TRowResult ThriftRow(const Bytes& row, const std::vector<Cell>& cells, bool sorted);

}  // namespace widerow::hbase
