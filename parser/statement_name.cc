#include "base/overloaded.h"
#include "parser/print.h"

namespace widerow {
namespace {

std::string DescribedName(const std::string& verb, bool user) { return verb + (user ? " USER" : " ROLE"); }

std::string ListName(const ListRolesStatement& s) {
  switch (s.kind) {
    case ListRolesStatement::Kind::kRoles: return "LIST ROLES";
    case ListRolesStatement::Kind::kUsers: return "LIST USERS";
    case ListRolesStatement::Kind::kSuperusers: return "LIST SUPERUSERS";
    case ListRolesStatement::Kind::kPermissions: return "LIST PERMISSIONS";
  }
  return "LIST";
}

}  // namespace

std::string StatementName(const Statement& statement) {
  const auto text = [](const char* name) { return std::string(name); };
  return std::visit(
      Overloaded{
          [&](const SelectStatement&) { return text("SELECT"); },
          [&](const InsertStatement& s) { return text(s.json ? "INSERT JSON" : "INSERT"); },
          [&](const UpdateStatement&) { return text("UPDATE"); },
          [&](const DeleteStatement&) { return text("DELETE"); },
          [&](const BatchStatement&) { return text("BATCH"); },
          [&](const TruncateStatement&) { return text("TRUNCATE"); },
          [&](const UseStatement&) { return text("USE"); },
          [&](const CreateKeyspaceStatement&) { return text("CREATE KEYSPACE"); },
          [&](const AlterKeyspaceStatement&) { return text("ALTER KEYSPACE"); },
          [&](const DropKeyspaceStatement&) { return text("DROP KEYSPACE"); },
          [&](const CreateTableStatement&) { return text("CREATE TABLE"); },
          [&](const AlterTableStatement&) { return text("ALTER TABLE"); },
          [&](const DropTableStatement&) { return text("DROP TABLE"); },
          [&](const CreateTypeStatement&) { return text("CREATE TYPE"); },
          [&](const AlterTypeStatement&) { return text("ALTER TYPE"); },
          [&](const DropTypeStatement&) { return text("DROP TYPE"); },
          [&](const CreateIndexStatement&) { return text("CREATE INDEX"); },
          [&](const DropIndexStatement&) { return text("DROP INDEX"); },
          [&](const CreateMaterializedViewStatement&) { return text("CREATE MATERIALIZED VIEW"); },
          [&](const AlterMaterializedViewStatement&) { return text("ALTER MATERIALIZED VIEW"); },
          [&](const DropMaterializedViewStatement&) { return text("DROP MATERIALIZED VIEW"); },
          [&](const CreateFunctionStatement&) { return text("CREATE FUNCTION"); },
          [&](const CreateAggregateStatement&) { return text("CREATE AGGREGATE"); },
          [&](const DropFunctionStatement& s) { return text(s.aggregate ? "DROP AGGREGATE" : "DROP FUNCTION"); },
          [&](const CreateTriggerStatement&) { return text("CREATE TRIGGER"); },
          [&](const DropTriggerStatement&) { return text("DROP TRIGGER"); },
          [&](const CreateTableGroupStatement&) { return text("CREATE TABLEGROUP"); },
          [&](const DropTableGroupStatement&) { return text("DROP TABLEGROUP"); },
          [&](const CreateRoleStatement& s) { return DescribedName("CREATE", s.user); },
          [&](const AlterRoleStatement& s) { return DescribedName("ALTER", s.user); },
          [&](const DropRoleStatement& s) { return DescribedName("DROP", s.user); },
          [&](const GrantStatement& s) { return text(s.revoke ? "REVOKE" : "GRANT"); },
          [&](const ListRolesStatement& s) { return ListName(s); },
          [&](const IdentityStatement& s) { return text(s.drop ? "DROP IDENTITY" : "ADD IDENTITY"); },
          [&](const DescribeStatement&) { return text("DESCRIBE"); },
          [&](const ExplainStatement&) { return text("EXPLAIN"); },
          [&](const AdviseStatement&) { return text("ADVISE"); },
      },
      statement.node);
}

}  // namespace widerow
