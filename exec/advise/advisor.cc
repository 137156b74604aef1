// For each table, Advise collects facts (declaration, partition map, heat, sample) in facts_, and the recorded
// statements that use the table (AddLoad). advise::Advise then judges the facts. ADVISE STATEMENT plans the statement
// without running it and keeps only findings about statements. AdviceRows turns findings into rows.

#include "exec/advise/advisor.h"

#include <algorithm>
#include <array>

#include "advise/advise.h"
#include "advise/statement_load.h"
#include "exec/advise/heat_facts.h"
#include "exec/advise/table_facts.h"
#include "exec/advise/wanted_indexes.h"
#include "exec/balance/partition_middle.h"
#include "exec/rows/rows_writer.h"
#include "exec/virtual/virtual_tables.h"
#include "parser/parse.h"
#include "parser/print.h"
#include "planner/ddl/edit/apply_ddl.h"
#include "planner/system_keyspaces.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

using advise::Facts;
using advise::TableFacts;

class Advisor {
 public:
  Advisor(const AdviseStatement& statement, const AdviceRequest& request) : statement_(statement), request_(request) {
    facts_.schema = request.schema;
    facts_.extensions = request.language.dialect == Dialect::kWiderow;
  }

  Result<advise::Findings> Run() {
    using Kind = AdviseStatement::Kind;
    switch (statement_.kind) {
      case Kind::kTable: WR_RETURN_IF_ERROR(AddNamed()); break;
      case Kind::kAll: WR_RETURN_IF_ERROR(AddAll(true)); break;
      case Kind::kSchema: WR_RETURN_IF_ERROR(AddAll(false)); break;
      case Kind::kStatement: return OfStatement(statement_.statement[0]);
    }
    if (statement_.kind != Kind::kSchema) AddLoad();
    return advise::Advise(facts_);
  }

 private:
  Status AddNamed() {
    const QualifiedName& name = *statement_.table;
    const std::string keyspace = name.keyspace ? name.keyspace->text : request_.current_keyspace;
    if (keyspace.empty()) {
      return InvalidAt(name.range,
                       "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
    }
    if (request_.schema->FindKeyspace(keyspace) == nullptr)
      return InvalidAt(name.range, "keyspace " + keyspace + " does not exist");
    const TablePtr table = request_.schema->FindTable(keyspace, name.name.text);
    if (table == nullptr) return InvalidAt(name.range, "table " + name.name.text + " does not exist");
    if (IsSystemKeyspace(keyspace)) {
      return InvalidAt(name.range, "table " + keyspace + "." + name.name.text + " is the server's own",
                       "ADVISE is about tables of yours");
    }
    return Add(table, true);
  }

  Status AddAll(bool with_data) {
    constexpr std::chrono::milliseconds kTimeOfAll{10'000}, kTimeOfTableMin{50};
    std::vector<TablePtr> tables;
    for (const auto& [name, keyspace] : request_.schema->keyspaces) {
      if (IsSystemKeyspace(name) || (!request_.current_keyspace.empty() && name != request_.current_keyspace)) continue;
      for (const auto& [table_name, table] : keyspace->tables) tables.push_back(table);
    }
    const auto share = kTimeOfAll / std::max<int64_t>(static_cast<int64_t>(tables.size()), 1);
    limits_.time = std::clamp(share, kTimeOfTableMin, limits_.time);
    for (const TablePtr& table : tables) WR_RETURN_IF_ERROR(Add(table, with_data));
    return OkStatus();
  }

  Status Add(const TablePtr& table, bool with_data) {
    facts_.tables.push_back(DeclaredFacts(table));
    if (!with_data || IsVirtual(*table)) return OkStatus();
    TableFacts& added = facts_.tables.back();
    AddCounters(request_.storage, added);
    if (request_.heat != nullptr) added.heat = HeatFactsOf(*request_.heat, *table);
    WR_ASSIGN_OR_RETURN(added.sample, SampleTable(request_.storage, table, limits_));
    return OkStatus();
  }

  void AddLoad() {
    for (const RecordedStatement& recorded : request_.load) {
      for (advise::LoadOfTable& of : LoadsOf(recorded)) {
        const auto table = std::ranges::find(facts_.tables, of.table, &TableFacts::table);
        if (table == facts_.tables.end()) continue;
        of.load.calls = recorded.calls;
        of.load.rows_examined = recorded.rows_examined;
        of.load.rows_returned = recorded.rows_returned;
        of.load.micros = recorded.micros;
        table->load.push_back(std::move(of.load));
      }
    }
  }

  // Returns how the statement uses its tables, from the recorded plan or, if a table has changed, from a new plan.
  std::vector<advise::LoadOfTable> LoadsOf(const RecordedStatement& recorded) const {
    if (recorded.plan != nullptr && std::ranges::all_of(recorded.plan->tables, [&](const TablePtr& table) {
          return request_.schema->FindTable(table->keyspace, table->name) == table;
        })) {
      return advise::LoadsOf(*recorded.plan, recorded.text);
    }
    const Result<Statement> statement = Parse(recorded.text, request_.language.dialect);
    if (!statement.ok()) return {};
    const Result<Plan> plan = PlanStatement(*statement, *request_.schema,
                                            {.current_keyspace = recorded.keyspace, .language = request_.language});
    return plan.ok() ? advise::LoadsOf(*plan, recorded.text) : std::vector<advise::LoadOfTable>();
  }

  Result<advise::Findings> OfStatement(const Statement& statement) {
    if (std::holds_alternative<CreateTableStatement>(statement.node) ||
        std::holds_alternative<AlterTableStatement>(statement.node)) {
      return OfDefinition(statement);
    }
    const PlanContext context{.current_keyspace = request_.current_keyspace, .language = request_.language};
    Result<Plan> plan = PlanStatement(statement, *request_.schema, context);
    std::vector<advise::WantedIndex> wanted;
    if (const auto* select = std::get_if<SelectStatement>(&statement.node); select != nullptr && !plan.ok()) {
      // The statement may be refused because it lacks ALLOW FILTERING or an index. Such a statement needs advice most,
      // so it is planned as if it had what it lacks.
      Statement filtering = statement;
      std::get<SelectStatement>(filtering.node).allow_filtering = true;
      Result<Plan> again = PlanStatement(filtering, *request_.schema, context);
      std::optional<PlanWithIndexes> indexed;
      if (!again.ok()) indexed = PlanWithMissingIndexes(*select, request_.schema, context);
      if (again.ok()) {
        plan = std::move(again);
      } else if (indexed) {
        plan = std::move(indexed->plan);
        wanted = std::move(indexed->wanted);
      }
    }
    if (!plan.ok()) return plan.error();
    const Plan& made = *plan;
    for (advise::LoadOfTable& of : advise::LoadsOf(made, Print(statement))) {
      of.load.wanted = wanted;
      // The table of the plan may have indexes that the real table lacks. The facts are those of the real table.
      const TablePtr table = request_.schema->FindTable(of.table->keyspace, of.table->name);
      facts_.tables.push_back(DeclaredFacts(table));
      facts_.tables.back().load.push_back(std::move(of.load));
    }
    return OnlyOfStatements(advise::Advise(facts_));
  }

  // Judges the table that CREATE TABLE or ALTER TABLE would make. Nothing is stored.
  Result<advise::Findings> OfDefinition(const Statement& statement) {
    DdlContext context{
        .current_keyspace = request_.current_keyspace, .new_storage_id = [] { return StorageId{1}; }, .now_micros = 0};
    context.middle_of = [this](const TableSchema& table, size_t index) {
      return FindMiddle(request_.storage, table, index);
    };
    WR_ASSIGN_OR_RETURN(const DdlResult result, ApplyDdl(statement, request_.schema, context));
    if (!result.change) return advise::Findings();
    facts_.schema = result.schema;
    const TablePtr table = result.schema->FindTable(result.change->keyspace, result.change->name);
    if (table == nullptr) return advise::Findings();
    facts_.tables.push_back(DeclaredFacts(table));
    facts_.tables.back().exists = request_.schema->FindTable(table->keyspace, table->name) != nullptr;
    return advise::Advise(facts_);
  }

  // Drops the findings about the table itself: ADVISE TABLE reports those.
  static advise::Findings OnlyOfStatements(advise::Findings findings) {
    constexpr std::array<std::string_view, 7> kCodes = {
        "missing-index",  "missing-search-index", "missing-desc", "full-scan-read",
        "filtering-read", "many-partitions-read", "unmerged-salt"};
    std::erase_if(findings, [&](const advise::Finding& finding) {
      return std::ranges::find(kCodes, finding.code) == kCodes.end();
    });
    return findings;
  }

  const AdviseStatement& statement_;
  const AdviceRequest& request_;
  SampleLimits limits_ = request_.limits;
  Facts facts_;
};

}  // namespace

Result<advise::Findings> Advise(const AdviseStatement& statement, const AdviceRequest& request) {
  return Advisor(statement, request).Run();
}

ResultColumnsPtr AdviceColumns() {
  static const ResultColumnsPtr columns = [] {
    auto made = std::make_shared<ResultColumns>();
    const TypePtr& text = ScalarType(TypeKind::kText);
    for (const char* const name : {"code", "severity", "confidence", "keyspace_name", "table_name"})
      made->push_back({"system", "advise", name, text});
    made->push_back({"system", "advise", "columns", ListType(text, true)});
    for (const char* const name : {"evidence", "why", "fix"}) made->push_back({"system", "advise", name, text});
    return made;
  }();
  return columns;
}

RowsPage AdviceRows(const advise::Findings& findings) {
  const TypePtr names = ListType(ScalarType(TypeKind::kText), true);
  RowsWriter rows;
  for (const advise::Finding& finding : findings) {
    rows.Append(ByteView(finding.code));
    rows.Append(ByteView(advise::SeverityName(finding.severity)));
    rows.Append(ByteView(advise::ConfidenceName(finding.confidence)));
    rows.Append(ByteView(finding.keyspace));
    rows.Append(ByteView(finding.table));
    const Bytes columns =
        JoinCollection(*names, std::vector<ValueView>(finding.columns.begin(), finding.columns.end()));
    rows.Append(ByteView(columns));
    rows.Append(ByteView(finding.evidence));
    rows.Append(ByteView(finding.why));
    rows.Append(finding.fix.empty() ? ValueView() : ValueView(finding.fix));
    rows.EndRow();
  }
  return std::move(rows).Finish(AdviceColumns());
}

}  // namespace widerow
