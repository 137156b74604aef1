#include "parser/masked_text.h"

#include <gmock/gmock.h>

namespace widerow {
namespace {

TEST(MaskedText, EachKindOfConstant) {
  EXPECT_EQ(MaskedText("SELECT * FROM t WHERE k = 'it''s' AND v = -12 AND w = 1.5e-10 AND x = 0xCAFE;"),
            "SELECT * FROM t WHERE k = ? AND v = -? AND w = ? AND x = ?");
  EXPECT_EQ(MaskedText("SELECT v FROM t WHERE id = a1b2c3d4-0000-1111-2222-0123456789ab AND d = 1h30m AND p = P1Y2M"),
            "SELECT v FROM t WHERE id = ? AND d = ? AND p = ?");
  EXPECT_EQ(MaskedText("INSERT INTO t (a, b, c) VALUES ({'x': 1}, [true, null], $$ secret $$)"),
            "INSERT INTO t (a, b, c) VALUES ({?: ?}, [true, null], ?)");
  EXPECT_EQ(MaskedText("SELECT v FROM t WHERE d = P2024-01-31T12:00:00"), "SELECT v FROM t WHERE d = ?");
}

TEST(MaskedText, NamesAndMarkersStay) {
  EXPECT_EQ(MaskedText("UPDATE ks1.\"T 2\" SET v2 = ?, w = :w3 WHERE k_1 = ?"),
            "UPDATE ks1.\"T 2\" SET v2 = ?, w = :w3 WHERE k_1 = ?");
}

TEST(MaskedText, CommentsAndBlanks) {
  EXPECT_EQ(MaskedText("SELECT a -- the key is 'x'\n  FROM t /* 42 */ WHERE b=3;\n"), "SELECT a FROM t WHERE b=?");
  EXPECT_EQ(MaskedText("  \n "), "");
}

// A mistake in the text must not reveal what follows it.
TEST(MaskedText, TextsThatDoNotParse) {
  EXPECT_EQ(MaskedText("CREATE ROLE ann WITH PASSWORD = 'secret"), "CREATE ROLE ann WITH PASSWORD = ?");
  EXPECT_EQ(MaskedText("CREATE ROLE ann WITH PASSWORD = $$secret"), "CREATE ROLE ann WITH PASSWORD = ?");
  EXPECT_EQ(MaskedText("CREATE ROLE \"ann WITH PASSWORD = 'secret'"), "CREATE ROLE ?");
  EXPECT_EQ(MaskedText("PASSWORD = \xE2\x80\x98"), "PASSWORD = \xE2\x80\x98");
}

}  // namespace
}  // namespace widerow
