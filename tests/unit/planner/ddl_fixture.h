// A fixture with a schema that DDL statements change. The expected messages are those of a real Cassandra 5.0.9, unless
// a test says otherwise.
#pragma once

#include <gtest/gtest.h>

#include "parser/parse.h"
#include "planner/ddl/edit/apply_ddl.h"
#include "planner/schema_change.h"

namespace widerow {

class DdlTest : public testing::Test {
 protected:
  DdlTest() {
    EXPECT_EQ(Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"), "ok");
    EXPECT_EQ(Run("CREATE TYPE ks.u (a int, b text)"), "ok");
  }

  Result<DdlResult> Try(std::string_view text) {
    WR_ASSIGN_OR_RETURN(const Statement statement, Parse(text));
    return ApplyDdl(statement, schema_,
                    {.current_keyspace = current_keyspace_,
                     .new_storage_id = [this] { return next_storage_id_++; },
                     .now_micros = now_micros_++,
                     .datacenter = datacenter_});
  }
  // Runs the statement and keeps its change of the schema. Returns "ok" or "unchanged", or the code and the message of
  // the error.
  std::string Run(std::string_view text) {
    const Result<DdlResult> result = Try(text);
    if (!result.ok()) return std::string(ErrorCodeName(result.error().code)) + " " + result.error().message;
    warnings_ = result->warnings;
    EXPECT_EQ(result->change.has_value(), result->schema != schema_);
    if (result->schema == schema_) return "unchanged";
    EXPECT_NE(result->schema->version, schema_->version);
    schema_ = result->schema;
    change_ = *result->change;
    return "ok";
  }
  TablePtr Table(std::string_view name) const { return schema_->FindTable("ks", name); }
  std::string TypeOf(std::string_view table, std::string_view column) const {
    const TablePtr found = Table(table);
    return found == nullptr || found->Find(column) == nullptr ? "no column" : TypeText(*found->Find(column)->type);
  }
  std::string ColumnNames(std::string_view table) const {
    std::string names;
    for (const ColumnSchema& column : Table(table)->columns) names += (names.empty() ? "" : " ") + column.name;
    return names;
  }

  SchemaPtr schema_ = std::make_shared<const SchemaSnapshot>();
  std::string current_keyspace_ = "ks", datacenter_ = kDefaultDatacenter;
  StorageId next_storage_id_ = 100;
  int64_t now_micros_ = 1'600'000'000'000'000;
  std::vector<std::string> warnings_;
  SchemaChange change_;
};

}  // namespace widerow
