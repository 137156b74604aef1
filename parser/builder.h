// Turns ANTLR's parse tree into the syntax tree of parser/ast.h. Internal to parser/. There is one .cc file per group
// of statements (build_*.cc). All functions are members of one class, because they share the text, the tokens and the
// bind markers found so far.
//
// Errors that the grammar does not catch are kept in error(), the first one only. Building continues with default
// values; the caller must not use the result then. Code for a new statement must visit its parts in text order, because
// that order numbers the bind markers.
#pragma once

#include <set>
#include <string>

#include "parser/antlr.h"
#include "parser/ast.h"
#include "parser/dialect.h"
#include "parser/source_text.h"

namespace widerow {

class AstBuilder {
 public:
  // Borrows all arguments. The parse trees given to the Build functions must come from `tokens`.
  AstBuilder(const SourceText& source, antlr4::CommonTokenStream& tokens, Dialect dialect)
      : source_(source), tokens_(tokens), dialect_(dialect) {}

  Statement BuildStatement(CqlParser::StatementInputContext* context);
  TypeName BuildType(CqlParser::TypeContext* context);
  Term BuildRowTerm(CqlParser::TermContext* context) { return BuildTerm(context, Columns::kAllowed); }
  const std::optional<Error>& error() const { return error_; }

 private:
  using Parser = CqlParser;
  using Context = antlr4::ParserRuleContext;
  using Node = decltype(Statement::node);
  // Says if a term may be the name of a column. kForbidden: Cassandra's grammar has no column names in this place.
  enum class Columns : uint8_t { kAllowed, kForbidden };

  // build.cc: statements, ranges, names, errors.
  Node BuildCqlStatement(Parser::CqlStatementContext* context);
  std::optional<Node> BuildDataStatement(Parser::CqlStatementContext* context);
  std::optional<Node> BuildSchemaStatement(Parser::CqlStatementContext* context);
  std::optional<Node> BuildObjectStatement(Parser::CqlStatementContext* context);
  std::optional<Node> BuildRoleStatement(Parser::CqlStatementContext* context);
  SourceRange RangeOf(Context* context) const;
  SourceRange RangeOf(antlr4::Token* token) const;
  SourceRange RangeOf(antlr4::tree::TerminalNode* node) const { return RangeOf(node->getSymbol()); }
  void Fail(SourceRange range, std::string message, std::string hint = {});
  // Refuses the token with the message of Cassandra's parser: "line 1:7 no viable alternative at input 'x' (…)".
  void FailAtToken(antlr4::Token* token, std::string hint = {}, bool report_next = false);
  // Like FailAtToken, but with two tokens: the message names `reported`, and `marked` is in brackets.
  void FailAtTokens(antlr4::Token* marked, antlr4::Token* reported, std::string hint);
  antlr4::Token* NextToken(const antlr4::Token* token) const;
  // True if the dialect has Widerow's extensions. UseExtension notes that the statement uses one.
  bool extended() const { return dialect_ == Dialect::kWiderow; }
  void UseExtension(const std::string& name);
  Identifier BuildName(antlr4::Token* token);
  Identifier BuildIdentifier(Context* one_token);
  Identifier BuildColumn(Parser::ColumnNameContext* context);
  std::vector<Identifier> BuildIdentifiers(const std::vector<Parser::IdentContext*>& contexts);
  // Refuses a bind marker where a name is needed. `kind`: "keyspace", "table", ….
  void RefuseMarkerAsName(antlr4::Token* token, const char* kind);
  Identifier BuildKeyspaceName(Parser::KeyspaceNameContext* context);
  // Builds a name. The grammar accepts a bind marker in place of each part; this function refuses it with an error.
  QualifiedName BuildMarkableName(Parser::KeyspaceNameContext* keyspace, const char* kind, Context* whole);
  QualifiedName BuildIndexName(Parser::IndexNameContext* context);
  QualifiedName Qualify(Context* keyspace, Context* name, Context* whole);
  QualifiedName BuildTableName(Parser::TableNameContext* context);
  QualifiedName BuildQualifiedName(Parser::QualifiedNameContext* context);
  QualifiedName BuildFunctionName(Parser::FunctionNameContext* context);
  std::string BuildString(antlr4::tree::TerminalNode* string_literal) const;

  // build_type.cc
  QualifiedName BuildTypeName(Parser::TypeNameContext* context);
  // Builds the name of a type that a statement creates or changes. It must not be the name of a native type.
  QualifiedName BuildUserTypeName(Parser::TypeNameContext* context);
  std::vector<TypeName> BuildTypeList(Parser::TypeListContext* context);
  void CheckFrozen(const TypeName& type);
  void CheckType(Parser::TypeContext* context, const TypeName& type);

  // build_term.cc
  Term BuildTerm(Parser::TermContext* context, Columns columns);
  // Builds the sum of the term's children [begin, end).
  Term BuildSum(Parser::TermContext* context, size_t begin, size_t end, Columns columns);
  std::vector<Term> BuildTerms(const std::vector<Parser::TermContext*>& contexts, Columns columns);
  Term BuildProduct(Parser::ProductContext* context, Columns columns);
  Term BuildNegativeProduct(Parser::NegativeProductContext* context, Columns columns);
  Term BuildFactors(Term first, Context* context, const std::vector<Parser::SignedTermContext*>& factors,
                    Columns columns);
  Term BuildSignedTerm(Parser::SignedTermContext* context, Columns columns);
  Term BuildNegativeNumber(Parser::NegativeNumberContext* context) const;
  Term BuildPostfixTerm(Parser::PostfixTermContext* context, Columns columns);
  Term BuildSubscript(Term base, Parser::SubscriptContext* context);
  Term BuildSimpleTerm(Parser::SimpleTermContext* context, Columns columns);
  Term BuildCall(Parser::FunctionCallContext* context, Columns columns);
  Term BuildBrace(Parser::BraceTermContext* context, Columns columns);
  Term BuildMap(const std::vector<Parser::MapEntryContext*>& entries, Columns columns);
  Term BuildMarker(Parser::MarkerContext* context);
  Term BuildIntValue(Parser::IntValueContext* context);
  Term MakeArithmetic(ArithmeticOp op, Term left, Term right);
  void CheckChain(size_t links, Context* context);

  // build_where.cc
  std::vector<Condition> BuildConditions(Parser::ConditionContext* context);
  std::vector<Condition> BuildIf(Parser::IfClauseContext* clause);  // Empty for IF EXISTS.
  void CheckIf(Parser::ConditionContext* condition);
  void CheckIfRelation(Parser::RelationContext* relation);
  Condition BuildCondition(Parser::ConditionContext* context);
  Condition BuildAnd(Parser::AndConditionContext* context);
  Condition BuildNot(Parser::NotConditionContext* context);
  Condition BuildIndexExpression(Parser::IndexExpressionContext* context);
  void CheckOperatorOfMany(Parser::RelationContext* context);
  Condition BuildRelation(Parser::RelationContext* context);
  // Refuses a comparison that begins with a value, which a dialect without extensions does not have.
  void FailAtValue(antlr4::Token* first);
  Condition BuildComparison(Parser::RelationContext* context);
  bool IsTarget(Parser::TermContext* context);
  RelationTarget BuildTarget(Parser::TermContext* context);
  RelationTarget TakeTarget(Term term, Parser::TermContext* context);
  void BuildInValues(Parser::InValuesContext* context, Relation& relation);

  // build_select.cc
  SelectStatement BuildSelect(Parser::SelectStatementContext* context);
  std::vector<Selector> BuildSelectors(Parser::SelectorsContext* context);
  Ordering BuildOrdering(Parser::OrderingContext* context);

  // build_dml.cc
  InsertStatement BuildInsert(Parser::InsertStatementContext* context);
  UpdateStatement BuildUpdate(Parser::UpdateStatementContext* context);
  DeleteStatement BuildDelete(Parser::DeleteStatementContext* context);
  BatchStatement BuildBatch(Parser::BatchStatementContext* context);
  UsingClause BuildUsing(Parser::UsingClauseContext* context);
  Assignment BuildAssignment(Parser::AssignmentContext* context);
  Term BuildAssignedTerm(Parser::TermContext* context, const Identifier& column);
  void CheckAssignments(const std::vector<Assignment>& assignments);

  // build_table.cc
  CreateTableStatement BuildCreateTable(Parser::CreateTableStatementContext* context);
  void AddPrimaryKey(Parser::PrimaryKeyContext* context, std::vector<Identifier>& partition_key,
                     std::vector<Identifier>& clustering_key);
  void AddTableOptions(Parser::TableOptionsContext* context, CreateTableStatement& table);
  ColumnDefinition BuildColumnDefinition(Parser::ColumnDefinitionContext* context);
  ColumnMask BuildMask(Parser::ColumnMaskContext* context);
  std::vector<ClusteringOrder> BuildClusteringOrder(Parser::ClusteringOrderContext* context);
  PartitionBy BuildPartitionBy(Parser::PartitionByClauseContext* context);
  std::vector<PartitionDefinition> BuildPartitions(Parser::PartitionDefinitionsContext* context);
  PartitionDefinition BuildPartition(Parser::IdentContext* name, Parser::PartitionValuesContext* values);

  // build_alter.cc
  AlterTableStatement BuildAlterTable(Parser::AlterTableStatementContext* context);
  decltype(AlterTableStatement::action) BuildAlterAction(Parser::AlterTableActionContext* context);
  AlterTableStatement::AlterPartitions BuildAlterPartitions(Parser::AlterTableActionContext* context);
  CreateTypeStatement BuildCreateType(Parser::CreateTypeStatementContext* context);
  AlterTypeStatement BuildAlterType(Parser::AlterTypeStatementContext* context);
  FieldDefinition BuildField(Parser::FieldDefinitionContext* context);
  std::vector<std::pair<Identifier, Identifier>> BuildRenamings(const std::vector<Parser::RenamingContext*>& contexts);

  // build_schema.cc
  std::vector<Property> BuildProperties(const std::vector<Parser::PropertyContext*>& contexts);
  void AddProperty(Parser::PropertyContext* context, std::vector<Property>& properties);
  void RefuseWordAsValue(Parser::PropertyContext* context);
  Term BuildPropertyValue(Parser::PropertyValueContext* context);
  Term BuildPropertyMap(Parser::PropertyMapContext* context);
  std::vector<Identifier> BuildIndexPartition(Parser::IndexPartitionContext* context);
  CreateIndexStatement BuildCreateIndex(Parser::CreateIndexStatementContext* context);
  CreateMaterializedViewStatement BuildCreateView(Parser::CreateViewStatementContext* context);
  CreateFunctionStatement BuildCreateFunction(Parser::CreateFunctionStatementContext* context);
  CreateAggregateStatement BuildCreateAggregate(Parser::CreateAggregateStatementContext* context);

  // build_role.cc
  CreateRoleStatement BuildCreateRole(Parser::CreateRoleStatementContext* context);
  AlterRoleStatement BuildAlterRole(Parser::AlterRoleStatementContext* context);
  CreateRoleStatement BuildCreateUser(Parser::CreateUserStatementContext* context);
  AlterRoleStatement BuildAlterUser(Parser::AlterUserStatementContext* context);
  std::vector<RoleOption> BuildRoleOptions(const std::vector<Parser::RoleOptionContext*>& contexts);
  RoleOption BuildRoleOption(Parser::RoleOptionContext* context);
  RoleOption BuildUserPassword(Parser::UserPasswordContext* context);
  void CheckPasswords(const std::vector<RoleOption>& options, Context* context);
  Identifier BuildRoleName(Parser::RoleNameContext* context);
  Identifier BuildUserName(Parser::UserNameContext* context, bool identity);
  std::vector<std::string> BuildPermissions(Parser::PermissionsContext* context) const;
  Resource BuildResource(Parser::ResourceContext* context);
  ListRolesStatement BuildList(Parser::ListStatementContext* context);

  // build_describe.cc
  DescribeStatement BuildDescribe(Parser::DescribeStatementContext* context);
  AdviseStatement BuildAdvise(Parser::AdviseStatementContext* context);

  const SourceText& source_;
  antlr4::CommonTokenStream& tokens_;
  const Dialect dialect_;
  std::vector<BindMarker> markers_;
  std::vector<std::string> extensions_;
  std::optional<Error> error_;
  antlr4::Token* part_ = nullptr;  // While the index of v[index] or v.f[index] is built: the last token of v.
};

// Returns the text of a token as Cassandra's messages show it: strings and quoted names without quotes.
std::string TokenValue(const antlr4::Token& token);

}  // namespace widerow
