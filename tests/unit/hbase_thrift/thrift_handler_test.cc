// The methods of the Thrift interface that happybase does not call, and the memory of answers.
#include "net/hbase/thrift/thrift_handler.h"

#include "net/hbase/thrift/call_memory.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

class ThriftHandlerTest : public HBaseTest {
 protected:
  static thrift::Mutation MutationOf(const std::string& column, const std::string& value, bool is_delete = false) {
    thrift::Mutation mutation;
    mutation.column = column;
    mutation.value = value;
    mutation.isDelete = is_delete;
    return mutation;
  }
  void CreateTable() {
    thrift::ColumnDescriptor family;
    family.name = "f:";
    family.maxVersions = 3;
    handler_.createTable("t", {family});
  }
  // Returns the rows of a scan, as "row row ".
  std::string Rows(int32_t scanner) {
    std::string text;
    for (;;) {
      std::vector<thrift::TRowResult> rows;
      handler_.scannerGetList(rows, scanner, 2);
      if (rows.empty()) break;
      for (const thrift::TRowResult& row : rows) text += row.row + " ";
    }
    handler_.scannerClose(scanner);
    return text;
  }
  static std::string ErrorOf(const std::function<void()>& call) {
    try {
      call();
    } catch (const thrift::IOError& error) { return error.message; }
    return "no error";
  }

  Services services_{*engine_, {.host = "127.0.0.1", .port = 16'020, .start_code = 1}};
  ThriftHandler handler_{services_};
};

TEST_F(ThriftHandlerTest, CellsAndVersions) {
  CreateTable();
  for (const int64_t t : {1, 2, 3}) handler_.mutateRowTs("t", "a", {MutationOf("f:q", std::to_string(t))}, t, {});
  std::vector<thrift::TCell> cells;
  handler_.getVer(cells, "t", "a", "f:q", 2, {});
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].value, "3");
  EXPECT_EQ(cells[1].timestamp, 2);
  cells.clear();
  handler_.getVerTs(cells, "t", "a", "f:q", 3, 9, {});  // Versions with a timestamp below 3.
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].value, "2");
  handler_.deleteAllTs("t", "a", "f:q", 2, {});
  cells.clear();
  handler_.getVer(cells, "t", "a", "f:q", 9, {});
  ASSERT_EQ(cells.size(), 1u);
  handler_.mutateRow("t", "a", {MutationOf("f:r", "x"), MutationOf("f:q", "", true)}, {});
  std::vector<thrift::TRowResult> rows;
  handler_.getRowsWithColumns(rows, "t", {"a", "none"}, {"f:q", "f:r"}, {});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].columns.size(), 1u);
  EXPECT_EQ(rows[0].columns["f:r"].value, "x");
}

TEST_F(ThriftHandlerTest, AtomicOperations) {
  CreateTable();
  EXPECT_EQ(handler_.atomicIncrement("t", "a", "f:n", 5), 5);
  thrift::TIncrement increment;
  increment.table = "t";
  increment.row = "a";
  increment.column = "f:n";
  increment.ammount = -7;
  handler_.incrementRows({increment, increment});
  EXPECT_EQ(handler_.atomicIncrement("t", "a", "f:n", 0), -9);
  EXPECT_TRUE(handler_.checkAndPut("t", "a", "f:c", "", MutationOf("f:c", "1"), {}));  // "" means: f:c must not exist.
  EXPECT_FALSE(handler_.checkAndPut("t", "a", "f:c", "2", MutationOf("f:c", "3"), {}));
  EXPECT_TRUE(handler_.checkAndPut("t", "a", "f:c", "1", MutationOf("f:c", "3"), {}));
  thrift::TAppend append;
  append.table = "t";
  append.row = "a";
  append.columns = {"f:c"};
  append.values = {"4"};
  std::vector<thrift::TCell> cells;
  handler_.append(cells, append);
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].value, "34");
  append.values.clear();
  EXPECT_THAT(ErrorOf([&] { handler_.append(cells, append); }), ::testing::HasSubstr("a value for each column"));
}

TEST_F(ThriftHandlerTest, Scanners) {
  CreateTable();
  for (const char* row : {"a", "aa", "b", "\xff", "\xff\x01"})
    handler_.mutateRowTs("t", row, {MutationOf("f:q", "v")}, 5, {});
  EXPECT_EQ(Rows(handler_.scannerOpen("t", "b", {}, {})), "b \xff \xff\x01 ");
  EXPECT_EQ(Rows(handler_.scannerOpenWithStop("t", "a", "b", {"f:q"}, {})), "a aa ");
  EXPECT_EQ(Rows(handler_.scannerOpenWithPrefix("t", "a", {"f"}, {})), "a aa ");
  EXPECT_EQ(Rows(handler_.scannerOpenWithPrefix("t", "\xff", {}, {})), "\xff \xff\x01 ");
  EXPECT_EQ(Rows(handler_.scannerOpenTs("t", "", {}, 5, {})), "");
  EXPECT_EQ(Rows(handler_.scannerOpenWithStopTs("t", "", "b", {}, 6, {})), "a aa ");
  thrift::TScan scan;
  scan.__set_startRow("b");
  scan.__set_reversed(true);
  scan.__set_filterString("PrefixFilter('a')");
  EXPECT_EQ(Rows(handler_.scannerOpenWithScan("t", scan, {})), "aa a ");
  scan.__set_filterString("NoFilter()");
  EXPECT_THAT(ErrorOf([&] { handler_.scannerOpenWithScan("t", scan, {}); }), ::testing::HasSubstr("NoFilter"));
  std::vector<thrift::TRowResult> rows;
  EXPECT_THROW(handler_.scannerGet(rows, 12'345), thrift::IllegalArgument);
}

TEST_F(ThriftHandlerTest, Tables) {
  CreateTable();
  EXPECT_THROW(CreateTable(), thrift::AlreadyExists);
  EXPECT_THAT(ErrorOf([&] { handler_.compact("t"); }), ::testing::HasSubstr("compact"));
  std::map<std::string, thrift::ColumnDescriptor> families;
  handler_.getColumnDescriptors(families, "t");
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families.begin()->second.maxVersions, 3);
  EXPECT_THAT(ErrorOf([&] { handler_.deleteTable("t"); }), ::testing::HasSubstr("TableNotDisabledException"));
  handler_.disableTable("t");
  EXPECT_FALSE(handler_.isTableEnabled("t"));
  std::vector<thrift::TRowResult> rows;
  EXPECT_THAT(ErrorOf([&] { handler_.getRow(rows, "t", "a", {}); }), ::testing::HasSubstr("TableNotEnabledException"));
  handler_.deleteTable("t");
  std::vector<std::string> names;
  handler_.getTableNames(names);
  EXPECT_TRUE(names.empty());
}

// A call's memory is counted, and an answer that finds no memory is refused.
TEST_F(ThriftHandlerTest, AnswersAreCounted) {
  CreateTable();
  for (const char* row : {"a", "b", "c", "d"})
    handler_.mutateRow("t", row, {MutationOf("f:q", std::string(100'000, 'v'))}, {});
  const std::vector<std::string> keys = {"a", "b", "c", "d"};
  MemoryBudget large(64u << 20), small(256u << 10);
  {
    const CallMemory call(large);
    std::vector<thrift::TRowResult> rows;
    handler_.getRows(rows, "t", keys, {});
    EXPECT_EQ(rows.size(), 4u);
    EXPECT_GE(large.held_bytes(), 1'600'000u);
  }
  EXPECT_EQ(large.held_bytes(), 0u);
  {
    CallMemory call(small);
    call.AddRequest(1'000);
    std::vector<thrift::TRowResult> rows;
    EXPECT_THAT(ErrorOf([&] { handler_.getRow(rows, "t", "a", {}); }), ::testing::HasSubstr("no memory"));
    EXPECT_THAT(ErrorOf([&] { handler_.getRows(rows, "t", keys, {}); }), ::testing::HasSubstr("no memory"));
    EXPECT_TRUE(rows.empty());
  }
  EXPECT_EQ(small.held_bytes(), 0u);
  EXPECT_EQ(CallMemory::Room(), nullptr);
}

}  // namespace
}  // namespace widerow::hbase
