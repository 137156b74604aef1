// A database with HBase's tables, for tests of the semantics without sockets.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/hbase/cells/key_value.h"
#include "net/hbase/store/admin.h"
#include "net/hbase/store/row_writer.h"
#include "net/hbase/store/scanner.h"
#include "tests/unit/scratch_engine.h"

namespace widerow::hbase {

class HBaseTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(engine_, nullptr); }

  void Cql(const std::string& text) {
    const Status status = catalog_.own().Run(text, "default");
    EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message) << " in " << text;
  }
  // Creates the table `t` with these families.
  void Create(std::vector<FamilyDescriptor> families, std::vector<Bytes> split_keys = {}) {
    const Status status = admin_.Create(
        Caller(), {.id = {.name = "t"}, .attributes = {}, .families = std::move(families)}, std::move(split_keys));
    EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
  }
  HTablePtr Table(const std::string& name = "t") {
    Result<HTablePtr> table = catalog_.Find({.name = name});
    EXPECT_TRUE(table.ok());
    return table.ok() ? *table : nullptr;
  }
  static Cell MakeCell(const Bytes& qualifier, int64_t timestamp, const Bytes& value, CellType type = CellType::kPut) {
    return {.family = "f", .qualifier = qualifier, .timestamp = timestamp, .type = type, .value = value};
  }
  WriteResult Apply(MutationKind kind, const Bytes& row, std::vector<Cell> cells) {
    Mutation mutation;
    mutation.kind = kind;
    mutation.row = row;
    mutation.cells = std::move(cells);
    Result<WriteResult> result = writer_.Apply(Caller(), *Table(), {&mutation, 1});
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? std::move(*result) : WriteResult();
  }
  void Put(const Bytes& row, const Bytes& qualifier, int64_t timestamp, const Bytes& value) {
    Apply(MutationKind::kPut, row, {MakeCell(qualifier, timestamp, value)});
  }
  void Delete(const Bytes& row, CellType type, const Bytes& qualifier, int64_t timestamp) {
    Apply(MutationKind::kDelete, row, {MakeCell(qualifier, timestamp, {}, type)});
  }
  static std::string Show(const std::vector<Cell>& cells) {
    std::string text;
    for (const Cell& cell : cells) {
      text += (text.empty() ? "" : " ") + cell.family + ":" + cell.qualifier + "@" + std::to_string(cell.timestamp) +
              "=" + cell.value;
    }
    return text;
  }
  std::string Get(const Bytes& row, int32_t versions = 1, FilterPtr filter = nullptr) {
    ReadSpec read;
    read.max_versions = versions;
    read.filter = std::move(filter);
    const Result<std::vector<Cell>> cells = writer_.Get(Caller(), *Table(), row, read);
    EXPECT_TRUE(cells.ok()) << (cells.ok() ? "" : cells.error().message);
    return cells.ok() ? Show(*cells) : "";
  }
  // Returns the rows of a scan: "row{cells}" for each result, with a + if the row was cut. A scan without a filter runs
  // twice. The second run may return its rows as a block of encoded cells. Both runs must give the same rows.
  std::string Scan(std::unique_ptr<ScanSpec> spec, ScanLimits limits = {.results = 1'000},
                   const std::string& table_name = "t") {
    std::unique_ptr<ScanSpec> again;
    if (spec->read.filter == nullptr) {
      again = std::make_unique<ScanSpec>();
      again->range = spec->range;
      again->batch = spec->batch;
      again->read.families = spec->read.families;
      again->read.time_range = spec->read.time_range;
      again->read.max_versions = spec->read.max_versions;
    }
    const std::string text = ScanOnce(std::move(spec), limits, table_name);
    if (again != nullptr && text.find('+') == std::string::npos) {
      limits.may_encode = true;
      EXPECT_EQ(ScanOnce(std::move(again), limits, table_name), text);
    }
    return text;
  }
  std::string ScanOnce(std::unique_ptr<ScanSpec> spec, const ScanLimits& limits, const std::string& table_name) {
    const HTablePtr table = Table(table_name);
    Result<std::vector<ReadFamily>> families = FamiliesOf(*table, spec->read);
    EXPECT_TRUE(families.ok());
    Scanner scanner(table, MakeTableSource(catalog_.For(Caller()), table, *families), *families, std::move(spec));
    std::string text;
    for (bool more = true; more;) {
      Result<ScanAnswer> answer = scanner.Next(limits, catalog_.own().NowMs());
      EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
      if (!answer.ok()) break;
      for (const ScanResult& result : answer->results) {
        text += result.cells.row + "{" + Show(result.cells.cells) + "}" + (result.cut ? "+" : "") + " ";
      }
      ByteView block = answer->cell_block;
      for (const uint32_t count : answer->cells_of_rows) {
        Bytes row;
        std::vector<Cell> cells(count);
        for (Cell& cell : cells) EXPECT_TRUE(TakeKeyValue(block, row, cell).ok());
        text += row + "{" + Show(cells) + "} ";
      }
      EXPECT_EQ(block, "");
      more = answer->more;
    }
    return text;
  }

  const ScratchDirectory directory_;
  const std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
  Catalog catalog_{*engine_};
  Admin admin_{catalog_};
  RowWriter writer_{catalog_};
};

}  // namespace widerow::hbase
