#include "shell/copy_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace widerow {
namespace {

using ::testing::ElementsAre;

TableSchema Events() {
  TableSchema table;
  table.keyspace = "ks";
  table.name = "events";
  table.partition_key_size = 2;
  table.clustering_size = 1;
  table.columns = {
      {.name = "bucket", .kind = ColumnKind::kPartitionKey, .type = ScalarType(TypeKind::kInt)},
      {.name = "Host", .kind = ColumnKind::kPartitionKey, .position = 1, .type = ScalarType(TypeKind::kText)},
      {.name = "ts", .kind = ColumnKind::kClustering, .type = ScalarType(TypeKind::kTimestamp)},
      {.name = "v", .type = ScalarType(TypeKind::kDouble)}};
  return table;
}

Result<CopyMapping> Map(const std::string& copy, const std::vector<std::string>& header) {
  const auto command = ParseCopy(copy);
  EXPECT_TRUE(command.ok()) << command.error().message;
  return MapCopyColumns(*command, Events(), SchemaSnapshot{}, header);
}

std::string Insert(const std::string& copy, const std::vector<std::string>& header = {}) {
  const auto mapping = Map(copy, header);
  if (!mapping.ok())
    return mapping.error().message + (mapping.error().hint.empty() ? "" : " / " + mapping.error().hint);
  std::string fields;
  for (const CopySlot& slot : mapping->slots) fields += " " + std::to_string(slot.field);
  return mapping->Statement() + fields + " of " + std::to_string(mapping->field_count);
}

TEST(CopyMappingTest, TheTablesOrderTheListAndTheHeader) {
  EXPECT_EQ(Insert("COPY events FROM 'f'"),
            "INSERT INTO ks.events (bucket, \"Host\", ts, v) VALUES (?, ?, ?, ?) 0 1 2 3 of 4");
  EXPECT_EQ(Insert("COPY events (ts, -, \"Host\", bucket) FROM 'f'"),
            "INSERT INTO ks.events (ts, \"Host\", bucket) VALUES (?, ?, ?) 0 2 3 of 4");
  EXPECT_EQ(Insert("COPY events FROM 'f' WITH HEADER=TRUE", {"TS", "bucket", "Host"}),
            "INSERT INTO ks.events (ts, bucket, \"Host\") VALUES (?, ?, ?) 0 1 2 of 3");
  EXPECT_EQ(Insert("COPY events (ts, bucket, \"Host\") FROM 'f' WITH HEADER=TRUE", {"a", "b", "c"}),
            "INSERT INTO ks.events (ts, bucket, \"Host\") VALUES (?, ?, ?) 0 1 2 of 3");
}

TEST(CopyMappingTest, ComputedColumns) {
  EXPECT_EQ(Insert("COPY events FROM 'f' WITH HEADER=TRUE AND SET={'bucket': 'bucket(:ts, 16)'}", {"ts", "Host"}),
            "INSERT INTO ks.events (ts, \"Host\", bucket) VALUES (?, ?, bucket((timestamp)?, 16)) 0 1 0 of 2");
  // If the field `name` of the file is no column of the table, `:name` is a text, unless the expression casts it. If
  // the file has a field with the name of a computed column, the expression of the column can use this field.
  EXPECT_EQ(
      Insert("COPY events FROM 'f' WITH HEADER=TRUE AND "
             "SET={'bucket': 'f((int):day, :\"Where\", {''a'':now()})', 'v': ':v + 1.5'}",
             {"ts", "Host", "day", "Where", "v"}),
      "INSERT INTO ks.events (ts, \"Host\", bucket, v) VALUES (?, ?, f((int)?, (text)?, {'a':now()}), (double)? + 1.5) "
      "0 1 2 3 4 of 5");
}

TEST(CopyMappingTest, KeySlotsAlsoThroughExpressions) {
  const auto mapping =
      Map("COPY events FROM 'f' WITH HEADER=TRUE AND SET={'bucket': 'bucket((int):n, 4)'}", {"v", "ts", "Host", "n"});
  ASSERT_TRUE(mapping.ok()) << mapping.error().message;
  EXPECT_THAT(mapping->key_slots, ElementsAre(1, 2, 3));
  EXPECT_TRUE(mapping->slots[1].key);
  EXPECT_FALSE(mapping->slots[0].key);
}

TEST(CopyMappingTest, CountersAreAddedTo) {
  TableSchema hits = Events();
  hits.name = "hits";
  hits.columns[3].type = ScalarType(TypeKind::kCounter);
  const auto text = [&](const std::string& copy, const std::vector<std::string>& header) {
    const auto mapping = MapCopyColumns(*ParseCopy(copy), hits, SchemaSnapshot{}, header);
    if (!mapping.ok()) return mapping.error().message;
    std::string fields;
    for (const CopySlot& slot : mapping->slots) fields += " " + std::to_string(slot.field);
    return mapping->Statement() + fields;
  };
  EXPECT_EQ(text("COPY hits FROM 'f'", {}),
            "UPDATE ks.hits SET v = v + ? WHERE bucket = ? AND \"Host\" = ? AND ts = ? 3 0 1 2");
  EXPECT_EQ(text("COPY hits FROM 'f' WITH HEADER=TRUE AND SET={'v': ':a - :b', 'bucket': 'bucket(:ts, 4)'}",
                 {"ts", "a", "Host", "b"}),
            "UPDATE ks.hits SET v = v + (text)? - (text)? WHERE ts = ? AND \"Host\" = ? AND bucket = "
            "bucket((timestamp)?, 4) 1 3 0 2 0");
  EXPECT_EQ(text("COPY hits (bucket, \"Host\", ts) FROM 'f'", {}),
            "The file has no field for a counter: there is nothing to add");
}

TEST(CopyMappingTest, WhatCannotBeMapped) {
  EXPECT_EQ(Insert("COPY events FROM 'f' WITH HEADER=TRUE", {"bucket", "Host", "ts", "x", "y"}),
            "Table ks.events has no column x, y / its columns are bucket, Host, ts, v; WITH IGNOREUNKNOWN=TRUE ignores "
            "other fields");
  EXPECT_EQ(Insert("COPY events FROM 'f' WITH HEADER=TRUE AND IGNOREUNKNOWN=TRUE", {"bucket", "Host", "ts", "x"}),
            "INSERT INTO ks.events (bucket, \"Host\", ts) VALUES (?, ?, ?) 0 1 2 of 4");
  EXPECT_EQ(Insert("COPY events (bucket, x) FROM 'f'"),
            "Table ks.events has no column x / its columns are bucket, Host, ts, v");
  EXPECT_EQ(Insert("COPY events (bucket, ts) FROM 'f'").substr(0, 57),
            "The file has no field for the primary key column Host / n");
  EXPECT_EQ(Insert("COPY events FROM 'f' WITH HEADER=TRUE", {"ts", "TS", "bucket", "Host"}),
            "Column ts is in the file twice");
  EXPECT_EQ(Insert("COPY events FROM 'f' WITH HEADER=TRUE AND SET={'bucket': 'bucket(:nope, 16)'}", {"ts", "Host"}),
            "The expression for bucket uses :nope, which is not a field of the file / the fields are ts, Host");
  EXPECT_EQ(Insert("COPY events (ts, bucket) FROM 'f' WITH HEADER=TRUE", {"a", "b", "c"}),
            "The file has 3 fields, the column list 2 / write - for a field to skip");
}

}  // namespace
}  // namespace widerow
