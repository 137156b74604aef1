// The interface of HBase's first Thrift server: the parts that clients such as happybase use. Names and numbers are part
// of the protocol.
namespace cpp hbase.thrift

struct TCell {
  1:binary value,
  2:i64 timestamp
}

struct ColumnDescriptor {
  1:binary name,
  2:i32 maxVersions = 3,
  3:string compression = "NONE",
  4:bool inMemory = 0,
  5:string bloomFilterType = "NONE",
  6:i32 bloomFilterVectorSize = 0,
  7:i32 bloomFilterNbHashes = 0,
  8:bool blockCacheEnabled = 0,
  9:i32 timeToLive = -1
}

struct TRegionInfo {
  1:binary startKey,
  2:binary endKey,
  3:i64 id,
  4:binary name,
  5:i8 version,
  6:binary serverName,
  7:i32 port
}

struct Mutation {
  1:bool isDelete = 0,
  2:binary column,
  3:binary value,
  4:bool writeToWAL = 1
}

struct BatchMutation {
  1:binary row,
  2:list<Mutation> mutations
}

struct TIncrement {
  1:binary table,
  2:binary row,
  3:binary column,
  4:i64  ammount
}

struct TColumn {
  1:binary columnName,
  2:TCell cell
}

struct TRowResult {
  1:binary row,
  2:optional map<binary, TCell> columns,
  3:optional list<TColumn> sortedColumns
}

struct TScan {
  1:optional binary startRow,
  2:optional binary stopRow,
  3:optional i64 timestamp,
  4:optional list<binary> columns,
  5:optional i32 caching,
  6:optional binary filterString,
  7:optional i32 batchSize,
  8:optional bool sortColumns,
  9:optional bool reversed
}

struct TAppend {
  1:binary table,
  2:binary row,
  3:list<binary> columns,
  4:list<binary> values
}

exception IOError {
  1:string message
}

exception IllegalArgument {
  1:string message
}

exception AlreadyExists {
  1:string message
}

service Hbase {
  void enableTable(1:binary tableName) throws (1:IOError io)
  void disableTable(1:binary tableName) throws (1:IOError io)
  bool isTableEnabled(1:binary tableName) throws (1:IOError io)
  void compact(1:binary tableNameOrRegionName) throws (1:IOError io)
  void majorCompact(1:binary tableNameOrRegionName) throws (1:IOError io)
  list<binary> getTableNames() throws (1:IOError io)
  map<binary,ColumnDescriptor> getColumnDescriptors(1:binary tableName) throws (1:IOError io)
  list<TRegionInfo> getTableRegions(1:binary tableName) throws (1:IOError io)
  void createTable(1:binary tableName, 2:list<ColumnDescriptor> columnFamilies) throws (1:IOError io, 2:IllegalArgument ia, 3:AlreadyExists exist)
  void deleteTable(1:binary tableName) throws (1:IOError io)
  list<TCell> get(1:binary tableName, 2:binary row, 3:binary column, 4:map<binary, binary> attributes) throws (1:IOError io)
  list<TCell> getVer(1:binary tableName, 2:binary row, 3:binary column, 4:i32 numVersions, 5:map<binary, binary> attributes) throws (1:IOError io)
  list<TCell> getVerTs(1:binary tableName, 2:binary row, 3:binary column, 4:i64 timestamp, 5:i32 numVersions, 6:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRow(1:binary tableName, 2:binary row, 3:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRowWithColumns(1:binary tableName, 2:binary row, 3:list<binary> columns, 4:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRowTs(1:binary tableName, 2:binary row, 3:i64 timestamp, 4:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRowWithColumnsTs(1:binary tableName, 2:binary row, 3:list<binary> columns, 4:i64 timestamp, 5:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRows(1:binary tableName, 2:list<binary> rows, 3:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRowsWithColumns(1:binary tableName, 2:list<binary> rows, 3:list<binary> columns, 4:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRowsTs(1:binary tableName, 2:list<binary> rows, 3:i64 timestamp, 4:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> getRowsWithColumnsTs(1:binary tableName, 2:list<binary> rows, 3:list<binary> columns, 4:i64 timestamp, 5:map<binary, binary> attributes) throws (1:IOError io)
  void mutateRow(1:binary tableName, 2:binary row, 3:list<Mutation> mutations, 4:map<binary, binary> attributes) throws (1:IOError io, 2:IllegalArgument ia)
  void mutateRowTs(1:binary tableName, 2:binary row, 3:list<Mutation> mutations, 4:i64 timestamp, 5:map<binary, binary> attributes) throws (1:IOError io, 2:IllegalArgument ia)
  void mutateRows(1:binary tableName, 2:list<BatchMutation> rowBatches, 3:map<binary, binary> attributes) throws (1:IOError io, 2:IllegalArgument ia)
  void mutateRowsTs(1:binary tableName, 2:list<BatchMutation> rowBatches, 3:i64 timestamp, 4:map<binary, binary> attributes) throws (1:IOError io, 2:IllegalArgument ia)
  i64 atomicIncrement(1:binary tableName, 2:binary row, 3:binary column, 4:i64 value) throws (1:IOError io, 2:IllegalArgument ia)
  void deleteAll(1:binary tableName, 2:binary row, 3:binary column, 4:map<binary, binary> attributes) throws (1:IOError io)
  void deleteAllTs(1:binary tableName, 2:binary row, 3:binary column, 4:i64 timestamp, 5:map<binary, binary> attributes) throws (1:IOError io)
  void deleteAllRow(1:binary tableName, 2:binary row, 3:map<binary, binary> attributes) throws (1:IOError io)
  void increment(1:TIncrement increment) throws (1:IOError io)
  void incrementRows(1:list<TIncrement> increments) throws (1:IOError io)
  void deleteAllRowTs(1:binary tableName, 2:binary row, 3:i64 timestamp, 4:map<binary, binary> attributes) throws (1:IOError io)
  i32 scannerOpenWithScan(1:binary tableName, 2:TScan scan, 3:map<binary, binary> attributes) throws (1:IOError io)
  i32 scannerOpen(1:binary tableName, 2:binary startRow, 3:list<binary> columns, 4:map<binary, binary> attributes) throws (1:IOError io)
  i32 scannerOpenWithStop(1:binary tableName, 2:binary startRow, 3:binary stopRow, 4:list<binary> columns, 5:map<binary, binary> attributes) throws (1:IOError io)
  i32 scannerOpenWithPrefix(1:binary tableName, 2:binary startAndPrefix, 3:list<binary> columns, 4:map<binary, binary> attributes) throws (1:IOError io)
  i32 scannerOpenTs(1:binary tableName, 2:binary startRow, 3:list<binary> columns, 4:i64 timestamp, 5:map<binary, binary> attributes) throws (1:IOError io)
  i32 scannerOpenWithStopTs(1:binary tableName, 2:binary startRow, 3:binary stopRow, 4:list<binary> columns, 5:i64 timestamp, 6:map<binary, binary> attributes) throws (1:IOError io)
  list<TRowResult> scannerGet(1:i32 id) throws (1:IOError io, 2:IllegalArgument ia)
  list<TRowResult> scannerGetList(1:i32 id, 2:i32 nbRows) throws (1:IOError io, 2:IllegalArgument ia)
  void scannerClose(1:i32 id) throws (1:IOError io, 2:IllegalArgument ia)
  list<TCell> append(1:TAppend append) throws (1:IOError io)
  bool checkAndPut(1:binary tableName, 2:binary row, 3:binary column, 5:binary value 6:Mutation mput, 7:map<binary, binary> attributes) throws (1:IOError io, 2:IllegalArgument ia)
}
