// ResolveRelation calls the function for the target of the relation: a column, a tuple (resolve_tuple.cc), token(), an
// element of a map, or a field of a UDT. The function checks the operator and the type, with Cassandra's sentences, and
// prepares the values. For a column, =, IN and ranges become a ColumnRestriction. CONTAINS, LIKE and extensions become
// a filter.
#include "planner/where/resolve_relation.h"

#include <algorithm>

#include "base/text.h"
#include "parser/print.h"
#include "planner/analyzed.h"
#include "planner/index_hint.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"

namespace widerow {
namespace {

bool HoldsDuration(const Type& type) {
  return type.kind == TypeKind::kDuration || std::any_of(type.arguments.begin(), type.arguments.end(),
                                                         [](const TypePtr& part) { return HoldsDuration(*part); });
}

Status CheckSliceType(const Type& type, SourceRange range) {
  if (!HoldsDuration(type)) return OkStatus();
  const std::string begin = "Slice restrictions are not supported on ";
  if (type.is_collection()) return InvalidAt(range, begin + "collections containing durations");
  if (type.kind == TypeKind::kTuple) return InvalidAt(range, begin + "tuples containing durations");
  if (type.kind == TypeKind::kUdt) return InvalidAt(range, begin + "UDTs containing durations");
  return InvalidAt(range, begin + "duration columns");
}

// Refuses null as the value of an extension operator. With Cassandra's own operators, a null is refused when the
// statement runs.
Status CheckNull(const Expression& value, const ColumnSchema& column) {
  if (!IsNullConstant(value)) return OkStatus();
  return InvalidAt(value.range, column.is_key() ? "Invalid null value in condition for column " + column.name
                                                : "Unsupported null value for column " + column.name);
}

// Refuses a null literal for a counter. As in Cassandra, the sentence is that for increments.
Status CheckCount(const Expression& value, const ColumnSchema& column) {
  if (column.type->kind != TypeKind::kCounter || !IsNullConstant(value)) return OkStatus();
  return InvalidAt(value.range, "Invalid null value for counter increment/decrement");
}

bool IsContains(CompareOp op) { return op == CompareOp::kContains || op == CompareOp::kNotContains; }
bool IsContainsKey(CompareOp op) { return op == CompareOp::kContainsKey || op == CompareOp::kNotContainsKey; }

// True for operators that Cassandra does not have. They are allowed in filters only.
bool IsExtensionOperator(CompareOp op) {
  return op == CompareOp::kNotEq || op == CompareOp::kNotIn || op == CompareOp::kNotContains ||
         op == CompareOp::kNotContainsKey || op == CompareOp::kMatches;
}

void MarkExtension(const Relation& relation, FilterRestriction& filter, Planning& planning) {
  filter.operator_text = OperatorText(relation.op);
  if (!IsExtensionOperator(relation.op)) return;
  planning.UseExtension(relation.op == CompareOp::kMatches ? "the operator ':'" : filter.operator_text);
  if (relation.op == CompareOp::kNotEq)
    filter.refusal = "Unsupported \"!=\" relation: " + RelationText(relation, planning);
}

// Makes the filter for a relation on a column.
FilterRestriction ColumnFilter(const Relation& relation, uint32_t index, KeyValues values, SourceRange range,
                               Planning& planning) {
  FilterRestriction filter;
  filter.predicate.node =
      Comparison{{ColumnExpression{index}, planning.table->columns[index].type, relation.target.range},
                 relation.op,
                 std::move(values.values),
                 values.list_valued};
  filter.columns = {index};
  filter.range = range;
  MarkExtension(relation, filter, planning);
  return filter;
}

Status CheckColumnOperator(const Relation& relation, const ColumnSchema& column, SourceRange range) {
  const Type& type = *column.type;
  if (IsSliceOperator(relation.op)) WR_RETURN_IF_ERROR(CheckSliceType(type, range));
  if (IsContainsKey(relation.op) && type.kind != TypeKind::kMap) {
    return InvalidAt(range, StrCat("Cannot use ", OperatorText(relation.op), " on non-map column ", column.name));
  }
  if (IsContains(relation.op) && !type.is_collection()) {
    return InvalidAt(range,
                     StrCat("Cannot use ", OperatorText(relation.op), " on non-collection column ", column.name));
  }
  const bool contains = IsContains(relation.op) || IsContainsKey(relation.op);
  if (type.is_multi_cell() && type.is_collection() && !contains) {
    return InvalidAt(range, StrCat("Collection column '", column.name, "' (", TypeText(type),
                                   ") cannot be restricted by a '", OperatorText(relation.op), "' relation"));
  }
  if (type.is_multi_cell() && !type.is_collection()) {
    return InvalidAt(range, StrCat("Non-frozen UDT column '", column.name, "' (", TypeText(type),
                                   ") cannot be restricted by any relation"));
  }
  return OkStatus();
}

// Prepares the values of =, <, IN (…), IN ?, …. `nulls_in_list`: the list of IN ? may contain nulls.
Result<KeyValues> PrepareValues(const Relation& relation, const Receiver& receiver, SourceRange range,
                                bool nulls_in_list, Planning& planning) {
  KeyValues values;
  values.is_in = relation.op == CompareOp::kIn || relation.op == CompareOp::kNotIn;
  if (values.is_in && !relation.in_list) {
    const auto* marker = std::get_if<BindMarker>(&relation.values[0].node);
    if (marker == nullptr) {
      return InvalidAt(relation.values[0].range, "IN takes values in parentheses or a bind marker");
    }
    values.list_valued = true;
    values.values.push_back(
        MakeMarker(*marker, range, {"in(" + receiver.name + ")", ListType(receiver.type)}, planning));
    planning.markers[marker->index].in_column = receiver.name;
    planning.markers[marker->index].nulls_in_list = nulls_in_list;
    return values;
  }
  for (const Term& term : relation.values) {
    WR_ASSIGN_OR_RETURN(values.values.emplace_back(), PrepareTerm(term, receiver, planning));
  }
  return values;
}

Result<Restriction> ResolveContains(const Relation& relation, uint32_t index, SourceRange range, Planning& planning) {
  const ColumnSchema& column = planning.table->columns[index];
  const bool of_key = IsContainsKey(relation.op);
  const Receiver receiver{(of_key ? "key(" : "value(") + column.name + ")",
                          of_key ? column.type->arguments.front() : column.type->arguments.back()};
  WR_ASSIGN_OR_RETURN(Expression value, PrepareTerm(relation.values[0], receiver, planning));
  if (IsExtensionOperator(relation.op)) WR_RETURN_IF_ERROR(CheckNull(value, column));
  FilterRestriction filter = ColumnFilter(relation, index, {.values = {std::move(value)}}, range, planning);
  if (!IsExtensionOperator(relation.op)) filter.kind = FilterRestriction::Kind::kContains;
  return Restriction(std::move(filter));
}

// Resolves c LIKE 'x%' on a column whose index serves it.
Result<Restriction> Like(const Relation& relation, uint32_t index, KeyValues values, SourceRange range,
                         Planning& planning) {
  FilterRestriction filter = ColumnFilter(relation, index, std::move(values), range, planning);
  filter.kind = FilterRestriction::Kind::kLike;
  auto& comparison = std::get<Comparison>(filter.predicate.node);
  const TextAnalysis analysis = AnalysisOf(*planning.table, index);
  comparison.left = Analyzed(std::move(comparison.left), analysis);
  comparison.right[0] = Analyzed(std::move(comparison.right[0]), analysis);
  comparison.analyzer = WordsOfLike(*planning.table, index);
  return Restriction(std::move(filter));
}

// Resolves body : 'words' on a column whose index stores words.
Result<Restriction> Words(const Relation& relation, uint32_t column, KeyValues values, SourceRange range,
                          Planning& planning) {
  const TableSchema& table = *planning.table;
  const IndexSchema* const index = IndexOfWords(table, column);
  if (index == nullptr) {
    return InvalidAt(range,
                     "':' restriction is only supported on properly indexed columns. " +
                         RelationText(relation, planning) + " is not valid.",
                     IndexHint(table, column, ProposedIndex::kWords, " serves ':'"));
  }
  FilterRestriction filter = ColumnFilter(relation, column, std::move(values), range, planning);
  std::get<Comparison>(filter.predicate.node).analyzer = WordsOf(*index, table.columns[column]);
  return Restriction(std::move(filter));
}

Result<Restriction> ResolveColumn(const Relation& relation, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, relation.target.columns[0]));
  const ColumnSchema& column = planning.table->columns[index];
  WR_RETURN_IF_ERROR(CheckColumnOperator(relation, column, range));
  if (IsContains(relation.op) || IsContainsKey(relation.op)) return ResolveContains(relation, index, range, planning);
  const bool nulls_in_list = relation.op == CompareOp::kIn;
  WR_ASSIGN_OR_RETURN(KeyValues values, PrepareValues(relation, ReceiverOf(column), range, nulls_in_list, planning));
  for (const Expression& value : values.values) {
    WR_RETURN_IF_ERROR(CheckCount(value, column));
    if (IsExtensionOperator(relation.op)) WR_RETURN_IF_ERROR(CheckNull(value, column));
  }
  if (relation.op == CompareOp::kLike) {
    if (TakesLike(*planning.table, index)) return Like(relation, index, std::move(values), range, planning);
    return InvalidAt(range,
                     "LIKE restriction is only supported on properly indexed columns. " +
                         RelationText(relation, planning) + " is not valid.",
                     IndexHint(*planning.table, index, ProposedIndex::kSasi, " serves LIKE"));
  }
  if (relation.op == CompareOp::kMatches) return Words(relation, index, std::move(values), range, planning);
  if (IsKeyOperator(relation.op)) {
    ColumnRestriction restriction{index, relation.op, std::move(values), range};
    if (relation.op == CompareOp::kIn && relation.in_list && restriction.values.values.size() == 1) {
      restriction.op = CompareOp::kEq;
      restriction.values.is_in = false;
    }
    return Restriction(std::move(restriction));
  }
  return Restriction(ColumnFilter(relation, index, std::move(values), range, planning));
}

// Resolves m['x'] = 1.
Result<Restriction> ResolveElement(const Relation& relation, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, relation.target.columns[0]));
  const ColumnSchema& column = planning.table->columns[index];
  if (column.type->kind == TypeKind::kList) {
    return InvalidAt(range,
                     "Indexes on list entries (" + column.name + "[index] = value) are not currently supported.");
  }
  if (column.type->kind != TypeKind::kMap) {
    return InvalidAt(range, "Column " + column.name + " cannot be used as a map");
  }
  if (column.type->frozen) {
    return InvalidAt(range, "Map-entry equality predicates on frozen map column " + column.name + " are not supported");
  }
  if (relation.op != CompareOp::kEq) return InvalidAt(range, "Only EQ relations are supported on map entries");
  WR_ASSIGN_OR_RETURN(Expression key, PrepareTerm(relation.target.element[0],
                                                  {"key(" + column.name + ")", column.type->arguments[0]}, planning));
  WR_ASSIGN_OR_RETURN(
      Expression value,
      PrepareTerm(relation.values[0], {"value(" + column.name + ")", column.type->arguments[1]}, planning));
  Expression base{ColumnExpression{index}, column.type, relation.target.range};
  Expression element{ElementExpression{{std::move(base)}, {std::move(key)}}, column.type->arguments[1],
                     relation.target.range};
  FilterRestriction filter;
  filter.kind = FilterRestriction::Kind::kMapEntry;
  filter.predicate.node = Comparison{std::move(element), CompareOp::kEq, {std::move(value)}, false};
  filter.columns = {index};
  filter.operator_text = "=";
  filter.range = range;
  return Restriction(std::move(filter));
}

// Resolves u.field op value, an extension.
Result<Restriction> ResolveField(const Relation& relation, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(*planning.table, relation.target.columns[0]));
  const ColumnSchema& column = planning.table->columns[index];
  const std::string& field = relation.target.field->text;
  if (column.type->kind != TypeKind::kUdt) {
    return InvalidAt(range, StrCat("Invalid field selection: ", column.name, " of type ", TypeText(*column.type),
                                   " is not a user type"));
  }
  const std::vector<std::string>& names = column.type->field_names;
  const auto found = std::find(names.begin(), names.end(), field);
  if (found == names.end()) {
    return InvalidAt(range, StrCat(column.name, " of type ", TypeText(*column.type), " has no field ", field),
                     "its fields are " + JoinNames(names));
  }
  const auto at = static_cast<uint32_t>(found - names.begin());
  if (!IsKeyOperator(relation.op) && relation.op != CompareOp::kNotEq && relation.op != CompareOp::kNotIn) {
    return InvalidAt(range, std::string(OperatorText(relation.op)) + " cannot be used with a field");
  }
  const Receiver receiver{column.name + "." + field, column.type->arguments[at]};
  if (IsSliceOperator(relation.op)) WR_RETURN_IF_ERROR(CheckSliceType(*receiver.type, range));
  WR_ASSIGN_OR_RETURN(KeyValues values, PrepareValues(relation, receiver, range, false, planning));
  for (const Expression& value : values.values) WR_RETURN_IF_ERROR(CheckNull(value, column));
  planning.UseExtension("a condition on a field");
  Expression base{ColumnExpression{index}, column.type, relation.target.range};
  Expression left{FieldExpression{{std::move(base)}, at}, receiver.type, relation.target.range};
  FilterRestriction filter;
  filter.predicate.node = Comparison{std::move(left), relation.op, std::move(values.values), values.list_valued};
  filter.columns = {index};
  filter.operator_text = "a condition on a field";
  filter.range = range;
  return Restriction(std::move(filter));
}

Status CheckTokenColumns(const Relation& relation, const TableSchema& table, SourceRange range) {
  std::vector<uint32_t> columns;
  for (const Identifier& name : relation.target.columns) {
    WR_ASSIGN_OR_RETURN(columns.emplace_back(), FindColumn(table, name));
  }
  std::vector<std::string> key_names;
  bool all = true, only = true, in_order = columns.size() == table.partition_key_size;
  for (uint32_t i = 0; i < table.partition_key_size; ++i) {
    key_names.push_back(table.columns[i].name);
    all = all && std::find(columns.begin(), columns.end(), i) != columns.end();
    in_order = in_order && columns[i] == i;
  }
  for (const uint32_t column : columns) only = only && column < table.partition_key_size;
  if (in_order) return OkStatus();
  const std::string hint = "write token(" + JoinNames(key_names) + ")";
  if (!all) {
    return InvalidAt(range, "The token() function must be applied to all partition key components or none of them",
                     hint);
  }
  if (!only) return InvalidAt(range, "The token() function must contains only partition key components", hint);
  if (columns.size() > table.partition_key_size) {
    return InvalidAt(range, "The token() function contains duplicate partition key components", hint);
  }
  return InvalidAt(range, "The token function arguments must be in the partition key order: " + JoinNames(key_names),
                   hint);
}

Result<Restriction> ResolveToken(const Relation& relation, SourceRange range, Planning& planning) {
  WR_RETURN_IF_ERROR(CheckTokenColumns(relation, *planning.table, relation.target.range));
  if (relation.op == CompareOp::kNotEq) {
    return InvalidAt(range, "Unsupported \"!=\" relation: " + RelationText(relation, planning));
  }
  if (!IsKeyOperator(relation.op) || relation.op == CompareOp::kIn) {
    return InvalidAt(range, std::string(OperatorText(relation.op)) + " cannot be used with the token function");
  }
  const Receiver receiver{"partition key token", ScalarType(TypeKind::kBigint)};
  WR_ASSIGN_OR_RETURN(Expression value, PrepareTerm(relation.values[0], receiver, planning));
  return Restriction(TokenRestriction{relation.op, std::move(value), range});
}

}  // namespace

bool IsSliceOperator(CompareOp op) {
  return op == CompareOp::kLt || op == CompareOp::kLe || op == CompareOp::kGt || op == CompareOp::kGe;
}
bool IsKeyOperator(CompareOp op) { return op == CompareOp::kEq || op == CompareOp::kIn || IsSliceOperator(op); }

std::string RelationText(const Relation& relation, const Planning& planning) {
  const RelationTarget& target = relation.target;
  // In Cassandra's sentences, a bind marker has no name.
  const std::string left =
      target.kind == RelationTarget::Kind::kElement
          ? StrCat(QuoteIdentifier(target.columns[0].text), "[", TermText(target.element[0], planning), "]")
          : Print(target);
  const std::string start = left + " " + OperatorText(relation.op);
  std::vector<std::string> values;
  for (const Term& value : relation.values) values.push_back(TermText(value, planning));
  if (relation.in_list) return start + " (" + JoinNames(values) + ")";
  return values.empty() ? start : start + " " + values[0];
}

Result<Restriction> ResolveRelation(const Relation& relation, SourceRange range, Planning& planning) {
  if (relation.op == CompareOp::kNotEq && !planning.extended()) {
    return InvalidAt(range, "Unsupported \"!=\" relation: " + RelationText(relation, planning));
  }
  if (relation.op == CompareOp::kIsNotNull) {
    return InvalidAt(range, "Unsupported restriction: " + RelationText(relation, planning));
  }
  switch (relation.target.kind) {
    case RelationTarget::Kind::kColumn: return ResolveColumn(relation, range, planning);
    case RelationTarget::Kind::kTuple: return ResolveTupleRelation(relation, range, planning);
    case RelationTarget::Kind::kToken: return ResolveToken(relation, range, planning);
    case RelationTarget::Kind::kElement: return ResolveElement(relation, range, planning);
    case RelationTarget::Kind::kField: return ResolveField(relation, range, planning);
  }
  return ServerError("a relation of unknown kind");
}

}  // namespace widerow
