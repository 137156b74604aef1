// + - * / % and negation of numbers, with the results of Java's arithmetic. Integers wrap around. A float can be
// divided by zero. Decimals are divided to 32 or more digits after the point. Pure functions.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow::functions {

// Returns the type of the result of an operator on two numeric types. The result has the size of the larger type;
// varint and decimal count as larger than all others. If one of the types is float, double or decimal, the result is
// float, double or decimal, whichever has this size; otherwise it is an integer type.
TypeKind OperationType(TypeKind left, TypeKind right);

struct Operand {
  TypeKind kind;
  ByteView bytes;  // Not empty.
};
// Returns `left symbol right`. `symbol` is one of + - * / %. Errors have the texts of Java's exceptions: "/ by zero".
Result<Bytes> Operate(char symbol, const Operand& left, const Operand& right);
Bytes Negate(const Operand& operand);

}  // namespace widerow::functions
