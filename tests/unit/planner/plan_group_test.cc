// Tests step 2 of planning: conditions are grouped by the partition key, the clustering key and the other columns.
#include <gtest/gtest.h>

#include "parser/parse.h"
#include "planner/where/group.h"
#include "tests/unit/planner/plan_support.h"

namespace widerow {
namespace {

std::string KeysText(const char* name, const std::vector<KeyRestriction>& keys, const TableSchema& table) {
  std::string out;
  for (const KeyRestriction& key : keys) {
    out += std::string(out.empty() ? "" : " ") + name + "(";
    for (uint32_t i = key.first; i < key.end(); ++i) out += (i > key.first ? "," : "") + table.columns[i].name;
    switch (key.kind) {
      case KeyRestriction::Kind::kEq: out += " eq)"; break;
      case KeyRestriction::Kind::kIn: out += " in)"; break;
      case KeyRestriction::Kind::kSlice:
        out += std::string(" slice") + (key.lower ? (key.lower->inclusive ? " [" : " (") : "") +
               (key.upper ? (key.upper->inclusive ? " ]" : " )") : "") + ")";
        break;
    }
  }
  return out;
}

// Returns the groups as text, such as "partition(a eq) clustering(c slice [ )) …", or the message of the refusal.
std::string Grouped(const std::string& table, const std::string& where, bool allow_filtering) {
  const PlanContext context{"ks"};
  Planning planning{.schema = *TestSchema(), .context = context};
  planning.table = TestSchema()->FindTable("ks", table);
  const Result<Statement> statement = Parse("SELECT * FROM " + table + " WHERE " + where);
  if (!statement.ok()) return "Syntax " + statement.error().message;
  Result<std::vector<Restriction>> restrictions =
      ResolveWhere(std::get<SelectStatement>(statement->node).where,
                   allow_filtering ? AfterSlice::kAnything : AfterSlice::kNothing, planning);
  if (!restrictions.ok()) return restrictions.error().message;
  const Result<GroupedWhere> grouped = GroupRestrictions(
      std::move(*restrictions), *planning.table, allow_filtering ? AfterSlice::kAnything : AfterSlice::kNothing);
  if (!grouped.ok()) return grouped.error().message;
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() || text.empty() ? "" : " ") + text; };
  if (grouped->token.lower) add(grouped->token.lower->inclusive ? "token[" : "token(");
  if (grouped->token.upper) add(grouped->token.upper->inclusive ? "token]" : "token)");
  add(KeysText("partition", grouped->partition, *planning.table));
  add(KeysText("clustering", grouped->clustering, *planning.table));
  add(KeysText("other", grouped->regular, *planning.table));
  if (!grouped->filters.empty()) add("filters " + std::to_string(grouped->filters.size()));
  return out;
}

struct GroupCase {
  std::string table, where, expected;
};

void ExpectGroups(const std::vector<GroupCase>& cases, bool allow_filtering) {
  for (const GroupCase& c : cases) EXPECT_EQ(Grouped(c.table, c.where, allow_filtering), c.expected) << c.where;
}

TEST(PlanGroup, ByKindOfColumn) {
  ExpectGroups(
      {
          {"wide", "b = 1 AND a IN (1, 2)", "partition(a in) partition(b eq)"},
          {"wide", "a = 1 AND c = 1 AND v = 1 AND s = 2", "partition(a eq) clustering(c eq) other(s eq) other(v eq)"},
          {"wide", "a > 1 AND a <= 5", "partition(a slice ( ])"},
          {"wide", "token(a, b) > 1 AND token(a, b) <= 5", "token( token]"},
          {"wide", "token(a, b) = 1", "token[ token]"},
          {"wide", "token(a, b) = 1 AND a = 5", "token[ token] partition(a eq)"},
          {"wide", "v = 1 OR v = 2", "filters 1"},
          {"types", "m CONTAINS 1 AND m CONTAINS 2 AND m['x'] = 1", "filters 3"},
      },
      false);
}

TEST(PlanGroup, ClusteringRestrictionsAreSortedAndMerged) {
  ExpectGroups(
      {
          {"wide", "d = 1 AND c = 1", "clustering(c eq) clustering(d eq)"},
          {"wide", "c > 1 AND c < 5", "clustering(c slice ( ))"},
          {"wide", "1 <= c <= 5", "clustering(c slice [ ])"},
          {"wide", "(c, d) > (1, 2) AND c < 5", "clustering(c,d slice ( ))"},
          {"wide", "c > 5 AND (c, d) <= (6, 2)", "clustering(c,d slice ( ])"},
          {"wide", "c = 1 AND (d, e) > (1, 2)", "clustering(c eq) clustering(d,e slice ()"},
          {"wide", "(c, d) = (1, 2) AND e > 3", "clustering(c,d eq) clustering(e slice ()"},
          {"wide", "(c, d) IN ((1, 2), (3, 4)) AND e = 3", "clustering(c,d in) clustering(e eq)"},
      },
      false);
}

TEST(PlanGroup, ContradictionsAreRefused) {
  ExpectGroups(
      {
          {"wide", "a = 1 AND a = 2", "a cannot be restricted by more than one relation if it includes an Equal"},
          {"wide", "a IN (1, 2) AND a > 2", "a cannot be restricted by more than one relation if it includes a IN"},
          {"wide", "a IN (1) AND a > 2", "a cannot be restricted by more than one relation if it includes an Equal"},
          {"wide", "c > 1 AND c = 2",
           "Column \"c\" cannot be restricted by both an equality and an inequality relation"},
          {"wide", "c > 1 AND c >= 2", "More than one restriction was found for the start bound on c"},
          {"wide", "c BETWEEN 1 AND 3 AND c < 2", "More than one restriction was found for the end bound on c"},
          {"wide", "(c, d) > (1, 2) AND c > 5", "More than one restriction was found for the start bound on c"},
          {"wide", "(c, d) > (1, 2) AND (d, e) < (3, 4)",
           "Column \"d\" cannot be restricted by two inequalities not starting with the same column"},
          {"wide", "(c, d) = (1, 2) AND d = 1",
           "d cannot be restricted by more than one relation if it includes an Equal"},
          {"wide", "v > 1 AND v > 2", "More than one restriction was found for the start bound on v"},
          {"wide", "token(a, b) > 1 AND token(a, b) >= 2",
           "More than one restriction was found for the start bound on a, b"},
          {"wide", "token(a, b) = 1 AND token(a, b) < 2",
           "a, b cannot be restricted by more than one relation if it includes an Equal"},
          {"wide", "token(a, b) < 2 AND token(a, b) = 1",
           "Columns \"a, b\" cannot be restricted by both an equality and an inequality relation"},
      },
      false);
}

TEST(PlanGroup, NothingMayFollowASliceUnlessFiltered) {
  const std::string after =
      "Clustering column \"d\" cannot be restricted (preceding column \"c\" is restricted by a non-EQ "
      "relation)";
  const std::string before =
      "PRIMARY KEY column \"d\" cannot be restricted (preceding column \"c\" is restricted by a "
      "non-EQ relation)";
  ExpectGroups({{"wide", "c > 1 AND d = 1", after}, {"wide", "d = 1 AND c > 1", before}}, false);
  ExpectGroups({{"wide", "c > 1 AND d = 1", "clustering(c slice () clustering(d eq)"},
                {"wide", "d = 1 AND c > 1", "clustering(c slice () clustering(d eq)"}},
               true);
}

}  // namespace
}  // namespace widerow
