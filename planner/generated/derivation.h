// A statement gives values for source columns. A Derivation puts them into the expressions of the generated columns
// that use these sources. DeriveForSelect and DeriveForWrite (planner/generated/derive_key.h) use it. One object exists
// per statement, on one thread.
#pragma once

#include <map>
#include <set>

#include "planner/generated/derive_key.h"
#include "planner/generated/key_functions.h"

namespace widerow {

class Derivation {
 public:
  // Borrows all arguments. `assigned`: the values that INSERT gives for sources outside of the key.
  Derivation(const TableSchema& table, GroupedWhere& where, const std::map<uint32_t, Expression>* assigned = nullptr)
      : table_(table), generated_(*table.generated), where_(where), assigned_(assigned) {}

  // True if the statement determines the value of `expression`. With `fan_out`, a list of possible values is enough.
  bool CanBuild(const Expression& expression, bool fan_out) const;
  // Returns an expression for the value that the statement gives to `expression`. Requires CanBuild. If the statement
  // gives several values, as with IN, the result takes them from a KeyChoice, which is added to result(). `column`: the
  // generated column that gets the value.
  Expression Build(const Expression& expression, uint32_t column);

  // Returns the restriction on a key column, or null.
  KeyRestriction* Restriction(uint32_t column) const;
  bool IsRestrictedBehind(uint32_t clustering_column) const;
  // True if the statement restricts this or a later clustering column, or a source of one that is not in the partition
  // key. If false, values derived for these columns select all rows of the partition, but not its static values.
  bool NarrowsFrom(uint32_t clustering_column) const;
  // Restrict a key column to one value, or to all values from 0 to count - 1.
  void Restrict(uint32_t column, Expression value, SourceRange range);
  void RestrictToAll(uint32_t column, int64_t count);
  // Restricts a generated clustering column to a range that follows from conditions on its sources. Returns false if
  // there is no such range. With `exact`, also returns false if the range has rows that a filter would have to drop.
  bool RestrictToRange(const GeneratedColumn& generated, bool exact);
  // Turns the restriction column IN … into a KeyChoice. Columns derived from that column use the current value of the
  // KeyChoice.
  void TurnIntoChoice(KeyRestriction& restriction, bool in_sequence);

  bool WasUsed(uint32_t column) const { return used_.contains(column); }
  DerivedKey& result() { return result_; }
  const std::set<uint32_t>& used() const { return used_; }

 private:
  struct Range {
    std::optional<BoundExpression> lower, upper;
  };
  const KeyRestriction* On(uint32_t column) const;
  bool AllInside(const Expression& expression,
                 bool fan_out) const;  // True if CanBuild is true for each expression directly inside `expression`.
  std::optional<Expression> Given(uint32_t column) const;
  bool IsIn(uint32_t column) const;
  Range RangeOf(uint32_t column) const;
  bool IsListed(const Expression& core) const;
  uint32_t AddChoice(const std::string& key, KeyChoice choice);
  Expression Choice(uint32_t index) const;
  Expression BuildCore(const Expression& core, uint32_t column);
  std::optional<Expression> Bound(const Expression& expression, bool upper);
  std::optional<Expression> BoundOfSplice(const CallExpression& splice, bool upper);
  bool RestrictPair(const GeneratedColumn& generated, const std::optional<Expression>& lower,
                    const std::optional<Expression>& upper);
  void VerifyBehind(uint32_t column);

  const TableSchema& table_;
  const GeneratedColumns& generated_;
  GroupedWhere& where_;
  const std::map<uint32_t, Expression>* const assigned_;
  std::map<std::string, uint32_t> choice_of_;  // Key: expression's text or "in <column>". Value: index of its choice.
  std::set<uint32_t> used_;                    // The columns whose restrictions the derivation has used.
  DerivedKey result_;
};

}  // namespace widerow
