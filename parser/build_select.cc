#include "parser/builder.h"

namespace widerow {

SelectStatement AstBuilder::BuildSelect(Parser::SelectStatementContext* context) {
  SelectStatement select;
  select.json = context->K_JSON() != nullptr;
  select.distinct = context->selectClause()->K_DISTINCT() != nullptr;
  if (!select.distinct && context->selectClause()->start->getType() == CqlLexer::K_DISTINCT) {
    // This grammar reads `distinct * 2` as a product. Cassandra reads it as DISTINCT * and refuses the 2.
    antlr4::Token* const star = NextToken(context->selectClause()->start);
    if (star->getType() == CqlLexer::STAR)
      FailAtToken(NextToken(star), "DISTINCT is a word of the language here: \"distinct\" * …");
  }
  select.selectors = BuildSelectors(context->selectClause()->selectors());
  select.table = BuildTableName(context->tableName());
  if (context->whereClause()) select.where = BuildConditions(context->whereClause()->condition());
  if (context->groupByClause()) select.group_by = BuildTerms(context->groupByClause()->term(), Columns::kAllowed);
  if (context->orderByClause()) {
    for (Parser::OrderingContext* ordering : context->orderByClause()->ordering()) {
      select.order_by.push_back(BuildOrdering(ordering));
    }
  }
  if (auto* clause = context->perPartitionLimitClause()) select.per_partition_limit = BuildIntValue(clause->intValue());
  if (auto* clause = context->limitClause()) select.limit = BuildIntValue(clause->intValue());
  if (auto* clause = context->allowClause()) {
    select.allow_filtering = clause->K_FILTERING() != nullptr;
    select.allow_sorting = clause->K_SORTING() != nullptr;
  }
  return select;
}

std::vector<Selector> AstBuilder::BuildSelectors(Parser::SelectorsContext* context) {
  std::vector<Selector> selectors;
  for (Parser::SelectorContext* selector : context->selector()) {
    Selector& added = selectors.emplace_back();
    added.term = BuildTerm(selector->term(), Columns::kAllowed);
    if (selector->ident()) added.alias = BuildIdentifier(selector->ident());
  }
  return selectors;
}

Ordering AstBuilder::BuildOrdering(Parser::OrderingContext* context) {
  Ordering ordering{.column = BuildColumn(context->columnName()), .descending = context->K_DESC() != nullptr};
  if (context->term() == nullptr) return ordering;
  (context->K_ANN() ? ordering.ann_of : ordering.bm25_of).push_back(BuildTerm(context->term(), Columns::kForbidden));
  return ordering;
}

}  // namespace widerow
