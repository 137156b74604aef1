// This file builds the trees of WHERE and IF. BuildConditions flattens the top-level ANDs. BuildCondition, BuildAnd and
// BuildNot follow the grammar's precedence. BuildRelation builds one relation: BuildTarget converts its left side, and
// BuildComparison also handles values on the left and chains, which are extensions.
#include <algorithm>

#include "parser/builder.h"
#include "parser/keywords.h"
#include "parser/narrow.h"

namespace widerow {
namespace {

CompareOp ToCompareOp(CqlParser::CompareOperatorContext* context) {
  switch (context->start->getType()) {
    case CqlLexer::EQ: return CompareOp::kEq;
    case CqlLexer::NOT_EQ: return CompareOp::kNotEq;
    case CqlLexer::LT: return CompareOp::kLt;
    case CqlLexer::LE: return CompareOp::kLe;
    case CqlLexer::GT: return CompareOp::kGt;
    default: return CompareOp::kGe;  // NOLINT: the grammar's sixth and last
  }
}

// Returns the postfix term if the whole term is one postfix term. Returns null for all other terms and for a negative
// number. The parse tree has one level for each precedence of operators, so this function goes down several levels.
CqlParser::PostfixTermContext* SinglePostfix(CqlParser::TermContext* context) {
  if (context->children.size() != 1) return nullptr;
  CqlParser::ProductContext* product = context->product(0);
  if (product->children.size() != 1) return nullptr;
  CqlParser::PostfixTermContext* postfix = product->signedTerm(0)->postfixTerm();
  return postfix && postfix->simpleTerm() ? postfix : nullptr;
}
bool IsColumn(CqlParser::TermContext* context) {
  CqlParser::PostfixTermContext* postfix = SinglePostfix(context);
  return postfix && postfix->children.size() == 1 && postfix->simpleTerm()->columnName();
}

std::string TargetHint(Dialect dialect) {
  return std::string(dialect == Dialect::kWiderow ? "a condition names a column on one side: column = value, value < "
                                                    "column, value < column < value, "
                                                  : "a condition begins with a column: column = value, ") +
         "(a, b) > (1, 2), token(key) > value";
}

// True if the condition is a whole WHERE, or one of those that AND joins there: it is not in parentheses, not under OR
// or NOT, and not after IF.
bool IsTopLevel(CqlParser::NotConditionContext* context) {
  auto* both = dynamic_cast<CqlParser::AndConditionContext*>(context->parent);
  auto* whole = both ? dynamic_cast<CqlParser::ConditionContext*>(both->parent) : nullptr;
  return whole && whole->children.size() == 1 && !dynamic_cast<CqlParser::NotConditionContext*>(whole->parent) &&
         !dynamic_cast<CqlParser::IfClauseContext*>(whole->parent);
}

bool IsNameToken(const antlr4::Token& token) {
  return token.getType() == CqlLexer::IDENT || token.getType() == CqlLexer::QUOTED_NAME ||
         IsUnreserved(token.getType());
}

bool StandsInIf(antlr4::tree::ParseTree* node) {
  for (; node; node = node->parent) {
    if (dynamic_cast<CqlParser::IfClauseContext*>(node)) return true;
  }
  return false;
}

}  // namespace

// Returns the conditions that AND joins, as a list. An AND in parentheses is split too, but not an AND under OR or NOT.
std::vector<Condition> AstBuilder::BuildConditions(Parser::ConditionContext* context) {
  std::vector<Condition> conditions;
  Condition whole = BuildCondition(context);
  if (auto* both = std::get_if<AndCondition>(&whole.node)) return std::move(both->terms);
  conditions.push_back(std::move(whole));
  return conditions;
}

Condition AstBuilder::BuildCondition(Parser::ConditionContext* context) {
  const std::vector<Parser::AndConditionContext*> terms = context->andCondition();
  if (terms.size() == 1) return BuildAnd(terms[0]);
  OrCondition either;
  for (Parser::AndConditionContext* term : terms) {
    Condition condition = BuildAnd(term);
    if (auto* nested = std::get_if<OrCondition>(&condition.node)) {
      std::move(nested->terms.begin(), nested->terms.end(), std::back_inserter(either.terms));
    } else {
      either.terms.push_back(std::move(condition));
    }
  }
  return {std::move(either), RangeOf(context)};
}

Condition AstBuilder::BuildAnd(Parser::AndConditionContext* context) {
  const std::vector<Parser::NotConditionContext*> terms = context->notCondition();
  if (terms.size() == 1) return BuildNot(terms[0]);
  AndCondition both;
  for (Parser::NotConditionContext* term : terms) {
    Condition condition = BuildNot(term);
    if (auto* nested = std::get_if<AndCondition>(&condition.node)) {
      std::move(nested->terms.begin(), nested->terms.end(), std::back_inserter(both.terms));
    } else {
      both.terms.push_back(std::move(condition));
    }
  }
  return {std::move(both), RangeOf(context)};
}

Condition AstBuilder::BuildNot(Parser::NotConditionContext* context) {
  if (context->relation()) return BuildRelation(context->relation());
  if (Parser::IndexExpressionContext* expression = context->indexExpression()) {
    if (!IsTopLevel(context)) FailAtToken(expression->start, "expr(…) stands between the ANDs of a WHERE");
    return BuildIndexExpression(expression);
  }
  if (context->condition()) {
    if (!extended() && !context->condition()->andCondition(0)->K_AND().empty()) {
      FailAtToken(context->condition()->andCondition(0)->K_AND(0)->getSymbol(), NoExtensionsHint(dialect_));
    }
    Condition condition = BuildCondition(context->condition());
    condition.range = RangeOf(context);
    return condition;
  }
  NotCondition negated;
  negated.operand.push_back(BuildNot(context->notCondition()));
  return {std::move(negated), RangeOf(context)};
}

Condition AstBuilder::BuildIndexExpression(Parser::IndexExpressionContext* context) {
  IndexExpression expression{.index = BuildIdentifier(context->ident())};
  expression.value = BuildTerm(context->term(), Columns::kForbidden);
  return {std::move(expression), RangeOf(context)};
}

// Refuses operators that the left side does not take: token(k) takes comparisons only, (a, b) takes comparisons and IN.
void AstBuilder::CheckOperatorOfMany(Parser::RelationContext* context) {
  Parser::PostfixTermContext* postfix = SinglePostfix(context->term(0));
  if (!postfix || postfix->children.size() > 1 || !IsTarget(context->term(0)) || context->K_BETWEEN()) return;
  const bool token = postfix->simpleTerm()->functionCall() != nullptr;
  if (postfix->simpleTerm()->columnName() || (context->K_IN() && !token)) return;
  auto* word = dynamic_cast<antlr4::tree::TerminalNode*>(context->children[1]);
  FailAtToken(word->getSymbol(),
              token ? "token(…) is compared by =, <, <=, >, >=" : "(a, b) is compared, or in a list");
}

Condition AstBuilder::BuildRelation(Parser::RelationContext* context) {
  const SourceRange range = RangeOf(context);
  const std::vector<Parser::TermContext*> terms = context->term();
  if (!context->compareOperator().empty()) return {BuildComparison(context).node, range};
  CheckOperatorOfMany(context);
  if (context->K_BETWEEN()) {
    BetweenRelation between{BuildTarget(terms[0]), {}, {}};
    between.low = BuildTerm(terms[1], Columns::kForbidden);
    between.high = BuildTerm(terms[2], Columns::kForbidden);
    return {std::move(between), range};
  }
  Relation relation{.target = BuildTarget(terms[0])};
  // Returns the range from the operator's first word to its last.
  const auto op_range = [&](antlr4::tree::TerminalNode* last) {
    auto* first = dynamic_cast<antlr4::tree::TerminalNode*>(context->children[1]);
    return SourceRange{RangeOf(first).begin, RangeOf(last).end};
  };
  const bool negated = context->K_NOT() != nullptr;
  if (context->K_IS()) {
    relation.op = CompareOp::kIsNotNull;
    relation.op_range = op_range(context->K_NULL());
  } else if (context->K_LIKE()) {
    relation.op = CompareOp::kLike;
    relation.op_range = op_range(context->K_LIKE());
    relation.values.push_back(BuildTerm(terms[1], Columns::kForbidden));
  } else if (antlr4::tree::TerminalNode* colon = context->COLON()) {
    if (!extended()) FailAtTokens(terms[0]->start, colon->getSymbol(), NoExtensionsHint(dialect_));
    relation.op = CompareOp::kMatches;
    relation.op_range = RangeOf(colon);
    relation.values.push_back(BuildTerm(terms[1], Columns::kForbidden));
  } else if (context->K_IN()) {
    relation.op = negated ? CompareOp::kNotIn : CompareOp::kIn;
    relation.op_range = op_range(context->K_IN());
    BuildInValues(context->inValues(), relation);
  } else {
    const bool key = context->K_KEY() != nullptr;
    relation.op = negated ? (key ? CompareOp::kNotContainsKey : CompareOp::kNotContains)
                          : (key ? CompareOp::kContainsKey : CompareOp::kContains);
    relation.op_range = op_range(key ? context->K_KEY() : context->K_CONTAINS());
    relation.values.push_back(BuildTerm(terms[1], Columns::kForbidden));
  }
  return {std::move(relation), range};
}

void AstBuilder::BuildInValues(Parser::InValuesContext* context, Relation& relation) {
  if (context->marker()) {
    relation.values.push_back(BuildMarker(context->marker()));
    return;
  }
  relation.in_list = true;
  relation.values = BuildTerms(context->term(), Columns::kForbidden);
}

// Builds c = 1, 1 < c or 1 < c < 2. The first side that can be a column is the target.
Condition AstBuilder::BuildComparison(Parser::RelationContext* context) {
  const std::vector<Parser::TermContext*> terms = context->term();
  const std::vector<Parser::CompareOperatorContext*> operators = context->compareOperator();
  if (operators.size() == 1 && IsTarget(terms[0])) {
    Relation relation{.target = BuildTarget(terms[0]), .op = ToCompareOp(operators[0])};
    relation.op_range = RangeOf(operators[0]);
    relation.values.push_back(BuildTerm(terms[1], Columns::kForbidden));
    const Term& value = relation.values[0];
    if (relation.target.kind == RelationTarget::Kind::kTuple && !std::holds_alternative<TupleTerm>(value.node) &&
        !std::holds_alternative<BindMarker>(value.node)) {
      FailAtTokens(operators[0]->start, terms[1]->start, "columns in parentheses take values in parentheses: (1, 2)");
    }
    return {std::move(relation), {}};
  }
  if (!IsTarget(terms[1]) || IsTarget(terms[0])) {
    // Refuses 1 = 1, c < 2 < 3 and a < b < 3 at the token at which Cassandra refuses them: it allows a column on the
    // left only.
    if (!IsTarget(terms[0])) {
      FailAtToken(terms[0]->start, TargetHint(dialect_));
    } else if (IsTarget(terms[1])) {
      FailAtToken(terms[1]->start, TargetHint(dialect_), /*report_next=*/true);
    } else {
      FailAtToken(operators[1]->start, TargetHint(dialect_));
    }
    return {};
  }
  if (!extended()) {
    FailAtValue(terms[0]->start);
    return {};
  }
  ChainedRelation chain;
  chain.low = BuildTerm(terms[0], Columns::kForbidden);
  chain.low_op = ToCompareOp(operators[0]);
  chain.target = BuildTarget(terms[1]);
  if (operators.size() == 2) {
    chain.high_op = ToCompareOp(operators[1]);
    chain.high.push_back(BuildTerm(terms[2], Columns::kForbidden));
  }
  const auto refuse = [&](Parser::CompareOperatorContext* op) {
    FailAtToken(op->start, "a comparison with the value in front takes <, <=, >, >= or =");
  };
  if (chain.low_op == CompareOp::kNotEq) refuse(operators[0]);
  if (chain.high_op == CompareOp::kNotEq) refuse(operators[1]);
  return {std::move(chain), {}};
}

void AstBuilder::FailAtValue(antlr4::Token* first) {
  antlr4::Token* reported = first;
  if (IsNameToken(*first)) {
    reported = NextToken(first);
  } else if (first->getType() == CqlLexer::LPAREN || first->getType() == CqlLexer::K_TOKEN) {
    // Cassandra's parser reads on while the tokens may be (a, b) or token(a, b), and reports the token after them.
    reported = NextToken(first);
    while (IsNameToken(*reported) || reported->getType() == CqlLexer::COMMA ||
           reported->getType() == CqlLexer::LPAREN) {
      reported = NextToken(reported);
    }
    if (reported->getType() == CqlLexer::RPAREN) reported = NextToken(reported);
  }
  FailAtTokens(first, reported, NoExtensionsHint(dialect_));
}

bool AstBuilder::IsTarget(Parser::TermContext* context) {
  Parser::PostfixTermContext* postfix = SinglePostfix(context);
  if (!postfix) return false;
  Parser::SimpleTermContext* simple = postfix->simpleTerm();
  if (postfix->children.size() > 1) {
    // A field or an element of a column is a target: c.field or c[element], but not c.field.field.
    Parser::SubscriptContext* subscript = postfix->subscript().empty() ? nullptr : postfix->subscript(0);
    const bool slice = subscript && (subscript->RANGE() || subscript->NUMBER_RANGE());
    return simple->columnName() && !slice && postfix->ident().size() + postfix->subscript().size() == 1;
  }
  if (simple->columnName()) return true;
  std::vector<Parser::TermContext*> terms;
  if (Parser::FunctionCallContext* call = simple->functionCall()) {
    if (!call->functionName()->plainFunctionName()->K_TOKEN() || call->functionName()->ident()) return false;
    terms = call->term();
  } else if (simple->LPAREN() && !simple->type() && !simple->K_CAST()) {
    terms = simple->term();
  }
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), IsColumn);
}

RelationTarget AstBuilder::BuildTarget(Parser::TermContext* context) {
  if (!IsTarget(context)) {
    FailAtToken(context->start, TargetHint(dialect_));
    return {};
  }
  // In c[key], the target is the column c. The key is a value.
  Parser::PostfixTermContext* postfix = SinglePostfix(context);
  if (postfix->children.size() > 1 && !postfix->subscript().empty()) {
    RelationTarget target{.kind = RelationTarget::Kind::kElement, .range = RangeOf(context)};
    target.columns.push_back(BuildColumn(postfix->simpleTerm()->columnName()));
    target.element.push_back(BuildTerm(postfix->subscript(0)->term(0), Columns::kForbidden));
    return target;
  }
  if (!extended() && postfix->DOT(0) && !StandsInIf(context)) {
    FailAtToken(context->start, NoExtensionsHint(dialect_), /*report_next=*/true);
  }
  return TakeTarget(BuildTerm(context, Columns::kAllowed), context);
}

RelationTarget AstBuilder::TakeTarget(Term term, Parser::TermContext* context) {
  RelationTarget target{.range = RangeOf(context)};
  const auto take_all = [&](std::vector<Term>& columns) {
    for (Term& column : columns) {
      if (auto* ref = std::get_if<ColumnRef>(&column.node)) target.columns.push_back(std::move(ref->name));
    }
  };
  if (auto* column = std::get_if<ColumnRef>(&term.node)) {
    target.columns.push_back(std::move(column->name));
  } else if (auto* tuple = std::get_if<TupleTerm>(&term.node)) {
    target.kind = RelationTarget::Kind::kTuple;
    take_all(tuple->elements);
  } else if (auto* call = std::get_if<FunctionCall>(&term.node)) {
    target.kind = RelationTarget::Kind::kToken;
    take_all(call->arguments);
  } else if (auto* access = std::get_if<FieldAccess>(&term.node)) {
    target.kind = RelationTarget::Kind::kField;
    take_all(access->base);
    target.field = std::move(access->field);
  }
  return target;
}

}  // namespace widerow
