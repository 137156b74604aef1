#include "storage_test_support.h"

#include <sstream>

namespace widerow::storage_test {
namespace {

ColumnSchema Column(std::string name, ColumnId id, ColumnKind kind, TypePtr type) {
  ColumnSchema column;
  column.name = std::move(name);
  column.id = id;
  column.kind = kind;
  column.type = std::move(type);
  return column;
}

std::string Short(ByteView bytes) {
  if (bytes.size() > 24) return "[" + std::to_string(bytes.size()) + ":" + std::to_string(Checksum(bytes)) + "]";
  const bool printable = std::all_of(bytes.begin(), bytes.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  return printable && !bytes.empty() ? std::string(bytes) : "0x" + ToHex(bytes);
}

}  // namespace

std::shared_ptr<TableSchema> NewTable(StorageId storage_id, std::string name) {
  auto table = std::make_shared<TableSchema>();
  table->id = Uuid::Random();
  table->keyspace = "ks";
  table->name = std::move(name);
  table->storage_id = storage_id;
  table->partition_key_size = 1;
  table->clustering_size = 1;
  const TypePtr text = ScalarType(TypeKind::kText);
  const TypePtr integer = ScalarType(TypeKind::kInt);
  table->columns = {Column("k", 0, ColumnKind::kPartitionKey, ScalarType(TypeKind::kBlob)),
                    Column("c", 1, ColumnKind::kClustering, ScalarType(TypeKind::kBlob)),
                    Column("a", kA, ColumnKind::kRegular, text),
                    Column("b", kB, ColumnKind::kRegular, text),
                    Column("d", kDecimals, ColumnKind::kRegular, SetType(ScalarType(TypeKind::kDecimal))),
                    Column("l", kList, ColumnKind::kRegular, ListType(text)),
                    Column("m", kMap, ColumnKind::kRegular, MapType(integer, text)),
                    Column("s", kStaticText, ColumnKind::kStatic, text)};
  table->next_column_id = 8;
  table->partition_map = {{0, ""}};
  return table;
}

SchemaPtr SchemaOf(std::vector<TablePtr> tables) {
  auto schema = std::make_shared<SchemaSnapshot>();
  schema->version = Uuid::Random();
  for (const TablePtr& table : tables) {
    std::shared_ptr<KeyspaceSchema> keyspace = std::make_shared<KeyspaceSchema>();
    if (const auto at = schema->keyspaces.find(table->keyspace); at != schema->keyspaces.end()) *keyspace = *at->second;
    keyspace->name = table->keyspace;
    keyspace->tables[table->name] = table;
    schema->keyspaces[table->keyspace] = keyspace;
  }
  return schema;
}

StorageOptions EngineFixture::options() {
  StorageOptions options;
  options.directory = directory_.path();
  options.clock = clock_;
  options.background_sweep = false;
  options.pending_writes_max = pending_writes_max_;
  options.map_bytes = map_bytes_;
  options.memtable_bytes = memtable_bytes_;
  options.keep_log_bytes = keep_log_bytes_;
  return options;
}

void EngineFixture::Open() {
  auto opened = LmdbEngine::Open(options());
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  engine_ = std::move(opened).value();
  const TablePtr stored = engine_->LoadedSchema()->FindTable("ks", "t");
  if (stored != nullptr) {
    table_ = stored;
  } else {
    UseTable(NewTable(engine_->NewStorageId()));
  }
}

void EngineFixture::UseTable(TablePtr table) {
  table_ = std::move(table);
  const Status status = engine_->CommitSchema(SchemaOf({table_}));
  ASSERT_TRUE(status.ok()) << status.error().message;
}

Status EngineFixture::Apply(PartitionMutation mutation) {
  widerow::Write write;
  write.mutation.push_back(std::move(mutation));
  return engine_->Apply(std::move(write));
}

void EngineFixture::Flush() {
  ReleaseFolder();
  const Status status = engine_->Flush();
  ASSERT_TRUE(status.ok()) << status.error().message;
}

void EngineFixture::HoldFolder() {
  release_folder_ = std::make_unique<std::promise<void>>();
  std::promise<void> held;
  holds_folder_ = std::jthread([&, release = release_folder_->get_future()]() mutable {
    const Status ran = engine_->RunOnFolder([&](StoreWriter&) {
      held.set_value();
      release.wait();
      return OkStatus();
    });
    EXPECT_TRUE(ran.ok());
  });
  held.get_future().wait();
}

void EngineFixture::ReleaseFolder() {
  if (release_folder_ == nullptr) return;
  release_folder_->set_value();
  holds_folder_ = std::jthread();
  release_folder_ = nullptr;
}

std::string EngineFixture::Read(const Slice& slice) {
  auto view = engine_->OpenView();
  if (!view.ok()) return "view: " + view.error().message;
  auto cursor = (*view)->OpenSlice(slice);
  if (!cursor.ok()) return "slice: " + cursor.error().message;
  std::string out;
  RowView row;
  while (true) {
    Result<bool> more = (*cursor)->Next(row);
    if (!more.ok()) return out + "error: " + more.error().message;
    if (!more.value()) return out;
    out += RowText(row) + "\n";
  }
}

std::string EngineFixture::ReadPartition(ByteView key, Direction direction) {
  Slice slice;
  slice.table = table_;
  slice.partitions = Slice::OnePartition{Bytes(key)};
  slice.want_statics = true;
  slice.direction = direction;
  return Read(slice);
}

std::string EngineFixture::ReadAll(bool statics) {
  Slice slice;
  slice.table = table_;
  slice.partitions = Slice::TokenRange{};
  slice.want_statics = statics;
  return Read(slice);
}

size_t EngineFixture::RecordCount() {
  ReleaseFolder();
  engine_.reset();
  size_t count = 0;
  {
    auto env = lmdb::Env::Open({.directory = directory_.path(), .map_bytes = map_bytes_});
    EXPECT_TRUE(env.ok() && (*env)->OpenDatabases().ok());
    auto txn = lmdb::ReadTxn::Begin(**env);
    auto cursor = lmdb::Cursor::Open(txn->ref(), lmdb::Db::kData);
    ByteView key, value;
    for (auto rc = cursor->SeekAtOrAfter(ByteView("\0", 1), key, value); rc.ok(); rc = cursor->Next(key, value))
      ++count;
  }
  Open();
  return count;
}

Cell MakeCell(ColumnId column, int64_t timestamp, Bytes value, Bytes path) {
  Cell cell;
  cell.column = column;
  cell.timestamp = timestamp;
  cell.value = std::move(value);
  cell.path = std::move(path);
  return cell;
}

Cell MakeTombstone(ColumnId column, int64_t timestamp, Bytes path, int64_t local_seconds) {
  Cell cell = MakeCell(column, timestamp, {}, std::move(path));
  cell.tombstone = true;
  cell.expires_at = local_seconds;
  return cell;
}

Bytes Int(int32_t value) {
  Bytes out;
  AppendBigEndian(out, value);
  return out;
}

PartitionMutation Partition(TablePtr table, Bytes key) {
  PartitionMutation mutation;
  mutation.table = std::move(table);
  mutation.partition_key = std::move(key);
  return mutation;
}

PartitionMutation Row(TablePtr table, Bytes key, Bytes clustering, RowFragment content) {
  PartitionMutation mutation = Partition(std::move(table), std::move(key));
  mutation.rows.push_back({false, std::move(clustering), std::move(content)});
  return mutation;
}

RowFragment Update(std::vector<Cell> cells) {
  RowFragment row;
  row.cells = std::move(cells);
  return row;
}

RowFragment Insert(int64_t timestamp, std::vector<Cell> cells) {
  RowFragment row = Update(std::move(cells));
  row.marker.timestamp = timestamp;
  return row;
}

std::string RowText(RowView row) {
  row.ExpandUniform();
  std::ostringstream out;
  out << Short(row.partition_key) << '/' << (row.is_static ? "static" : Short(row.clustering));
  if (row.marker.present()) out << " marker@" << row.marker.timestamp;
  if (row.marker.ttl != 0) out << " ttl " << row.marker.ttl << " until " << row.marker.expires_at;
  for (const CellView& cell : row.cells) {
    out << ' ' << cell.column;
    if (!cell.path.empty()) out << '[' << Short(cell.path) << ']';
    out << '=' << (cell.tombstone ? "dead" : Short(cell.value)) << '@' << cell.timestamp;
    if (cell.ttl != 0 || cell.tombstone) out << '!' << cell.ttl << '/' << cell.expires_at;
  }
  for (const auto& [position, bytes] : row.kept_clustering) out << " kept " << position << '=' << Short(bytes);
  return out.str();
}

std::string ErrorText(const Status& status) {
  return status.ok() ? "ok" : std::string(ErrorCodeName(status.error().code)) + " " + status.error().message;
}

}  // namespace widerow::storage_test
