// CanBuild() says if the statement determines the value of an expression, and Build() puts the given values into it. If
// the arguments of a call are not given, BuildCore() makes a KeyChoice of the values that the call can have: buckets,
// windows or prefixes. Bound() finds a bound of an expression from a range of its source, if the expression keeps the
// order. RestrictToRange() turns such bounds into a range of the generated column. The Restrict…() functions change the
// GroupedWhere in place.
#include "planner/generated/derivation.h"

#include <algorithm>

#include "planner/function.h"
#include "planner/generated/expression_order.h"
#include "planner/print_expression.h"
#include "planner/walk.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using Kind = KeyRestriction::Kind;

const KeyRestriction* FindOn(const std::vector<KeyRestriction>& keys, uint32_t column) {
  for (const KeyRestriction& key : keys) {
    if (key.first <= column && column < key.end()) return &key;
  }
  return nullptr;
}

// True for a part of a value (a field, an element or a slice), and for a collection, tuple or UDT value that is
// composed of expressions.
bool IsMadeOfParts(const Expression& expression) {
  return std::holds_alternative<CompositeExpression>(expression.node) ||
         std::holds_alternative<FieldExpression>(expression.node) ||
         std::holds_alternative<ElementExpression>(expression.node) ||
         std::holds_alternative<SliceExpression>(expression.node);
}

Expression Integer(int64_t value) {
  return {ConstantExpression{EncodeInteger(TypeKind::kInt, value)}, ScalarType(TypeKind::kInt), {}};
}

}  // namespace

const KeyRestriction* Derivation::On(uint32_t column) const {
  for (const auto* keys : {&where_.partition, &where_.clustering, &where_.regular}) {
    if (const KeyRestriction* found = FindOn(*keys, column)) return found;
  }
  return nullptr;
}

KeyRestriction* Derivation::Restriction(uint32_t column) const {
  const bool partition = column < table_.partition_key_size;
  return const_cast<KeyRestriction*>(FindOn(partition ? where_.partition : where_.clustering, column));
}

bool Derivation::IsRestrictedBehind(uint32_t clustering_column) const {
  return std::any_of(where_.clustering.begin(), where_.clustering.end(),
                     [&](const KeyRestriction& key) { return key.first > clustering_column; });
}

bool Derivation::NarrowsFrom(uint32_t clustering_column) const {
  const auto outside = [&](uint32_t source) { return source >= table_.partition_key_size && On(source) != nullptr; };
  for (uint32_t i = clustering_column; i < table_.partition_key_size + table_.clustering_size; ++i) {
    const GeneratedColumn* generated = generated_.Of(i);
    if (Restriction(i) != nullptr) return true;
    if (generated != nullptr && std::any_of(generated->sources.begin(), generated->sources.end(), outside)) return true;
  }
  return false;
}

// Returns the value that the statement gives for the column; nullopt if it gives none, or several.
std::optional<Expression> Derivation::Given(uint32_t column) const {
  if (assigned_ != nullptr) {
    if (const auto found = assigned_->find(column); found != assigned_->end()) return found->second;
  }
  const KeyRestriction* key = On(column);
  if (key == nullptr || key->kind != Kind::kEq) return std::nullopt;
  if (const auto* values = std::get_if<KeyValues>(&key->values)) return values->values[0];
  const auto& tuples = std::get<ClusteringTuplesIn>(key->values);
  if (tuples.list_valued || tuples.tuples[0].size() != tuples.width) return std::nullopt;
  return tuples.tuples[0][column - key->first];
}

bool Derivation::IsIn(uint32_t column) const {
  const KeyRestriction* key = On(column);
  return key != nullptr && key->kind == Kind::kIn && key->width == 1 && std::holds_alternative<KeyValues>(key->values);
}

Derivation::Range Derivation::RangeOf(uint32_t column) const {
  Range range;
  const KeyRestriction* key = On(column);
  if (key == nullptr || key->kind != Kind::kSlice || key->first != column) return range;
  const auto end = [](const std::optional<ClusteringBound>& bound) -> std::optional<BoundExpression> {
    if (!bound || bound->tuple_valued) return std::nullopt;
    return BoundExpression{bound->values[0], bound->inclusive || bound->width > 1};
  };
  range.lower = end(key->lower);
  range.upper = end(key->upper);
  return range;
}

// True if the values of `core` can be listed: it is window(x, …), to_date(x) or substr(x, 1, n), and the statement
// gives a lower and an upper bound for the column x.
bool Derivation::IsListed(const Expression& core) const {
  if (!IsWindow(core) && !IsPrefix(core)) return false;
  const auto* column = std::get_if<ColumnExpression>(&std::get<CallExpression>(core.node).arguments[0].node);
  if (column == nullptr) return false;
  const Range range = RangeOf(column->column);
  return range.lower && range.upper;
}

bool Derivation::AllInside(const Expression& expression, bool fan_out) const {
  bool all = true;
  ForEachInside(expression, [&](const Expression& part) { all = all && CanBuild(part, fan_out); });
  return all;
}

bool Derivation::CanBuild(const Expression& expression, bool fan_out) const {
  if (std::holds_alternative<ConstantExpression>(expression.node)) return true;
  if (const auto* column = std::get_if<ColumnExpression>(&expression.node)) {
    return Given(column->column).has_value() || IsIn(column->column);
  }
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (call == nullptr) return IsMadeOfParts(expression) && AllInside(expression, false);
  if (call->function->name == "random") return fan_out;
  return AllInside(expression, fan_out) || (fan_out && (FiniteCount(expression) || IsListed(expression)));
}

uint32_t Derivation::AddChoice(const std::string& key, KeyChoice choice) {
  const auto [found, is_new] = choice_of_.emplace(key, static_cast<uint32_t>(result_.choices.size()));
  if (is_new) result_.choices.push_back(std::move(choice));
  return found->second;
}

Expression Derivation::Choice(uint32_t index) const {
  const std::vector<Expression>& values = result_.choices[index].values.values;
  return {ChoiceExpression{index}, result_.choices[index].type, values.empty() ? SourceRange{} : values[0].range};
}

void Derivation::TurnIntoChoice(KeyRestriction& restriction, bool in_sequence) {
  KeyChoice choice{.kind = KeyChoice::Kind::kIn,
                   .column = restriction.first,
                   .values = std::get<KeyValues>(restriction.values),
                   .type = table_.columns[restriction.first].type,
                   .in_sequence = in_sequence};
  const uint32_t index = AddChoice("in " + std::to_string(restriction.first), std::move(choice));
  restriction.kind = Kind::kEq;
  restriction.values = KeyValues{{Choice(index)}, false, false};
}

// Makes a KeyChoice that lists the possible values of the call `core`, whose arguments are not given. Returns an
// expression for the current value of this KeyChoice. Calls with the same text share one KeyChoice.
Expression Derivation::BuildCore(const Expression& core, uint32_t column) {
  KeyChoice choice{.kind = KeyChoice::Kind::kBuckets, .column = column, .type = core.type};
  if (const std::optional<int64_t> count = FiniteCount(core)) {
    choice.values.is_in = true;
    for (int64_t i = 0; i < *count; ++i) choice.values.values.push_back(Integer(i));
  } else {
    const auto source = std::get<ColumnExpression>(std::get<CallExpression>(core.node).arguments[0].node).column;
    Range range = RangeOf(source);
    used_.insert(source);
    choice.kind = KeyChoice::Kind::kWindows;
    choice.source = source;
    choice.values.list_valued = true;
    const auto list = IsWindow(core) ? WindowsBetween : PrefixBetween;
    choice.values.values.push_back(
        list(table_.columns[column], core, std::move(*range.lower), std::move(*range.upper)));
  }
  return Choice(AddChoice(PrintExpression(core, table_), std::move(choice)));
}

Expression Derivation::Build(const Expression& expression, uint32_t column) {
  if (const auto* source = std::get_if<ColumnExpression>(&expression.node)) {
    used_.insert(source->column);
    if (IsIn(source->column)) TurnIntoChoice(*const_cast<KeyRestriction*>(On(source->column)), false);
    return *Given(source->column);
  }
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (call != nullptr && (call->function->name == "random" || !AllInside(expression, true)))
    return BuildCore(expression, column);
  Expression built = expression;
  ForEachInside(built, [&](Expression& part) {
    part = Build(part, column);
    if (built.range == SourceRange{}) built.range = part.range;
  });
  return built;
}

void Derivation::Restrict(uint32_t column, Expression value, SourceRange range) {
  KeyRestriction key;
  key.first = column;
  key.range = range;
  key.values = KeyValues{{value}, false, false};
  key.sources.emplace_back(ColumnRestriction{column, CompareOp::kEq, {{std::move(value)}, false, false}, range});
  auto& keys = column < table_.partition_key_size ? where_.partition : where_.clustering;
  std::erase_if(keys, [&](const KeyRestriction& other) { return other.first == column; });
  const auto at = std::upper_bound(keys.begin(), keys.end(), column,
                                   [](uint32_t first, const KeyRestriction& other) { return first < other.first; });
  keys.insert(at, std::move(key));
}

void Derivation::RestrictToAll(uint32_t column, int64_t count) {
  KeyValues all{.values = {}, .is_in = true, .list_valued = false};
  for (int64_t i = 0; i < count; ++i) all.values.push_back(Integer(i));
  Restrict(column, Integer(0), {});
  KeyRestriction& key = *Restriction(column);
  key.kind = Kind::kIn;
  key.sources = {ColumnRestriction{column, CompareOp::kIn, all, {}}};
  key.values = std::move(all);
  result_.columns.push_back({.column = column, .kind = DerivedColumn::Kind::kAll, .choice = {}});
}

// Returns a bound of a splice. It consists of the values of the first parts, as far as they are given, and of a bound
// of the next part, if such a bound is known.
std::optional<Expression> Derivation::BoundOfSplice(const CallExpression& splice, bool upper) {
  std::vector<Expression> parts;
  bool whole = true;
  for (size_t i = 1; i < splice.arguments.size() && whole; ++i) {
    const Expression& part = splice.arguments[i];
    whole = CanBuild(part, false);
    std::optional<Expression> value = whole ? Build(part, 0) : Bound(part, upper);
    if (value)
      parts.push_back(std::move(*value));
    else if (!parts.empty())
      parts.push_back({ConstantExpression{Bytes()}, ScalarType(TypeKind::kText), parts.back().range});
  }
  if (parts.empty()) return std::nullopt;
  return SpliceBound(splice, std::move(parts), upper);
}

// Returns the least value of the expression for the rows that the statement selects, or the greatest value if `upper`.
// nullopt if it is not known.
std::optional<Expression> Derivation::Bound(const Expression& expression, bool upper) {
  if (CanBuild(expression, false)) return Build(expression, 0);
  if (const auto* column = std::get_if<ColumnExpression>(&expression.node)) {
    Range range = RangeOf(column->column);
    std::optional<BoundExpression>& bound = upper ? range.upper : range.lower;
    if (!bound) return std::nullopt;
    used_.insert(column->column);
    return std::move(bound->value);
  }
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (call == nullptr || OrderOf(expression).columns.empty()) return std::nullopt;
  if (call->function->name == "splice") return BoundOfSplice(*call, upper);
  std::optional<Expression> argument = Bound(call->arguments[0], upper);
  if (!argument) return std::nullopt;
  if (call->function->name == "zero_pad") return PaddedBound(*call, std::move(*argument));
  Expression built = expression;
  built.range = argument->range;
  std::get<CallExpression>(built.node).arguments[0] = std::move(*argument);
  return built;
}

// If the source is the clustering column after the generated column, makes one range of the two columns: (day, ts) >=
// (window(x), x). Returns false if this is not possible.
bool Derivation::RestrictPair(const GeneratedColumn& generated, const std::optional<Expression>& lower,
                              const std::optional<Expression>& upper) {
  const uint32_t column = generated.column;
  const uint32_t position = column - table_.partition_key_size;
  const bool next = generated.order.columns.size() == 1 && generated.order.columns[0] == column + 1;
  KeyRestriction* source = next ? Restriction(column + 1) : nullptr;
  if (source == nullptr || source->kind != Kind::kSlice || source->first != column + 1) return false;
  const auto paired = [&](const std::optional<ClusteringBound>& bound, const std::optional<Expression>& first) {
    if (!bound) return std::optional<ClusteringBound>();
    ClusteringBound pair = *bound;
    pair.first = position;
    pair.width += 1;
    pair.values.insert(pair.values.begin(), *first);
    return std::optional<ClusteringBound>(std::move(pair));
  };
  const bool known = (!source->lower || (lower && !source->lower->tuple_valued)) &&
                     (!source->upper || (upper && !source->upper->tuple_valued));
  if (!known) return false;
  source->lower = paired(source->lower, lower);
  source->upper = paired(source->upper, upper);
  source->first = column;
  source->width += 1;
  return true;
}

// Moves conditions on clustering columns after `column` to `verified`, if the derivation used them. They are then
// checked for each row, because conditions on columns after a column with a range do not choose the rows to read.
void Derivation::VerifyBehind(uint32_t column) {
  std::erase_if(where_.clustering, [&](KeyRestriction& key) {
    if (key.first <= column || !used_.contains(key.first)) return false;
    where_.verified.push_back(std::move(key));
    return true;
  });
}

bool Derivation::RestrictToRange(const GeneratedColumn& generated, bool exact) {
  if (generated.order.columns.empty()) return false;
  const std::set<uint32_t> used_before = used_;
  std::optional<Expression> lower = Bound(generated.expression, false);
  std::optional<Expression> upper = Bound(generated.expression, true);
  if (!lower && !upper) return false;
  const uint32_t column = generated.column;
  result_.columns.push_back({.column = column, .kind = DerivedColumn::Kind::kRange, .choice = {}});
  if (RestrictPair(generated, lower, upper)) return true;
  if (exact) {
    used_ = used_before;
    result_.columns.pop_back();
    return false;
  }
  KeyRestriction key;
  key.kind = Kind::kSlice;
  key.first = column;
  const auto bound = [&](std::optional<Expression>& value) -> std::optional<ClusteringBound> {
    if (!value) return std::nullopt;
    key.range = value->range;
    ClusteringBound made{.first = column - table_.partition_key_size, .values = {}, .inclusive = true};
    made.values.push_back(std::move(*value));
    return made;
  };
  key.lower = bound(lower);
  key.upper = bound(upper);
  VerifyBehind(column);
  const auto at = std::upper_bound(where_.clustering.begin(), where_.clustering.end(), column,
                                   [](uint32_t first, const KeyRestriction& other) { return first < other.first; });
  where_.clustering.insert(at, std::move(key));
  return true;
}

}  // namespace widerow
