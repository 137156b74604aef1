#include <random>

#include "storage/format/catalog_codec.h"
#include "storage/format/role_codec.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

TypePtr Address() {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::kUdt;
  type->keyspace = "ks";
  type->name = "Address";
  type->field_names = {"street", "phones"};
  type->arguments = {ScalarType(TypeKind::kText),
                     MapType(ScalarType(TypeKind::kInt), ScalarType(TypeKind::kText), true)};
  return type;
}

std::shared_ptr<TableSchema> RichTable(StorageId id) {
  auto table = NewTable(id);
  ColumnSchema column;
  column.id = 8;
  column.type = Address();
  column.name = "Übung";
  table->columns.push_back(column);
  column.id = 9;
  column.name = "v";
  column.type = VectorType(TupleType({WithFrozen(Address(), true), ScalarType(TypeKind::kVarint)}), 3);
  table->columns.push_back(column);
  auto bounded = std::make_shared<Type>();
  bounded->bytes_max = 17;
  column.id = 10;
  column.name = "vb";
  column.type = bounded;
  table->columns.push_back(column);
  table->columns[1].descending = true;
  table->next_column_id = 11;
  table->options.comment = "it's";
  table->options.gc_grace_seconds = 5;
  table->options.bloom_filter_fp_chance = 0.25;
  table->options.caching["keys"] = "NONE";
  table->options.extensions["x"] = "y";
  table->dropped_columns = {{"old", ListType(ScalarType(TypeKind::kInt)), true, 123}};
  table->partition_map = {{0, ""}, {3, "\x80"}};
  return table;
}

void ExpectSameTable(const TableSchema& a, const TableSchema& b) {
  EXPECT_EQ(EncodeTable(a), EncodeTable(b));
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.partition_map, b.partition_map);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].descending, b.columns[i].descending);
    EXPECT_EQ(a.columns[i].generated_as, b.columns[i].generated_as);
    EXPECT_EQ(a.columns[i].not_null, b.columns[i].not_null);
    EXPECT_TRUE(SameType(*a.columns[i].type, *b.columns[i].type)) << a.columns[i].name;
    EXPECT_EQ(a.columns[i].type->bytes_max, b.columns[i].type->bytes_max);
  }
}

TEST(CatalogCodecTest, TablesComeBack) {
  const auto table = RichTable(7);
  TableSchema back;
  ASSERT_TRUE(DecodeTable(EncodeTable(*table), back));
  ExpectSameTable(*table, back);
}

TEST(CatalogCodecTest, IndexesAndViewsComeBack) {
  const auto table = RichTable(7);
  const Bytes plain = EncodeTable(*table);
  const auto entries = NewTable(8);
  entries->partitioning.kind = PartitionKind::kRange;
  table->indexes.push_back({.name = "by_v",
                            .kind = IndexKind::kSai,
                            .target = IndexTarget::kKeys,
                            .column = 9,
                            .options = {{"case_sensitive", "false"}},
                            .entries = entries,
                            .built = true});
  table->views = {"mv1", "mv2"};
  table->view = std::make_shared<const ViewSchema>(ViewSchema{.base_table = "base",
                                                              .base_id = table->id,
                                                              .include_all_columns = true,
                                                              .where_clause = "a IS NOT NULL",
                                                              .built = true});
  const Bytes record = EncodeTable(*table);
  EXPECT_NE(record, plain);
  TableSchema back;
  ASSERT_TRUE(DecodeTable(record, back));
  ExpectSameTable(*table, back);
  ASSERT_EQ(back.indexes.size(), 1u);
  EXPECT_EQ(back.indexes[0].name, "by_v");
  EXPECT_EQ(back.indexes[0].kind, IndexKind::kSai);
  EXPECT_EQ(back.indexes[0].target, IndexTarget::kKeys);
  EXPECT_EQ(back.indexes[0].column, 9u);
  EXPECT_EQ(back.indexes[0].options.at("case_sensitive"), "false");
  EXPECT_TRUE(back.indexes[0].built);
  EXPECT_EQ(back.indexes[0].entries->storage_id, 8u);
  EXPECT_EQ(back.indexes[0].entries->partitioning.kind, PartitionKind::kRange);
  EXPECT_EQ(back.views, table->views);
  EXPECT_EQ(back.view->base_table, "base");
  EXPECT_EQ(back.view->base_id, table->id);
  EXPECT_EQ(back.view->where_clause, "a IS NOT NULL");
  EXPECT_TRUE(back.view->include_all_columns && back.view->built);

  back.indexes[0].column = 99;  // The table has no column with this id.
  TableSchema damaged;
  EXPECT_FALSE(DecodeTable(EncodeTable(back), damaged));
}

TEST(CatalogCodecTest, GeneratedAndNotNullColumnsComeBack) {
  const auto table = RichTable(7);
  const Bytes plain = EncodeTable(*table);
  table->columns[0].generated_as = "bucket(ts, 16)";
  table->columns[1].generated_as = "hash_prefix(v, 4)";
  table->columns[2].not_null = true;
  const Bytes record = EncodeTable(*table);
  // A record begins with its format's version. Only tables with generated or NOT NULL columns need version 2.
  EXPECT_EQ(plain[0], 1);
  EXPECT_EQ(record[0], 2);
  TableSchema back;
  ASSERT_TRUE(DecodeTable(record, back));
  ExpectSameTable(*table, back);
}

TEST(CatalogCodecTest, DroppedColumnsComeBackWithTheirIds) {
  const auto table = RichTable(7);
  ASSERT_EQ(EncodeTable(*table)[0], 1) << "ids that are not known take no room";
  table->dropped_columns.push_back({"older", ScalarType(TypeKind::kInt), false, -5, 4, 17});
  TableSchema back;
  ASSERT_TRUE(DecodeTable(EncodeTable(*table), back));
  ASSERT_EQ(back.dropped_columns.size(), 2u);
  EXPECT_EQ(back.dropped_columns[0].id, kNoColumnId);
  EXPECT_EQ(back.dropped_columns[1].id, 4u);
  EXPECT_EQ(back.dropped_columns[1].dropped_micros, -5);
  EXPECT_EQ(back.dropped_columns[1].gone_micros, 17);
  // No column can have this id, because the table gives it to the next new column.
  table->dropped_columns[1].id = table->next_column_id;
  TableSchema damaged;
  EXPECT_FALSE(DecodeTable(EncodeTable(*table), damaged));
}

TEST(CatalogCodecTest, KeyspacesComeBackWithTheirTypes) {
  KeyspaceSchema keyspace;
  keyspace.name = "ks";
  keyspace.durable_writes = false;
  keyspace.replication = {{"class", "NetworkTopologyStrategy"}, {"dc1", "3"}};
  keyspace.types["Address"] = Address();
  KeyspaceSchema back;
  ASSERT_TRUE(DecodeKeyspace(EncodeKeyspace(keyspace), back));
  EXPECT_EQ(back.replication, keyspace.replication);
  EXPECT_FALSE(back.durable_writes);
  EXPECT_TRUE(SameType(*back.types.at("Address"), *Address()));
}

TEST(CatalogCodecTest, SealedGarbageIsReadWithoutHarm) {
  const Bytes good = EncodeTable(*RichTable(7));
  std::mt19937 random(10);
  for (int i = 0; i < 20'000; ++i) {
    Bytes bad = good.substr(0, good.size() - kChecksumBytes);
    for (int changes = 0; changes < 3; ++changes) bad[random() % bad.size()] = static_cast<char>(random());
    Seal(bad);
    TableSchema back;
    KeyspaceSchema keyspace;
    static_cast<void>(DecodeTable(bad, back));
    EXPECT_FALSE(DecodeKeyspace(bad.substr(0, bad.size() - 1), keyspace));
  }
}

RoleSchema RichRole() {
  return {.name = "ann",
          .id = Uuid::FromBytes("0123456789abcdef"),
          .superuser = true,
          .can_login = true,
          .salted_hash = "$2a$10$x",
          .default_password = true,
          .member_of = {"readers", "writers"},
          .identities = {"spiffe://ann"},
          .permissions = {{"data", PermissionSet{Permission::kSelect}}, {"data/ks/t", PermissionSet::FromBits(~0u)}}};
}

TEST(RoleCodecTest, AllOfARoleComesBack) {
  for (const RoleSchema& role : {RichRole(), RoleSchema{.name = "b"}}) {
    RoleSchema back;
    ASSERT_TRUE(DecodeRole(EncodeRole(role), back));
    EXPECT_EQ(back, role);
  }
}

// Records that earlier versions have written have no role id.
TEST(RoleCodecTest, ARecordWithoutAnIdIsRead) {
  RoleSchema role = RichRole();
  Bytes record = EncodeRole(role);
  record.resize(record.size() - kChecksumBytes);
  record[0] = 1;
  record.erase(2, 16);
  Seal(record);
  RoleSchema back;
  ASSERT_TRUE(DecodeRole(record, back));
  role.id = {};
  EXPECT_EQ(back, role);
}

TEST(RoleCodecTest, SealedGarbageIsReadWithoutHarm) {
  const Bytes good = EncodeRole(RichRole());
  std::mt19937 random(10);
  for (int i = 0; i < 20'000; ++i) {
    Bytes bad = good.substr(0, good.size() - kChecksumBytes);
    for (int changes = 0; changes < 3; ++changes) bad[random() % bad.size()] = static_cast<char>(random());
    bad.resize(bad.size() - random() % 3);
    Seal(bad);
    RoleSchema back;
    static_cast<void>(DecodeRole(bad, back));
    EXPECT_FALSE(DecodeRole(bad.substr(0, bad.size() - 1), back));
  }
}

class CatalogTest : public EngineFixture {};

TEST_F(CatalogTest, RolesAreThereAfterReopeningAndDroppedOnesAreNot) {
  const auto with_roles = [&](std::initializer_list<RoleSchema> roles) {
    auto schema = std::make_shared<SchemaSnapshot>(*SchemaOf({table_}));
    auto access = std::make_shared<AccessCatalog>();
    for (const RoleSchema& role : roles) access->roles[role.name] = std::make_shared<const RoleSchema>(role);
    schema->access = access;
    return schema;
  };
  ASSERT_TRUE(engine().CommitSchema(with_roles({RichRole(), {.name = "b"}})).ok());
  Reopen();
  ASSERT_NE(engine().LoadedSchema()->access, nullptr);
  EXPECT_EQ(engine().LoadedSchema()->access->roles.size(), 2u);
  EXPECT_EQ(*engine().LoadedSchema()->access->Find("ann"), RichRole());
  ASSERT_TRUE(engine().CommitSchema(with_roles({{.name = "b", .can_login = true}})).ok());
  Reopen();
  EXPECT_EQ(engine().LoadedSchema()->access->roles.size(), 1u);
  EXPECT_TRUE(engine().LoadedSchema()->access->Find("b")->can_login);
  EXPECT_NE(engine().LoadedSchema()->FindTable("ks", "t"), nullptr);
}

TEST_F(CatalogTest, ASecondEngineSeesTheSameSchema) {
  auto schema = std::make_shared<SchemaSnapshot>(*SchemaOf({RichTable(engine().NewStorageId())}));
  auto keyspace = std::make_shared<KeyspaceSchema>(*schema->keyspaces["ks"]);
  keyspace->types["Address"] = Address();
  schema->keyspaces["ks"] = keyspace;
  auto empty = std::make_shared<KeyspaceSchema>();
  empty->name = "Empty";
  schema->keyspaces["Empty"] = empty;
  ASSERT_TRUE(engine().CommitSchema(schema).ok());
  Reopen();
  const SchemaPtr loaded = engine().LoadedSchema();
  EXPECT_EQ(loaded->version, schema->version);
  ASSERT_EQ(loaded->keyspaces.size(), 2u);
  ExpectSameTable(*loaded->FindTable("ks", "t"), *schema->FindTable("ks", "t"));
  EXPECT_TRUE(SameType(*loaded->keyspaces.at("ks")->types.at("Address"), *Address()));
}

TEST_F(CatalogTest, WhatIsDroppedIsGoneAfterReopening) {
  auto other = NewTable(engine().NewStorageId(), "other");
  auto elsewhere = NewTable(engine().NewStorageId(), "u");
  elsewhere->keyspace = "ks2";
  ASSERT_TRUE(engine().CommitSchema(SchemaOf({table_, other, elsewhere})).ok());
  ASSERT_TRUE(engine().CommitSchema(SchemaOf({table_})).ok());
  Reopen();
  const SchemaPtr loaded = engine().LoadedSchema();
  EXPECT_EQ(loaded->keyspaces.size(), 1u);
  EXPECT_EQ(loaded->keyspaces.at("ks")->tables.size(), 1u);
}

TEST_F(CatalogTest, StorageIdsAreNeverUsedTwice) {
  const StorageId last = engine().NewStorageId();
  ASSERT_TRUE(engine().CommitSchema(SchemaOf({NewTable(last)})).ok());
  ASSERT_TRUE(engine().CommitSchema(SchemaOf({})).ok());
  Reopen();
  EXPECT_GT(engine().NewStorageId(), last);
}

TEST_F(CatalogTest, WritesToATableThatIsGoneVanish) {
  const TablePtr gone = table_;
  UseTable(NewTable(engine().NewStorageId()));
  EXPECT_TRUE(Apply(Row(gone, "k", "c", Insert(1, {}))).ok());
  EXPECT_EQ(RecordCount(), 0u);
}

}  // namespace
}  // namespace widerow
