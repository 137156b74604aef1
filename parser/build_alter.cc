#include "parser/builder.h"

namespace widerow {

AlterTableStatement AstBuilder::BuildAlterTable(Parser::AlterTableStatementContext* context) {
  AlterTableStatement alter;
  alter.name = BuildTableName(context->tableName());
  alter.if_exists = context->ifExists() != nullptr;
  alter.action = BuildAlterAction(context->alterTableAction());
  return alter;
}

decltype(AlterTableStatement::action) AstBuilder::BuildAlterAction(Parser::AlterTableActionContext* context) {
  using S = AlterTableStatement;
  if (auto* c = dynamic_cast<Parser::AlterColumnTypeContext*>(context)) {
    return S::AlterType{false, BuildIdentifier(c->ident()), BuildType(c->type())};
  }
  if (auto* c = dynamic_cast<Parser::AlterGeneratedColumnContext*>(context)) {
    return S::AlterGenerated{BuildIdentifier(c->ident()), BuildTerm(c->generatedClause()->term(), Columns::kAllowed)};
  }
  if (auto* c = dynamic_cast<Parser::AlterColumnMaskContext*>(context)) {
    S::AlterMask mask{c->ifExists() != nullptr, BuildIdentifier(c->ident()), {}};
    if (c->columnMask()) mask.mask = BuildMask(c->columnMask());
    return mask;
  }
  if (auto* c = dynamic_cast<Parser::AddColumnsContext*>(context)) {
    S::AddColumns add{c->ifNotExists() != nullptr, {}};
    for (Parser::ColumnDefinitionContext* column : c->columnDefinition()) {
      add.columns.push_back(BuildColumnDefinition(column));
      // Cassandra's grammar does not allow PRIMARY KEY here.
      if (column->K_PRIMARY()) FailAtToken(column->K_PRIMARY()->getSymbol(), "a table's primary key cannot be changed");
    }
    return add;
  }
  if (auto* c = dynamic_cast<Parser::DropColumnsContext*>(context)) {
    S::DropColumns drop{c->ifExists() != nullptr, BuildIdentifiers(c->ident()), {}};
    if (auto* const micros = c->INTEGER() != nullptr ? c->INTEGER() : c->NEGATIVE_INTEGER()) {
      drop.timestamp = Term{Literal{Literal::Kind::kInteger, micros->getText()}, RangeOf(micros)};
    }
    return drop;
  }
  if (auto* c = dynamic_cast<Parser::RenameColumnsContext*>(context)) {
    return S::RenameColumns{c->ifExists() != nullptr, BuildRenamings(c->renaming())};
  }
  if (dynamic_cast<Parser::DropCompactStorageContext*>(context)) return S::DropCompactStorage{};
  if (auto* c = dynamic_cast<Parser::SetPropertiesContext*>(context)) {
    return S::SetProperties{BuildProperties(c->properties()->property())};
  }
  return BuildAlterPartitions(context);
}

AlterTableStatement::AlterPartitions AstBuilder::BuildAlterPartitions(Parser::AlterTableActionContext* context) {
  using Kind = AlterTableStatement::AlterPartitions::Kind;
  AlterTableStatement::AlterPartitions result;
  UseExtension("ALTER TABLE … PARTITION");
  if (auto* add = dynamic_cast<Parser::AddPartitionsContext*>(context)) {
    result.kind = Kind::kAdd;
    if (add->ident()) result.into.push_back(BuildPartition(add->ident(), add->partitionValues()));
    if (add->partitionDefinitions()) result.into = BuildPartitions(add->partitionDefinitions());
  } else if (auto* remove = dynamic_cast<Parser::RemovePartitionsContext*>(context)) {
    result.kind = remove->K_DROP() ? Kind::kDrop : Kind::kTruncate;
    result.names = BuildIdentifiers(remove->ident());
  } else if (auto* split = dynamic_cast<Parser::SplitPartitionContext*>(context)) {
    result.kind = Kind::kSplit;
    result.names.push_back(BuildIdentifier(split->ident()));
    result.at = BuildTerms(split->term(), Columns::kForbidden);
    if (split->partitionDefinitions()) result.into = BuildPartitions(split->partitionDefinitions());
  } else if (auto* merge = dynamic_cast<Parser::MergePartitionsContext*>(context)) {
    result.kind = merge->K_MERGE() ? Kind::kMerge : Kind::kReorganize;
    result.names = BuildIdentifiers(merge->ident());
    result.into = BuildPartitions(merge->partitionDefinitions());
  }
  return result;
}

CreateTypeStatement AstBuilder::BuildCreateType(Parser::CreateTypeStatementContext* context) {
  CreateTypeStatement create;
  create.name = BuildUserTypeName(context->typeName());
  create.if_not_exists = context->ifNotExists() != nullptr;
  for (Parser::FieldDefinitionContext* field : context->fieldDefinition()) create.fields.push_back(BuildField(field));
  return create;
}

AlterTypeStatement AstBuilder::BuildAlterType(Parser::AlterTypeStatementContext* context) {
  AlterTypeStatement alter;
  alter.name = BuildUserTypeName(context->typeName());
  // IF [NOT] EXISTS can come before the type's name and before the field's.
  for (Parser::IfExistsContext* clause : context->ifExists()) {
    const bool of_type = clause->start->getTokenIndex() < context->typeName()->start->getTokenIndex();
    (of_type ? alter.if_exists : alter.if_field_exists) = true;
  }
  alter.if_field_not_exists = context->ifNotExists() != nullptr;
  if (context->K_ADD()) {
    alter.add.push_back(BuildField(context->fieldDefinition()));
  } else if (context->K_RENAME()) {
    alter.renames = BuildRenamings(context->renaming());
  } else {
    alter.alter = FieldDefinition{BuildIdentifier(context->ident()), BuildType(context->type())};
  }
  return alter;
}

FieldDefinition AstBuilder::BuildField(Parser::FieldDefinitionContext* context) {
  return {BuildIdentifier(context->ident()), BuildType(context->type())};
}

std::vector<std::pair<Identifier, Identifier>> AstBuilder::BuildRenamings(
    const std::vector<Parser::RenamingContext*>& contexts) {
  std::vector<std::pair<Identifier, Identifier>> renames;
  for (Parser::RenamingContext* renaming : contexts) {
    renames.emplace_back(BuildIdentifier(renaming->ident(0)), BuildIdentifier(renaming->ident(1)));
  }
  return renames;
}

}  // namespace widerow
