#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <ostream>

#include "planner/counter_rules.h"
#include "shell/copy.h"
#include "shell/interrupt.h"
#include "shell/printer.h"
#include "shell/progress.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class Exporter {
 public:
  Exporter(const CopyCommand& command, const CopyEnvironment& environment)
      : command_(command), environment_(environment), progress_(environment.terminal, environment.show_progress) {}

  Status Run() {
    WR_RETURN_IF_ERROR(MakeQuery());
    AppendCsvField(command_.null_text, true, command_.csv, quoted_null_);
    if (!command_.file.empty()) {
      file_.open(command_.file, std::ios::binary | std::ios::trunc);
      if (!file_) return WriteFailure();
    }
    if (command_.header) WriteHeader();
    do {
      WR_RETURN_IF_ERROR(WritePage());
      progress_.Update({.rows = rows_});
      if (Interrupted()) return ServerError("Interrupted", std::to_string(rows_) + " rows have been written");
    } while (!request_.parameters.paging_state.empty() && rows_ < command_.max_rows);
    if (lost_values_ > 0) {
      environment_.messages << "Warning: " << lost_values_ << (lost_values_ == 1 ? " value is" : " values are")
                            << " equal to the option NULL; COPY FROM would read null" << std::endl;
    }
    if (!command_.file.empty()) {
      file_.close();
      if (!file_) return WriteFailure();
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%.1f s", progress_.seconds());
      environment_.messages << rows_ << (rows_ == 1 ? " row" : " rows") << " exported in " << seconds << " ("
                            << Rate(rows_, progress_.seconds()) << ")\n";
    }
    return OkStatus();
  }

 private:
  Error WriteFailure() const { return ServerError("Cannot write " + command_.file + ": " + std::strerror(errno)); }

  Status MakeQuery() {
    const std::string& keyspace = command_.keyspace.empty() ? environment_.keyspace : command_.keyspace;
    if (keyspace.empty()) {
      return InvalidError("No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
    }
    WR_ASSIGN_OR_RETURN(const SchemaPtr schema, environment_.session.Schema());
    const TablePtr table = schema->FindTable(keyspace, command_.table);
    if (table == nullptr) return InvalidError("Table " + keyspace + "." + command_.table + " does not exist");
    for (const std::optional<std::string>& name : command_.columns) {
      if (table->Find(*name) == nullptr)
        return InvalidError("Table " + keyspace + "." + command_.table + " has no column " + *name);
      names_.push_back(*name);
    }
    if (names_.empty()) {
      for (const ColumnSchema& column : table->columns) names_.push_back(column.name);
    }
    if (IsCounterTable(*table)) FindStaticCounters(*table);
    request_.text = "SELECT ";
    for (size_t i = 0; i < names_.size(); ++i) request_.text += (i == 0 ? "" : ", ") + QuoteIdentifier(names_[i]);
    request_.text += " FROM " + QuoteIdentifier(keyspace) + "." + QuoteIdentifier(command_.table);
    request_.parameters.page_rows = command_.page_rows;
    return OkStatus();
  }

  void FindStaticCounters(const TableSchema& table) {
    for (size_t i = 0; i < names_.size(); ++i) {
      const ColumnKind kind = table.Find(names_[i])->kind;
      if (kind == ColumnKind::kPartitionKey) partition_columns_.push_back(i);
      if (kind == ColumnKind::kStatic) static_counters_.push_back(i);
    }
    // Without the whole partition key, COPY FROM cannot read the file, and partitions cannot be told apart.
    if (partition_columns_.size() < table.partition_key_size) static_counters_.clear();
  }

  // COPY FROM adds the counters of each line. So a static counter is written only in the first line of its partition.
  void RemoveWrittenCounters(std::vector<ValueView>& row) {
    if (static_counters_.empty()) return;
    Bytes partition;
    for (const size_t i : partition_columns_) AppendSized(partition, *row[i]);
    if (partition == partition_) {
      for (const size_t i : static_counters_) row[i].reset();
    }
    partition_ = std::move(partition);
  }

  void WriteHeader() {
    std::string line;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (i > 0) line += command_.csv.delimiter;
      AppendCsvField(names_[i], false, command_.csv, line);
    }
    Out() << line << '\n';
  }

  std::ostream& Out() { return command_.file.empty() ? environment_.out : file_; }

  // Each page is read from a snapshot of its own, because an export may take longer than a snapshot can be kept.
  Status WritePage() {
    WR_ASSIGN_OR_RETURN(Outcome outcome, environment_.session.Execute(request_));
    RowsPage* const page = std::get_if<RowsPage>(&outcome.result);
    if (page == nullptr) return ServerError("The database answered a SELECT without rows");
    PageReader reader(*page);
    std::vector<ValueView> values;
    std::string text;
    while (rows_ < command_.max_rows && reader.Next(values)) {
      RemoveWrittenCounters(values);
      for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) text += command_.csv.delimiter;
        const Type& type = *(*page->columns)[i].type;
        const size_t begin = text.size();
        AppendCsvValue(type, values[i], command_.null_text, command_.csv, text);
        // COPY FROM takes a quoted field for a value only if its type has an empty text.
        if (values[i] && ReadsAsNull(type, {}) && std::string_view(text).substr(begin) == quoted_null_) ++lost_values_;
      }
      text += '\n';
      ++rows_;
    }
    Out() << text;
    if (!Out()) return WriteFailure();
    request_.parameters.paging_state = std::move(page->paging_state);
    return OkStatus();
  }

  const CopyCommand& command_;
  const CopyEnvironment& environment_;
  Progress progress_;
  std::ofstream file_;
  std::vector<std::string> names_;
  SessionRequest request_;
  std::vector<size_t> partition_columns_, static_counters_;  // Indexes into names_; empty if there are no counters.
  std::optional<Bytes> partition_;                           // The partition key of the last row.
  std::string quoted_null_;                                  // The option NULL as a field in quotes.
  uint64_t rows_ = 0;
  uint64_t lost_values_ = 0;  // Values that COPY FROM would read as null.
};

}  // namespace

Status RunCopyTo(const CopyCommand& command, const CopyEnvironment& environment) {
  return Exporter(command, environment).Run();
}

}  // namespace widerow
