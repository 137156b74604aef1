#include "parser/parse.h"

#include "parser/bounds.h"
#include "parser/builder.h"
#include "parser/syntax_error.h"

namespace widerow {
namespace {

// Lexes and parses `text` by `rule` and has `build` make a T of the tree. SLL prediction first, which is enough for
// every valid text (grammar/CqlParser.g4); only a text that fails is parsed once more, with full prediction and the
// error report.
template <typename T, typename Rule, typename Build>
Result<T> ParseWith(std::string_view text, Rule rule, Build build) {
  // A byte order mark is blank to us; ANTLR would drop it and shift all offsets.
  std::string copy(text);
  if (text.starts_with("\xEF\xBB\xBF")) copy.replace(0, 3, "   ");
  WR_RETURN_IF_ERROR(CheckBounds(copy));
  WR_ASSIGN_OR_RETURN(const SourceText source, SourceText::Make(copy));

  antlr4::ANTLRInputStream input(copy);
  CqlLexer lexer(&input);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  CqlParser parser(&tokens);
  parser.removeErrorListeners();
  auto* interpreter = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
  const auto first_error = std::make_shared<FirstError>(source, tokens);
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
    AstBuilder builder(source, tokens);
    T result = build(builder, tree);
    if (builder.error()) return *builder.error();
    return result;
  } catch (const antlr4::ParseCancellationException&) {
    return first_error->error();
  } catch (const std::exception& failure) { return ServerError(std::string("The parser failed: ") + failure.what()); }
}

}  // namespace

Result<Statement> Parse(std::string_view text) {
  return ParseWith<Statement>(text, &CqlParser::statementInput,
                              [](AstBuilder& builder, auto* tree) { return builder.BuildStatement(tree); });
}

Result<TypeName> ParseTypeName(std::string_view text) {
  return ParseWith<TypeName>(text, &CqlParser::typeInput,
                             [](AstBuilder& builder, auto* tree) { return builder.BuildType(tree->type()); });
}

}  // namespace widerow
