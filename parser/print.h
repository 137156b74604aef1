// A Statement back as CQL text, on one line, that parses to an equal Statement.
#pragma once

#include <string>

#include "parser/ast.h"

namespace widerow {

std::string Print(const Statement& statement);
std::string Print(const Term& term);
std::string Print(const TypeName& type);
std::string Print(const Condition& condition);
// "=", "NOT IN", "CONTAINS KEY", ….
const char* OperatorText(CompareOp op);
// "SELECT", "CREATE MATERIALIZED VIEW", …: the statement's name for messages such as "… is not supported yet".
std::string StatementName(const Statement& statement);
// The tree with byte ranges, one node a line, as `ast` blocks of test scripts show it, then the printed statement.
std::string DumpAst(const Statement& statement);

}  // namespace widerow
