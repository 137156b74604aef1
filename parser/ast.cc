#include "parser/ast.h"

namespace widerow {

bool operator==(const Term& a, const Term& b) { return a.node == b.node; }
bool operator==(const ListTerm& a, const ListTerm& b) { return a.elements == b.elements; }
bool operator==(const SetTerm& a, const SetTerm& b) { return a.elements == b.elements; }
bool operator==(const MapTerm& a, const MapTerm& b) { return a.keys == b.keys && a.values == b.values; }
bool operator==(const TupleTerm& a, const TupleTerm& b) { return a.elements == b.elements; }
bool operator==(const UdtTerm& a, const UdtTerm& b) { return a.names == b.names && a.values == b.values; }
bool operator==(const FunctionCall& a, const FunctionCall& b) { return a.name == b.name && a.arguments == b.arguments; }
bool operator==(const CountStar&, const CountStar&) { return true; }
bool operator==(const CastTerm& a, const CastTerm& b) { return a.operand == b.operand && a.type == b.type; }
bool operator==(const TypeHint& a, const TypeHint& b) { return a.type == b.type && a.operand == b.operand; }
bool operator==(const ColumnRef& a, const ColumnRef& b) { return a.name == b.name; }
bool operator==(const FieldAccess& a, const FieldAccess& b) { return a.base == b.base && a.field == b.field; }
bool operator==(const ElementAccess& a, const ElementAccess& b) { return a.base == b.base && a.index == b.index; }
bool operator==(const SliceAccess& a, const SliceAccess& b) {
  return a.base == b.base && a.from == b.from && a.to == b.to;
}
bool operator==(const Arithmetic& a, const Arithmetic& b) { return a.op == b.op && a.operands == b.operands; }

bool operator==(const OrCondition& a, const OrCondition& b) { return a.terms == b.terms; }
bool operator==(const AndCondition& a, const AndCondition& b) { return a.terms == b.terms; }
bool operator==(const NotCondition& a, const NotCondition& b) { return a.operand == b.operand; }

bool operator==(const ExplainStatement& a, const ExplainStatement& b) {
  return a.analyze == b.analyze && a.statement == b.statement;
}
bool operator==(const AdviseStatement& a, const AdviseStatement& b) {
  return a.kind == b.kind && a.table == b.table && a.statement == b.statement;
}

}  // namespace widerow
