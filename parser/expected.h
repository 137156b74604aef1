// What could have stood where a syntax error is, read off ANTLR's transition network. Internal to parser/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parser/antlr.h"

namespace widerow {

// Where the parser may be: a state, and the states to go on with when its rule and the rules around it end.
struct ParserPlace {
  antlr4::atn::ATNState* state = nullptr;
  std::vector<antlr4::atn::ATNState*> follow;  // Innermost rule first.
};

// The places at which `fault` happened: several if the parser was looking ahead.
std::vector<ParserPlace> PlacesOf(const antlr4::Parser& parser, const antlr4::RecognitionException& fault);

std::vector<ParserPlace> PlacesFrom(const antlr4::atn::ATN& atn, antlr4::atn::ATNState* state,
                                    const antlr4::RuleContext* context);

antlr4::misc::IntervalSet ExpectedTokens(const antlr4::atn::ATN& atn, const std::vector<ParserPlace>& places);

// The one token that must come once everything optional has been left out; absent where there is a choice. This is what
// Cassandra's parser reports as "mismatched input … expecting …", instead of "no viable alternative …".
std::optional<size_t> MandatoryToken(const std::vector<ParserPlace>& places);

// "FROM", "a name or ')'", …: a short list for people; empty if it would be long.
std::string DescribeExpected(const antlr4::misc::IntervalSet& expected, const antlr4::dfa::Vocabulary& vocabulary);

// The expected keyword that is misspelt as `word`, if one is near enough.
std::optional<std::string> NearestKeyword(const antlr4::misc::IntervalSet& expected, std::string_view word);

}  // namespace widerow
