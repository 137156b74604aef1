// Puts the values that a statement gives for source columns into the expressions of generated columns. What DeriveForSelect and
// DeriveForWrite share; one lives for one statement.
#pragma once

#include <map>
#include <set>

#include "planner/generated/derive_key.h"
#include "planner/generated/key_functions.h"

namespace widerow {

class Derivation {
 public:
  // Borrows all. `assigned`: values of sources outside of the key that INSERT gives.
  Derivation(const TableSchema& table, GroupedWhere& where, const std::map<uint32_t, Expression>* assigned = nullptr)
      : table_(table), generated_(*table.generated), where_(where), assigned_(assigned) {}

  // Whether `expression` has a value, or, with `fan_out`, a list of them, by what the statement says.
  bool CanBuild(const Expression& expression, bool fan_out) const;
  // That value; makes choices as they are needed. `column` is the generated column it is for. CanBuild has said yes.
  Expression Build(const Expression& expression, uint32_t column);

  // The restriction on a column of the key, or null.
  KeyRestriction* Restriction(uint32_t column) const;
  bool IsRestrictedBehind(uint32_t clustering_column) const;
  // Restricts a key column to one value, or to all from 0 to count - 1.
  void Restrict(uint32_t column, Expression value, SourceRange range);
  void RestrictToAll(uint32_t column, int64_t count);
  // Restricts a clustering column by what is said of the leading columns of its order. `exact`: only if nothing has to be
  // filtered behind it.
  bool RestrictToRange(const GeneratedColumn& generated, bool exact);
  // column IN …, as a choice: everything derived from it follows value by value.
  void TurnIntoChoice(KeyRestriction& restriction, bool in_sequence);

  bool WasUsed(uint32_t column) const { return used_.contains(column); }
  DerivedKey& result() { return result_; }
  const std::set<uint32_t>& used() const { return used_; }

 private:
  struct Range {
    std::optional<BoundExpression> lower, upper;
  };
  const KeyRestriction* On(uint32_t column) const;
  std::optional<Expression> Given(uint32_t column) const;
  bool IsIn(uint32_t column) const;
  Range RangeOf(uint32_t column) const;
  bool IsListed(const Expression& core) const;
  uint32_t AddChoice(const std::string& key, KeyChoice choice);
  Expression Choice(uint32_t index) const;
  Expression BuildCore(const Expression& core, uint32_t column);
  std::optional<Expression> Bound(const Expression& expression, bool upper);
  std::optional<Expression> BoundOfSplice(const CallExpression& splice, bool upper);
  bool RestrictPair(const GeneratedColumn& generated, const std::optional<Expression>& lower, const std::optional<Expression>& upper);
  void VerifyBehind(uint32_t column);

  const TableSchema& table_;
  const GeneratedColumns& generated_;
  GroupedWhere& where_;
  const std::map<uint32_t, Expression>* const assigned_;
  std::map<std::string, uint32_t> choice_of_;  // By what it stands for.
  std::set<uint32_t> used_;                    // Columns whose restrictions have been put in.
  DerivedKey result_;
};

}  // namespace widerow
