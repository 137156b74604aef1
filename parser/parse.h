// Parses CQL text into a Statement. It uses no schema; any thread may call it. Exceptions of the ANTLR runtime end
// here.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/ast.h"
#include "parser/dialect.h"

namespace widerow {

// Parses one statement, with or without its final semicolon. A kSyntaxError has Cassandra's message, as far as possible
// ("line 1:7 no viable alternative at input 'x' (…)"), the range of the offending token, and a hint with the expected
// tokens and the nearest keyword. CheckBounds (parser/bounds.h) refuses texts that are too long or too deeply nested
// before ANTLR sees them. A large statement may have to wait until others have been parsed, and fails with kOverloaded
// if that takes too long (parser/parse_room.h). Under another dialect than Widerow's, an extension is refused as the
// other database refuses it.
Result<Statement> Parse(std::string_view text, Dialect dialect = Dialect::kWiderow);

// SplitStatements splits a script at semicolons outside strings, comments, $$ … $$ and BATCH, and returns the byte
// ranges of its statements. A last statement without a semicolon is included, with `complete` false. Used by the shell
// and for scripts.
struct StatementSpan {
  SourceRange range;  // Without the semicolon and without blanks and comments before the statement.
  bool complete = true;
  bool in_batch = false;  // True for a batch whose APPLY BATCH is missing.
};
std::vector<StatementSpan> SplitStatements(std::string_view script);

// Parses a type alone, such as "map<text, frozen<list<int>>>".
Result<TypeName> ParseTypeName(std::string_view text);

// Parses an expression over the columns of a row, such as "bucket(ts, 16)", the form in which generated columns are
// stored.
Result<Term> ParseRowTerm(std::string_view text);

}  // namespace widerow
