#include "exec/engine/analyze.h"

#include <cstdio>
#include <set>

#include "base/text.h"
#include "exec/describe/describe.h"
#include "exec/rows/rows_writer.h"
#include "parser/parse.h"
#include "planner/access/prune.h"
#include "storage/format/key_codec.h"
#include "types/position.h"

namespace widerow {
namespace {

constexpr uint32_t kPageRows = 5'000;

std::string Millis(std::chrono::steady_clock::duration time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", std::chrono::duration<double, std::milli>(time).count());
  return text;
}

std::string Counted(uint64_t number, const char* one, const char* many) {
  return GroupedDigits(number) + " " + (number == 1 ? one : many);
}

std::string Percent(uint64_t part, uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

// Counts the partitions that the path scans; nullopt for a path by partition keys.
std::optional<PartitionCount> PartitionsScanned(const SelectPlan& plan) {
  if (const auto* scan = std::get_if<TokenScan>(&plan.access)) return CountPartitions(*plan.table, scan->bounds);
  if (const auto* scan = std::get_if<FilteredScan>(&plan.access)) return CountPartitions(*plan.table, scan->bounds);
  if (const auto* scan = std::get_if<KeyRangeScan>(&plan.access)) return CountPartitions(*plan.table, *scan);
  if (const auto* scan = std::get_if<IndexScan>(&plan.access)) return CountPartitions(*plan.table, scan->tokens);
  return std::nullopt;
}

std::vector<std::string> Lines(const Analysis& analysis) {
  std::vector<std::string> lines{"Analyzed"};
  const auto add = [&](const char* label, const std::string& text) {
    lines.push_back("  " + std::string(label) + text);
  };
  if (analysis.is_read) {
    std::string rows =
        GroupedDigits(analysis.rows_examined) + " examined, " + GroupedDigits(analysis.rows_returned) + " returned";
    if (analysis.rows_examined > 0) rows += " (" + Percent(analysis.rows_returned, analysis.rows_examined) + ")";
    add("rows     ", rows);
  } else {
    std::string rows = GroupedDigits(analysis.rows_written) + " written";
    if (analysis.applied) rows += *analysis.applied ? ": the conditions held" : ": the conditions did not hold";
    add("rows     ", rows);
  }
  if (analysis.codes_compared + analysis.vectors_compared > 0) {
    add("vectors  ", Counted(analysis.codes_compared, "code", "codes") + " compared, then " +
                         Counted(analysis.vectors_compared, "vector", "vectors"));
  }
  if (analysis.entries_counted + analysis.texts_scored > 0) {
    add("words    ", Counted(analysis.entries_counted, "entry", "entries") + " counted, " +
                         Counted(analysis.texts_scored, "text", "texts") + " scored");
  }
  add("partitions ", GroupedDigits(analysis.partitions_touched) + " touched, " +
                         GroupedDigits(analysis.partitions_pruned) + " pruned, " + GroupedDigits(analysis.partitions) +
                         " in all; " + Counted(analysis.partition_keys, "partition key", "partition keys"));
  add("bytes    ", analysis.is_read
                       ? GroupedDigits(analysis.bytes_read) + " read, " + GroupedDigits(analysis.bytes_returned) +
                             " returned in " + Counted(analysis.pages, "page", "pages")
                       : GroupedDigits(analysis.bytes_written) + " written");
  add("time     ", analysis.times.Text());
  return lines;
}

// Returns the plan's lines followed by the lines of the analysis.
RowsPage AnalysisRows(const Plan& plan, const Analysis& analysis) {
  RowsWriter rows;
  std::vector<std::string> lines = Explain(plan);
  for (std::string& line : Lines(analysis)) lines.push_back(std::move(line));
  for (const std::string& line : lines) {
    rows.Append(ByteView(line));
    rows.EndRow();
  }
  return std::move(rows).Finish(ExplainColumns());
}

// Sets the partition counts of `analysis`. A partition here is an entry of a table's partition map; it is touched if it
// contains the key of a partition that was read or written.
void CountPartitionsTouched(const std::vector<TablePtr>& tables, const TouchedPartitions& touched, Analysis& analysis) {
  for (const TablePtr& table : tables) analysis.partitions += table->partition_map.size();
  std::set<std::pair<const TableSchema*, uint32_t>> entries;
  std::set<std::pair<const TableSchema*, ByteView>> keys;
  for (const TouchedPartitions::One& one : touched.kept()) {
    Bytes prefix;
    AppendPartitionPrefix(*one.table, one.partition_key, prefix);
    entries.emplace(one.table.get(), PartitionIdOf(*one.table, ByteView(prefix).substr(sizeof(StorageId))));
    keys.emplace(one.table.get(), one.partition_key);
  }
  analysis.partitions_touched = entries.size();
  analysis.partitions_pruned = analysis.partitions - std::min(entries.size(), analysis.partitions);
  // A partition that is read in several pages, or written by several statements, counts once.
  analysis.partition_keys = touched.stride() == 1 ? keys.size() : touched.count();
}

}  // namespace

std::string StepTimes::Text() const {
  SteadyClock::duration all{};
  std::string steps;
  for (const auto& [step, time] : steps_) {
    all += time;
    steps += (steps.empty() ? "" : ", ") + std::string(step) + " " + Millis(time);
  }
  return Millis(all) + " ms: " + steps;
}

void Analyzer::TimePlanning(const PreparedStatement& statement, StepTimes& times) const {
  times = StepTimes();
  const Result<Statement> parsed = Parse(statement.text, state_.language.dialect);
  times.End("parse");
  if (!parsed.ok()) return;
  const Result<Plan> planned =
      PlanStatement(*parsed, *state_.Schema(), {.current_keyspace = statement.keyspace, .language = state_.language});
  times.End("plan");
}

Result<Outcome> Analyzer::Run(const AdmittedRequest& request) const {
  const auto& plan = request.plan_as<ExplainPlan>();
  Analysis analysis;
  TimePlanning(request.statement(), analysis.times);
  PreparedStatement inner = request.statement();
  inner.record = nullptr;  // EXPLAIN ANALYZE of a statement is not recorded as an execution of it.
  Plan within = *plan.plan;
  within.markers = request.plan().markers;
  inner.SetPlan(std::move(within));
  if (const auto* select = std::get_if<SelectPlan>(&inner.plan->node)) {
    inner.columns = ResultColumnsOf(*select);
    WR_RETURN_IF_ERROR(AnalyzeRead(inner, request.parameters(), analysis));
  } else {
    WR_RETURN_IF_ERROR(AnalyzeWrite(inner, request.parameters(), analysis));
  }
  return Outcome{.result = AnalysisRows(*plan.plan, analysis), .warnings = std::move(analysis.warnings)};
}

Status Analyzer::AnalyzeRead(const PreparedStatement& statement, const RequestParameters& parameters,
                             Analysis& analysis) const {
  const auto& plan = std::get<SelectPlan>(statement.plan->node);
  RequestParameters whole = parameters;
  whole.page_rows = plan.merge_partitions ? 0 : kPageRows;
  whole.paging_state.clear();
  WR_ASSIGN_OR_RETURN(const Permit permit, state_.gate.Admit(*statement.plan, whole));
  AdmittedRequest request(permit, statement, whole);
  ReadAccount account(state_, statement.record.get(), plan.table);
  ScanMeter& meter = account.Measure();
  meter.times_filter = !plan.filter.empty();
  WR_RETURN_IF_ERROR(request.Bind());
  WR_RETURN_IF_ERROR(account.Admit());
  analysis.times.End("bind");
  do {
    WR_ASSIGN_OR_RETURN(const RowsPage page, reads_.MeasuredPage(request, meter));
    analysis.rows_returned += page.row_count;
    analysis.bytes_returned += page.body.size();
    ++analysis.pages;
    whole.paging_state = page.paging_state;
  } while (!whole.paging_state.empty());
  analysis.times.End("read");
  account.End(analysis.rows_returned, analysis.bytes_returned);
  const TouchedPartitions& touched = meter.touched();
  if (meter.times_filter) analysis.times.MoveFromLast("filter", std::chrono::nanoseconds(meter.filter_nanos));
  analysis.rows_examined = touched.rows();
  analysis.bytes_read = touched.bytes();
  analysis.codes_compared = meter.codes_compared;
  analysis.vectors_compared = meter.vectors_compared;
  analysis.entries_counted = meter.entries_counted;
  analysis.texts_scored = meter.texts_scored;
  CountPartitionsTouched({plan.table}, touched, analysis);
  // A scan also looks into partitions in which it finds no rows. Such a partition is neither touched nor pruned.
  if (const std::optional<PartitionCount> scanned = PartitionsScanned(plan)) {
    analysis.partitions_pruned = analysis.partitions - scanned->touched;
  }
  return OkStatus();
}

Status Analyzer::AnalyzeWrite(const PreparedStatement& statement, const RequestParameters& parameters,
                              Analysis& analysis) const {
  analysis.is_read = false;
  WR_ASSIGN_OR_RETURN(const Permit permit, state_.gate.Admit(*statement.plan, parameters));
  AdmittedRequest request(permit, statement, parameters);
  TouchedPartitions touched;
  const auto bound = [&](const BuiltWrite& built) {
    touched.Add(built.named());
    analysis.times.End("bind");
  };
  WR_ASSIGN_OR_RETURN(const std::shared_ptr<RowsPage> rows, writes_.Analyzed(request, bound, analysis.warnings));
  analysis.times.End("commit");
  if (rows != nullptr) analysis.applied = IsApplied(*rows);
  if (analysis.applied.value_or(true)) {
    analysis.rows_written = touched.rows();
    analysis.bytes_written = touched.bytes();
  }
  CountPartitionsTouched(statement.plan->tables, touched, analysis);
  return OkStatus();
}

}  // namespace widerow
