// The shape of a statement is its text without its constants. Texts of one shape have the same tokens except for the
// values of the constants, so the syntax tree of one text is valid for all, with other constants
// (docs/internals/unprepared.md). Texts are cut without ANTLR and without the grammar. A text that cannot be cut safely
// is a shape of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parser/ast_term.h"

namespace widerow {

struct TextConstant {
  Literal::Kind kind = Literal::Kind::kNull;  // kString, kInteger, kFloat, kUuid or kHex.
  SourceRange range;                          // The constant's place in the text.
};

struct StatementShape {
  std::string key;  // The text with each constant replaced by its kind and sign, as bytes. Only for comparison.
  std::vector<TextConstant> constants;  // Empty: `key` identifies this text alone.
};

// Cuts `text`. Constants are '…', integers, floats without exponent, uuids and 0x…, each only if the characters beside
// it cannot be part of it. A text with bind markers, comments, $$ … $$ or anything that is not plain CQL is a shape of
// its own.
StatementShape ShapeOf(std::string_view text);

// Returns a shape that no other text has.
StatementShape ShapeOfTextAlone(std::string_view text);

// Returns the constant's value as the parser would return it.
Literal LiteralOf(const TextConstant& constant, std::string_view text);

}  // namespace widerow
