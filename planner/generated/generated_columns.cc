// Compiler plans all expressions of a table. Compile() plans one expression. If it names other generated columns,
// Compile() plans these too and replaces their names by their expressions. The state of an expression (new, open, done)
// shows cycles. Describe() computes the sources, the order and the class of an expression. Finally CheckGeneratedKey
// (planner/generated/check_expression.h) checks all expressions together.
#include "planner/generated/generated_columns.h"

#include <algorithm>
#include <set>

#include "parser/parse.h"
#include "parser/print.h"
#include "planner/function.h"
#include "planner/generated/check_expression.h"
#include "planner/generated/expression_order.h"
#include "planner/terms/prepare_selector.h"
#include "planner/terms/term_parts.h"
#include "planner/walk.h"

namespace widerow {
namespace {

// Calls `visit` with the parts of `expression` first, then with `expression` itself.
void ForEachNode(Expression& expression, const std::function<void(Expression&)>& visit) {
  ForEachInside(expression, [&](Expression& part) { ForEachNode(part, visit); });
  visit(expression);
}

class Compiler {
 public:
  Compiler(const TableSchema& table, const SchemaSnapshot& schema, const std::map<std::string, Term>& written)
      : table_(table),
        schema_(schema),
        written_(written),
        expressions_(table.columns.size()),
        states_(table.columns.size()) {}

  Result<std::shared_ptr<const GeneratedColumns>> Run(std::vector<std::string>* warnings) {
    auto made = std::make_shared<GeneratedColumns>();
    for (uint32_t i = 0; i < table_.columns.size(); ++i) {
      if (!table_.columns[i].is_generated()) continue;
      WR_RETURN_IF_ERROR(Compile(i));
      made->columns.push_back(Describe(i));
    }
    if (made->columns.empty()) return std::shared_ptr<const GeneratedColumns>();
    std::set<uint32_t> key_sources;
    for (const GeneratedColumn& column : made->columns) {
      if (!table_.columns[column.column].is_key()) continue;
      for (const uint32_t source : column.sources) {
        if (!table_.columns[source].is_key()) key_sources.insert(source);
      }
    }
    made->key_sources.assign(key_sources.begin(), key_sources.end());
    WR_RETURN_IF_ERROR(CheckGeneratedKey(table_, *made, Ranges(), warnings));
    return std::shared_ptr<const GeneratedColumns>(std::move(made));
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };

  SourceRange RangeOf(uint32_t column) const {
    const auto term = written_.find(table_.columns[column].name);
    return term == written_.end() ? SourceRange{} : term->second.range;
  }
  std::map<uint32_t, SourceRange> Ranges() const {
    std::map<uint32_t, SourceRange> ranges;
    for (uint32_t i = 0; i < table_.columns.size(); ++i) ranges[i] = RangeOf(i);
    return ranges;
  }

  // Plans the expression of column `index`. Then plans the generated columns that the expression names, and replaces
  // their names by their expressions.
  Status Compile(uint32_t index) {
    const ColumnSchema& column = table_.columns[index];
    if (states_[index] == State::kDone) return OkStatus();
    if (states_[index] == State::kOpen) {
      return InvalidAt(RangeOf(index), "Generated column " + column.name + " is derived from itself",
                       "its expression " + column.generated_as + " leads back to it");
    }
    states_[index] = State::kOpen;
    WR_ASSIGN_OR_RETURN(Expression expression, Plan(column));
    WR_RETURN_IF_ERROR(CheckExpression(expression, column, table_, RangeOf(index)));
    if (written_.contains(column.name)) WR_RETURN_IF_ERROR(CheckConstants(expression, RangeOf(index)));
    Status nested = OkStatus();
    ForEachNode(expression, [&](Expression& node) {
      const auto* named = std::get_if<ColumnExpression>(&node.node);
      if (named == nullptr || !table_.columns[named->column].is_generated() || !nested.ok()) return;
      const uint32_t other = named->column;
      nested = Compile(other);
      if (nested.ok()) nested = RefuseRandom(other, index);
      if (nested.ok()) node = expressions_[other];
    });
    WR_RETURN_IF_ERROR(std::move(nested));
    ForEachNode(expression, [](Expression& node) { node.range = {}; });
    expressions_[index] = std::move(expression);
    states_[index] = State::kDone;
    return OkStatus();
  }

  Status RefuseRandom(uint32_t other, uint32_t index) const {
    if (CallOf(expressions_[other], "random") == nullptr) return OkStatus();
    return InvalidAt(RangeOf(index), "Generated column " + table_.columns[index].name + " is derived from " +
                                         table_.columns[other].name +
                                         ", which is random: it could not be derived again");
  }

  Result<Expression> Plan(const ColumnSchema& column) {
    std::optional<Term> parsed;
    auto written = written_.find(column.name);
    if (written == written_.end()) { WR_ASSIGN_OR_RETURN(parsed, ParseRowTerm(column.generated_as)); }
    const Term& term = parsed ? *parsed : written->second;
    const PlanContext context{.current_keyspace = table_.keyspace, .language = {}};
    Planning planning{.schema = schema_, .context = context, .table = TablePtr(TablePtr(), &table_)};
    Result<OutputColumn> output = PrepareSelector({.term = term, .alias = {}}, planning);
    if (!output.ok()) {
      Error error = std::move(output).error();
      if (parsed) error.range.reset();
      return error;
    }
    if (!planning.markers.empty()) {
      return InvalidAt(term.range, "Bind variables cannot be used in GENERATED ALWAYS AS: nobody binds them later");
    }
    return std::move(output->expression);
  }

  GeneratedColumn Describe(uint32_t index) const {
    GeneratedColumn column{
        .column = index, .expression = expressions_[index], .sources = {}, .order = OrderOf(expressions_[index])};
    std::set<uint32_t> sources;
    VisitColumns(column.expression, [&](uint32_t source) { sources.insert(source); });
    column.sources.assign(sources.begin(), sources.end());
    column.random = CallOf(column.expression, "random") != nullptr;
    column.generated_class = IsFinite(column.expression)    ? GeneratedClass::kFinite
                             : column.order.columns.empty() ? GeneratedClass::kScattering
                                                            : GeneratedClass::kMonotone;
    return column;
  }

  const TableSchema& table_;
  const SchemaSnapshot& schema_;
  const std::map<std::string, Term>& written_;
  std::vector<Expression> expressions_;  // The planned expression of each column.
  std::vector<State> states_;
};

using Renames = std::vector<std::pair<std::string, std::string>>;

void Rename(Identifier& column, const Renames& renames) {
  const auto found =
      std::find_if(renames.begin(), renames.end(), [&](const auto& from_to) { return from_to.first == column.text; });
  if (found != renames.end()) column.text = found->second;
}

bool IsMap(const TypeName& type) {
  const std::string& name = type.name.name.text;
  return name == "map" || (name == "frozen" && IsMap(type.arguments[0]));
}

// Renames columns in an expression as written.
void RenameIn(Term& term, const Renames& renames) {
  if (auto* column = std::get_if<ColumnRef>(&term.node)) Rename(column->name, renames);
  if (auto* hint = std::get_if<TypeHint>(&term.node); hint != nullptr && IsMap(hint->type)) {
    // The parser takes {a: 1} for a value of a user-defined type with a field a. In a map, a is a column.
    if (auto* map = std::get_if<UdtTerm>(&hint->operand[0].node)) {
      for (Identifier& key : map->names) Rename(key, renames);
    }
  }
  ForEachPart(term, [&](Term& part) { RenameIn(part, renames); });
}

}  // namespace

const GeneratedColumn* GeneratedColumns::Of(uint32_t column) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const GeneratedColumn& c) { return c.column == column; });
  return found == columns.end() ? nullptr : &*found;
}

bool GeneratedColumns::IsKeySource(uint32_t column) const {
  return std::binary_search(key_sources.begin(), key_sources.end(), column);
}

const char* ClassName(GeneratedClass generated_class) {
  switch (generated_class) {
    case GeneratedClass::kMonotone: return "monotone";
    case GeneratedClass::kFinite: return "finite";
    case GeneratedClass::kScattering: return "scattering";
  }
  return "";
}

Result<std::shared_ptr<const GeneratedColumns>> CompileGeneratedColumns(const TableSchema& table,
                                                                        const SchemaSnapshot& schema,
                                                                        const std::map<std::string, Term>& written,
                                                                        std::vector<std::string>* warnings) {
  return Compiler(table, schema, written).Run(warnings);
}

SchemaPtr WithCompiledColumns(const SchemaPtr& loaded) {
  auto next = std::make_shared<SchemaSnapshot>(*loaded);
  bool changed = false;
  for (auto& [keyspace_name, keyspace] : next->keyspaces) {
    KeyspaceSchema copy = *keyspace;
    bool any = false;
    for (auto& [table_name, table] : copy.tables) {
      Result<std::shared_ptr<const GeneratedColumns>> made = CompileGeneratedColumns(*table, *loaded, {}, nullptr);
      // If the expressions cannot be planned, `generated` stays null, and CheckCompiled refuses statements on the
      // table.
      if (!made.ok() || *made == nullptr) continue;
      TableSchema compiled = *table;
      compiled.generated = std::move(*made);
      table = std::make_shared<const TableSchema>(std::move(compiled));
      any = true;
    }
    if (any) keyspace = std::make_shared<const KeyspaceSchema>(std::move(copy));
    changed = changed || any;
  }
  return changed ? next : loaded;
}

Result<std::string> RenameColumns(const std::string& expression,
                                  const std::vector<std::pair<std::string, std::string>>& renames) {
  WR_ASSIGN_OR_RETURN(Term term, ParseRowTerm(expression));
  RenameIn(term, renames);
  return Print(term);
}

}  // namespace widerow
