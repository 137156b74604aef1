#include <map>

#include "parser/builder.h"
#include "parser/parse.h"

namespace widerow {

DescribeStatement AstBuilder::BuildDescribe(Parser::DescribeStatementContext* context) {
  using Kind = DescribeStatement::Kind;
  // These words are not reserved, so the grammar parses them as names.
  static const std::map<std::string, Kind> kWords = {
      {"cluster", Kind::kCluster},       {"keyspaces", Kind::kKeyspaces}, {"tables", Kind::kTables},
      {"columnfamilies", Kind::kTables}, {"types", Kind::kTypes},         {"functions", Kind::kFunctions},
      {"aggregates", Kind::kAggregates}};
  Parser::DescribeTargetContext* target = context->describeTarget();
  DescribeStatement describe;
  describe.with_internals = context->K_INTERNALS() != nullptr;
  const auto name_it = [&](Kind kind, QualifiedName name) {
    describe.kind = kind;
    describe.name = std::move(name);
  };
  if (target->K_SCHEMA()) {
    describe.kind = target->K_FULL() ? Kind::kFullSchema : Kind::kSchema;
  } else if (target->K_KEYSPACE()) {
    describe.kind = target->K_ONLY() ? Kind::kOnlyKeyspace : Kind::kKeyspace;
    if (auto* keyspace = target->keyspaceName()) {
      describe.name = QualifiedName{{}, BuildKeyspaceName(keyspace), RangeOf(keyspace)};
    }
  } else if (target->K_VIEWS()) {
    describe.kind = Kind::kMaterializedViews;
  } else if (target->K_TYPE()) {
    name_it(Kind::kType, BuildTypeName(target->typeName()));
  } else if (target->functionName()) {
    name_it(target->K_FUNCTION() ? Kind::kFunction : Kind::kAggregate, BuildFunctionName(target->functionName()));
  } else if (target->tableName()) {
    name_it(target->K_MATERIALIZED() ? Kind::kMaterializedView : Kind::kTable, BuildTableName(target->tableName()));
  } else if (target->indexName()) {
    name_it(Kind::kIndex, BuildIndexName(target->indexName()));
  } else {
    QualifiedName name = BuildQualifiedName(target->qualifiedName());
    const auto word = name.keyspace || name.name.quoted ? kWords.end() : kWords.find(name.name.text);
    if (word != kWords.end()) {
      describe.kind = word->second;
    } else {
      name_it(Kind::kName, std::move(name));
    }
  }
  return describe;
}

AdviseStatement AstBuilder::BuildAdvise(Parser::AdviseStatementContext* context) {
  using Kind = AdviseStatement::Kind;
  AdviseStatement advise;
  if (context->tableName()) {
    advise.kind = Kind::kTable;
    advise.table = BuildTableName(context->tableName());
  } else if (context->K_SCHEMA()) {
    advise.kind = Kind::kSchema;
  } else if (antlr4::tree::TerminalNode* text = context->STRING_LITERAL()) {
    advise.kind = Kind::kStatement;
    Result<Statement> inner = Parse(BuildString(text));
    if (!inner.ok()) {
      Fail(RangeOf(text), std::move(inner.error().message), std::move(inner.error().hint));
    } else if (std::holds_alternative<AdviseStatement>(inner->node) ||
               std::holds_alternative<ExplainStatement>(inner->node)) {
      Fail(RangeOf(text), "ADVISE takes a statement other than ADVISE and EXPLAIN");
    } else {
      advise.statement.push_back(std::move(inner).value());
    }
  }
  return advise;
}

}  // namespace widerow
