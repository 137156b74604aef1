// The entry points of AstBuilder: BuildStatement finds the kind of statement and calls its Build function in one of the
// build_*.cc files. The rest of this file serves them all: ranges, errors, names.
#include <algorithm>

#include "base/text.h"
#include "parser/builder.h"
#include "parser/narrow.h"
#include "parser/syntax_error.h"

namespace widerow {
namespace {

std::string LowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return text;
}

// Removes the first and last character and turns each doubled quote into one.
std::string Unquote(const std::string& quoted) {
  std::string text;
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    text += quoted[i];
    if (quoted[i] == quoted.front()) ++i;
  }
  return text;
}

}  // namespace

std::string TokenValue(const antlr4::Token& token) {
  std::string text = token.getText();
  if (token.getType() == CqlLexer::QUOTED_NAME) return Unquote(text);
  if (token.getType() != CqlLexer::STRING_LITERAL) return text;
  return text.front() == '$' ? text.substr(2, text.size() - 4) : Unquote(text);
}

Statement AstBuilder::BuildStatement(Parser::StatementInputContext* context) {
  Parser::StatementContext* statement = context->statement();
  Statement result;
  if (Parser::ExplainStatementContext* explain = statement->explainStatement()) {
    ExplainStatement node{.analyze = explain->K_ANALYZE() != nullptr, .statement = {}};
    node.statement.emplace_back();
    node.statement[0].node = BuildCqlStatement(explain->cqlStatement());
    node.statement[0].range = RangeOf(explain->cqlStatement());
    node.statement[0].markers = markers_;
    result.node = std::move(node);
  } else if (Parser::AdviseStatementContext* advise = statement->adviseStatement()) {
    result.node = BuildAdvise(advise);
  } else {
    result.node = BuildCqlStatement(statement->cqlStatement());
  }
  result.range = RangeOf(statement);
  result.markers = std::move(markers_);
  result.extensions = std::move(extensions_);
  return result;
}

AstBuilder::Node AstBuilder::BuildCqlStatement(Parser::CqlStatementContext* context) {
  if (auto node = BuildDataStatement(context)) return std::move(*node);
  if (auto node = BuildSchemaStatement(context)) return std::move(*node);
  if (auto node = BuildObjectStatement(context)) return std::move(*node);
  if (auto node = BuildRoleStatement(context)) return std::move(*node);
  return BuildDescribe(context->describeStatement());
}

std::optional<AstBuilder::Node> AstBuilder::BuildDataStatement(Parser::CqlStatementContext* context) {
  if (auto* c = context->selectStatement()) return BuildSelect(c);
  if (auto* c = context->insertStatement()) return BuildInsert(c);
  if (auto* c = context->updateStatement()) return BuildUpdate(c);
  if (auto* c = context->deleteStatement()) return BuildDelete(c);
  if (auto* c = context->batchStatement()) return BuildBatch(c);
  if (auto* c = context->useStatement()) return UseStatement{BuildKeyspaceName(c->keyspaceName())};
  if (auto* c = context->truncateStatement()) return TruncateStatement{BuildTableName(c->tableName())};
  return std::nullopt;
}

std::optional<AstBuilder::Node> AstBuilder::BuildSchemaStatement(Parser::CqlStatementContext* context) {
  if (auto* c = context->createKeyspaceStatement()) {
    return CreateKeyspaceStatement{BuildKeyspaceName(c->keyspaceName()), c->ifNotExists() != nullptr,
                                   BuildProperties(c->properties()->property())};
  }
  if (auto* c = context->alterKeyspaceStatement()) {
    return AlterKeyspaceStatement{BuildKeyspaceName(c->keyspaceName()), c->ifExists() != nullptr,
                                  BuildProperties(c->properties()->property())};
  }
  if (auto* c = context->dropKeyspaceStatement()) {
    return DropKeyspaceStatement{BuildKeyspaceName(c->keyspaceName()), c->ifExists() != nullptr};
  }
  if (auto* c = context->createTableStatement()) return BuildCreateTable(c);
  if (auto* c = context->alterTableStatement()) return BuildAlterTable(c);
  if (auto* c = context->dropTableStatement()) {
    return DropTableStatement{BuildTableName(c->tableName()), c->ifExists() != nullptr};
  }
  if (auto* c = context->createTypeStatement()) return BuildCreateType(c);
  if (auto* c = context->alterTypeStatement()) return BuildAlterType(c);
  if (auto* c = context->dropTypeStatement()) {
    return DropTypeStatement{BuildUserTypeName(c->typeName()), c->ifExists() != nullptr};
  }
  if (auto* c = context->createTableGroupStatement()) {
    UseExtension("TABLEGROUP");
    return CreateTableGroupStatement{BuildIdentifier(c->ident()), c->ifNotExists() != nullptr};
  }
  if (auto* c = context->dropTableGroupStatement()) {
    UseExtension("TABLEGROUP");
    return DropTableGroupStatement{BuildIdentifier(c->ident()), c->ifExists() != nullptr};
  }
  return std::nullopt;
}

std::optional<AstBuilder::Node> AstBuilder::BuildObjectStatement(Parser::CqlStatementContext* context) {
  if (auto* c = context->createIndexStatement()) return BuildCreateIndex(c);
  if (auto* c = context->dropIndexStatement()) {
    return DropIndexStatement{BuildIndexName(c->indexName()), c->ifExists() != nullptr};
  }
  if (auto* c = context->createViewStatement()) return BuildCreateView(c);
  if (auto* c = context->alterViewStatement()) {
    return AlterMaterializedViewStatement{BuildTableName(c->tableName()), c->ifExists() != nullptr,
                                          BuildProperties(c->properties()->property())};
  }
  if (auto* c = context->dropViewStatement()) {
    return DropMaterializedViewStatement{BuildTableName(c->tableName()), c->ifExists() != nullptr};
  }
  if (auto* c = context->createFunctionStatement()) return BuildCreateFunction(c);
  if (auto* c = context->createAggregateStatement()) return BuildCreateAggregate(c);
  const auto drop = [&](bool aggregate, auto* c) {
    DropFunctionStatement result{aggregate, BuildFunctionName(c->functionName()), c->ifExists() != nullptr, {}};
    if (c->typeList()) result.arguments = BuildTypeList(c->typeList());
    return result;
  };
  if (auto* c = context->dropFunctionStatement()) return drop(false, c);
  if (auto* c = context->dropAggregateStatement()) return drop(true, c);
  if (auto* c = context->createTriggerStatement()) {
    return CreateTriggerStatement{BuildIdentifier(c->ident()), c->ifNotExists() != nullptr,
                                  BuildTableName(c->tableName()), BuildString(c->STRING_LITERAL())};
  }
  if (auto* c = context->dropTriggerStatement()) {
    return DropTriggerStatement{BuildIdentifier(c->ident()), c->ifExists() != nullptr, BuildTableName(c->tableName())};
  }
  return std::nullopt;
}

SourceRange AstBuilder::RangeOf(antlr4::Token* token) const {
  if (token->getType() == antlr4::Token::EOF) {
    const auto end = static_cast<uint32_t>(source_.text().size());
    return {end, end};
  }
  return {source_.ByteOffset(token->getStartIndex()), source_.ByteOffset(token->getStopIndex() + 1)};
}

SourceRange AstBuilder::RangeOf(Context* context) const {
  const uint32_t begin = RangeOf(context->start).begin;
  // If a rule of the grammar matched no text, ANTLR gives it a last token that comes before its first token.
  if (!context->stop || context->stop->getTokenIndex() < context->start->getTokenIndex()) return {begin, begin};
  return {begin, RangeOf(context->stop).end};
}

void AstBuilder::Fail(SourceRange range, std::string message, std::string hint) {
  if (error_) return;
  error_ =
      Error{.code = ErrorCode::kSyntaxError, .message = std::move(message), .range = range, .hint = std::move(hint)};
}

void AstBuilder::FailAtToken(antlr4::Token* token, std::string hint, bool report_next) {
  FailAtTokens(token, report_next ? NextToken(token) : token, std::move(hint));
}

void AstBuilder::FailAtTokens(antlr4::Token* marked, antlr4::Token* reported, std::string hint) {
  Fail(RangeOf(marked), NoViableMessage(source_, tokens_, *reported, *marked), std::move(hint));
}

antlr4::Token* AstBuilder::NextToken(const antlr4::Token* token) const {
  size_t i = std::min(token->getTokenIndex() + 1, tokens_.size() - 1);
  while (i + 1 < tokens_.size() && tokens_.get(i)->getChannel() != antlr4::Token::DEFAULT_CHANNEL) ++i;
  return tokens_.get(i);
}

void AstBuilder::UseExtension(const std::string& name) {
  if (std::find(extensions_.begin(), extensions_.end(), name) == extensions_.end()) extensions_.push_back(name);
}

Identifier AstBuilder::BuildName(antlr4::Token* token) {
  switch (token->getType()) {
    case CqlLexer::QUOTED_NAME:
    case CqlLexer::STRING_LITERAL: return {TokenValue(*token), true, RangeOf(token)};
    case CqlLexer::EMPTY_QUOTED_NAME: return {"", true, RangeOf(token)};
    default: break;  // NOLINT: any of 200 keywords
  }
  std::string name = LowerCase(token->getText());
  if (name.find('$') != std::string::npos) UseExtension("a dollar sign in a name");
  return {std::move(name), false, RangeOf(token)};
}

Identifier AstBuilder::BuildIdentifier(Context* one_token) { return BuildName(one_token->start); }
Identifier AstBuilder::BuildColumn(Parser::ColumnNameContext* context) { return BuildName(context->start); }

std::vector<Identifier> AstBuilder::BuildIdentifiers(const std::vector<Parser::IdentContext*>& contexts) {
  std::vector<Identifier> names;
  for (Parser::IdentContext* context : contexts) names.push_back(BuildIdentifier(context));
  return names;
}

void AstBuilder::RefuseMarkerAsName(antlr4::Token* token, const char* kind) {
  if (token->getType() != CqlLexer::QMARK) return;
  Fail(RangeOf(token), StrCat("Bind variables cannot be used for ", kind, " names"),
       "write the name into the text of the statement");
}

Identifier AstBuilder::BuildKeyspaceName(Parser::KeyspaceNameContext* context) {
  RefuseMarkerAsName(context->start, "keyspace");
  return BuildIdentifier(context);
}

QualifiedName AstBuilder::BuildMarkableName(Parser::KeyspaceNameContext* keyspace, const char* kind, Context* whole) {
  if (keyspace) RefuseMarkerAsName(keyspace->start, "keyspace");
  RefuseMarkerAsName(whole->stop, kind);
  return Qualify(keyspace, nullptr, whole);
}

QualifiedName AstBuilder::Qualify(Context* keyspace, Context* name, Context* whole) {
  QualifiedName result;
  if (keyspace) result.keyspace = BuildIdentifier(keyspace);
  // In every rule for qualified names the name is the last token.
  result.name = name ? BuildIdentifier(name) : BuildName(whole->stop);
  result.range = RangeOf(whole);
  return result;
}

QualifiedName AstBuilder::BuildTableName(Parser::TableNameContext* context) {
  if (antlr4::tree::TerminalNode* table = context->K_COLUMNFAMILY()) {
    UseExtension("a table named table");
    // Here the word TABLE was parsed as a table's name. After TRUNCATE and ON, Cassandra takes it for the optional word
    // TABLE and reports that the name is missing.
    const bool optional = dynamic_cast<Parser::TruncateStatementContext*>(context->parent) != nullptr ||
                          dynamic_cast<Parser::ResourceContext*>(context->parent) != nullptr;
    antlr4::Token* missing = optional ? NextToken(table->getSymbol()) : table->getSymbol();
    if (!extended()) FailAtToken(missing, NoExtensionsHint(dialect_));
  }
  return BuildMarkableName(context->keyspaceName(), "table", context);
}
QualifiedName AstBuilder::BuildIndexName(Parser::IndexNameContext* context) {
  return BuildMarkableName(context->keyspaceName(), "index", context);
}
QualifiedName AstBuilder::BuildQualifiedName(Parser::QualifiedNameContext* context) {
  return Qualify(context->children.size() > 1 ? context->ident(0) : nullptr, nullptr, context);
}
QualifiedName AstBuilder::BuildFunctionName(Parser::FunctionNameContext* context) {
  return Qualify(context->ident(), context->plainFunctionName(), context);
}

std::string AstBuilder::BuildString(antlr4::tree::TerminalNode* string_literal) const {
  return TokenValue(*string_literal->getSymbol());
}

}  // namespace widerow
