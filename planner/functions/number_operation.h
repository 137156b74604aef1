// + - * / % and negation of numbers, with the results of Java's arithmetic: integers wrap, floats divide by zero,
// decimals are divided to at least 32 digits. Pure functions.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow::functions {

// Returns the result type of an operator on two numeric types: the wider one; floating if either is; varint or decimal
// if either is unbounded.
TypeKind OperationType(TypeKind left, TypeKind right);

struct Operand {
  TypeKind kind;
  ByteView bytes;  // Not empty.
};
// `symbol` is one of + - * / %. Error messages are those of Java's exceptions: "/ by zero".
Result<Bytes> Operate(char symbol, const Operand& left, const Operand& right);
Bytes Negate(const Operand& operand);

}  // namespace widerow::functions
