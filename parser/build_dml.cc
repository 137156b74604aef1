// Builds INSERT, UPDATE, DELETE and BATCH. The longest part is about the assignments of UPDATE. BuildAssignment
// recognizes the forms of Assignment::Kind. BuildAssignedTerm recognizes sums that contain the assigned column.
#include <algorithm>
#include <map>
#include <set>

#include "parser/builder.h"

namespace widerow {

InsertStatement AstBuilder::BuildInsert(Parser::InsertStatementContext* context) {
  InsertStatement insert;
  insert.table = BuildTableName(context->tableName());
  if (Parser::InsertJsonContext* json = context->insertJson()) {
    if (json->marker()) {
      insert.json = BuildMarker(json->marker());
    } else {
      insert.json =
          Term{Literal{Literal::Kind::kString, BuildString(json->STRING_LITERAL())}, RangeOf(json->STRING_LITERAL())};
    }
    insert.json_default_unset = json->K_UNSET() != nullptr;
  } else {
    for (Parser::ColumnNameContext* column : context->insertValues()->columnName()) {
      insert.columns.push_back(BuildColumn(column));
    }
    insert.values = BuildTerms(context->insertValues()->term(), Columns::kForbidden);
  }
  insert.if_not_exists = context->ifNotExists() != nullptr;
  if (context->usingClause()) insert.using_clause = BuildUsing(context->usingClause());
  return insert;
}

UsingClause AstBuilder::BuildUsing(Parser::UsingClauseContext* context) {
  UsingClause clause;
  for (Parser::UsingObjectiveContext* objective : context->usingObjective()) {
    std::optional<Term>& value = objective->K_TTL() ? clause.ttl : clause.timestamp;
    // If a property is given twice, the last value counts, as in Cassandra. But a bind marker cannot be dropped,
    // because the client sends a value for it.
    if (value && std::holds_alternative<BindMarker>(value->node)) {
      Fail(RangeOf(objective),
           "Multiple definition for property " + std::string(objective->K_TTL() ? "TTL" : "TIMESTAMP"),
           "keep one of them");
    }
    value = BuildIntValue(objective->intValue());
  }
  return clause;
}

UpdateStatement AstBuilder::BuildUpdate(Parser::UpdateStatementContext* context) {
  UpdateStatement update;
  update.table = BuildTableName(context->tableName());
  if (context->usingClause()) update.using_clause = BuildUsing(context->usingClause());
  for (Parser::AssignmentContext* assignment : context->assignment()) {
    update.assignments.push_back(BuildAssignment(assignment));
  }
  CheckAssignments(update.assignments);
  update.where = BuildConditions(context->condition());
  if (Parser::IfClauseContext* clause = context->ifClause()) {
    update.if_exists = clause->K_EXISTS() != nullptr;
    update.conditions = BuildIf(clause);
  }
  return update;
}

Assignment AstBuilder::BuildAssignment(Parser::AssignmentContext* context) {
  Assignment assignment;
  assignment.range = RangeOf(context);
  assignment.column = BuildColumn(context->columnName());
  const std::vector<Parser::TermContext*> terms = context->term();
  if (context->LBRACKET()) {
    assignment.kind = Assignment::Kind::kElement;
    assignment.element.push_back(BuildTerm(terms[0], Columns::kForbidden));
  } else if (context->DOT()) {
    assignment.kind = Assignment::Kind::kField;
    assignment.field = BuildIdentifier(context->ident());
  } else if (context->PLUS_EQ()) {
    assignment.kind = Assignment::Kind::kAddAssign;
  } else if (context->MINUS_EQ()) {
    assignment.kind = Assignment::Kind::kSubAssign;
  }
  assignment.value = assignment.kind == Assignment::Kind::kSet ? BuildAssignedTerm(terms[0], assignment.column)
                                                               : BuildTerm(terms.back(), Columns::kForbidden);
  return assignment;
}

// Builds the value of c = c + t, c = c - t or c = t + c. A value of SET cannot contain other columns, and it can
// contain `c` only as the first or the last operand. As in Cassandra, t is the rest of the sum: c = c - 1 + 2 subtracts
// 3.
Term AstBuilder::BuildAssignedTerm(Parser::TermContext* context, const Identifier& column) {
  const auto column_of = [](Parser::ProductContext* product) -> antlr4::Token* {
    if (product->start != product->stop || product->children.size() != 1) return nullptr;
    Parser::PostfixTermContext* postfix = product->signedTerm(0)->postfixTerm();
    return postfix && postfix->simpleTerm() && postfix->simpleTerm()->columnName() ? product->start : nullptr;
  };
  const std::vector<Parser::ProductContext*> products = context->product();
  antlr4::Token* first = column_of(products.front());
  antlr4::Token* last =
      dynamic_cast<Parser::ProductContext*>(context->children.back()) ? column_of(products.back()) : nullptr;
  if (context->children.size() == 1 || (!first && !last)) return BuildTerm(context, Columns::kForbidden);

  const auto check = [&](antlr4::Token* token, const std::string& form) {
    if (BuildName(token) == column) return;
    Fail(RangeOf(token), "Only expressions of the form " + form + " are supported.",
         "an assignment can only add to or subtract from the column that it sets, " + column.text);
  };
  const auto reference = [&](antlr4::Token* token) { return Term{ColumnRef{BuildName(token)}, RangeOf(token)}; };
  const auto sign_at = [&](size_t i) { return dynamic_cast<antlr4::tree::TerminalNode*>(context->children[i]); };
  const size_t count = context->children.size();
  if (first) {
    antlr4::tree::TerminalNode* sign = sign_at(1);  // Absent in `c -3`, where the minus is part of the number.
    const bool plus = sign && sign->getSymbol()->getType() == CqlLexer::PLUS;
    check(first, !sign ? "X = X - <value>" : plus ? "X = X +<value>" : "X = X -<value>");
    Term value = BuildSum(context, sign ? 2 : 1, count, Columns::kForbidden);
    return MakeArithmetic(plus ? ArithmeticOp::kAdd : ArithmeticOp::kSubtract, reference(first), std::move(value));
  }
  check(last, "X = <value> + X");
  if (sign_at(count - 2)->getSymbol()->getType() != CqlLexer::PLUS) {
    FailAtToken(last, "a column can be added to, not subtracted from, a value");
  }
  Term value = BuildSum(context, 0, count - 2, Columns::kForbidden);
  return MakeArithmetic(ArithmeticOp::kAdd, std::move(value), reference(last));
}

void AstBuilder::CheckAssignments(const std::vector<Assignment>& assignments) {
  const auto is_whole = [](const Assignment& a) {
    const auto is_column = [](const Term& term) { return std::holds_alternative<ColumnRef>(term.node); };
    const auto* sum = std::get_if<Arithmetic>(&a.value.node);
    const bool of_itself = sum && std::any_of(sum->operands.begin(), sum->operands.end(), is_column);
    return a.kind == Assignment::Kind::kSet && !of_itself;
  };
  std::map<std::string, bool> seen;  // For each column that is set: true if it is set as a whole.
  std::set<std::pair<std::string, std::string>> fields;
  for (const Assignment& assignment : assignments) {
    const bool same_field = assignment.field && !fields.emplace(assignment.column.text, assignment.field->text).second;
    const auto [at, fresh] = seen.emplace(assignment.column.text, is_whole(assignment));
    if (fresh) continue;
    if (at->second || is_whole(assignment) || same_field) {
      Fail(assignment.range, "Multiple incompatible setting of column " + assignment.column.text,
           "a column is set as a whole at most once");
    }
  }
}

DeleteStatement AstBuilder::BuildDelete(Parser::DeleteStatementContext* context) {
  DeleteStatement result;
  for (Parser::DeleteTargetContext* target : context->deleteTarget()) {
    DeleteTarget& added = result.targets.emplace_back();
    added.range = RangeOf(target);
    added.column = BuildColumn(target->columnName());
    if (target->term()) added.element.push_back(BuildTerm(target->term(), Columns::kForbidden));
    if (target->ident()) added.field = BuildIdentifier(target->ident());
  }
  result.table = BuildTableName(context->tableName());
  if (context->usingTimestamp()) result.using_clause.timestamp = BuildIntValue(context->usingTimestamp()->intValue());
  result.where = BuildConditions(context->condition());
  if (Parser::IfClauseContext* clause = context->ifClause()) {
    result.if_exists = clause->K_EXISTS() != nullptr;
    result.conditions = BuildIf(clause);
  }
  return result;
}

BatchStatement AstBuilder::BuildBatch(Parser::BatchStatementContext* context) {
  BatchStatement batch;
  if (context->K_UNLOGGED()) batch.kind = BatchStatement::Kind::kUnlogged;
  if (context->K_COUNTER()) batch.kind = BatchStatement::Kind::kCounter;
  if (context->usingClause()) batch.using_clause = BuildUsing(context->usingClause());
  for (Parser::BatchItemContext* item : context->batchItem()) {
    if (error_) break;
    batch.statement_ranges.push_back(RangeOf(item));
    if (item->insertStatement()) batch.statements.emplace_back(BuildInsert(item->insertStatement()));
    if (item->updateStatement()) batch.statements.emplace_back(BuildUpdate(item->updateStatement()));
    if (item->deleteStatement()) batch.statements.emplace_back(BuildDelete(item->deleteStatement()));
  }
  return batch;
}

}  // namespace widerow
