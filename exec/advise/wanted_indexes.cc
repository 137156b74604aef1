#include "exec/advise/wanted_indexes.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "parser/parse.h"
#include "planner/ddl/edit/apply_ddl.h"

namespace widerow {
namespace {

using advise::WantedIndex;

class Wishes {
 public:
  Wishes(const SelectStatement& statement, const TableSchema& table) : table_(table) {
    for (const Condition& condition : statement.where) AddCondition(condition);
    for (const Ordering& order : statement.order_by) AddOrder(order);
  }
  std::vector<WantedIndex> Take() && { return std::move(wanted_); }

 private:
  static constexpr const char* kSasi =
      "'org.apache.cassandra.index.sasi.SASIIndex' WITH OPTIONS = {'mode': 'CONTAINS'}";
  static constexpr const char* kWords = "'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'}";

  void AddCondition(const Condition& condition) {
    std::visit(Overloaded{
                   [&](const Relation& relation) {
                     if (relation.target.kind != RelationTarget::Kind::kColumn) return;
                     const std::string& column = relation.target.columns[0].text;
                     if (relation.op == CompareOp::kLike) Add(column, "LIKE", "CUSTOM ", kSasi);
                     if (relation.op == CompareOp::kMatches) Add(column, "':'", "CUSTOM ", kWords);
                   },
                   [&](const OrCondition& any) { AddAll(any.terms); },
                   [&](const AndCondition& all) { AddAll(all.terms); },
                   [&](const NotCondition& negated) { AddAll(negated.operand); },
                   [](const auto&) {},
               },
               condition.node);
  }
  void AddAll(const std::vector<Condition>& conditions) {
    for (const Condition& condition : conditions) AddCondition(condition);
  }
  void AddOrder(const Ordering& order) {
    if (!order.ann_of.empty())
      Add(order.column.text, "ANN OF", "", "'sai'");
    else if (!order.bm25_of.empty())
      Add(order.column.text, "BM25 OF", "CUSTOM ", kWords);
    else
      Add(order.column.text, "ORDER BY", "", "");
  }
  void Add(const std::string& name, const char* clause, const std::string& custom, const std::string& index_class) {
    for (uint32_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].name != name) continue;
      wanted_.push_back({.column = i,
                         .clause = clause,
                         .create = StrCat("CREATE ", custom, "INDEX ON ", QuoteIdentifier(table_.keyspace), ".",
                                          QuoteIdentifier(table_.name), " (", QuoteIdentifier(name), ")",
                                          index_class.empty() ? "" : " USING ", index_class, ";")});
    }
  }

  const TableSchema& table_;
  std::vector<WantedIndex> wanted_;
};

// Plans the statement as if its table had these indexes. Returns nullopt if the statement is refused even then.
std::optional<Plan> PlanWith(const std::vector<WantedIndex>& indexes, const Statement& statement, SchemaPtr schema,
                             const PlanContext& context) {
  DdlContext ddl{.current_keyspace = context.current_keyspace, .new_storage_id = [] { return StorageId{1}; }};
  ddl.extended = context.language.dialect == Dialect::kWiderow;
  for (const WantedIndex& index : indexes) {
    const Result<Statement> create = Parse(index.create, context.language.dialect);
    if (!create.ok()) return std::nullopt;
    Result<DdlResult> made = ApplyDdl(*create, schema, ddl);
    if (!made.ok()) return std::nullopt;
    schema = std::move(made->schema);
  }
  Result<Plan> plan = PlanStatement(statement, *schema, context);
  return plan.ok() ? std::optional(std::move(*plan)) : std::nullopt;
}

}  // namespace

std::optional<PlanWithIndexes> PlanWithMissingIndexes(const SelectStatement& select, const SchemaPtr& schema,
                                                      const PlanContext& context) {
  const std::string& keyspace = select.table.keyspace ? select.table.keyspace->text : context.current_keyspace;
  const TablePtr table = schema->FindTable(keyspace, select.table.name.text);
  if (table == nullptr) return std::nullopt;
  Statement statement{select};
  auto& changed = std::get<SelectStatement>(statement.node);
  changed.allow_filtering = true;
  changed.allow_sorting = false;
  std::vector<WantedIndex> wanted = Wishes(select, *table).Take();
  // Removes indexes that cannot be created, because the table has them already.
  std::erase_if(wanted, [&](const WantedIndex& index) {
    const Result<Statement> create = Parse(index.create, context.language.dialect);
    DdlContext ddl{.current_keyspace = {}, .new_storage_id = [] { return StorageId{1}; }};
    return !create.ok() || !ApplyDdl(*create, schema, ddl).ok();
  });
  std::optional<Plan> plan = PlanWith(wanted, statement, schema, context);
  if (!plan) return std::nullopt;
  // An index is wanted only if the statement is refused without it.
  for (size_t i = 0; i < wanted.size();) {
    std::vector<WantedIndex> fewer = wanted;
    fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
    std::optional<Plan> without = PlanWith(fewer, statement, schema, context);
    if (without) {
      wanted = std::move(fewer);
      plan = std::move(without);
    } else {
      ++i;
    }
  }
  if (wanted.empty()) return std::nullopt;
  return PlanWithIndexes{std::move(*plan), std::move(wanted)};
}

}  // namespace widerow
