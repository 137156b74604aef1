#include "net/hbase/cells/java_error.h"
#include "net/hbase/thrift/thrift_handler.h"

namespace widerow::hbase {

namespace {

Bytes BigEndianLong(int64_t number) {
  Bytes bytes;
  AppendBigEndian(bytes, number);
  return bytes;
}

// The cell of a column. A Delete of a column without a qualifier deletes the family.
Cell ThriftColumnCell(const std::string& column, int64_t timestamp, bool is_delete) {
  Cell cell;
  const bool one_column = SplitColumn(column, cell.family, cell.qualifier);
  cell.timestamp = timestamp;
  if (is_delete) cell.type = one_column ? CellType::kDeleteColumn : CellType::kDeleteFamily;
  return cell;
}

Mutation IncrementOf(const std::string& row, const std::string& column, int64_t amount) {
  Mutation mutation;
  mutation.kind = MutationKind::kIncrement;
  mutation.row = row;
  mutation.cells.push_back(ThriftColumnCell(column, kLatestTimestamp, false));
  mutation.cells.back().value = BigEndianLong(amount);
  return mutation;
}

}  // namespace

WriteResult ThriftHandler::Write(const std::string& table, std::span<const Mutation> mutations,
                                 RowCondition* condition) {
  return OrThrow(services_.rows().Apply(Caller(), *Enabled(table), mutations, condition));
}

void ThriftHandler::mutateRow(const std::string& table, const std::string& row,
                              const std::vector<thrift::Mutation>& mutations, const Attributes& attributes) {
  mutateRowTs(table, row, mutations, kLatestTimestamp, attributes);
}

void ThriftHandler::mutateRowTs(const std::string& table, const std::string& row,
                                const std::vector<thrift::Mutation>& mutations, int64_t timestamp, const Attributes&) {
  Mutation removed, put;
  removed.kind = MutationKind::kDelete;
  removed.row = put.row = row;
  for (const thrift::Mutation& mutation : mutations) {
    Cell cell = ThriftColumnCell(mutation.column, timestamp, mutation.isDelete);
    cell.value = mutation.value;
    (mutation.isDelete ? removed : put).cells.push_back(std::move(cell));
  }
  // HBase's Thrift server sends the deletes first, as a request of their own.
  if (!removed.cells.empty()) Write(table, {&removed, 1});
  if (!put.cells.empty()) Write(table, {&put, 1});
}

void ThriftHandler::mutateRows(const std::string& table, const std::vector<thrift::BatchMutation>& rows,
                               const Attributes& attributes) {
  mutateRowsTs(table, rows, kLatestTimestamp, attributes);
}

void ThriftHandler::mutateRowsTs(const std::string& table, const std::vector<thrift::BatchMutation>& rows,
                                 int64_t timestamp, const Attributes& attributes) {
  for (const thrift::BatchMutation& row : rows) mutateRowTs(table, row.row, row.mutations, timestamp, attributes);
}

int64_t ThriftHandler::atomicIncrement(const std::string& table, const std::string& row, const std::string& column,
                                       int64_t amount) {
  const Mutation mutation = IncrementOf(row, column, amount);
  const WriteResult result = Write(table, {&mutation, 1});
  return result.cells.empty() ? 0 : ReadBigEndian<int64_t>(result.cells[0].value.data());
}

void ThriftHandler::increment(const thrift::TIncrement& increment) {
  atomicIncrement(increment.table, increment.row, increment.column, increment.ammount);
}
void ThriftHandler::incrementRows(const std::vector<thrift::TIncrement>& increments) {
  for (const thrift::TIncrement& each : increments) increment(each);
}

void ThriftHandler::deleteAll(const std::string& table, const std::string& row, const std::string& column,
                              const Attributes& attributes) {
  deleteAllTs(table, row, column, kLatestTimestamp, attributes);
}
void ThriftHandler::deleteAllTs(const std::string& table, const std::string& row, const std::string& column,
                                int64_t timestamp, const Attributes&) {
  Mutation mutation;
  mutation.kind = MutationKind::kDelete;
  mutation.row = row;
  mutation.cells.push_back(ThriftColumnCell(column, timestamp, true));
  Write(table, {&mutation, 1});
}
void ThriftHandler::deleteAllRow(const std::string& table, const std::string& row, const Attributes& attributes) {
  deleteAllRowTs(table, row, kLatestTimestamp, attributes);
}
void ThriftHandler::deleteAllRowTs(const std::string& table, const std::string& row, int64_t timestamp,
                                   const Attributes&) {
  Mutation mutation;
  mutation.kind = MutationKind::kDelete;
  mutation.row = row;
  mutation.timestamp = timestamp;
  Write(table, {&mutation, 1});
}

void ThriftHandler::append(std::vector<thrift::TCell>& cells, const thrift::TAppend& append) {
  Mutation mutation;
  mutation.kind = MutationKind::kAppend;
  mutation.row = append.row;
  if (append.columns.size() != append.values.size()) {
    ThrowIoError(MakeJavaError(kIllegalArgument, "append needs a value for each column"));
  }
  for (size_t i = 0; i < append.columns.size(); ++i) {
    mutation.cells.push_back(ThriftColumnCell(append.columns[i], kLatestTimestamp, false));
    mutation.cells.back().value = append.values[i];
  }
  for (const Cell& cell : Write(append.table, {&mutation, 1}).cells) cells.push_back(ThriftCell(cell));
}

bool ThriftHandler::checkAndPut(const std::string& table, const std::string& row, const std::string& column,
                                const std::string& value, const thrift::Mutation& put, const Attributes&) {
  RowCondition condition;
  condition.row = row;
  condition.comparator = MakeBinaryComparator(value);
  Bytes family, qualifier;
  SplitColumn(column, family, qualifier);
  condition.read.families.push_back({.family = family, .qualifiers = {qualifier}});
  Mutation mutation;
  mutation.row = row;
  mutation.cells.push_back(ThriftColumnCell(put.column, kLatestTimestamp, false));
  mutation.cells.back().value = put.value;
  return Write(table, {&mutation, 1}, &condition).processed;
}

}  // namespace widerow::hbase
