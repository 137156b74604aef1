// + - * / % and negation of numbers, with the results of Java's arithmetic. Integers wrap around. A float can be
// divided by zero. A quotient of decimals has at least 32 digits. Pure functions.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow::functions {

// Returns the type of the result of an operator on two numeric types. It has the size of the larger type, where varint
// and decimal are larger than all others. It is float, double or decimal if one of the types is, otherwise an integer.
TypeKind OperationType(TypeKind left, TypeKind right);

struct Operand {
  TypeKind kind;
  ByteView bytes;  // Not empty.
};
// Returns `left symbol right`. `symbol` is one of + - * / %. Errors have the texts of Java's exceptions: "/ by zero".
Result<Bytes> Operate(char symbol, const Operand& left, const Operand& right);
Bytes Negate(const Operand& operand);

}  // namespace widerow::functions
