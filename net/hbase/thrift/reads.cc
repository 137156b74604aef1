#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/thrift/call_memory.h"
#include "net/hbase/thrift/thrift_handler.h"

namespace widerow::hbase {

void ThrowIoError(const Error& error) {
  thrift::IOError thrown;
  thrown.__set_message(error.hint.empty() ? error.message : StrCat(error.message, "\nhint: ", error.hint));
  throw thrown;
}

void OrThrow(const Status& status) {
  if (!status.ok()) ThrowIoError(status.error());
}

bool SplitColumn(const std::string& column, Bytes& family, Bytes& qualifier) {
  const size_t colon = column.find(':');
  family = column.substr(0, colon);
  qualifier = colon == std::string::npos ? Bytes() : column.substr(colon + 1);
  return !qualifier.empty();
}

void AddThriftColumn(const std::string& column, ReadSpec& read) {
  Bytes family, qualifier;
  const bool one_column = SplitColumn(column, family, qualifier);
  auto found = std::ranges::find(read.families, family, &FamilyColumns::family);
  if (found == read.families.end()) {
    read.families.push_back({.family = family, .qualifiers = {}});
    found = std::prev(read.families.end());
  }
  if (!one_column) return found->qualifiers.clear();
  const auto at = std::ranges::lower_bound(found->qualifiers, qualifier);
  if (at == found->qualifiers.end() || *at != qualifier) found->qualifiers.insert(at, qualifier);
}

thrift::TCell ThriftCell(const Cell& cell) {
  thrift::TCell made;
  made.__set_value(cell.value);
  made.__set_timestamp(cell.timestamp);
  return made;
}

thrift::TRowResult ThriftRow(const Bytes& row, const std::vector<Cell>& cells, bool sorted) {
  thrift::TRowResult result;
  result.__set_row(row);
  result.__isset.columns = !sorted;
  result.__isset.sortedColumns = sorted;
  for (const Cell& cell : cells) {
    const std::string name = StrCat(cell.family, ":") + cell.qualifier;
    if (!sorted) {
      result.columns[name] = ThriftCell(cell);
      continue;
    }
    thrift::TColumn& column = result.sortedColumns.emplace_back();
    column.__set_columnName(name);
    column.__set_cell(ThriftCell(cell));
  }
  return result;
}

HTablePtr ThriftHandler::Enabled(const std::string& table) {
  HTablePtr found = OrThrow(catalog_.Find(TableId::Parse(table)));
  if (found->disabled) ThrowIoError(MakeJavaError("org.apache.hadoop.hbase.TableNotEnabledException", table));
  return found;
}

std::vector<Cell> ThriftHandler::Read(const std::string& table, const std::string& row, ReadSpec& read) {
  read.room = CallMemory::Room();
  return OrThrow(services_.rows().Get(Caller(), *Enabled(table), row, read));
}

void ThriftHandler::AddRow(const std::string& table, const std::string& row, const std::vector<std::string>& columns,
                           int64_t timestamp, size_t& bytes, std::vector<thrift::TRowResult>& rows) {
  ReadSpec read;
  read.time_range.to = timestamp;
  for (const std::string& column : columns) AddThriftColumn(column, read);
  const std::vector<Cell> cells = Read(table, row, read);
  for (const Cell& cell : cells) bytes += cell.bytes();
  if (AnswerRoom* const room = CallMemory::Room()) OrThrow(room->GrowWhole(bytes));
  if (!cells.empty()) rows.push_back(ThriftRow(row, cells, false));
}

void ThriftHandler::get(std::vector<thrift::TCell>& cells, const std::string& table, const std::string& row,
                        const std::string& column, const Attributes& attributes) {
  getVerTs(cells, table, row, column, kLatestTimestamp, 1, attributes);
}
void ThriftHandler::getVer(std::vector<thrift::TCell>& cells, const std::string& table, const std::string& row,
                           const std::string& column, int32_t versions, const Attributes& attributes) {
  getVerTs(cells, table, row, column, kLatestTimestamp, versions, attributes);
}
void ThriftHandler::getVerTs(std::vector<thrift::TCell>& cells, const std::string& table, const std::string& row,
                             const std::string& column, int64_t timestamp, int32_t versions, const Attributes&) {
  ReadSpec read;
  read.max_versions = versions;
  read.time_range.to = timestamp;
  AddThriftColumn(column, read);
  for (const Cell& cell : Read(table, row, read)) cells.push_back(ThriftCell(cell));
}

void ThriftHandler::getRow(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::string& row,
                           const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, {row}, {}, kLatestTimestamp, attributes);
}
void ThriftHandler::getRowWithColumns(std::vector<thrift::TRowResult>& rows, const std::string& table,
                                      const std::string& row, const std::vector<std::string>& columns,
                                      const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, {row}, columns, kLatestTimestamp, attributes);
}
void ThriftHandler::getRowTs(std::vector<thrift::TRowResult>& rows, const std::string& table, const std::string& row,
                             int64_t timestamp, const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, {row}, {}, timestamp, attributes);
}
void ThriftHandler::getRowWithColumnsTs(std::vector<thrift::TRowResult>& rows, const std::string& table,
                                        const std::string& row, const std::vector<std::string>& columns,
                                        int64_t timestamp, const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, {row}, columns, timestamp, attributes);
}
void ThriftHandler::getRows(std::vector<thrift::TRowResult>& rows, const std::string& table,
                            const std::vector<std::string>& keys, const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, keys, {}, kLatestTimestamp, attributes);
}
void ThriftHandler::getRowsWithColumns(std::vector<thrift::TRowResult>& rows, const std::string& table,
                                       const std::vector<std::string>& keys, const std::vector<std::string>& columns,
                                       const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, keys, columns, kLatestTimestamp, attributes);
}
void ThriftHandler::getRowsTs(std::vector<thrift::TRowResult>& rows, const std::string& table,
                              const std::vector<std::string>& keys, int64_t timestamp, const Attributes& attributes) {
  getRowsWithColumnsTs(rows, table, keys, {}, timestamp, attributes);
}
void ThriftHandler::getRowsWithColumnsTs(std::vector<thrift::TRowResult>& rows, const std::string& table,
                                         const std::vector<std::string>& keys, const std::vector<std::string>& columns,
                                         int64_t timestamp, const Attributes&) {
  size_t bytes = 0;
  for (const std::string& key : keys) AddRow(table, key, columns, timestamp, bytes, rows);
}

}  // namespace widerow::hbase
