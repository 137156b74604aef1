#include "shell/heat_command.h"

#include <charconv>
#include <ctime>
#include <map>
#include <ostream>

#include "exec/heat/heat_picture.h"
#include "shell/lexer.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr uint32_t kHeatPageRows = 5'000;
constexpr size_t kBusyListed = 5;

struct HeatCommand {
  std::string keyspace, table;
  HeatAxis axis = HeatAxis::kKey;
  HeatMetric metric = HeatMetric::kWrites;
  int64_t minutes = 0;
};

Error Usage() {
  return InvalidError("Expected HEAT [KEYSPACE.]TABLE [BY KEY|TOKEN] [READS|WRITES|BYTES|TIME] [LAST n MINUTES]",
                      "HEAT shop.orders BY TOKEN READS LAST 60 MINUTES");
}

Result<HeatCommand> ParseHeat(const std::string& text, const std::string& keyspace) {
  const std::vector<ShellToken> tokens = LexShell(text);
  HeatCommand command{.keyspace = keyspace};
  if (tokens.size() < 2) return Usage();
  command.table = NameOf(tokens[1]);
  size_t at = 2;
  if (at + 1 < tokens.size() && IsPunctuation(tokens[at], '.')) {
    command.keyspace = command.table;
    command.table = NameOf(tokens[at + 1]);
    at += 2;
  }
  for (; at < tokens.size(); ++at) {
    const bool more = at + 1 < tokens.size();
    if (IsPunctuation(tokens[at], ';')) break;
    if (IsWord(tokens[at], "BY") && more) {
      const auto axis = HeatAxisFromName(ToLower(tokens[++at].text));
      if (!axis) return Usage();
      command.axis = *axis;
    } else if (IsWord(tokens[at], "LAST") && at + 2 < tokens.size() && IsWord(tokens[at + 2], "MINUTES")) {
      const std::string& number = tokens[at + 1].text;
      const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), command.minutes);
      if (code != std::errc() || end != number.data() + number.size() || command.minutes <= 0) return Usage();
      at += 2;
    } else if (const auto metric = HeatMetricFromName(ToLower(tokens[at].text))) {
      command.metric = *metric;
    } else {
      return Usage();
    }
  }
  if (command.keyspace.empty())
    return InvalidError("No keyspace has been specified", "USE a keyspace, or HEAT keyspace.table");
  return command;
}

std::string Quoted(const std::string& text) { return FormatLiteral(*ScalarType(TypeKind::kText), text); }

// Reads rows of the heat tables in system_views.
class HeatRows {
 public:
  HeatRows(const HeatCommand& command, Session& session) : command_(command), session_(session) {}

  // Calls `each` with the values of `columns`, row by row.
  template <typename Each>
  Status Read(const std::string& columns, const std::string& table, bool by_axis, const Each& each) {
    SessionRequest request{.text = "SELECT " + columns + " FROM system_views." + table + " WHERE keyspace_name = " +
                                   Quoted(command_.keyspace) + " AND table_name = " + Quoted(command_.table)};
    if (by_axis) request.text += " AND axis = '" + std::string(HeatAxisName(command_.axis)) + "'";
    request.parameters.page_rows = kHeatPageRows;
    do {
      WR_ASSIGN_OR_RETURN(const Outcome outcome, session_.Execute(request));
      const auto& page = std::get<RowsPage>(outcome.result);
      PageReader reader(page);
      for (std::vector<ValueView> row; reader.Next(row);) each(row);
      request.parameters.paging_state = page.paging_state;
    } while (!request.parameters.paging_state.empty());
    return OkStatus();
  }

 private:
  const HeatCommand& command_;
  Session& session_;
};

int64_t Number(const ValueView& value) { return value ? DecodeInteger(*value) : 0; }

std::string ErrorText(const ValueView& error) {
  return Number(error) == 0 ? "" : " ± " + std::to_string(Number(error));
}

Result<HeatPicture> ReadPicture(const HeatCommand& command, HeatRows& rows) {
  HeatPicture picture{.axis = command.axis};
  WR_RETURN_IF_ERROR(rows.Read("first_key", "heat_ranges", true, [&](const std::vector<ValueView>& row) {
    picture.firsts.emplace_back(row[0].value_or(""));
  }));
  const int64_t since = command.minutes == 0 ? 0 : std::time(nullptr) - 60 * command.minutes;
  std::map<int64_t, HeatPicture::Column> columns;
  WR_RETURN_IF_ERROR(
      rows.Read("slice_start, seconds, key_range, reads, writes, bytes, micros, reads_error, "
                "writes_error",
                "heat", true, [&](const std::vector<ValueView>& row) {
                  const int64_t begin = Number(row[0]) / 1'000;
                  const auto range = static_cast<size_t>(Number(row[2]));
                  if (begin + Number(row[1]) <= since || range >= picture.firsts.size()) return;
                  HeatPicture::Column& column = columns[begin];
                  column.begin_seconds = begin;
                  column.seconds = static_cast<int32_t>(Number(row[1]));
                  column.cells.resize(picture.firsts.size());
                  const auto count = [&](size_t i) { return static_cast<uint64_t>(Number(row[i])); };
                  const HeatCell cell{.reads = count(3),
                                      .writes = count(4),
                                      .bytes = count(5),
                                      .micros = count(6),
                                      .reads_guessed = count(7),
                                      .writes_guessed = count(8)};
                  column.cells[range].Add(cell);
                  column.all.Add(cell);
                  column.all.writes_guessed = 0;  // The sum of the writes is exact.
                }));
  for (auto& [begin, column] : columns) picture.columns.push_back(std::move(column));
  return picture;
}

}  // namespace

Status RunHeat(const std::string& text, const std::string& keyspace, Session& session, std::ostream& out) {
  WR_ASSIGN_OR_RETURN(const HeatCommand command, ParseHeat(text, keyspace));
  WR_ASSIGN_OR_RETURN(const SchemaPtr schema, session.Schema());
  if (schema->FindTable(command.keyspace, command.table) == nullptr) {
    return InvalidError("Table '" + command.table + "' not found in keyspace '" + command.keyspace + "'");
  }
  HeatRows rows(command, session);
  WR_ASSIGN_OR_RETURN(const HeatPicture picture, ReadPicture(command, rows));
  for (const std::string& line : DrawHeat(picture, {.metric = command.metric})) out << line << "\n";
  if (picture.columns.empty()) return OkStatus();
  WR_RETURN_IF_ERROR(rows.Read("description", "heat_shapes", true, [&](const std::vector<ValueView>& row) {
    out << "last hour: " << row[0].value_or("") << "\n";
  }));
  size_t listed = 0;
  return rows.Read("partition_key, reads, writes, seconds, reads_error, writes_error", "busy_partitions", false,
                   [&](const std::vector<ValueView>& row) {
                     if (listed++ >= kBusyListed) return;
                     if (listed == 1) out << "busiest partitions of the last " << Number(row[3]) << " s:\n";
                     out << "  " << row[0].value_or("") << ": " << Number(row[1]) << ErrorText(row[4]) << " reads, "
                         << Number(row[2]) << ErrorText(row[5]) << " writes\n";
                   });
}

}  // namespace widerow
