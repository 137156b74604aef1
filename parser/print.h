// Prints a Statement as CQL text on one line; the text parses to an equal Statement.
#pragma once

#include <string>

#include "parser/ast.h"

namespace widerow {

std::string Print(const Statement& statement);
std::string Print(const Term& term);
std::string Print(const TypeName& type);
std::string Print(const Condition& condition);
std::string Print(const RelationTarget& target);
// Returns "=", "NOT IN", "CONTAINS KEY", ….
const char* OperatorText(CompareOp op);
// Returns the statement's name in messages such as "… is not supported yet": "SELECT", "CREATE MATERIALIZED VIEW", ….
std::string StatementName(const Statement& statement);
// Returns the tree with byte ranges, one node per line, as `ast` blocks of test scripts show it, then the printed
// statement.
std::string DumpAst(const Statement& statement);

}  // namespace widerow
