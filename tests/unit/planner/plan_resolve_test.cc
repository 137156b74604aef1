// Tests step 1 of planning: each condition, as written, is checked against the table.
#include <gtest/gtest.h>

#include "parser/parse.h"
#include "planner/print_expression.h"
#include "planner/where/resolve.h"
#include "tests/unit/planner/plan_support.h"

namespace widerow {
namespace {

// Returns the checked conditions of `where` as text, joined by " ; ", or the message of the refusal.
std::string Resolved(const std::string& table, const std::string& where,
                     std::vector<std::string>* extensions = nullptr) {
  const PlanContext context{"ks"};
  Planning planning{.schema = *TestSchema(), .context = context};
  planning.table = TestSchema()->FindTable("ks", table);
  const Result<Statement> statement = Parse("SELECT * FROM " + table + " WHERE " + where + " ALLOW FILTERING");
  if (!statement.ok()) return "Syntax " + statement.error().message;
  const Result<std::vector<Restriction>> restrictions =
      ResolveWhere(std::get<SelectStatement>(statement->node).where, AfterSlice::kAnything, planning);
  if (!restrictions.ok()) return restrictions.error().message;
  if (extensions != nullptr) *extensions = planning.extensions;
  std::string out;
  for (const Restriction& restriction : *restrictions) {
    if (!out.empty()) out += " ; ";
    out += PrintPredicate(ToPredicate(restriction, *planning.table), *planning.table);
  }
  return out;
}

TEST(PlanResolve, Relations) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"events", "device = 'a'", "device = 'a'"},
      {"events", "device = 'a' AND seq > 2", "device = 'a' ; seq > 2"},
      {"events", "123 < seq < 456", "seq > 123 ; seq < 456"},
      {"events", "123 <= seq <= 456", "seq >= 123 ; seq <= 456"},
      {"events", "456 > seq >= 123", "seq < 456 ; seq >= 123"},
      {"events", "5 < seq", "seq > 5"},
      {"events", "5 >= seq", "seq <= 5"},
      {"events", "5 = seq", "seq = 5"},
      {"events", "seq BETWEEN 1 AND 5", "seq >= 1 ; seq <= 5"},
      {"events", "seq IN (1, 2)", "seq IN (1, 2)"},
      {"events", "seq IN (7)", "seq = 7"},
      {"events", "seq IN ()", "seq IN ()"},
      {"events", "seq IN ?", "seq IN ?"},
      {"events", "seq NOT IN (1, 2)", "seq NOT IN (1, 2)"},
      {"events", "seq != 1", "seq != 1"},
      {"events", "token(device) > 5", "token(device) > 5"},
      {"events", "1 < token(device) <= 5", "token(device) > 1 ; token(device) <= 5"},
      {"wide", "token(a, b) BETWEEN 1 AND 5", "token(a, b) >= 1 ; token(a, b) <= 5"},
      {"wide", "(c, d) > (1, 2)", "(c, d) > (1, 2)"},
      {"wide", "(c, d) IN ((1, 2), (3, 4))", "(c, d) IN ((1, 2), (3, 4))"},
      {"wide", "(c, d) IN ?", "(c, d) IN ?"},
      {"wide", "(c, d) > ?", "(c, d) > ?"},
      {"wide", "(c) = (1)", "c = 1"},
      {"wide", "(c) IN ((1), (2))", "c IN (1, 2)"},
      {"wide", "(1, 2) < (c, d) < (3, 4)", "(c, d) > (1, 2) ; (c, d) < (3, 4)"},
      {"wide", "v = 1 OR v = 2", "v = 1 OR v = 2"},
      {"wide", "c = 1 AND (v = 1 OR v > 5)", "c = 1 ; v = 1 OR v > 5"},
      {"wide", "NOT (v = 1)", "NOT (v = 1)"},
      {"wide", "NOT (v = 1 AND s = 2)", "NOT (v = 1 AND s = 2)"},
      {"types", "m['x'] = 1", "m['x'] = 1"},
      {"types", "m CONTAINS 1", "m CONTAINS 1"},
      {"types", "m CONTAINS KEY 'x'", "m CONTAINS KEY 'x'"},
      {"types", "l CONTAINS 1", "l CONTAINS 1"},
      {"types", "fl = [1, 2]", "fl = [1, 2]"},
      {"types", "fu = {street: 'x', zip: 1}", "fu = {street: 'x', zip: 1}"},
      {"types", "tp = (1, 'x')", "tp = (1, 'x')"},
      {"types", "k = blobasint(0x00000005)", "k = 5"},
      {"types", "k = bucket(1234567, 16)", "k = 7"},
      {"events", "device = hash_prefix('200001', 4)", "device = 'ee8f'"},
  };
  for (const auto& [table, where, expected] : cases) { EXPECT_EQ(Resolved(table, where), expected) << where; }
}

TEST(PlanResolve, Refusals) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"events", "nope = 1", "Undefined column name nope in table ks.events"},
      {"events", "1 < nope < 5", "Undefined column name nope in table ks.events"},
      {"events", "1 < seq < 'x'", "Invalid STRING constant (x) for \"seq\" of type int"},
      {"events", "seq BETWEEN 1 AND 'x'", "Invalid STRING constant (x) for \"seq\" of type int"},
      {"events", "token(seq) > 1",
       "The token() function must be applied to all partition key components or none of them"},
      {"wide", "token(a, a) > 1",
       "The token() function must be applied to all partition key components or none of them"},
      {"wide", "token(a, b, a) > 1", "The token() function contains duplicate partition key components"},
      {"wide", "(c, d) > (5)", "Expected 2 elements in value tuple, but got 1: (5)"},
      {"types", "m['x'] > 1", "Only EQ relations are supported on map entries"},
      {"types", "ud = {street: 'x'}", "Non-frozen UDT column 'ud' (addr) cannot be restricted by any relation"},
      {"types", "du > 1d", "Slice restrictions are not supported on duration columns"},
      {"types", "v = 1 OR k = 2", "Undefined column name v in table ks.types"},
      {"types", "NOT (k = 'x')", "Invalid STRING constant (x) for \"k\" of type int"},
  };
  for (const auto& [table, where, expected] : cases) EXPECT_EQ(Resolved(table, where), expected) << where;
}

TEST(PlanResolve, ExtensionsAreNoted) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"seq > 1", {}},
      {"1 < seq < 5", {"a chained comparison"}},
      {"1 < seq", {"a comparison that begins with the value"}},
      {"seq BETWEEN 1 AND 2", {"BETWEEN"}},
      {"seq BETWEEN 1 AND 2 AND v BETWEEN 1 AND 2", {"BETWEEN"}},
      {"v = 1 OR v != 2", {"OR", "!="}},
      {"NOT (v = 1)", {"NOT"}},
      {"seq = bucket(5, 2)", {"bucket()"}},
  };
  for (const auto& [where, expected] : cases) {
    std::vector<std::string> extensions;
    Resolved("events", where, &extensions);
    std::sort(extensions.begin(), extensions.end());
    std::vector<std::string> sorted = expected;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(extensions, sorted) << where;
  }
}

}  // namespace
}  // namespace widerow
