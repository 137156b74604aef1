// Finds the tokens that the grammar allows at a syntax error, from ANTLR's transition network. Internal to parser/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parser/antlr.h"

namespace widerow {

// A position of the parser: a state, and the states to continue with when its rule and the rules around it end.
struct ParserPlace {
  antlr4::atn::ATNState* state = nullptr;
  std::vector<antlr4::atn::ATNState*> follow;  // Innermost rule first.
};

// Returns the places where `fault` happened: several if the parser was looking ahead.
std::vector<ParserPlace> PlacesOf(const antlr4::Parser& parser, const antlr4::RecognitionException& fault);

// Returns one place: `state` within `context`.
std::vector<ParserPlace> PlacesFrom(const antlr4::atn::ATN& atn, antlr4::atn::ATNState* state,
                                    const antlr4::RuleContext* context);

// Returns the tokens that may follow at any of the places.
antlr4::misc::IntervalSet ExpectedTokens(const antlr4::atn::ATN& atn, const std::vector<ParserPlace>& places);

// Returns the only token that can follow once every optional part is left out; absent if there is a choice. Cassandra's
// parser reports it as "mismatched input … expecting …" instead of "no viable alternative …".
std::optional<size_t> MandatoryToken(const std::vector<ParserPlace>& places);

// Returns a short list for people, such as "FROM" or "a name or ')'"; empty if the list would be long.
std::string DescribeExpected(const antlr4::misc::IntervalSet& expected, const antlr4::dfa::Vocabulary& vocabulary);

// Returns the expected keyword that is most similar to `word`, if any is similar enough.
std::optional<std::string> NearestKeyword(const antlr4::misc::IntervalSet& expected, std::string_view word);

}  // namespace widerow
