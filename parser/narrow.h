// A dialect without extensions has fewer words than the grammar. They are taken out of the token stream before it is parsed,
// so that the parser itself fails where the other database's does. What the words alone cannot tell (1 < c < 5) is
// refused by the builder. Internal to parser/.
#pragma once

#include <set>
#include <string>

#include "parser/antlr.h"
#include "parser/dialect.h"

namespace widerow {

// Makes names, or tokens that fit nowhere, of the keywords that `dialect` does not have. Returns the indexes of the changed
// tokens: none under Dialect::kWiderow.
std::set<size_t> NarrowTokens(antlr4::CommonTokenStream& tokens, Dialect dialect);

// What could have stood at a fault, without the words that `dialect` does not have there.
void NarrowExpected(antlr4::misc::IntervalSet& expected, Dialect dialect);

// The hint of a syntax error that only an extension explains.
std::string NoExtensionsHint(Dialect dialect);

}  // namespace widerow
