// Functions that the print_*.cc files share. Internal to parser/.
#pragma once

#include <string>
#include <vector>

#include "parser/ast.h"

namespace widerow {

// Joins the results of `print` for each item, as in "a, b, c".
template <typename T, typename F>
std::string Join(const std::vector<T>& items, const char* separator, F print) {
  std::string text;
  for (const T& item : items) {
    if (!text.empty()) text += separator;
    text += print(item);
  }
  return text;
}
std::string UpperCase(std::string text);  // Changes ASCII letters only.
inline std::string When(bool condition, const char* text) { return condition ? text : ""; }

std::string PrintName(const Identifier& name);  // Quoted if necessary.
std::string PrintNames(const std::vector<Identifier>& names);
std::string PrintName(const QualifiedName& name);
std::string PrintTypeName(const QualifiedName& name);  // Quoted also if the name without quotes is a native type.
std::string PrintString(const std::string& text);      // In single quotes; quotes inside are doubled.
std::string PrintTerms(const std::vector<Term>& terms);
std::string PrintTypes(const std::vector<TypeName>& types);
std::string PrintWhere(const char* word, const std::vector<Condition>& conditions);
std::string PrintUsing(const UsingClause& clause);
std::string PrintSelectors(const std::vector<Selector>& selectors);

// One function for each statement of the CQL grammar.
std::string PrintStatement(const SelectStatement& s);
std::string PrintStatement(const InsertStatement& s);
std::string PrintStatement(const UpdateStatement& s);
std::string PrintStatement(const DeleteStatement& s);
std::string PrintStatement(const BatchStatement& s);
std::string PrintStatement(const TruncateStatement& s);
std::string PrintStatement(const UseStatement& s);
std::string PrintStatement(const CreateKeyspaceStatement& s);
std::string PrintStatement(const AlterKeyspaceStatement& s);
std::string PrintStatement(const DropKeyspaceStatement& s);
std::string PrintStatement(const CreateTableStatement& s);
std::string PrintStatement(const AlterTableStatement& s);
std::string PrintStatement(const DropTableStatement& s);
std::string PrintStatement(const CreateTypeStatement& s);
std::string PrintStatement(const AlterTypeStatement& s);
std::string PrintStatement(const DropTypeStatement& s);
std::string PrintStatement(const CreateIndexStatement& s);
std::string PrintStatement(const DropIndexStatement& s);
std::string PrintStatement(const CreateMaterializedViewStatement& s);
std::string PrintStatement(const AlterMaterializedViewStatement& s);
std::string PrintStatement(const DropMaterializedViewStatement& s);
std::string PrintStatement(const CreateFunctionStatement& s);
std::string PrintStatement(const CreateAggregateStatement& s);
std::string PrintStatement(const DropFunctionStatement& s);
std::string PrintStatement(const CreateTriggerStatement& s);
std::string PrintStatement(const DropTriggerStatement& s);
std::string PrintStatement(const CreateTableGroupStatement& s);
std::string PrintStatement(const DropTableGroupStatement& s);
std::string PrintStatement(const CreateRoleStatement& s);
std::string PrintStatement(const AlterRoleStatement& s);
std::string PrintStatement(const DropRoleStatement& s);
std::string PrintStatement(const GrantStatement& s);
std::string PrintStatement(const ListRolesStatement& s);
std::string PrintStatement(const IdentityStatement& s);
std::string PrintStatement(const DescribeStatement& s);
std::string PrintStatement(const ExplainStatement& s);
std::string PrintStatement(const AdviseStatement& s);

}  // namespace widerow
