// SelectDeriver derives the key of a SELECT. CanNamePartitions() decides if every column of the partition key is given
// or can be derived; if not, nothing is changed. Otherwise Run() derives the partition key, and the clustering columns
// up to the first one without a value. SettleSources() drops the used conditions or moves them to `verified`. If there
// are choices, the remaining IN lists of the partition key become choices too.
#include "planner/generated/derive_key.h"

#include <algorithm>

#include "base/text.h"
#include "planner/generated/derivation.h"
#include "planner/generated/expression_order.h"
#include "planner/terms/planning.h"
#include "planner/walk.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

bool HasSlice(const std::vector<KeyRestriction>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const KeyRestriction& key) { return key.kind == Kind::kSlice; });
}

bool AnyGenerated(const TableSchema& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const ColumnSchema& column) { return column.is_generated(); });
}

// True if `test` is true for the index of a KeyChoice that the values of `key` contain. A KeyChoice is never in a
// tuple.
bool AnyChoice(const KeyRestriction& key, const std::function<bool(uint32_t)>& test) {
  const auto* values = std::get_if<KeyValues>(&key.values);
  bool any = false;
  for (size_t i = 0; values != nullptr && i < values->values.size(); ++i) {
    VisitExpressions(values->values[i], [&](const Expression& part) {
      const auto* choice = std::get_if<ChoiceExpression>(&part.node);
      any = any || (choice != nullptr && test(choice->index));
    });
  }
  return any;
}

SourceRange RangeOfSources(const GeneratedColumn& generated, const GroupedWhere& where) {
  for (const auto* keys : {&where.clustering, &where.partition, &where.regular}) {
    for (const KeyRestriction& key : *keys) {
      if (std::find(generated.sources.begin(), generated.sources.end(), key.first) != generated.sources.end())
        return key.range;
    }
  }
  return {};
}

class SelectDeriver {
 public:
  SelectDeriver(const TableSchema& table, bool ordered, GroupedWhere& where)
      : table_(table), ordered_(ordered), where_(where), derivation_(table, where) {}

  DerivedKey Run() {
    if (!CanNamePartitions()) return {};
    for (uint32_t i = 0; i < table_.partition_key_size; ++i) {
      if (derivation_.Restriction(i) == nullptr) Derive(*table_.generated->Of(i), true);
    }
    DeriveClustering();
    SettleSources();
    DerivedKey& result = derivation_.result();
    if (!result.choices.empty()) {
      for (KeyRestriction& key : where_.partition) {
        if (key.kind == Kind::kIn) derivation_.TurnIntoChoice(key, !ordered_);
      }
      PutInSequence();
    }
    return std::move(result);
  }

 private:
  // True if every column of the partition key is given or can be derived. But always false if WHERE has token() or a
  // range of a partition key column, or if the statement has neither ORDER BY nor conditions on the key or its sources.
  bool CanNamePartitions() const {
    if (!where_.token_sources.empty() || HasSlice(where_.partition)) return false;
    bool sources = false;
    for (const KeyRestriction& key : where_.regular) sources = sources || table_.generated->IsKeySource(key.first);
    if (where_.partition.empty() && where_.clustering.empty() && !sources && !ordered_) return false;
    for (uint32_t i = 0; i < table_.partition_key_size; ++i) {
      if (derivation_.Restriction(i) != nullptr) continue;
      const GeneratedColumn* generated = table_.generated->Of(i);
      if (generated == nullptr || !derivation_.CanBuild(generated->expression, true)) return false;
    }
    return true;
  }

  void Derive(const GeneratedColumn& generated, bool fan_out) {
    const size_t choices = derivation_.result().choices.size();
    const SourceRange range = RangeOfSources(generated, where_);
    Expression value = derivation_.Build(generated.expression, generated.column);
    DerivedColumn derived{.column = generated.column, .kind = DerivedColumn::Kind::kValue, .choice = {}};
    if (const auto* choice = std::get_if<ChoiceExpression>(&value.node); choice != nullptr && fan_out) {
      derived.kind = DerivedColumn::Kind::kAll;
      derived.choice = choice->index;
    } else if (derivation_.result().choices.size() > choices) {
      derived.choice = static_cast<uint32_t>(choices);
    }
    derivation_.Restrict(generated.column, std::move(value), range);
    derivation_.result().columns.push_back(derived);
  }

  // Derives clustering columns in order. Stops at the first one without a value. Also stops if only the partition key
  // gives the values of all further columns: conditions on these would leave out the static row.
  void DeriveClustering() {
    const uint32_t end = table_.partition_key_size + table_.clustering_size;
    for (uint32_t i = table_.partition_key_size; i < end; ++i) {
      if (const KeyRestriction* given = derivation_.Restriction(i)) {
        if (given->kind == Kind::kSlice) return;
        i = given->end() - 1;
        continue;
      }
      const GeneratedColumn* generated = table_.generated->Of(i);
      if (generated == nullptr || (table_.has_statics() && !derivation_.NarrowsFrom(i))) return;
      if (derivation_.CanBuild(generated->expression, false)) {
        Derive(*generated, false);
      } else if (derivation_.RestrictToRange(*generated, false)) {
        return;
      } else if (const auto count = FiniteCount(generated->expression); count && derivation_.IsRestrictedBehind(i)) {
        derivation_.RestrictToAll(i, *count);
      } else {
        return;
      }
    }
  }

  // Handles conditions on sources outside of the key. If the derived key selects exactly the rows of a condition, the
  // condition is dropped. If the condition was used but the key selects more rows, it is moved to `verified`.
  void SettleSources() {
    std::set<uint32_t> said;
    for (const DerivedColumn& derived : derivation_.result().columns) {
      if (derived.kind == DerivedColumn::Kind::kValue)
        said.merge(DeterminedBy(table_.generated->Of(derived.column)->expression));
    }
    std::erase_if(where_.regular, [&](KeyRestriction& key) {
      if (!derivation_.WasUsed(key.first)) return false;
      if (key.kind == Kind::kSlice || !said.contains(key.first)) where_.verified.push_back(std::move(key));
      return true;
    });
  }

  // Sets in_sequence for choices of windows over the column by which the rows of a partition are sorted. All rows of
  // one window come before those of the next one, so the partitions are read one after another and need no merge.
  void PutInSequence() {
    for (KeyChoice& choice : derivation_.result().choices) {
      if (choice.kind != KeyChoice::Kind::kWindows) continue;
      const bool whole = IsWindow(table_.generated->Of(choice.column)->expression);
      uint32_t leading = table_.partition_key_size;
      while (const KeyRestriction* key = derivation_.Restriction(leading)) {
        if (key->kind != Kind::kEq || HasChoice(*key)) break;
        leading = key->end();
      }
      choice.in_sequence = whole && choice.source == leading;
    }
  }

  static bool HasChoice(const KeyRestriction& key) {
    const auto* values = std::get_if<KeyValues>(&key.values);
    return values != nullptr && std::holds_alternative<ChoiceExpression>(values->values[0].node);
  }

  const TableSchema& table_;
  const bool ordered_;
  GroupedWhere& where_;
  Derivation derivation_;
};

}  // namespace

Result<DerivedKey> DeriveForSelect(const TableSchema& table, bool ordered, GroupedWhere& where) {
  WR_RETURN_IF_ERROR(CheckCompiled(table));
  if (table.generated == nullptr) return DerivedKey{};
  return SelectDeriver(table, ordered, where).Run();
}

Status CheckCompiled(const TableSchema& table) {
  if (table.generated != nullptr || !AnyGenerated(table)) return OkStatus();
  return ServerError("The generated columns of table " + table.keyspace + "." + table.name + " cannot be derived",
                     "the data was written by another version: open it with that one");
}

Status CheckAssigned(const CellOperation& operation, const TableSchema& table) {
  const ColumnSchema& column = table.columns[operation.column];
  if (column.is_generated()) {
    return InvalidAt(operation.range, "Generated column " + column.name + " cannot be set: it is derived",
                     "its expression is " + column.generated_as);
  }
  if (table.generated == nullptr || !table.generated->IsKeySource(operation.column)) return OkStatus();
  return InvalidAt(operation.range, "Column " + column.name + " cannot be changed: the row's key is derived from it",
                   "insert the new row and delete the old one; a batch of both is atomic");
}

bool TakesSeveralValues(const KeyRestriction& key) {
  return AnyChoice(key, [](uint32_t) { return true; });
}

bool TakesUnorderedValues(const KeyRestriction& key, const std::vector<KeyChoice>& choices) {
  return AnyChoice(key, [&](uint32_t index) { return !choices[index].in_sequence; });
}

bool FollowsFromOneValue(const TableSchema& table, const GroupedWhere& where, uint32_t column) {
  const GeneratedColumn* generated = table.generated == nullptr ? nullptr : table.generated->Of(column);
  if (generated == nullptr || generated->random) return false;
  return std::all_of(generated->sources.begin(), generated->sources.end(), [&](uint32_t source) {
    return std::any_of(where.partition.begin(), where.partition.end(), [&](const KeyRestriction& key) {
      return key.first == source && key.kind == Kind::kEq && !TakesSeveralValues(key);
    });
  });
}

std::string HowToDerive(const TableSchema& table, uint32_t column) {
  const GeneratedColumn* generated = table.generated == nullptr ? nullptr : table.generated->Of(column);
  if (generated == nullptr) return {};
  const std::string name = QuoteIdentifier(table.columns[column].name);
  if (generated->random)
    return name + " is random, one of " + std::to_string(*FiniteCount(generated->expression)) + " values";
  std::vector<std::string> sources;
  for (const uint32_t source : generated->sources) sources.push_back(QuoteIdentifier(table.columns[source].name));
  const std::string names = JoinNames(sources, " and ");
  std::string how = name + " is derived, " + table.columns[column].generated_as + ": give " + names;
  switch (generated->generated_class) {
    case GeneratedClass::kFinite: return how;
    case GeneratedClass::kScattering:
      return how + " with = or IN; a range of " + names + " is scattered over all of its values";
    case GeneratedClass::kMonotone: break;
  }
  if (IsWindow(generated->expression)) return how + " with =, IN, or a range that has both ends";
  if (IsPrefix(generated->expression)) return how + " with =, IN, or a range within one value of " + name;
  return how + " with = or IN";
}

}  // namespace widerow
