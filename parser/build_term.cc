// Builds terms. There is one function for each level of precedence: BuildTerm (sums), BuildProduct, BuildSignedTerm,
// BuildPostfixTerm (fields and elements), and BuildSimpleTerm (constants, markers, calls, braces, columns, casts,
// lists, tuples). A chain of operators becomes a tree that is deep on its left side; CheckChain bounds the depth.
#include "base/limits.h"
#include "parser/builder.h"
#include "types/type.h"

namespace widerow {
namespace {

template <typename T>
std::vector<T> One(T value) {
  std::vector<T> one;
  one.push_back(std::move(value));
  return one;
}

Literal::Kind LiteralKind(size_t token_type) {
  switch (token_type) {
    case CqlLexer::STRING_LITERAL: return Literal::Kind::kString;
    case CqlLexer::INTEGER:
    case CqlLexer::NEGATIVE_INTEGER: return Literal::Kind::kInteger;
    case CqlLexer::BOOLEAN: return Literal::Kind::kBoolean;
    case CqlLexer::DURATION:
    case CqlLexer::NEGATIVE_DURATION: return Literal::Kind::kDuration;
    case CqlLexer::UUID: return Literal::Kind::kUuid;
    case CqlLexer::HEXNUMBER: return Literal::Kind::kHex;
    case CqlLexer::K_NULL: return Literal::Kind::kNull;
    default: return Literal::Kind::kFloat;  // NOLINT: FLOAT, NEGATIVE_FLOAT, NaN, Infinity
  }
}

// Makes the literal of a constant. NaN and Infinity may be written in upper or lower case; the literal has the spelling
// that ParseText knows. -NaN is NaN.
Literal MakeLiteral(const antlr4::ParserRuleContext& context) {
  const antlr4::Token& token = *context.stop;
  const Literal::Kind kind = LiteralKind(token.getType());
  if (token.getType() == CqlLexer::K_POSITIVE_NAN) return {kind, "NaN"};
  if (token.getType() == CqlLexer::K_POSITIVE_INFINITY) {
    return {kind, context.start->getType() == CqlLexer::SIGN ? "-Infinity" : "Infinity"};
  }
  return {kind, kind == Literal::Kind::kNull ? "" : TokenValue(token)};
}

}  // namespace

std::vector<Term> AstBuilder::BuildTerms(const std::vector<Parser::TermContext*>& contexts, Columns columns) {
  std::vector<Term> terms;
  terms.reserve(contexts.size());
  for (Parser::TermContext* context : contexts) terms.push_back(BuildTerm(context, columns));
  return terms;
}

Term AstBuilder::MakeArithmetic(ArithmeticOp op, Term left, Term right) {
  const SourceRange range{left.range.begin, right.range.end};
  Arithmetic result{op, {}};
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  return {std::move(result), range};
}

// Refuses a chain that is too long. In a + b + c, a.b.c and a[1][2], each link makes the tree one level deeper, as
// brackets do.
void AstBuilder::CheckChain(size_t links, Context* context) {
  if (links <= limits::kNestingMax) return;
  Fail(RangeOf(context), "Statement is nested too deeply: the maximum depth is " + std::to_string(limits::kNestingMax),
       "use fewer operators in one expression");
}

Term AstBuilder::BuildTerm(Parser::TermContext* context, Columns columns) {
  return BuildSum(context, 0, context->children.size(), columns);
}

Term AstBuilder::BuildSum(Parser::TermContext* context, size_t begin, size_t end, Columns columns) {
  CheckChain(context->product().size() + context->negativeProduct().size() - 1, context);
  if (error_) return {};
  std::optional<Term> left;
  ArithmeticOp op = ArithmeticOp::kAdd;
  for (size_t i = begin; i < end; ++i) {
    antlr4::tree::ParseTree* child = context->children[i];
    if (auto* sign = dynamic_cast<antlr4::tree::TerminalNode*>(child)) {
      op = sign->getSymbol()->getType() == CqlLexer::PLUS ? ArithmeticOp::kAdd : ArithmeticOp::kSubtract;
      continue;
    }
    Term right;
    if (auto* negative = dynamic_cast<Parser::NegativeProductContext*>(child)) {
      op = ArithmeticOp::kSubtract;
      right = BuildNegativeProduct(negative, columns);
    } else {
      right = BuildProduct(dynamic_cast<Parser::ProductContext*>(child), columns);
    }
    left = left ? MakeArithmetic(op, std::move(*left), std::move(right)) : std::move(right);
  }
  return std::move(*left);
}

Term AstBuilder::BuildProduct(Parser::ProductContext* context, Columns columns) {
  std::vector<Parser::SignedTermContext*> factors = context->signedTerm();
  Term first = BuildSignedTerm(factors[0], columns);
  factors.erase(factors.begin());
  return BuildFactors(std::move(first), context, factors, columns);
}

// Builds the product in `a -1 * b`, which is a - (1 * b): the sign becomes the operator of the sum, so it is removed.
Term AstBuilder::BuildNegativeProduct(Parser::NegativeProductContext* context, Columns columns) {
  Term first = BuildNegativeNumber(context->negativeNumber());
  if (std::string& text = std::get<Literal>(first.node).text; text.front() == '-') text.erase(0, 1);
  ++first.range.begin;
  return BuildFactors(std::move(first), context, context->signedTerm(), columns);
}

Term AstBuilder::BuildFactors(Term first, Context* context, const std::vector<Parser::SignedTermContext*>& factors,
                              Columns columns) {
  CheckChain(factors.size(), context);
  if (error_) return first;
  Term left = std::move(first);
  for (size_t i = 0; i < factors.size(); ++i) {
    // The children are: first, operator, factor, operator, factor, ….
    auto* sign = dynamic_cast<antlr4::tree::TerminalNode*>(context->children[2 * i + 1]);
    const size_t type = sign->getSymbol()->getType();
    const ArithmeticOp op = type == CqlLexer::STAR    ? ArithmeticOp::kMultiply
                            : type == CqlLexer::SLASH ? ArithmeticOp::kDivide
                                                      : ArithmeticOp::kModulo;
    left = MakeArithmetic(op, std::move(left), BuildSignedTerm(factors[i], columns));
  }
  return left;
}

Term AstBuilder::BuildSignedTerm(Parser::SignedTermContext* context, Columns columns) {
  if (context->postfixTerm()) return BuildPostfixTerm(context->postfixTerm(), columns);
  return {Arithmetic{ArithmeticOp::kNegate, One(BuildSignedTerm(context->signedTerm(), columns))}, RangeOf(context)};
}

Term AstBuilder::BuildNegativeNumber(Parser::NegativeNumberContext* context) const {
  return {MakeLiteral(*context), RangeOf(context)};
}

Term AstBuilder::BuildPostfixTerm(Parser::PostfixTermContext* context, Columns columns) {
  const SourceRange range = RangeOf(context);
  CheckChain(context->ident().size() + context->subscript().size(), context);
  if (error_) return {};
  const bool plain = context->children.size() == 1;
  Term term = context->negativeNumber() ? BuildNegativeNumber(context->negativeNumber())
                                        : BuildSimpleTerm(context->simpleTerm(), columns);
  if (plain) return term;
  antlr4::Token* const base_end = dynamic_cast<Context*>(context->children[0])->stop;
  if (columns == Columns::kForbidden) {
    FailAtToken(NextToken(part_ != nullptr ? part_ : base_end), "a value has no parts that can be selected here");
    return term;
  }
  for (antlr4::tree::ParseTree* child : context->children) {
    SourceRange step{range.begin, range.end};
    if (auto* field = dynamic_cast<Parser::IdentContext*>(child)) {
      step.end = RangeOf(field).end;
      term = {FieldAccess{One(std::move(term)), BuildIdentifier(field)}, step};
    } else if (auto* subscript = dynamic_cast<Parser::SubscriptContext*>(child)) {
      step.end = RangeOf(subscript).end + 1;
      // If the index of v[index] or v.f[index] names a column, Cassandra's parser reports the first . or [ after v.
      antlr4::Token* const outer = part_;
      part_ = base_end;
      term = BuildSubscript(std::move(term), subscript);
      part_ = outer;
      term.range = step;
    }
  }
  term.range = range;
  return term;
}

Term AstBuilder::BuildSubscript(Term base, Parser::SubscriptContext* context) {
  constexpr Columns columns = Columns::kForbidden;
  std::vector<Parser::TermContext*> bounds = context->term();
  if (!context->RANGE() && !context->NUMBER_RANGE()) {
    return {ElementAccess{One(std::move(base)), One(BuildTerm(bounds[0], columns))}, {}};
  }
  SliceAccess slice{One(std::move(base)), {}, {}};
  if (antlr4::tree::TerminalNode* number = context->NUMBER_RANGE()) {
    // The lexer makes one token of `1..`, which is a number and two dots.
    std::string text = number->getText();
    text.resize(text.size() - 2);
    const Literal::Kind kind = text.back() == '.' ? Literal::Kind::kFloat : Literal::Kind::kInteger;
    SourceRange range = RangeOf(number);
    range.end -= 2;
    slice.from.push_back({Literal{kind, std::move(text)}, range});
  } else if (context->children[0] == bounds[0]) {
    slice.from.push_back(BuildTerm(bounds[0], columns));
    bounds.erase(bounds.begin());
  }
  if (!bounds.empty()) slice.to.push_back(BuildTerm(bounds[0], columns));
  return {std::move(slice), {}};
}

Term AstBuilder::BuildSimpleTerm(Parser::SimpleTermContext* context, Columns columns) {
  const SourceRange range = RangeOf(context);
  if (auto* literal = context->literal()) return {MakeLiteral(*literal), range};
  if (auto* marker = context->marker()) return BuildMarker(marker);
  if (auto* call = context->functionCall()) return BuildCall(call, columns);
  if (auto* brace = context->braceTerm()) return BuildBrace(brace, columns);
  if (auto* column = context->columnName()) {
    if (columns == Columns::kForbidden && part_ != nullptr) {
      FailAtToken(NextToken(part_), column->getText() + " is a column, and an index is a value");
    } else if (columns == Columns::kForbidden) {
      const std::string name = column->getText();
      FailAtToken(column->start,
                  name + " is a name, and no value can be a column here: text stands in single quotes ('" +
                      TokenValue(*column->start) + "')",
                  /*report_next=*/true);
    }
    return {ColumnRef{BuildColumn(column)}, range};
  }
  if (context->K_CAST()) {
    CastTerm cast{One(BuildTerm(context->term(0), columns)), {}};
    cast.type = BuildType(context->type());
    const bool scalar =
        cast.type.arguments.empty() && !cast.type.name.keyspace && ScalarKindFromName(cast.type.name.name.text);
    if (!scalar) FailAtToken(context->type()->start, "CAST gives a scalar type: CAST(v AS text)");
    return {std::move(cast), range};
  }
  if (context->type()) {
    TypeHint hint{BuildType(context->type()), {}};
    hint.operand = One(context->negativeNumber() ? BuildNegativeNumber(context->negativeNumber())
                                                 : BuildSimpleTerm(context->simpleTerm(), columns));
    return {std::move(hint), range};
  }
  std::vector<Term> elements = BuildTerms(context->term(), columns);
  if (context->LBRACKET()) return {ListTerm{std::move(elements)}, range};
  return {TupleTerm{std::move(elements)}, range};
}

namespace {

// True for writetime, maxwritetime and ttl, which are keywords of Cassandra's grammar.
bool IsCellTime(const QualifiedName& name) {
  const std::string& text = name.name.text;
  return !name.keyspace && !name.name.quoted && (text == "writetime" || text == "maxwritetime" || text == "ttl");
}

}  // namespace

Term AstBuilder::BuildCall(Parser::FunctionCallContext* context, Columns columns) {
  QualifiedName name = BuildFunctionName(context->functionName());
  const SourceRange range = RangeOf(context);
  const bool is_count = name.name.text == "count" && (!name.keyspace || name.keyspace->text == "system");
  if (antlr4::tree::TerminalNode* star = context->STAR()) {
    if (!is_count) FailAtToken(star->getSymbol(), "only count takes *");
    return {CountStar{}, range};
  }
  std::vector<Term> arguments = BuildTerms(context->term(), columns);
  if (columns == Columns::kAllowed && IsCellTime(name) && arguments.size() != 1) {
    antlr4::Token* const behind = arguments.empty() ? context->functionName()->stop : context->term(0)->stop;
    FailAtToken(NextToken(arguments.empty() ? NextToken(behind) : behind), name.name.text + " takes one column");
  }
  if (is_count && arguments.size() == 1) {
    // COUNT of a constant counts rows, as in Cassandra.
    const auto* literal = std::get_if<Literal>(&arguments[0].node);
    if (literal && literal->kind != Literal::Kind::kNull) return {CountStar{}, range};
  }
  return {FunctionCall{std::move(name), std::move(arguments)}, range};
}

Term AstBuilder::BuildBrace(Parser::BraceTermContext* context, Columns columns) {
  const SourceRange range = RangeOf(context);
  const std::vector<Parser::TermContext*> terms = context->term();
  if (!context->COLON()) return {SetTerm{BuildTerms(terms, columns)}, range};
  // {street: 'x', zip: 1} is the value of a UDT if every key is a plain name; the names are fields, not columns.
  std::vector<Parser::TermContext*> keys = {terms[0]}, values = {terms[1]};
  for (Parser::MapEntryContext* entry : context->mapEntry()) {
    keys.push_back(entry->term(0));
    values.push_back(entry->term(1));
  }
  const auto is_name = [](Parser::TermContext* key) {
    const size_t type = key->start->getType();
    return key->start == key->stop && type != CqlLexer::QMARK && type != CqlLexer::K_NULL &&
           key->product(0)->signedTerm(0)->postfixTerm() &&
           !key->product(0)->signedTerm(0)->postfixTerm()->negativeNumber() &&
           key->product(0)->signedTerm(0)->postfixTerm()->simpleTerm()->columnName();
  };
  bool is_udt = true;
  for (Parser::TermContext* key : keys) is_udt = is_udt && is_name(key);
  UdtTerm udt;
  MapTerm map;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (is_udt) {
      udt.names.push_back(BuildName(keys[i]->start));
      udt.values.push_back(BuildTerm(values[i], columns));
    } else {
      map.keys.push_back(BuildTerm(keys[i], columns));
      map.values.push_back(BuildTerm(values[i], columns));
    }
  }
  if (is_udt) return {std::move(udt), range};
  return {std::move(map), range};
}

Term AstBuilder::BuildMap(const std::vector<Parser::MapEntryContext*>& entries, Columns columns) {
  if (entries.empty()) return {SetTerm{}, {}};
  MapTerm map;
  for (Parser::MapEntryContext* entry : entries) {
    map.keys.push_back(BuildTerm(entry->term(0), columns));
    map.values.push_back(BuildTerm(entry->term(1), columns));
  }
  return {std::move(map), {}};
}

Term AstBuilder::BuildMarker(Parser::MarkerContext* context) {
  BindMarker marker;
  if (context->ident()) marker.name = BuildIdentifier(context->ident());
  marker.index = static_cast<uint32_t>(markers_.size());
  markers_.push_back(marker);
  return {std::move(marker), RangeOf(context)};
}

Term AstBuilder::BuildIntValue(Parser::IntValueContext* context) {
  if (context->marker()) return BuildMarker(context->marker());
  return {MakeLiteral(*context), RangeOf(context)};
}

}  // namespace widerow
