// What texts that differ in their constants have in common. Cut without ANTLR and without a look at the grammar: a text that
// cannot be cut safely is a shape of its own. Texts of one shape are the same tokens but for the values of the constants, so
// that one of them tells how all of them parse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parser/ast_term.h"

namespace widerow {

struct TextConstant {
  Literal::Kind kind = Literal::Kind::kNull;  // kString, kInteger, kFloat, kUuid or kHex.
  SourceRange range;                          // In the text, as the parser has it.
};

struct StatementShape {
  std::string key;  // The text with kind and sign of each constant in its place. Not meant to be read.
  std::vector<TextConstant> constants;  // Empty: `key` stands for this text alone.
};

// Only '…', integers, floats without exponent, uuids and 0x…, each where nothing could join it with what stands beside it, are
// constants. Bind markers, comments, $$ … $$ and anything that is not plain CQL make the whole text the shape.
StatementShape ShapeOf(std::string_view text);

// The shape of nothing but `text` itself.
StatementShape ShapeOfTextAlone(std::string_view text);

// The value as the parser has it.
Literal LiteralOf(const TextConstant& constant, std::string_view text);

}  // namespace widerow
