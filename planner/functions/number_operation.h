// + - * / % and the sign on numbers, with the results of Java's arithmetic: integers wrap, floats divide by zero, decimals are
// divided to at least 32 digits.
#pragma once

#include "base/result.h"
#include "types/type.h"

namespace widerow::functions {

// What an operator makes of two numeric types: the wider one; floating if one is; varint or decimal if one has no bounds.
TypeKind OperationType(TypeKind left, TypeKind right);

struct Operand {
  TypeKind kind;
  ByteView bytes;  // Not empty.
};
// `symbol`: one of + - * / %. An error's message is what Java's exception would say: "/ by zero".
Result<Bytes> Operate(char symbol, const Operand& left, const Operand& right);
Bytes Negate(const Operand& operand);

}  // namespace widerow::functions
