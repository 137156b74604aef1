// PrepareTerm has a case for each kind of term; the receiver's type decides how a literal is read. PrepareCall prepares
// calls, operators and CAST. In values, arguments of calls have a known type only if they are calls or have a type hint
// (ValueRules). TestOperand says how well an operand fits a type. It caches its results, because nested operators would
// ask for the same ones exponentially often. Fold evaluates constant expressions.
#include "planner/terms/prepare_term.h"

#include <algorithm>
#include <cmath>

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/evaluate/evaluate.h"
#include "planner/terms/assignable.h"
#include "planner/terms/resolve_type.h"
#include "types/text_form.h"
#include "types/value_bytes.h"
#include "types/value_order.h"

namespace widerow {
namespace {

const char* KindName(Literal::Kind kind) {
  switch (kind) {
    case Literal::Kind::kNull: return "NULL";
    case Literal::Kind::kString: return "STRING";
    case Literal::Kind::kInteger: return "INTEGER";
    case Literal::Kind::kFloat: return "FLOAT";
    case Literal::Kind::kBoolean: return "BOOLEAN";
    case Literal::Kind::kUuid: return "UUID";
    case Literal::Kind::kHex: return "HEX";
    case Literal::Kind::kDuration: return "DURATION";
  }
  return "";
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

Result<Bytes> LiteralBytes(const Literal& literal, const Type& type) {
  if (literal.kind == Literal::Kind::kHex) {
    Bytes bytes;
    const std::string digits = literal.text.substr(2);
    if (!FromHex(digits, bytes)) return InvalidError("cannot parse '" + digits + "' as hex bytes");
    if (type.kind == TypeKind::kBlob) return bytes;
    WR_RETURN_IF_ERROR(ValidateValue(type, bytes));
    return PutInOrder(type, bytes);
  }
  if (type.kind == TypeKind::kTuple) {
    WR_ASSIGN_OR_RETURN(const Bytes tuple, ParseTupleString(type, literal.text));
    return PutInOrder(type, tuple);
  }
  if (literal.kind == Literal::Kind::kBoolean) return ParseText(type, Lower(literal.text));
  return ParseText(type, literal.text);
}

// Refuses constants that are out of the range of a double, such as 1e400. As in Cassandra, 1e39 is accepted for a float
// and becomes Infinity.
Status CheckRange(const Literal& literal, const Type& type, SourceRange range) {
  if (literal.kind != Literal::Kind::kFloat || literal.text.ends_with("Infinity")) return OkStatus();
  if (type.kind != TypeKind::kDouble && type.kind != TypeKind::kFloat) return OkStatus();
  const Result<Bytes> value = ParseText(*ScalarType(TypeKind::kDouble), literal.text);
  if (!value.ok() || !std::isinf(DecodeDouble(*value))) return OkStatus();
  Error error = SyntaxErrorAt(range,
                              "NumberFormatException Character I is neither a decimal digit number, decimal point, nor "
                              "\"e\" notation exponential mark.");
  error.hint = literal.text + " is beyond the range of a double: write Infinity, or use a decimal";
  return error;
}

ArgumentMatch TestOperand(const Term& term, const TypePtr& type, Planning& planning);

Result<Expression> PrepareHint(const TypeHint& hint, const Term& term, const Receiver& receiver, Planning& planning) {
  WR_ASSIGN_OR_RETURN(const TypePtr type, ResolveType(hint.type, planning.schema, planning.keyspace()));
  const Term& operand = hint.operand[0];
  const auto sentence = [&] {
    return StrCat("Cannot cast value ", TermText(operand, planning), " to type ", TypeText(*type));
  };
  if (!Assignable(operand, type, planning)) return Misfit(operand, type, sentence(), planning);
  if (TestOperand(operand, type, planning) == ArgumentMatch::kNone) return InvalidAt(operand.range, sentence());
  if (!HintFits(*type, *receiver.type)) {
    return InvalidAt(term.range, "Cannot assign value " + TermText(term, planning) + " to " + receiver.name +
                                     " of type " + TypeText(*receiver.type));
  }
  return PrepareTerm(operand, receiver, planning);
}

// Returns the rules for arguments of calls in values, where only nested calls and terms with a type hint have a known
// type.
ArgumentRules ValueRules(Planning& planning) {
  ArgumentRules rules;
  rules.prepare_typed = [&planning](const Term& term) -> Result<std::optional<Expression>> {
    if (const auto* call = std::get_if<FunctionCall>(&term.node)) {
      // from_json has no type until its receiver is known.
      if (call->name.name.text == "from_json" || call->name.name.text == "fromjson") return std::optional<Expression>();
      WR_ASSIGN_OR_RETURN(Expression expression,
                          PrepareCall(*call, term.range, nullptr, ValueRules(planning), planning));
      return std::optional<Expression>(std::move(expression));
    }
    if (const auto* hint = std::get_if<TypeHint>(&term.node)) {
      // The hint alone tells the type. The marker stands for the operand until PrepareCall prepares it.
      WR_ASSIGN_OR_RETURN(const TypePtr type, ResolveType(hint->type, planning.schema, planning.keyspace()));
      return std::optional<Expression>(Expression{MarkerExpression{}, type, term.range});
    }
    return std::optional<Expression>();
  };
  rules.prepare_untyped = [&planning](const Term& term,
                                      const Receiver& parameter) -> Result<std::optional<Expression>> {
    if (!Assignable(term, parameter.type, planning)) return std::optional<Expression>();
    WR_ASSIGN_OR_RETURN(Expression expression, PrepareTerm(term, parameter, planning));
    return std::optional<Expression>(std::move(expression));
  };
  rules.marker_name = [](const std::string& function, size_t argument) {
    return "arg" + std::to_string(argument) + "(" + function + ")";
  };
  rules.test = [&planning](const Term& term, const TypePtr& type) { return TestOperand(term, type, planning); };
  return rules;
}

// Returns the call that the term is, or the call that an operator or a CAST stands for. nullopt for other terms.
std::optional<FunctionCall> CallIn(const Term& term) {
  if (const auto* call = std::get_if<FunctionCall>(&term.node)) return *call;
  if (const auto* arithmetic = std::get_if<Arithmetic>(&term.node)) return CallOf(*arithmetic, term.range);
  if (const auto* cast = std::get_if<CastTerm>(&term.node)) return CallOf(*cast, term.range);
  return std::nullopt;
}

// Says how well an operand fits `type`.
ArgumentMatch TestOperand(const Term& term, const TypePtr& type, Planning& planning) {
  const std::optional<FunctionCall> call = CallIn(term);
  if (!call) return Assignable(term, type, planning) ? ArgumentMatch::kWeak : ArgumentMatch::kNone;
  const std::tuple key(term.range.begin, term.range.end, TypeText(*type));
  if (const auto known = planning.operand_matches.find(key); known != planning.operand_matches.end()) {
    return known->second;
  }
  const ArgumentMatch match = MatchCall(*call, term.range, type, ValueRules(planning), planning);
  planning.operand_matches[key] = match;
  return match;
}

Result<Expression> PrepareCallFor(const FunctionCall& call, SourceRange range, const Receiver& receiver,
                                  Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression expression, PrepareCall(call, range, receiver.type, ValueRules(planning), planning));
  if (!ValueCompatible(*receiver.type, *expression.type)) {
    const std::string name = QuoteIdentifier(call.name.name.text);
    return InvalidAt(range, "Type error: cannot assign result of function system." + name + " (type " +
                                TypeText(*expression.type) + ") to " + receiver.name + " (type " +
                                TypeText(*receiver.type) + ")");
  }
  return expression;
}

}  // namespace

Result<Expression> PrepareLiteral(const Literal& literal, SourceRange range, const Receiver& receiver) {
  if (literal.kind == Literal::Kind::kNull) return Expression{ConstantExpression{}, receiver.type, range};
  if (!LiteralFits(literal, *receiver.type)) {
    return InvalidAt(range, std::string("Invalid ") + KindName(literal.kind) + " constant (" + literal.text +
                                ") for \"" + receiver.name + "\" of type " + TypeText(*receiver.type));
  }
  WR_RETURN_IF_ERROR(CheckRange(literal, *receiver.type, range));
  Result<Bytes> bytes = LiteralBytes(literal, *receiver.type);
  if (!bytes.ok()) {
    Error error = std::move(bytes).error();
    error.range = range;
    return error;
  }
  if (receiver.type->bytes_max) {
    if (Status valid = ValidateValue(*receiver.type, *bytes); !valid.ok()) {
      Error error = std::move(valid).error();
      error.range = range;
      return error;
    }
  }
  return Expression{ConstantExpression{std::move(bytes).value()}, receiver.type, range};
}

Result<Expression> PrepareTerm(const Term& term, const Receiver& receiver, Planning& planning) {
  const SourceRange range = term.range;
  return std::visit(
      Overloaded{
          [&](const Literal& literal) { return PrepareLiteral(literal, range, receiver); },
          [&](const BindMarker& marker) -> Result<Expression> { return MakeMarker(marker, range, receiver, planning); },
          [&](const ListTerm& list) { return PrepareList(list, range, receiver, planning); },
          [&](const SetTerm& set) { return PrepareSet(set, range, receiver, planning); },
          [&](const MapTerm& map) { return PrepareMap(map, range, receiver, planning); },
          [&](const TupleTerm& tuple) { return PrepareTuple(tuple, range, receiver, planning); },
          [&](const UdtTerm& udt) { return PrepareUdt(udt, range, receiver, planning); },
          [&](const FunctionCall& call) { return PrepareCallFor(call, range, receiver, planning); },
          [&](const TypeHint& hint) { return PrepareHint(hint, term, receiver, planning); },
          [&](const Arithmetic& arithmetic) {
            return PrepareCallFor(CallOf(arithmetic, range), range, receiver, planning);
          },
          [&](const CastTerm& cast) { return PrepareCallFor(CallOf(cast, range), range, receiver, planning); },
          [&](const ColumnRef& column) -> Result<Expression> {
            return InvalidAt(range, "Column " + column.name.text + " cannot be used here: a value is needed");
          },
          [&](const CountStar&) -> Result<Expression> {
            return InvalidAt(range, "Aggregation function are not supported in the where clause");
          },
          [&](const auto&) -> Result<Expression> {
            return InvalidAt(range, TermText(term, planning) + " cannot be used here: a value is needed");
          },
      },
      term.node);
}

Result<Expression> PrepareAssigned(const Term& term, const ColumnSchema& column, Planning& planning) {
  WR_ASSIGN_OR_RETURN(Expression value, PrepareTerm(term, ReceiverOf(column), planning));
  const Term* written = &term;
  while (const auto* hint = std::get_if<TypeHint>(&written->node)) written = &hint->operand[0];
  if (column.type->kind != TypeKind::kUdt || !std::holds_alternative<TupleTerm>(written->node)) return value;
  return InvalidAt(term.range, "Invalid tuple type literal for " + column.name + " of type " + TypeText(*column.type),
                   "write the fields with their names: {" + column.type->field_names[0] + ": …}");
}

Result<Expression> Fold(Expression expression) {
  const auto constant = [](const Expression& part) { return std::holds_alternative<ConstantExpression>(part.node); };
  bool foldable = false;
  if (const auto* call = std::get_if<CallExpression>(&expression.node)) {
    foldable = call->function->pure && !call->function->is_aggregate() &&
               std::all_of(call->arguments.begin(), call->arguments.end(), constant);
  } else if (const auto* composite = std::get_if<CompositeExpression>(&expression.node)) {
    foldable = std::all_of(composite->parts.begin(), composite->parts.end(), constant);
  }
  if (!foldable) return expression;
  Result<Value> value = Evaluate(expression, EvaluationContext{});
  if (!value.ok()) {
    Error error = std::move(value).error();
    if (!error.range) error.range = expression.range;
    return error;
  }
  return Expression{ConstantExpression{std::move(value).value()}, expression.type, expression.range};
}

}  // namespace widerow
