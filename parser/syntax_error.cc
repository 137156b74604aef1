// FirstError builds the error. The range is that of the offending token. The hint lists the tokens that are allowed at
// its place (parser/expected.h). Sentence() writes the message that Cassandra's parser would give. That parser is made
// by ANTLR 3 and makes some decisions with more lookahead than ours; DecisionBegin() and the special cases in
// Sentence() make up for the difference. tests/data/parser/errors.txt holds Cassandra's answers.
#include "parser/syntax_error.h"

#include <algorithm>

#include "parser/builder.h"
#include "parser/error_text.h"
#include "parser/keywords.h"
#include "parser/narrow.h"

namespace widerow {
namespace {

// The number of bytes of a token that a message shows. Cassandra shows whole tokens, even a literal of a megabyte.
constexpr size_t kShownBytesMax = 300;

std::string Shorten(std::string_view text) {
  if (text.size() <= kShownBytesMax) return std::string(text);
  size_t cut = kShownBytesMax;
  while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + "...";
}

bool IsEnd(const antlr4::Token& token) { return token.getType() == antlr4::Token::EOF; }

// Returns "line 1:7 ", the place of the token's character with the index `characters`.
std::string Header(const SourceText& source, const antlr4::Token& token, size_t characters = 0) {
  // In ANTLR 3 the end of the text has no place, so Cassandra prints 0:-1. The error's range has the right place.
  if (IsEnd(token)) return "line 0:-1 ";
  const LineColumn place = LocateOffset(source.text(), source.ByteOffset(token.getStartIndex() + characters));
  return "line " + std::to_string(place.line) + ":" + std::to_string(place.column) + " ";
}

std::string CharacterAt(std::string_view text, size_t offset) {
  if (offset >= text.size()) return "<EOF>";
  size_t end = offset + 1;
  while (end < text.size() && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) ++end;
  return std::string(text.substr(offset, end - offset));
}

std::string Shown(const antlr4::Token& token) { return IsEnd(token) ? "<EOF>" : Shorten(TokenValue(token)); }

bool IsContinuation(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

// Returns the byte offset n characters after `begin`, where n is the number of characters of `value`.
size_t EndOfCharacters(std::string_view text, size_t begin, std::string_view value) {
  auto left = value.size() - static_cast<size_t>(std::count_if(value.begin(), value.end(), IsContinuation));
  size_t end = begin;
  for (; left > 0 && end < text.size(); --left) {
    ++end;
    while (end < text.size() && IsContinuation(text[end])) ++end;
  }
  return end;
}

// Returns " (...FROM t WHERE [x] y...)", the text from ten tokens before `marked` to at most two tokens after it.
// Blanks count as tokens. As in Cassandra, the brackets cover as many characters as the token's value has. The value of
// a string has no quotes, so the string's last two characters are outside. Line breaks are left out.
std::string Excerpt(const SourceText& source, antlr4::CommonTokenStream& tokens, antlr4::Token& marked,
                    antlr4::Token& reported) {
  const size_t index = marked.getTokenIndex();
  antlr4::Token& from = *tokens.get(index < 10 ? 0 : index - 10);
  antlr4::Token& to = *tokens.get(std::min<size_t>(index + 2, std::max(index, reported.getTokenIndex())));
  if (IsEnd(from) || IsEnd(to) || IsEnd(reported)) return "";
  const std::string_view text = source.text();
  const auto begin_of = [&](antlr4::Token& token) { return source.ByteOffset(token.getStartIndex()); };
  const auto end_of = [&](antlr4::Token& token) {
    const size_t begin = begin_of(token);
    return std::min(text.find('\n', begin), EndOfCharacters(text, begin, TokenValue(token)));
  };
  size_t first = begin_of(from);
  if (begin_of(marked) - first > kShownBytesMax) {
    first = begin_of(marked) - kShownBytesMax;
    while (first < text.size() && (static_cast<uint8_t>(text[first]) & 0xC0) == 0x80) ++first;
  }
  const auto piece = [&](size_t begin, size_t end) {
    std::string line = Shorten(text.substr(begin, end > begin ? end - begin : 0));
    line.erase(std::remove(line.begin(), line.end(), '\n'), line.end());
    return line;
  };
  const size_t last_visible = text.find_last_not_of('\n');
  const bool at_end = end_of(to) >= (last_visible == std::string_view::npos ? 0 : last_visible + 1);
  return " (" + std::string(first == 0 ? "" : "...") + piece(first, begin_of(marked)) + "[" +
         piece(begin_of(marked), end_of(marked)) + "]" + piece(end_of(marked), end_of(to)) + (at_end ? ")" : "...)");
}

antlr4::Token* PreviousVisible(antlr4::CommonTokenStream& tokens, const antlr4::Token& token) {
  for (size_t i = token.getTokenIndex(); i-- > 0;) {
    if (tokens.get(i)->getChannel() == antlr4::Token::DEFAULT_CHANNEL) return tokens.get(i);
  }
  return nullptr;
}
bool IsName(const antlr4::Token& token) {
  return token.getType() == CqlLexer::IDENT || token.getType() == CqlLexer::QUOTED_NAME ||
         IsUnreserved(token.getType());
}

bool IsLoose(const antlr4::Token& token) {
  const size_t type = token.getType();
  return type == CqlLexer::IDENT || type == CqlLexer::QUOTED_NAME || IsUnreserved(type) ||
         (type >= CqlLexer::STRING_LITERAL && type < CqlLexer::QMARK);
}

// True if the parsed text ends with the name of a table without keyspace.
bool EndsWithTableName(antlr4::tree::ParseTree* tree) {
  while (tree && !tree->children.empty()) {
    if (dynamic_cast<CqlParser::TableNameContext*>(tree)) return tree->children.size() == 1;
    tree = tree->children.back();
  }
  return false;
}

// Returns the token that Cassandra's parser puts in brackets; null if both parsers report the same token. Cassandra's
// parser makes some decisions with more lookahead than ours. If no alternative fits, it reports the token where the
// decision began.
// Tested on Cassandra 5.0.9: tests/data/parser/errors.txt, tests/cql/syntax/malformed.cql.
antlr4::Token* DecisionBegin(const antlr4::RecognitionException& fault, const antlr4::misc::IntervalSet& expected,
                             antlr4::Token& previous, antlr4::Token& offending) {
  auto* context = dynamic_cast<antlr4::ParserRuleContext*>(fault.getCtx());
  if (!context) return nullptr;
  if (dynamic_cast<CqlParser::InValuesContext*>(context) && context->children.empty()) {
    return dynamic_cast<CqlParser::RelationContext*>(context->parent)->start;
  }
  if (dynamic_cast<CqlParser::PropertyContext*>(context) && !context->children.empty()) return context->start;
  if (dynamic_cast<CqlParser::RelationContext*>(context) && context->children.size() == 1 && IsName(previous)) {
    return context->start;
  }
  if (!IsLoose(offending)) return nullptr;
  if (dynamic_cast<CqlParser::AssignmentContext*>(context)) return &offending;
  if (EndsWithTableName(context)) return &previous;
  if (expected.contains(static_cast<size_t>(CqlLexer::DOT)) && IsName(previous)) return &previous;
  const bool after_value = expected.contains(static_cast<size_t>(CqlLexer::PLUS));
  return after_value && !expected.contains(static_cast<size_t>(CqlLexer::K_FROM)) ? &offending : nullptr;
}

std::string MakeHint(const antlr4::misc::IntervalSet& expected, const antlr4::Token& offending,
                     const antlr4::dfa::Vocabulary& vocabulary) {
  const std::string list = DescribeExpected(expected, vocabulary);
  std::string hint = list.empty() ? "" : "expected " + list;
  const auto keyword = KeywordOf(offending.getType());
  if (offending.getType() == CqlLexer::IDENT || keyword) {
    if (const auto near = NearestKeyword(expected, offending.getText()); near && near != keyword) {
      const std::string question = "did you mean " + *near + "?";
      return list.empty() || list == *near ? question : hint + "; " + question;
    }
  }
  if (keyword && !IsUnreserved(offending.getType()) && expected.contains(static_cast<size_t>(CqlLexer::IDENT))) {
    hint += "; " + *keyword + " is a reserved word: as a name it stands in double quotes";
  }
  return hint;
}

}  // namespace

std::string NoViableMessage(const SourceText& source, antlr4::CommonTokenStream& tokens, antlr4::Token& reported,
                            antlr4::Token& marked) {
  return Header(source, reported) + "no viable alternative at input '" + Shown(reported) + "'" +
         Excerpt(source, tokens, marked, reported);
}

void FirstError::reportMatch(antlr4::Parser* parser) {
  earliest_ = nullptr;
  DefaultErrorStrategy::reportMatch(parser);
}

void FirstError::sync(antlr4::Parser* parser) {
  using antlr4::atn::ATNState;
  ATNState* state = parser->getATN().states[parser->getState()];
  const antlr4::misc::IntervalSet& next = parser->getATN().nextTokens(state);
  if (next.contains(parser->getTokenStream()->LA(1))) return;
  if (next.contains(antlr4::Token::EPSILON)) {
    if (!earliest_) {
      earliest_ = state;
      earliest_context_ = parser->getContext();
    }
    return;
  }
  const size_t type = state->getStateType();
  if (type == ATNState::BLOCK_START || type == ATNState::STAR_BLOCK_START || type == ATNState::PLUS_BLOCK_START ||
      type == ATNState::STAR_LOOP_ENTRY || type == ATNState::STAR_LOOP_BACK || type == ATNState::PLUS_LOOP_BACK) {
    throw antlr4::InputMismatchException(parser);
  }
}

void FirstError::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& fault) {
  antlr4::Token& offending = *fault.getOffendingToken();
  antlr4::Token* previous = PreviousVisible(tokens_, offending);
  error_.code = ErrorCode::kSyntaxError;
  if (IsEnd(offending)) {
    const auto end = previous ? source_.ByteOffset(previous->getStopIndex() + 1) : uint32_t{0};
    error_.range = SourceRange{end, end};
  } else {
    error_.range =
        SourceRange{source_.ByteOffset(offending.getStartIndex()), source_.ByteOffset(offending.getStopIndex() + 1)};
  }
  const auto* lookahead = dynamic_cast<const antlr4::NoViableAltException*>(&fault);
  const bool looked_ahead = lookahead && lookahead->getStartToken() != &offending;
  const std::vector<ParserPlace> places = earliest_ && !looked_ahead
                                              ? PlacesFrom(parser->getATN(), earliest_, earliest_context_)
                                              : PlacesOf(*parser, fault);
  antlr4::misc::IntervalSet expected = ExpectedTokens(parser->getATN(), places);
  NarrowExpected(expected, dialect_);
  error_.hint = MakeHint(expected, offending, parser->getVocabulary());
  if (refused_.contains(offending.getTokenIndex())) error_.hint = NoExtensionsHint(dialect_);
  error_.message = Sentence(parser, fault, looked_ahead, expected, places);
  throw antlr4::ParseCancellationException();
}

std::string FirstError::Sentence(antlr4::Parser* parser, const antlr4::RecognitionException& fault, bool looked_ahead,
                                 const antlr4::misc::IntervalSet& expected, const std::vector<ParserPlace>& places) {
  antlr4::Token& offending = *fault.getOffendingToken();
  const bool unlexed = offending.getType() == CqlLexer::UNEXPECTED || offending.getType() == CqlLexer::REFUSED;
  if (const size_t dollar = offending.getText().find('$'); unlexed && dollar != std::string::npos) {
    // In Cassandra a dollar sign begins a string: $$ … $$.
    return Header(source_, offending, dollar + 1) + "mismatched character '" +
           CharacterAt(source_.text(), source_.ByteOffset(offending.getStartIndex() + dollar + 1)) + "' expecting '$'";
  }
  if (offending.getType() == CqlLexer::UNEXPECTED) {
    return Header(source_, offending) + "no viable alternative at character '" + offending.getText() + "'";
  }
  antlr4::Token* previous = PreviousVisible(tokens_, offending);
  if (antlr4::Token* begin = previous ? DecisionBegin(fault, expected, *previous, offending) : nullptr) {
    return NoViableMessage(source_, tokens_, offending, *begin);
  }
  std::optional<size_t> mandatory = MandatoryToken(places);
  // After ALLOW, Cassandra knows only FILTERING. Widerow's grammar also has SORTING there, which is left out.
  if (dynamic_cast<CqlParser::AllowClauseContext*>(fault.getCtx())) mandatory = CqlLexer::K_FILTERING;
  if (mandatory) {
    return Header(source_, offending) + "mismatched input '" + Shown(offending) + "' expecting " +
           parser->getVocabulary().getDisplayName(*mandatory) + Excerpt(source_, tokens_, offending, offending);
  }
  const auto* lookahead = dynamic_cast<const antlr4::NoViableAltException*>(&fault);
  const bool marks_start = looked_ahead && lookahead->getStartToken()->getType() != CqlLexer::K_ADD;
  return NoViableMessage(source_, tokens_, offending, marks_start ? *lookahead->getStartToken() : offending);
}

}  // namespace widerow
