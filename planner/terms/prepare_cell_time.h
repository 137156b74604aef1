// WRITETIME, TTL and MAXWRITETIME of a column, of elements of a collection, or of a field.
#pragma once

#include "parser/ast.h"
#include "planner/terms/planning.h"

namespace widerow {

Result<Expression> PrepareCellTime(CellTimeExpression::Kind kind, const FunctionCall& call, SourceRange range,
                                   Planning& planning);

}  // namespace widerow
