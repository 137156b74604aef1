#include "parser/parse.h"

#include "parser/bounds.h"
#include "parser/builder.h"
#include "parser/narrow.h"
#include "parser/parse_room.h"
#include "parser/syntax_error.h"

namespace widerow {
namespace {

// Gives the type SIGN to a minus directly before NaN or Infinity. Without this type, the grammar could not distinguish
// `(float) -NaN`, a constant with a type hint, from `(a) - NaN`, a difference.
void MarkSigns(antlr4::CommonTokenStream& tokens) {
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens.get(i)->getType() != CqlLexer::MINUS) continue;
    const size_t next = tokens.get(i + 1)->getType();
    if (next != CqlLexer::K_POSITIVE_NAN && next != CqlLexer::K_POSITIVE_INFINITY) continue;
    if (auto* minus = dynamic_cast<antlr4::CommonToken*>(tokens.get(i))) minus->setType(CqlLexer::SIGN);
  }
}

// Lexes and parses `text` by `rule` and calls `build` with the tree. SLL prediction comes first and suffices for every
// valid text (grammar/CqlParser.g4). Only a text that fails is parsed again, with full prediction and an error report.
// `narrow`: NarrowTokens replaces the keywords that the dialect does not have; *narrowed tells if it replaced any.
template <typename T, typename Rule, typename Build>
Result<T> ParseOnce(std::string_view text, Dialect dialect, bool narrow, bool* narrowed, Rule rule, Build build) {
  // A byte order mark becomes blanks; ANTLR would drop it and shift all offsets.
  std::string copy(text);
  if (text.starts_with("\xEF\xBB\xBF")) copy.replace(0, 3, "   ");
  WR_ASSIGN_OR_RETURN(const size_t pieces, CheckBounds(copy));
  WR_ASSIGN_OR_RETURN(const ParseRoom::Stay stay, ParseRoom::OfProcess().Enter(pieces));
  WR_ASSIGN_OR_RETURN(const SourceText source, SourceText::Make(copy));

  antlr4::ANTLRInputStream input(copy);
  CqlLexer lexer(&input);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  MarkSigns(tokens);
  const std::set<size_t> refused = narrow ? NarrowTokens(tokens, dialect) : std::set<size_t>();
  *narrowed = !refused.empty();
  CqlParser parser(&tokens);
  parser.removeErrorListeners();
  auto* interpreter = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
  const auto first_error = std::make_shared<FirstError>(source, tokens, dialect, refused);
  try {
    decltype((parser.*rule)()) tree = nullptr;
    try {
      interpreter->setPredictionMode(antlr4::atn::PredictionMode::SLL);
      parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
      tree = (parser.*rule)();
    } catch (const antlr4::ParseCancellationException&) {
      parser.reset();
      interpreter->setPredictionMode(antlr4::atn::PredictionMode::LL);
      parser.setErrorHandler(first_error);
      tree = (parser.*rule)();
    }
    AstBuilder builder(source, tokens, dialect);
    T result = build(builder, tree);
    if (builder.error()) return *builder.error();
    return result;
  } catch (const antlr4::ParseCancellationException&) {
    return first_error->error();
  } catch (const std::exception& failure) { return ServerError(std::string("The parser failed: ") + failure.what()); }
}

// Parses the text without the keywords that the dialect does not have. If this fails, an extension without a keyword
// (1 < c < 5) may come earlier in the text. Only the builder finds such an extension. So the text is parsed again with
// all keywords, to find the error of that extension. Returns the error that comes first in the text, as the dialect's
// own database would.
template <typename T, typename Rule, typename Build>
Result<T> ParseWith(std::string_view text, Dialect dialect, Rule rule, Build build) {
  bool narrowed = false;
  Result<T> result = ParseOnce<T>(text, dialect, true, &narrowed, rule, build);
  if (result.ok() || !narrowed) return result;
  Result<T> whole = ParseOnce<T>(text, dialect, false, &narrowed, rule, build);
  if (whole.ok() || !whole.error().range || !result.error().range) return result;
  return whole.error().range->begin < result.error().range->begin ? std::move(whole) : std::move(result);
}

}  // namespace

Result<Statement> Parse(std::string_view text, Dialect dialect) {
  return ParseWith<Statement>(text, dialect, &CqlParser::statementInput,
                              [](AstBuilder& builder, auto* tree) { return builder.BuildStatement(tree); });
}

Result<TypeName> ParseTypeName(std::string_view text) {
  return ParseWith<TypeName>(text, Dialect::kWiderow, &CqlParser::typeInput,
                             [](AstBuilder& builder, auto* tree) { return builder.BuildType(tree->type()); });
}

Result<Term> ParseRowTerm(std::string_view text) {
  return ParseWith<Term>(text, Dialect::kWiderow, &CqlParser::termInput,
                         [](AstBuilder& builder, auto* tree) { return builder.BuildRowTerm(tree->term()); });
}

}  // namespace widerow
