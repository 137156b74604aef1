// Tests CREATE, ALTER and DROP TYPE. A change of a type changes the tables and types that use it.
#include "tests/unit/planner/ddl_fixture.h"

namespace widerow {
namespace {

class DdlTypeTest : public DdlTest {
 protected:
  const Type& Udt(const std::string& name) { return *schema_->FindKeyspace("ks")->types.find(name)->second; }
  static std::string Fields(const Type& udt) {
    std::string out;
    for (size_t i = 0; i < udt.field_names.size(); ++i) {
      out += (out.empty() ? "" : ", ") + udt.field_names[i] + " " + TypeText(*udt.arguments[i]);
    }
    return out;
  }
};

TEST_F(DdlTypeTest, Creates) {
  EXPECT_EQ(Run("CREATE TYPE w (a list<int>, b frozen<u>, c list<frozen<u>>, t tuple<int, u>, v vector<int, 2>)"),
            "ok");
  EXPECT_EQ(Fields(Udt("w")),
            "a list<int>, b frozen<u>, c list<frozen<u>>, t frozen<tuple<int, frozen<u>>>, v vector<int, 2>");
  EXPECT_FALSE(Udt("w").frozen);
  EXPECT_EQ(change_.target, SchemaChange::Target::kType);
  EXPECT_EQ(change_.name, "w");
}
TEST_F(DdlTypeTest, CreateRefusals) {
  const std::pair<const char*, const char*> cases[] = {
      {"CREATE TYPE u (a int)", "Invalid A user type with name 'u' already exists"},
      {"CREATE TYPE w (a int, a text)", "Invalid Duplicate field name 'a' in type 'w'"},
      {"CREATE TYPE w (a counter)", "Invalid A user type cannot contain counters"},
      {"CREATE TYPE w (a list<counter>)", "Invalid Counters are not allowed inside collections: list<counter>"},
      {"CREATE TYPE w (a u)", "Invalid A user type cannot contain non-frozen UDTs"},
      {"CREATE TYPE w (a nosuch)", "Invalid A user type cannot contain non-frozen UDTs"},
      {"CREATE TYPE w (a frozen<nosuch>)", "Invalid Unknown type ks.nosuch"},
      {"CREATE TYPE w (a list<list<int>>)",
       "Invalid Non-frozen collections are not allowed inside collections: list<list<int>>"},
      {"CREATE TYPE nosuch.w (a int)", "Invalid Keyspace 'nosuch' doesn't exist"},
      {"CREATE TYPE ks.bitstring (a int)", "SyntaxError Invalid (reserved) user type name bitstring"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Run(text), expected) << text;
  EXPECT_EQ(Run("CREATE TYPE IF NOT EXISTS u (a nosuch)"), "unchanged");
  EXPECT_EQ(Run("CREATE TYPE \"u-7\" (\"my f\" int)"), "ok");
}
TEST_F(DdlTypeTest, AddedFieldsReachTypesAndTables) {
  EXPECT_EQ(Run("CREATE TYPE outer_type (f frozen<u>)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY, a u, b frozen<u>, c list<frozen<outer_type>>, d int)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE other (k int PRIMARY KEY, v text)"), "ok");
  const TablePtr other = Table("other"), before = Table("t");
  EXPECT_EQ(Run("ALTER TYPE u ADD c list<int>"), "ok");
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kUpdated);
  const std::string fields = "a int, b text, c list<int>";
  EXPECT_EQ(Fields(Udt("u")), fields);
  EXPECT_EQ(Fields(*Udt("outer_type").arguments[0]), fields);
  EXPECT_TRUE(Udt("outer_type").arguments[0]->frozen);
  EXPECT_EQ(Fields(*Table("t")->Find("a")->type), fields);
  EXPECT_FALSE(Table("t")->Find("a")->type->frozen);
  EXPECT_TRUE(Table("t")->Find("b")->type->frozen);
  EXPECT_EQ(Fields(*Table("t")->Find("c")->type->arguments[0]->arguments[0]), fields);
  EXPECT_EQ(Table("other"), other);
  EXPECT_NE(Table("t"), before);
  EXPECT_EQ(Table("t")->storage_id, before->storage_id);
  EXPECT_EQ(Fields(*before->Find("a")->type), "a int, b text");  // An older snapshot of the schema does not change.
}
TEST_F(DdlTypeTest, AlterRefusals) {
  EXPECT_EQ(Run("CREATE TYPE w (f frozen<u>)"), "ok");
  const std::pair<const char*, const char*> cases[] = {
      {"ALTER TYPE nosuch ADD c int", "Invalid Type ks.nosuch doesn't exist"},
      {"ALTER TYPE k9.u ADD c int", "Invalid Type k9.u doesn't exist"},
      {"ALTER TYPE u ADD a int", "Invalid Cannot add field a to type ks.u: a field with name a already exists"},
      {"ALTER TYPE u ADD c counter", "Invalid A user type cannot contain counters"},
      {"ALTER TYPE u ADD c u", "Invalid A user type cannot contain non-frozen UDTs"},
      {"ALTER TYPE u ADD c frozen<u>",
       "Invalid Cannot add new field c of type frozen<ks.u> to user type ks.u as it would create a circular reference"},
      {"ALTER TYPE u ADD c frozen<w>",
       "Invalid Cannot add new field c of type frozen<ks.w> to user type ks.u as it would create a circular reference"},
      {"ALTER TYPE w ADD b map<int, frozen<map<int, w>>>",
       "Invalid Cannot add new field b of type map<int, frozen<map<int, frozen<ks.w>>>> to user type ks.w as it would "
       "create a circular reference"},
      {"ALTER TYPE u RENAME x TO y", "Invalid Unkown field x in user type ks.u"},
      {"ALTER TYPE u RENAME a TO b", "Invalid Duplicate field name b in type ks"},
      {"ALTER TYPE u ALTER a TYPE text", "Invalid Altering field types is no longer supported"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Run(text), expected) << text;
  EXPECT_EQ(Run("ALTER TYPE IF EXISTS nosuch ADD c int"), "unchanged");
  EXPECT_EQ(Run("ALTER TYPE u ADD IF NOT EXISTS a int"), "unchanged");
  EXPECT_EQ(Run("ALTER TYPE u RENAME IF EXISTS x TO y"), "unchanged");
}
TEST_F(DdlTypeTest, TypesInPartitionKeysDoNotGrow) {
  EXPECT_EQ(Run("CREATE TABLE p1 (k frozen<u> PRIMARY KEY)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE p2 (k frozen<map<text, frozen<u>>> PRIMARY KEY)"), "ok");
  EXPECT_EQ(
      Run("ALTER TYPE u ADD z text"),
      "Invalid Cannot add new field z of type text to user type ks.u as the type is being used in partition key by the "
      "following tables: ks.p1, ks.p2");
  EXPECT_EQ(Run("ALTER TYPE u RENAME a TO z"), "ok");
}
// A type in a clustering column can get no field of type duration, which has no order, or longblob, which does not fit
// into a key. Cassandra allows such a field.
TEST_F(DdlTypeTest, TypesInClusteringsGetNothingUnordered) {
  EXPECT_EQ(Run("CREATE TABLE t (k int, c frozen<u>, PRIMARY KEY (k, c))"), "ok");
  EXPECT_EQ(Run("ALTER TYPE u ADD z duration"),
            "Invalid Cannot add new field z of type duration to user type ks.u as the type is being used in the "
            "primary key of: ks.t");
  EXPECT_EQ(Run("ALTER TYPE u ADD z longblob"),
            "Invalid Cannot add new field z of type longblob to user type ks.u as the type is being used in the "
            "primary key of: ks.t");
  EXPECT_EQ(Run("ALTER TYPE u ADD z text"), "ok");
}
TEST_F(DdlTypeTest, RenamesAreDoneAtOnce) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY, v u)"), "ok");
  EXPECT_EQ(Run("ALTER TYPE u RENAME a TO b AND b TO a"), "ok");
  EXPECT_EQ(Fields(Udt("u")), "b int, a text");
  EXPECT_EQ(Fields(*Table("t")->Find("v")->type), "b int, a text");
}
TEST_F(DdlTypeTest, DropNeedsAnUnusedType) {
  EXPECT_EQ(Run("CREATE TYPE w (f frozen<u>)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE t2 (k int PRIMARY KEY, v frozen<w>)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE t3 (k int PRIMARY KEY, v list<frozen<w>>)"), "ok");
  EXPECT_EQ(Run("DROP TYPE u"), "Invalid Cannot drop user type 'ks.u' as it is still used by user types w");
  EXPECT_EQ(Run("DROP TYPE w"), "Invalid Cannot drop user type 'ks.w' as it is still used by tables t2, t3");
  EXPECT_EQ(Run("DROP TYPE nosuch"), "Invalid Type 'ks.nosuch' doesn't exist");
  EXPECT_EQ(Run("DROP TYPE IF EXISTS k9.nosuch"), "unchanged");
  EXPECT_EQ(Run("DROP TABLE t2"), "ok");
  EXPECT_EQ(Run("DROP TABLE t3"), "ok");
  EXPECT_EQ(Run("DROP TYPE w"), "ok");
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kDropped);
  EXPECT_EQ(Run("DROP TYPE u"), "ok");
  EXPECT_TRUE(schema_->FindKeyspace("ks")->types.empty());
}

}  // namespace
}  // namespace widerow
