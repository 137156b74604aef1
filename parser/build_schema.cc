// Builds the properties of WITH, and the statements about indexes, materialized views, functions and aggregates. The
// value of a property is a term. The planner checks the names of properties and the types of their values.
#include <algorithm>

#include "parser/builder.h"
#include "parser/narrow.h"
#include "parser/print.h"
#include "parser/syntax_error.h"
#include "types/schema.h"

namespace widerow {

namespace {

// True for table options that Cassandra does not have. In a dialect without extensions, the planner refuses them with
// Cassandra's message.
bool IsExtensionProperty(std::string_view name) {
  static constexpr std::string_view kNames[] = {"auto_split", "split_operations", "split_size_kb", "tablegroup"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

std::vector<Property> AstBuilder::BuildProperties(const std::vector<Parser::PropertyContext*>& contexts) {
  std::vector<Property> properties;
  for (Parser::PropertyContext* context : contexts) AddProperty(context, properties);
  return properties;
}

void AstBuilder::AddProperty(Parser::PropertyContext* context, std::vector<Property>& properties) {
  Property property;
  property.name = BuildIdentifier(context->ident());
  if (IsExtensionProperty(property.name.text)) UseExtension("the option " + property.name.text);
  property.range = RangeOf(context);
  RefuseWordAsValue(context);
  property.value =
      context->propertyMap() ? BuildPropertyMap(context->propertyMap()) : BuildPropertyValue(context->propertyValue());
  const auto same_name = [&](const Property& other) { return other.name == property.name; };
  if (std::any_of(properties.begin(), properties.end(), same_name)) {
    Fail(property.range, "Multiple definitions for property '" + property.name.text + "'", "keep one of them");
  }
  if (std::find(std::begin(kThroughputOptions), std::end(kThroughputOptions), property.name.text) !=
      std::end(kThroughputOptions)) {
    if (!extended()) Fail(property.range, "Unknown property '" + property.name.text + "'", NoExtensionsHint(dialect_));
    UseExtension(property.name.text);
  }
  properties.push_back(std::move(property));
}

// Refuses an extension's keyword as a value without quotes, such as comment = explain. Cassandra's own keywords may be
// such values.
void AstBuilder::RefuseWordAsValue(Parser::PropertyContext* context) {
  if (!context->propertyValue() || !context->propertyValue()->unreservedKeyword()) return;
  antlr4::Token* const word = context->propertyValue()->start;
  if (!IsExtensionWord(word->getType()) && word->getType() != CqlLexer::K_BETWEEN) return;
  Fail(RangeOf(word), NoViableMessage(source_, tokens_, *word, *context->start), "a text has single quotes");
}

Term AstBuilder::BuildPropertyValue(Parser::PropertyValueContext* context) {
  Literal value;
  value.text = (context->SIGN() ? "-" : "") + TokenValue(*context->stop);
  switch (context->stop->getType()) {
    case CqlLexer::INTEGER:
    case CqlLexer::NEGATIVE_INTEGER: value.kind = Literal::Kind::kInteger; break;
    case CqlLexer::FLOAT:
    case CqlLexer::NEGATIVE_FLOAT:
    case CqlLexer::K_POSITIVE_NAN:
    case CqlLexer::K_POSITIVE_INFINITY: value.kind = Literal::Kind::kFloat; break;
    case CqlLexer::BOOLEAN: value.kind = Literal::Kind::kBoolean; break;
    case CqlLexer::DURATION:
    case CqlLexer::NEGATIVE_DURATION: value.kind = Literal::Kind::kDuration; break;
    case CqlLexer::UUID: value.kind = Literal::Kind::kUuid; break;
    case CqlLexer::HEXNUMBER: value.kind = Literal::Kind::kHex; break;
    default: value.kind = Literal::Kind::kString; break;  // A string, or an unreserved keyword used as one.
  }
  return {std::move(value), RangeOf(context)};
}

// Builds {'class': 'x', 'enabled': true}. Only constants are allowed, and no key may be repeated.
Term AstBuilder::BuildPropertyMap(Parser::PropertyMapContext* context) {
  Term term = BuildMap(context->mapEntry(), Columns::kForbidden);
  term.range = RangeOf(context);
  const auto* map = std::get_if<MapTerm>(&term.node);
  if (!map) return term;
  const auto marker_note = [](const Term& of) {
    return std::holds_alternative<BindMarker>(of.node) ? " (bind variables are not supported in DDL queries)" : "";
  };
  std::set<std::string> seen;
  for (size_t i = 0; i < map->keys.size(); ++i) {
    const Term &key = map->keys[i], &value = map->values[i];
    const auto* name = std::get_if<Literal>(&key.node);
    if (!name) {
      Fail(key.range, "Invalid property name: " + Print(key) + marker_note(key));
    } else if (!std::holds_alternative<Literal>(value.node)) {
      Fail(value.range,
           "Invalid property value: " + Print(value) + " for property: " + Print(key) + marker_note(value));
    } else if (!seen.insert(name->text).second) {
      Fail(key.range, "Multiple definition for property " + name->text, "keep one of them");
    }
  }
  return term;
}

std::vector<Identifier> AstBuilder::BuildIndexPartition(Parser::IndexPartitionContext* context) {
  antlr4::Token* const open = context->start;
  if (!extended()) {
    std::string message = NoViableMessage(source_, tokens_, *open, *open);
    const std::string_view written = "no viable alternative at input '('";
    message.replace(message.find(written), written.size(), "mismatched input '(' expecting ')'");
    Fail(RangeOf(open), std::move(message), NoExtensionsHint(dialect_));
  }
  UseExtension("CREATE INDEX ON t ((k), v)");
  std::vector<Identifier> columns;
  for (Parser::ColumnNameContext* column : context->columnName()) columns.push_back(BuildColumn(column));
  return columns;
}

CreateIndexStatement AstBuilder::BuildCreateIndex(Parser::CreateIndexStatementContext* context) {
  CreateIndexStatement index;
  index.custom = !context->K_CUSTOM().empty();
  index.unique = !context->K_UNIQUE().empty();
  index.global = !context->K_GLOBAL().empty();
  index.local = !context->K_LOCAL().empty();
  for (const auto& [used, name] :
       {std::pair(index.unique, "UNIQUE"), std::pair(index.global, "GLOBAL"), std::pair(index.local, "LOCAL")}) {
    if (used) UseExtension(std::string("CREATE ") + name + " INDEX");
  }
  const auto refuse_second = [&](const std::vector<antlr4::tree::TerminalNode*>& words) {
    if (words.size() > 1) FailAtToken(words[1]->getSymbol(), "the word stands here twice");
  };
  refuse_second(context->K_CUSTOM());
  refuse_second(context->K_UNIQUE());
  refuse_second(context->K_GLOBAL());
  refuse_second(context->K_LOCAL());
  if (index.global && index.local) {
    FailAtToken(context->K_LOCAL(0)->getSymbol(), "an index is GLOBAL or LOCAL, not both");
  }
  index.if_not_exists = context->ifNotExists() != nullptr;
  if (context->QMARK()) RefuseMarkerAsName(context->QMARK()->getSymbol(), "index");
  if (context->ident()) {
    index.name = QualifiedName{{}, BuildIdentifier(context->ident()), RangeOf(context->ident())};
  }
  index.table = BuildTableName(context->tableName());
  if (context->indexPartition()) index.partition = BuildIndexPartition(context->indexPartition());
  for (Parser::IndexTargetContext* target : context->indexTarget()) {
    using Kind = IndexTargetClause::Kind;
    const Kind kind = target->K_VALUES()    ? Kind::kValues
                      : target->K_KEYS()    ? Kind::kKeys
                      : target->K_ENTRIES() ? Kind::kEntries
                      : target->K_FULL()    ? Kind::kFull
                                            : Kind::kSimple;
    index.targets.push_back({kind, BuildColumn(target->columnName())});
  }
  if (context->STRING_LITERAL()) index.using_class = BuildString(context->STRING_LITERAL());
  if (context->properties()) index.properties = BuildProperties(context->properties()->property());
  return index;
}

CreateMaterializedViewStatement AstBuilder::BuildCreateView(Parser::CreateViewStatementContext* context) {
  CreateMaterializedViewStatement view;
  view.name = BuildTableName(context->tableName(0));
  view.if_not_exists = context->ifNotExists() != nullptr;
  view.select.selectors = BuildSelectors(context->selectors());
  view.select.table = BuildTableName(context->tableName(1));
  if (context->whereClause()) view.select.where = BuildConditions(context->whereClause()->condition());
  AddPrimaryKey(context->primaryKey(), view.partition_key, view.clustering_key);
  for (Parser::ViewOptionContext* option : context->viewOption()) {
    if (option->property()) AddProperty(option->property(), view.properties);
    if (option->K_COMPACT()) {
      Fail(RangeOf(option), "COMPACT STORAGE tables are not allowed starting with version 4.0", "leave it out");
    }
    if (option->clusteringOrder()) {
      for (ClusteringOrder& order : BuildClusteringOrder(option->clusteringOrder())) {
        view.clustering_order.push_back(std::move(order));
      }
    }
  }
  return view;
}

CreateFunctionStatement AstBuilder::BuildCreateFunction(Parser::CreateFunctionStatementContext* context) {
  CreateFunctionStatement function;
  function.name = BuildFunctionName(context->functionName());
  function.or_replace = context->orReplace() != nullptr;
  function.if_not_exists = context->ifNotExists() != nullptr;
  for (Parser::FieldDefinitionContext* parameter : context->fieldDefinition()) {
    function.parameters.push_back({BuildIdentifier(parameter->ident()), BuildType(parameter->type())});
  }
  function.called_on_null_input = context->K_CALLED() != nullptr;
  function.returns = BuildType(context->type());
  function.language = BuildIdentifier(context->ident());
  function.body = BuildString(context->STRING_LITERAL());
  return function;
}

CreateAggregateStatement AstBuilder::BuildCreateAggregate(Parser::CreateAggregateStatementContext* context) {
  CreateAggregateStatement aggregate;
  aggregate.name = BuildFunctionName(context->functionName());
  aggregate.or_replace = context->orReplace() != nullptr;
  aggregate.if_not_exists = context->ifNotExists() != nullptr;
  aggregate.arguments = BuildTypeList(context->typeList());
  aggregate.state_function = BuildIdentifier(context->plainFunctionName(0));
  aggregate.state_type = BuildType(context->type());
  if (context->K_FINALFUNC()) aggregate.final_function = BuildIdentifier(context->plainFunctionName(1));
  if (context->K_INITCOND()) aggregate.initial_condition = BuildTerm(context->term(), Columns::kForbidden);
  return aggregate;
}

}  // namespace widerow
