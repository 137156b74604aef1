// COPY TO and COPY FROM of values of all types: each value must come back.
#include <algorithm>

#include "base/text.h"
#include "session_fixture.h"
#include "tests/unit/types/random_value.h"
#include "types/text_form.h"

namespace widerow {
namespace {

const char* const kScalars[] = {"ascii",  "bigint",    "blob", "boolean", "date",     "decimal",
                                "double", "float",     "inet", "int",     "text",     "smallint",
                                "time",   "timestamp", "uuid", "varint",  "timeuuid", "tinyint"};
const char* const kOthers[] = {"duration",
                               "list<text>",
                               "set<bigint>",
                               "map<int, text>",
                               "map<text, decimal>",
                               "frozen<list<boolean>>",
                               "list<duration>",
                               "map<varint, varint>",
                               "map<timestamp, duration>",
                               "tuple<int, text, timeuuid>",
                               "tuple<duration, boolean, float>",
                               "vector<float, 3>",
                               "vector<blob, 2>",
                               "vector<varint, 2>",
                               "list<frozen<tuple<blob, varint>>>",
                               "map<frozen<list<int>>, frozen<set<text>>>",
                               "address",
                               "frozen<address>",
                               "list<frozen<address>>"};
// Texts that mean something in CSV.
const char* const kTexts[] = {"",     "NA",   "\\N",  "null", "0x", "\\.",  "\xEF\xBB\xBF", "\xEF\xBB\xBFk",
                              "'",    "\"",   "\"\"", ",",    "\r", "\r\n", "\n\\.\n",      "|",
                              "a\nb", "\\\"", "x\\",  " x ",  "-",  "\t",   "{a: 'b'}",     "\xE2\x82\xAC"};

class CopyRoundTripTest : public SessionTest {
 protected:
  CopyRoundTripTest() : writer_(MakeLocalSession(Server().database().engine(), "here")) {
    Run("CREATE TYPE address (street text, \"No\" int, \"a \"\"b\" frozen<list<inet>>, \"select\" boolean);");
  }

  // Makes the equal tables a and b.
  void MakeTables(const std::string& definition) {
    Run("DROP TABLE IF EXISTS a; DROP TABLE IF EXISTS b; CREATE TABLE a " + definition + "; CREATE TABLE b " +
        definition + ";");
    ASSERT_EQ(ran_, Interpreter::Ran::kOk) << definition << err_.str();
  }

  std::vector<ColumnSchema> Columns() { return (*writer_->Schema())->FindTable(keyspace_, "a")->columns; }

  // Stores a row in the table a; its values are in the order of Columns().
  void Insert(const std::vector<BoundValue>& values) {
    SessionRequest request;
    std::string markers;
    for (const ColumnSchema& column : Columns()) {
      request.text += (markers.empty() ? "" : ", ") + column.name;
      markers += markers.empty() ? "?" : ", ?";
    }
    request.text = "INSERT INTO " + keyspace_ + ".a (" + request.text + ") VALUES (" + markers + ")";
    request.parameters.values = values;
    const Result<Outcome> stored = writer_->Execute(request);
    ASSERT_TRUE(stored.ok()) << stored.error().message;
  }

  // Returns the rows of a table as CQL terms, which distinguish empty values from nulls. The rows are sorted, because
  // the token of a varint with leading zeros changes when the varint is written as text.
  std::string Rows(const std::string& table) {
    const Result<Outcome> outcome = writer_->Execute({.text = "SELECT * FROM " + keyspace_ + "." + table});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    const RowsPage& page = std::get<RowsPage>(outcome->result);
    PageReader reader(page);
    std::vector<ValueView> values;
    std::vector<std::string> rows;
    while (reader.Next(values)) {
      std::string& text = rows.emplace_back();
      for (size_t i = 0; i < values.size(); ++i) {
        const Type& type = *(*page.columns)[i].type;
        text += (*page.columns)[i].name + "=" + (values[i] ? FormatText(type, *values[i]) : "null") + "; ";
      }
    }
    std::sort(rows.begin(), rows.end());
    std::string all;
    for (const std::string& row : rows) all += row + "\n";
    return all;
  }

  void ExpectRoundTrip() {
    const std::string before = Rows("a");
    for (const std::string& options :
         {std::string("NULL = ''"), std::string("HEADER = TRUE AND NULL = 'NA' AND ESCAPE = '\\'"),
          std::string("DELIMITER = '|' AND QUOTE = '%' AND NULL = '\\N'"),
          std::string("DELIMITER = 'a' AND QUOTE = ''''"), std::string("NULL = 'null'")}) {
      const std::string file = "'" + Path("a.csv") + "' WITH " + options;
      Run("TRUNCATE b; COPY a TO " + file + " AND PAGESIZE = 7; COPY b FROM " + file + " AND CHUNKSIZE = 3;");
      ASSERT_EQ(ran_, Interpreter::Ran::kOk) << options << err_.str();
      ASSERT_EQ(Rows("b"), before) << options << "\n" << Read("a.csv.err");
    }
  }

  const std::unique_ptr<Session> writer_;
};

INSTANTIATE_TEST_SUITE_P(LocalAndHttp, CopyRoundTripTest, ::testing::Bool());

TEST_P(CopyRoundTripTest, ValuesOfAllTypes) {
  std::string definition = "(k int PRIMARY KEY";
  int count = 0;
  for (const char* type : kScalars) definition += StrCat(", v", count++, " ", type);
  for (const char* type : kOthers) definition += StrCat(", v", count++, " ", type);
  MakeTables(definition + ")");
  testing::ValueMaker maker(30, true);
  for (int row = 0; row < 200; ++row) {
    std::vector<BoundValue> values;
    for (const ColumnSchema& column : Columns()) {
      const bool null = !column.is_key() && maker.OneIn(6);
      values.push_back({.kind = null ? BoundValue::Kind::kUnset : BoundValue::Kind::kValue});
      if (!null) values.back().bytes = column.is_key() ? EncodeInteger(TypeKind::kInt, row) : maker.Make(*column.type);
    }
    Insert(values);
  }
  ExpectRoundTrip();
}

TEST_P(CopyRoundTripTest, KeysOfAllTypes) {
  for (const char* type : kScalars) {
    MakeTables(StrCat("(p ", type, ", q int, c ", type, ", v int, PRIMARY KEY ((p, q), c))"));
    testing::ValueMaker maker(31, true);
    const std::vector<ColumnSchema> columns = Columns();
    for (int row = 0; row < 40; ++row) {
      std::vector<BoundValue> values;
      for (const ColumnSchema& column : columns)
        values.push_back({.kind = BoundValue::Kind::kValue, .bytes = maker.Make(*column.type)});
      Insert(values);
    }
    ExpectRoundTrip();
  }
}

TEST_P(CopyRoundTripTest, TextsThatMeanSomethingInCsv) {
  MakeTables("(t text, i int, a text, l list<text>, u address, b blob, PRIMARY KEY (t, i))");
  const std::vector<ColumnSchema> columns = Columns();
  for (const char* text : kTexts) {
    const Bytes list = JoinCollection(*ListType(ScalarType(TypeKind::kText)), {ByteView(text)});
    const Bytes address = JoinTuple({ByteView(text), std::nullopt, std::nullopt, std::nullopt});
    std::vector<BoundValue> values;
    for (const Bytes& value : {Bytes(*text == '\0' ? "k" : text), EncodeInteger(TypeKind::kInt, 0), Bytes(text),
                               Bytes(text), list, address}) {
      values.push_back({.kind = BoundValue::Kind::kValue, .bytes = value});
    }
    Insert(values);
  }
  ExpectRoundTrip();
}

TEST_P(CopyRoundTripTest, ValuesThatAreEqualToNull) {
  MakeTables("(k int PRIMARY KEY, t text, v int)");
  Run("INSERT INTO a (k, t, v) VALUES (1, '5', 5); INSERT INTO a (k, v) VALUES (2, 5);");
  const std::string warning = " equal to the option NULL; COPY FROM would read null\n";
  EXPECT_EQ(Run("COPY a TO STDOUT WITH NULL = '5';"), "1,\"5\",\"5\"\n2,5,\"5\"\n! Warning: 2 values are" + warning);
  EXPECT_EQ(Run("COPY a (v) TO STDOUT WITH NULL = '5' AND MAXROWS = 1;"), "\"5\"\n! Warning: 1 value is" + warning);
  EXPECT_EQ(Run("COPY a (t) TO STDOUT WITH NULL = '5';"), "\"5\"\n5\n");
}

}  // namespace
}  // namespace widerow
