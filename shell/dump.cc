// TableDump selects all columns of a table with their WRITETIME and TTL. For each row it writes one INSERT or UPDATE
// for each pair of timestamp and TTL. The elements of a collection have times of their own. Each group of elements with
// the same times is added by a statement of its own.
#include "shell/dump.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "planner/system_keyspaces.h"
#include "shell/interrupt.h"
#include "types/text_form.h"

namespace widerow {
namespace {

constexpr uint32_t kDumpPageRows = 1'000;

// The time of a value: the timestamp, and the seconds until it expires; 0: it does not expire.
struct ValueTime {
  int64_t timestamp = 0;
  int32_t ttl = 0;
  friend auto operator<=>(const ValueTime&, const ValueTime&) = default;
};

// Splits a list, set or map in the encoding of the native protocol into its elements. In a map, keys and values
// alternate.
std::vector<ValueView> ElementsOf(ByteView bytes, bool is_map) {
  std::vector<ValueView> out;
  if (bytes.size() < 4) return out;
  const auto count = static_cast<size_t>(ReadBigEndian<int32_t>(bytes.data())) * (is_map ? 2 : 1);
  bytes.remove_prefix(4);
  while (out.size() < count && bytes.size() >= 4) {
    const auto size = ReadBigEndian<int32_t>(bytes.data());
    bytes.remove_prefix(4);
    out.emplace_back();
    if (size < 0) continue;
    out.back() = bytes.substr(0, static_cast<size_t>(size));
    bytes.remove_prefix(std::min(bytes.size(), static_cast<size_t>(size)));
  }
  return out;
}

template <typename T>
T NumberIn(const ValueView& value) {
  return value && value->size() == sizeof(T) ? ReadBigEndian<T>(value->data()) : T{0};
}

std::string UsingText(const ValueTime& time) {
  return StrCat(" USING TIMESTAMP ", time.timestamp, time.ttl > 0 ? StrCat(" AND TTL ", time.ttl) : std::string());
}

class TableDump {
 public:
  TableDump(Session& session, const TableSchema& table, std::ostream& out, DumpFigures& figures)
      : session_(session),
        table_(table),
        out_(out),
        figures_(figures),
        name_(QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name)) {}

  Status Run(const std::function<void(const std::string&, uint64_t)>& progress) {
    MakeQuery();
    uint64_t rows = 0;
    Bytes partition;
    do {
      WR_ASSIGN_OR_RETURN(Outcome outcome, session_.Execute(request_));
      RowsPage* const page = std::get_if<RowsPage>(&outcome.result);
      if (page == nullptr) return ServerError("The database answered a SELECT without rows");
      PageReader reader(*page);
      while (reader.Next(values_)) {
        ++rows;
        WriteRow(partition);
      }
      progress(name_, rows);
      if (!out_) return ServerError("Cannot write the dump");
      if (Interrupted()) return ServerError("Interrupted");
      request_.parameters.paging_state = std::move(page->paging_state);
    } while (!request_.parameters.paging_state.empty());
    figures_.rows += rows;
    ++figures_.tables;
    return OkStatus();
  }

 private:
  enum class Shape : uint8_t { kKey, kSimple, kElements, kFields, kCounter };
  struct Selected {
    const ColumnSchema* column;
    Shape shape;
    size_t at;  // The place of the value in the result. Its times follow.
  };

  void MakeQuery() {
    size_t at = 0;
    std::string list;
    const auto select = [&](const std::string& text) {
      list += (at == 0 ? "" : ", ") + text;
      ++at;
    };
    for (const ColumnSchema& column : table_.columns) {
      const std::string name = QuoteIdentifier(column.name);
      Selected selected{&column, Shape::kSimple, at};
      select(name);
      if (column.is_key()) {
        selected.shape = Shape::kKey;
      } else if (column.type->kind == TypeKind::kCounter) {
        selected.shape = Shape::kCounter;
      } else if (column.type->is_multi_cell() && column.type->kind == TypeKind::kUdt) {
        selected.shape = Shape::kFields;
        select("MAXWRITETIME(" + name + ")");
      } else {
        if (column.type->is_multi_cell()) selected.shape = Shape::kElements;
        select("WRITETIME(" + name + ")");
        select("TTL(" + name + ")");
      }
      // The value of a generated column is computed again.
      if (!column.is_generated()) selected_.push_back(selected);
    }
    request_.text = "SELECT " + list + " FROM " + name_;
    request_.parameters.page_rows = kDumpPageRows;
  }

  std::string Literal(const Selected& selected) const {
    return FormatLiteral(*selected.column->type, *values_[selected.at]);
  }
  ValueTime TimeOf(const Selected& selected) const {
    return {NumberIn<int64_t>(values_[selected.at + 1]),
            selected.shape == Shape::kSimple ? NumberIn<int32_t>(values_[selected.at + 2]) : 0};
  }

  // A static value is in the result of each row of its partition, and is written once.
  void WriteRow(Bytes& partition) {
    Bytes key;
    bool has_clustering = table_.clustering_size == 0;
    for (const Selected& selected : selected_) {
      if (selected.shape != Shape::kKey || !values_[selected.at]) continue;
      if (selected.column->kind == ColumnKind::kPartitionKey) AppendSized(key, *values_[selected.at]);
      has_clustering = has_clustering || selected.column->kind == ColumnKind::kClustering;
    }
    if (table_.has_statics() && key != partition) WriteContent(true);
    partition = std::move(key);
    if (has_clustering) WriteContent(false);
  }

  void WriteContent(bool statics) {
    std::map<ValueTime, std::vector<const Selected*>> groups;
    bool counters = false, any = false;
    for (const Selected& selected : selected_) {
      if (selected.shape == Shape::kKey || (selected.column->kind == ColumnKind::kStatic) != statics) continue;
      counters = counters || selected.shape == Shape::kCounter;
      if (!values_[selected.at]) continue;
      any = true;
      if (selected.shape == Shape::kSimple || selected.shape == Shape::kFields) {
        groups[TimeOf(selected)].push_back(&selected);
      }
    }
    if (counters) return WriteCounters(statics);
    // The first statement is an INSERT, so that the row exists even without values. CQL cannot select the time at which
    // the row was inserted, so the INSERT has the time of the oldest value.
    bool first = true;
    for (const auto& [time, group] : groups) {
      if (first) {
        Insert(statics, group, UsingText(time));
      } else {
        Update(statics, JoinedSettings(group), UsingText(time));
      }
      first = false;
    }
    if (first && !statics && !any) Insert(statics, {}, "");
    for (const Selected& selected : selected_) {
      const bool here = (selected.column->kind == ColumnKind::kStatic) == statics;
      if (here && selected.shape == Shape::kElements && values_[selected.at]) WriteElements(statics, selected, first);
    }
  }

  std::string JoinedSettings(const std::vector<const Selected*>& group) const {
    std::vector<std::string> settings;
    for (const Selected* const selected : group) {
      settings.push_back(QuoteIdentifier(selected->column->name) + " = " + Literal(*selected));
    }
    return JoinNames(settings);
  }

  void Insert(bool statics, const std::vector<const Selected*>& group, const std::string& times) {
    std::vector<std::string> names, values;
    for (const Selected& selected : selected_) {
      if (!IsKeyOf(selected, statics)) continue;
      names.push_back(QuoteIdentifier(selected.column->name));
      values.push_back(Literal(selected));
    }
    for (const Selected* const selected : group) {
      names.push_back(QuoteIdentifier(selected->column->name));
      values.push_back(Literal(*selected));
    }
    Write(StrCat("INSERT INTO ", name_, " (", JoinNames(names), ") VALUES (", JoinNames(values), ")", times));
  }

  void Update(bool statics, const std::string& settings, const std::string& times) {
    std::vector<std::string> conditions;
    for (const Selected& selected : selected_) {
      if (!IsKeyOf(selected, statics)) continue;
      conditions.push_back(QuoteIdentifier(selected.column->name) + " = " + Literal(selected));
    }
    Write(StrCat("UPDATE ", name_, times, " SET ", settings, " WHERE ", JoinNames(conditions, " AND ")));
  }

  bool IsKeyOf(const Selected& selected, bool statics) const {
    if (selected.shape != Shape::kKey || !values_[selected.at]) return false;
    return !statics || selected.column->kind == ColumnKind::kPartitionKey;
  }

  // Adds the elements of a collection. Consecutive elements with the same timestamp and TTL are added together, so the
  // elements of a list keep their order.
  void WriteElements(bool statics, const Selected& selected, bool make_row) {
    const Type& type = *selected.column->type;
    const bool is_map = type.kind == TypeKind::kMap;
    const std::vector<ValueView> elements = ElementsOf(*values_[selected.at], is_map);
    const std::vector<ValueView> stamps = ElementsOf(values_[selected.at + 1].value_or(ByteView()), false);
    const std::vector<ValueView> ttls = ElementsOf(values_[selected.at + 2].value_or(ByteView()), false);
    const size_t count = elements.size() / (is_map ? 2 : 1);
    const auto time_of = [&](size_t i) {
      return ValueTime{i < stamps.size() ? NumberIn<int64_t>(stamps[i]) : 0,
                       i < ttls.size() ? NumberIn<int32_t>(ttls[i]) : 0};
    };
    if (count > 0 && make_row && !statics) Insert(statics, {}, UsingText({time_of(0).timestamp, 0}));
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
      Bytes group;
      while (end < count && time_of(end) == time_of(begin)) ++end;
      AppendBigEndian(group, static_cast<int32_t>(end - begin));
      for (size_t i = begin * (is_map ? 2 : 1); i < end * (is_map ? 2 : 1); ++i) {
        AppendBigEndian(group, elements[i] ? static_cast<int32_t>(elements[i]->size()) : int32_t{-1});
        if (elements[i]) group.append(*elements[i]);
      }
      const std::string name = QuoteIdentifier(selected.column->name);
      Update(statics, StrCat(name, " = ", name, " + ", FormatLiteral(type, group)), UsingText(time_of(begin)));
    }
  }

  void WriteCounters(bool statics) {
    for (const Selected& selected : selected_) {
      if (selected.shape != Shape::kCounter || (selected.column->kind == ColumnKind::kStatic) != statics) continue;
      if (!values_[selected.at]) continue;
      const std::string name = QuoteIdentifier(selected.column->name);
      Update(statics, StrCat(name, " = ", name, " + ", NumberIn<int64_t>(values_[selected.at])), "");
    }
  }

  void Write(const std::string& statement) {
    out_ << statement << ";\n";
    ++figures_.statements;
  }

  Session& session_;
  const TableSchema& table_;
  std::ostream& out_;
  DumpFigures& figures_;
  const std::string name_;
  std::vector<Selected> selected_;
  SessionRequest request_;
  std::vector<ValueView> values_;
};

// Writes the answer of a DESCRIBE, whose last column has statements.
Status WriteDescription(Session& session, const std::string& describe, std::ostream& out) {
  SessionRequest request{.text = describe, .parameters = {}, .value_types = {}};
  do {
    WR_ASSIGN_OR_RETURN(Outcome outcome, session.Execute(request));
    RowsPage* const page = std::get_if<RowsPage>(&outcome.result);
    if (page == nullptr) return ServerError("The database answered DESCRIBE without rows");
    PageReader reader(*page);
    std::vector<ValueView> values;
    while (reader.Next(values)) out << values.back().value_or(ByteView()) << "\n\n";
    request.parameters.paging_state = std::move(page->paging_state);
  } while (!request.parameters.paging_state.empty());
  return OkStatus();
}

}  // namespace

Result<DumpFigures> Dump(Session& session, const DumpSelection& selection, std::ostream& out,
                         const std::function<void(const std::string& table, uint64_t rows)>& progress) {
  WR_ASSIGN_OR_RETURN(const SchemaPtr schema, session.Schema());
  DumpFigures figures;
  bool found = false;
  for (const auto& [name, keyspace] : schema->keyspaces) {
    if (IsSystemKeyspace(name) || (!selection.keyspace.empty() && name != selection.keyspace)) continue;
    if (selection.table.empty()) {
      found = true;
      WR_RETURN_IF_ERROR(WriteDescription(session, "DESCRIBE KEYSPACE " + QuoteIdentifier(name), out));
    }
    for (const auto& [table_name, table] : keyspace->tables) {
      if (table->view != nullptr || (!selection.table.empty() && table_name != selection.table)) continue;
      found = true;
      if (!selection.table.empty()) {
        const std::string full = QuoteIdentifier(name) + "." + QuoteIdentifier(table_name);
        WR_RETURN_IF_ERROR(WriteDescription(session, "DESCRIBE TABLE " + full, out));
      }
      WR_RETURN_IF_ERROR(TableDump(session, *table, out, figures).Run(progress));
    }
  }
  if (found || selection.keyspace.empty()) return figures;
  return InvalidError("There is no keyspace or table '" + selection.keyspace +
                      (selection.table.empty() ? "" : "." + selection.table) + "'");
}

}  // namespace widerow
