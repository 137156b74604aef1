// The syntax tree of CQL 3.4.7 with Widerow's extensions, as plain structs. Parse() builds it (parser/parse.h), the
// planner reads it, Print() (parser/print.h) turns it back into text. There is one header per family of statements;
// this one holds DESCRIBE, EXPLAIN, ADVISE and Statement.
#pragma once

#include "parser/ast_object.h"
#include "parser/ast_role.h"

namespace widerow {

struct DescribeStatement {
  enum class Kind : uint8_t {
    kCluster,
    kSchema,
    kFullSchema,
    kKeyspaces,
    kKeyspace,
    kOnlyKeyspace,
    kTables,
    kTable,
    kTypes,
    kType,
    kFunctions,
    kFunction,
    kAggregates,
    kAggregate,
    kIndex,
    kMaterializedView,
    kMaterializedViews,
    kName,
  };
  Kind kind = Kind::kKeyspaces;
  std::optional<QualifiedName> name;  // kName: the name of an object of any kind.
  bool with_internals = false;
  friend bool operator==(const DescribeStatement&, const DescribeStatement&) = default;
};
struct Statement;
struct ExplainStatement {  // EXPLAIN [ANALYZE] statement. An extension of CQL.
  bool analyze = false;
  std::vector<Statement> statement;  // Exactly one.
};
struct AdviseStatement {  // ADVISE [TABLE t | STATEMENT 'text' | SCHEMA]. An extension of CQL.
  enum class Kind : uint8_t { kAll, kTable, kStatement, kSchema };
  Kind kind = Kind::kAll;
  std::optional<QualifiedName> table;
  std::vector<Statement> statement;  // None or one.
};
bool operator==(const ExplainStatement& a, const ExplainStatement& b);
bool operator==(const AdviseStatement& a, const AdviseStatement& b);

struct Statement {
  std::variant<SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, BatchStatement, TruncateStatement,
               UseStatement, CreateKeyspaceStatement, AlterKeyspaceStatement, DropKeyspaceStatement,
               CreateTableStatement, AlterTableStatement, DropTableStatement, CreateTypeStatement, AlterTypeStatement,
               DropTypeStatement, CreateIndexStatement, DropIndexStatement, CreateMaterializedViewStatement,
               AlterMaterializedViewStatement, DropMaterializedViewStatement, CreateFunctionStatement,
               CreateAggregateStatement, DropFunctionStatement, CreateTriggerStatement, DropTriggerStatement,
               CreateTableGroupStatement, DropTableGroupStatement, CreateRoleStatement, AlterRoleStatement,
               DropRoleStatement, GrantStatement, ListRolesStatement, IdentityStatement, DescribeStatement,
               ExplainStatement, AdviseStatement>
      node;
  SourceRange range;
  std::vector<BindMarker> markers;  // In the order in which they stand in the text.
  // The extensions that the parser found in the text, each once, in the wording of warnings. The planner adds those
  // that it finds itself.
  std::vector<std::string> extensions;
};
inline bool operator==(const Statement& a, const Statement& b) { return a.node == b.node; }

}  // namespace widerow
