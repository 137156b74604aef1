#include "parser/builder.h"

namespace widerow {
namespace {

const char* const kIfHint =
    "IF takes comparisons joined by AND: of a column, an element m['k'] or l[0], or a field u.f, with =, !=, <, <=, >, "
    ">=, IN, or of a column with CONTAINS, CONTAINS KEY";

}  // namespace

std::vector<Condition> AstBuilder::BuildIf(Parser::IfClauseContext* clause) {
  if (clause->condition() == nullptr) return {};
  CheckIf(clause->condition());
  if (error_) return {};
  return BuildConditions(clause->condition());
}

// Refuses conditions that WHERE allows and IF does not allow: OR, NOT, BETWEEN, token(k), (a, b) and others.
void AstBuilder::CheckIf(Parser::ConditionContext* condition) {
  for (Parser::AndConditionContext* both : condition->andCondition()) {
    for (Parser::NotConditionContext* one : both->notCondition()) {
      if (one->relation() == nullptr) return FailAtToken(one->start, kIfHint);
      CheckIfRelation(one->relation());
    }
    if (!condition->K_OR().empty()) return FailAtToken(condition->K_OR(0)->getSymbol(), kIfHint);
  }
}

void AstBuilder::CheckIfRelation(Parser::RelationContext* relation) {
  Parser::TermContext* target = relation->term(0);
  const size_t first = target->start->getType();
  if (!IsTarget(target) || first == CqlLexer::LPAREN || first == CqlLexer::K_TOKEN)
    return FailAtToken(target->start, kIfHint);
  const std::vector<Parser::CompareOperatorContext*> operators = relation->compareOperator();
  if (operators.size() == 1) return;
  if (operators.size() > 1) return FailAtToken(operators[1]->start, kIfHint);
  const bool whole_column = target->start == target->stop;
  const bool contains = relation->K_CONTAINS() != nullptr && whole_column;
  if (relation->K_NOT() == nullptr && (relation->K_IN() != nullptr || contains)) return;
  FailAtToken(dynamic_cast<antlr4::tree::TerminalNode*>(relation->children[1])->getSymbol(), kIfHint);
}

}  // namespace widerow
