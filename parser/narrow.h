// A dialect without extensions has fewer keywords than the grammar. Before parsing, NarrowTokens gives the additional
// keywords other token types, so that the parser fails at the same token as the parser of the dialect's own database.
// Extensions without a keyword of their own (1 < c < 5) are refused by the builder. Internal to parser/.
#pragma once

#include <set>
#include <string>

#include "parser/antlr.h"
#include "parser/dialect.h"

namespace widerow {

// Turns the keywords that `dialect` does not have into names, or into tokens that fit nowhere. Returns the indexes of
// the changed tokens; none with Dialect::kWiderow.
std::set<size_t> NarrowTokens(antlr4::CommonTokenStream& tokens, Dialect dialect);

// Removes the words that `dialect` does not have from the tokens expected at an error.
void NarrowExpected(antlr4::misc::IntervalSet& expected, Dialect dialect);

// True for the keywords of Widerow's extensions, which are ordinary names in Cassandra 5.0.
bool IsExtensionWord(size_t type);

// Returns the hint for a syntax error that is caused by an extension.
std::string NoExtensionsHint(Dialect dialect);

}  // namespace widerow
