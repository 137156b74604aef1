// CQL text to Statement. Pure: no schema, no clock; any thread. Exceptions of the ANTLR runtime end here.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/ast.h"
#include "parser/dialect.h"

namespace widerow {

// One statement, with or without its final semicolon. kSyntaxError: message as Cassandra's first line where that can be
// had ("line 1:7 no viable alternative at input 'x' (…)"), range of the offending token, and a hint with what was
// expected and the nearest keyword. A text over limits::kStatementBytesMax or nested deeper than limits::kNestingMax is
// refused before ANTLR sees it. Under another dialect than Widerow's, an extension is refused as the other database does.
Result<Statement> Parse(std::string_view text, Dialect dialect = Dialect::kWiderow);

// The byte ranges of the statements in a script: split at semicolons outside strings, comments, $$ … $$ and BATCH.
// Used by shell and scripts; a last statement without semicolon is included (`complete` false: the text ends inside
// it).
struct StatementSpan {
  SourceRange range;  // Without the semicolon and without leading blanks and comments.
  bool complete = true;
};
std::vector<StatementSpan> SplitStatements(std::string_view script);

// A type written alone ("map<text, frozen<list<int>>>"), as typed HTTP parameters use it.
Result<TypeName> ParseTypeName(std::string_view text);

// An expression over the columns of a row ("bucket(ts, 16)"), as generated columns are kept.
Result<Term> ParseRowTerm(std::string_view text);

}  // namespace widerow
