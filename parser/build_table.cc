#include <algorithm>
#include <charconv>

#include "parser/builder.h"

namespace widerow {

CreateTableStatement AstBuilder::BuildCreateTable(Parser::CreateTableStatementContext* context) {
  CreateTableStatement table;
  table.name = BuildTableName(context->tableName());
  table.if_not_exists = context->ifNotExists() != nullptr;
  for (Parser::TableItemContext* item : context->tableItem()) {
    if (Parser::ColumnDefinitionContext* column = item->columnDefinition()) {
      table.columns.push_back(BuildColumnDefinition(column));
      if (table.columns.back().primary_key) ++table.primary_key_count;
      continue;
    }
    ++table.primary_key_count;
    table.primary_key_range = RangeOf(item);
    AddPrimaryKey(item->primaryKey(), table.partition_key, table.clustering_key);
  }
  const auto options = context->tableOptions();
  const auto groups = context->tableGroupClause();
  const auto partitions = context->partitionByClause();
  if (!options.empty()) AddTableOptions(options[0], table);
  if (!groups.empty()) table.tablegroup = BuildIdentifier(groups[0]->ident());
  if (!partitions.empty()) table.partition_by = BuildPartitionBy(partitions[0]);
  if (!groups.empty()) UseExtension("TABLEGROUP");
  if (!partitions.empty()) UseExtension("PARTITION BY");
  const auto refuse_second = [&](const auto& clauses, const char* hint) {
    if (clauses.size() > 1) FailAtToken(clauses[1]->start, hint);
  };
  refuse_second(options, "WITH stands here twice: join its options by AND");
  refuse_second(groups, "TABLEGROUP stands here twice");
  refuse_second(partitions, "PARTITION BY stands here twice");
  return table;
}

// Adds the columns of a PRIMARY KEY clause. A second clause replaces the first one. The planner then refuses the
// statement, because its primary_key_count is greater than 1.
void AstBuilder::AddPrimaryKey(Parser::PrimaryKeyContext* context, std::vector<Identifier>& partition_key,
                               std::vector<Identifier>& clustering_key) {
  partition_key = BuildIdentifiers(context->partitionKey()->ident());
  clustering_key = BuildIdentifiers(context->ident());
}

void AstBuilder::AddTableOptions(Parser::TableOptionsContext* context, CreateTableStatement& table) {
  for (Parser::TableOptionContext* option : context->tableOption()) {
    if (option->property()) AddProperty(option->property(), table.properties);
    if (option->K_COMPACT()) table.compact_storage = true;
    if (option->clusteringOrder()) {
      for (ClusteringOrder& order : BuildClusteringOrder(option->clusteringOrder())) {
        table.clustering_order.push_back(std::move(order));
      }
    }
  }
}

ColumnDefinition AstBuilder::BuildColumnDefinition(Parser::ColumnDefinitionContext* context) {
  ColumnDefinition column;
  column.name = BuildIdentifier(context->ident());
  column.type = BuildType(context->type());
  column.is_static = context->K_STATIC() != nullptr;
  column.primary_key = context->K_PRIMARY() != nullptr;
  column.not_null = !context->notNull().empty();
  if (context->columnMask()) column.mask = BuildMask(context->columnMask());
  if (column.not_null) UseExtension("NOT NULL");
  if (context->generatedClause()) {
    UseExtension("GENERATED ALWAYS AS");
    column.generated_as = BuildTerm(context->generatedClause()->term(), Columns::kAllowed);
  }
  column.range = RangeOf(context);
  return column;
}

ColumnMask AstBuilder::BuildMask(Parser::ColumnMaskContext* context) {
  ColumnMask mask;
  if (context->functionName()) mask.function = BuildFunctionName(context->functionName());
  mask.arguments = BuildTerms(context->term(), Columns::kForbidden);
  return mask;
}

std::vector<ClusteringOrder> AstBuilder::BuildClusteringOrder(Parser::ClusteringOrderContext* context) {
  std::vector<ClusteringOrder> orders;
  for (Parser::ClusteringColumnContext* column : context->clusteringColumn()) {
    orders.push_back({BuildIdentifier(column->ident()), column->K_DESC() != nullptr});
  }
  return orders;
}

PartitionBy AstBuilder::BuildPartitionBy(Parser::PartitionByClauseContext* context) {
  PartitionBy result;
  result.range = RangeOf(context);
  Parser::PartitionMethodContext* method = context->partitionMethod();
  using Kind = PartitionBy::Kind;
  result.kind = method->K_KEY()    ? Kind::kKey
                : method->K_HASH() ? Kind::kHash
                : method->K_LIST() ? Kind::kList
                                   : Kind::kRange;
  result.columns_keyword = method->K_COLUMNS() != nullptr;
  result.keys = BuildTerms(context->term(), Columns::kAllowed);
  if (antlr4::tree::TerminalNode* integer = context->INTEGER()) {
    const std::string digits = integer->getText();
    uint64_t count = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (failure != std::errc{}) Fail(RangeOf(integer), "Invalid number of partitions " + digits);
    result.count = count;
  }
  if (context->partitionDefinitions()) result.partitions = BuildPartitions(context->partitionDefinitions());
  return result;
}

std::vector<PartitionDefinition> AstBuilder::BuildPartitions(Parser::PartitionDefinitionsContext* context) {
  std::vector<PartitionDefinition> partitions;
  for (Parser::PartitionDefinitionContext* partition : context->partitionDefinition()) {
    partitions.push_back(BuildPartition(partition->ident(), partition->partitionValues()));
  }
  return partitions;
}

PartitionDefinition AstBuilder::BuildPartition(Parser::IdentContext* name, Parser::PartitionValuesContext* values) {
  PartitionDefinition partition;
  partition.name = BuildIdentifier(name);
  if (!values) return partition;
  partition.in_list = values->K_IN() != nullptr;
  partition.max_value = values->K_MAXVALUE() != nullptr;
  const std::vector<Parser::TermContext*> terms = values->term();
  // MAXVALUE is not reserved, so the grammar parses it as a name if it is in parentheses.
  const bool only_max = terms.size() == 1 && terms[0]->start->getType() == CqlLexer::K_MAXVALUE &&
                        terms[0]->start == terms[0]->stop && !partition.in_list;
  if (only_max) {
    partition.max_value = true;
  } else {
    partition.values = BuildTerms(terms, Columns::kForbidden);
  }
  return partition;
}

}  // namespace widerow
