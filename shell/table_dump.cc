// TableDump selects all columns of a table with their WRITETIME and TTL. RowStatements writes each row.
#include "shell/table_dump.h"

#include "base/text.h"
#include "planner/generated/generated_columns.h"
#include "shell/interrupt.h"
#include "shell/row_statements.h"
#include "types/text_form.h"

namespace widerow {
namespace {

using Shape = DumpedColumn::Shape;

constexpr uint32_t kDumpPageRows = 1'000;

class TableDump {
 public:
  TableDump(Session& session, const TableSchema& table, std::ostream& out, DumpFigures& figures)
      : session_(session),
        table_(table),
        out_(out),
        figures_(figures),
        name_(QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name)) {}

  Status Run(const std::function<void(const std::string&, uint64_t)>& progress) {
    WR_ASSIGN_OR_RETURN(const bool has_default_ttl, HasDefaultTtl());
    MakeQuery();
    RowStatements statements(table_, has_default_ttl, columns_, out_);
    uint64_t rows = 0;
    std::optional<Bytes> partition;
    do {
      WR_ASSIGN_OR_RETURN(Outcome outcome, session_.Execute(request_));
      RowsPage* const page = std::get_if<RowsPage>(&outcome.result);
      if (page == nullptr) return ServerError("The database answered a SELECT without rows");
      PageReader reader(*page);
      while (reader.Next(values_)) {
        ++rows;
        WriteRow(statements, partition);
      }
      progress(name_, rows);
      if (!out_) return ServerError("Cannot write the dump");
      if (Interrupted()) return ServerError("Interrupted");
      request_.parameters.paging_state = std::move(page->paging_state);
    } while (!request_.parameters.paging_state.empty());
    figures_.rows += rows;
    figures_.statements += statements.count();
    ++figures_.tables;
    return OkStatus();
  }

 private:
  // The schema that a server sends has no options of tables, so the default TTL is read from system_schema.
  Result<bool> HasDefaultTtl() {
    const auto text = [](const std::string& name) { return FormatLiteral(*ScalarType(TypeKind::kText), name); };
    const SessionRequest request{
        .text = StrCat("SELECT default_time_to_live FROM system_schema.tables ",
                       "WHERE keyspace_name = ", text(table_.keyspace), " AND table_name = ", text(table_.name)),
        .parameters = {},
        .value_types = {}};
    WR_ASSIGN_OR_RETURN(const Outcome outcome, session_.Execute(request));
    const RowsPage* const page = std::get_if<RowsPage>(&outcome.result);
    if (page == nullptr) return ServerError("The database answered a SELECT without rows");
    PageReader reader(*page);
    std::vector<ValueView> row;
    return reader.Next(row) && row[0] && row[0]->size() == 4 && ReadBigEndian<int32_t>(row[0]->data()) > 0;
  }

  void MakeQuery() {
    size_t at = 0;
    std::string list;
    const auto select = [&](const std::string& text) {
      list += (at == 0 ? "" : ", ") + text;
      ++at;
    };
    for (const ColumnSchema& column : table_.columns) {
      if (column.is_generated() && !column.is_key()) continue;  // It is computed from the columns of the row.
      const std::string name = QuoteIdentifier(column.name);
      DumpedColumn dumped{&column, Shape::kSimple, at};
      dumped.key_source = table_.generated != nullptr && table_.generated->IsKeySource(IndexOf(column));
      dumped.computed = column.is_generated() && !table_.generated->Of(IndexOf(column))->random;
      select(name);
      if (column.is_key()) {
        dumped.shape = Shape::kKey;
      } else if (column.type->kind == TypeKind::kCounter) {
        dumped.shape = Shape::kCounter;
      } else if (column.type->is_multi_cell() && column.type->kind == TypeKind::kUdt) {
        dumped.shape = Shape::kFields;
        select("MAXWRITETIME(" + name + ")");
      } else {
        if (column.type->is_multi_cell()) dumped.shape = Shape::kElements;
        select("WRITETIME(" + name + ")");
        select("TTL(" + name + ")");
      }
      columns_.push_back(dumped);
    }
    request_.text = "SELECT " + list + " FROM " + name_;
    request_.parameters.page_rows = kDumpPageRows;
  }

  uint32_t IndexOf(const ColumnSchema& column) const { return static_cast<uint32_t>(&column - table_.columns.data()); }

  // A static value is in the result of each row of its partition, and is written once. `partition` is the key of the
  // last partition that was written.
  void WriteRow(RowStatements& statements, std::optional<Bytes>& partition) const {
    Bytes key;
    bool has_clustering = table_.clustering_size == 0;
    for (const DumpedColumn& dumped : columns_) {
      if (dumped.shape != Shape::kKey || !values_[dumped.at]) continue;
      if (dumped.column->kind == ColumnKind::kPartitionKey) AppendSized(key, *values_[dumped.at]);
      has_clustering = has_clustering || dumped.column->kind == ColumnKind::kClustering;
    }
    if (table_.has_statics() && key != partition) statements.Write(values_, /*statics=*/true);
    partition = std::move(key);
    if (has_clustering) statements.Write(values_, /*statics=*/false);
  }

  Session& session_;
  const TableSchema& table_;
  std::ostream& out_;
  DumpFigures& figures_;
  const std::string name_;
  std::vector<DumpedColumn> columns_;
  SessionRequest request_;
  std::vector<ValueView> values_;
};

}  // namespace

Status DumpTable(Session& session, const TableSchema& table, std::ostream& out, DumpFigures& figures,
                 const std::function<void(const std::string& table, uint64_t rows)>& progress) {
  return TableDump(session, table, out, figures).Run(progress);
}

}  // namespace widerow
