// TableDump selects all columns of a table with their WRITETIME and TTL. For each row it writes one INSERT or UPDATE
// for each pair of timestamp and TTL. The elements of a collection have times of their own. Each group of elements with
// the same times is added by a statement of its own. Columns from which the key is derived are given like key columns.
#include "shell/dump.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "planner/generated/generated_columns.h"
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

class TableDump {
 public:
  TableDump(Session& session, const TableSchema& table, std::ostream& out, DumpFigures& figures)
      : session_(session),
        table_(table),
        out_(out),
        figures_(figures),
        name_(QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name)) {}

  Status Run(const std::function<void(const std::string&, uint64_t)>& progress) {
    WR_RETURN_IF_ERROR(ReadDefaultTtl());
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
    size_t at;                // The place of the value in the result. Its times follow.
    bool key_source = false;  // The key is derived from the column.
  };

  // The elements of a collection, and the time of each. In a map, keys and values alternate.
  struct Elements {
    const ColumnSchema* column;
    std::vector<ValueView> values;
    std::vector<ValueTime> times;
  };

  // The schema that a server sends has no options of tables, so the default TTL is read from system_schema.
  Status ReadDefaultTtl() {
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
    has_default_ttl_ = reader.Next(row) && NumberIn<int32_t>(row[0]) > 0;
    return OkStatus();
  }

  void MakeQuery() {
    size_t at = 0;
    std::string list;
    const auto select = [&](const std::string& text) {
      list += (at == 0 ? "" : ", ") + text;
      ++at;
    };
    for (const ColumnSchema& column : table_.columns) {
      const std::string name = QuoteIdentifier(column.name);
      const bool key_source = table_.generated != nullptr && table_.generated->IsKeySource(IndexOf(column));
      Selected selected{&column, Shape::kSimple, at, key_source};
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
      if (!IsComputed(column)) selected_.push_back(selected);
    }
    request_.text = "SELECT " + list + " FROM " + name_;
    request_.parameters.page_rows = kDumpPageRows;
  }

  // True for a generated column whose value is computed again when the row is inserted.
  bool IsComputed(const ColumnSchema& column) const {
    return column.is_generated() && !(column.is_key() && table_.generated->Of(IndexOf(column))->random);
  }
  uint32_t IndexOf(const ColumnSchema& column) const { return static_cast<uint32_t>(&column - table_.columns.data()); }

  // A value without a TTL says so if the table has a default one.
  std::string Using(const ValueTime& time) const {
    const bool says_ttl = time.ttl > 0 || has_default_ttl_;
    return StrCat(" USING TIMESTAMP ", time.timestamp, says_ttl ? StrCat(" AND TTL ", time.ttl) : std::string());
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
        Insert(statics, group, Using(time));
      } else if (const std::string settings = JoinedSettings(group); !settings.empty()) {
        Update(statics, settings, Using(time));
      }
      first = false;
    }
    std::vector<Elements> collections = CollectionsOf(statics);
    if (first && !statics) InsertOnly(any, collections);
    for (const Elements& collection : collections) WriteElements(statics, collection);
  }

  // Inserts a row that has no values but elements of collections, or no values at all.
  void InsertOnly(bool has_values, const std::vector<Elements>& collections) {
    std::optional<ValueTime> oldest;
    for (const Elements& collection : collections) {
      for (const ValueTime& time : collection.times) oldest = std::min(oldest.value_or(time), time);
    }
    if (oldest) return Insert(false, {}, Using(*oldest));
    if (!has_values) Insert(false, {}, has_default_ttl_ ? " USING TTL 0" : "");
  }

  std::string JoinedSettings(const std::vector<const Selected*>& group) const {
    std::vector<std::string> settings;
    for (const Selected* const selected : group) {
      if (selected->key_source) continue;
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
      if (selected->key_source) continue;
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

  // True if each statement gives the value of the column.
  bool IsKeyOf(const Selected& selected, bool statics) const {
    if (selected.key_source) return true;
    if (selected.shape != Shape::kKey || !values_[selected.at]) return false;
    return !statics || selected.column->kind == ColumnKind::kPartitionKey;
  }

  // Returns the collections of the row, or of the static row, that have elements.
  std::vector<Elements> CollectionsOf(bool statics) const {
    std::vector<Elements> collections;
    for (const Selected& selected : selected_) {
      const bool here = (selected.column->kind == ColumnKind::kStatic) == statics;
      if (!here || selected.shape != Shape::kElements || !values_[selected.at]) continue;
      const bool is_map = selected.column->type->kind == TypeKind::kMap;
      Elements elements{.column = selected.column, .values = ElementsOf(*values_[selected.at], is_map), .times = {}};
      const std::vector<ValueView> stamps = ElementsOf(values_[selected.at + 1].value_or(ByteView()), false);
      const std::vector<ValueView> ttls = ElementsOf(values_[selected.at + 2].value_or(ByteView()), false);
      for (size_t i = 0; i < elements.values.size() / (is_map ? 2 : 1); ++i) {
        elements.times.push_back(
            {i < stamps.size() ? NumberIn<int64_t>(stamps[i]) : 0, i < ttls.size() ? NumberIn<int32_t>(ttls[i]) : 0});
      }
      if (!elements.times.empty()) collections.push_back(std::move(elements));
    }
    return collections;
  }

  // Adds the elements of a collection. Consecutive elements with the same timestamp and TTL are added together, so the
  // elements of a list keep their order.
  void WriteElements(bool statics, const Elements& collection) {
    const Type& type = *collection.column->type;
    const bool is_map = type.kind == TypeKind::kMap;
    const std::vector<ValueView>& elements = collection.values;
    const std::vector<ValueTime>& times = collection.times;
    for (size_t begin = 0, end = 0; begin < times.size(); begin = end) {
      Bytes group;
      while (end < times.size() && times[end] == times[begin]) ++end;
      AppendBigEndian(group, static_cast<int32_t>(end - begin));
      for (size_t i = begin * (is_map ? 2 : 1); i < end * (is_map ? 2 : 1); ++i) {
        AppendBigEndian(group, elements[i] ? static_cast<int32_t>(elements[i]->size()) : int32_t{-1});
        if (elements[i]) group.append(*elements[i]);
      }
      const std::string name = QuoteIdentifier(collection.column->name);
      Update(statics, StrCat(name, " = ", name, " + ", FormatLiteral(type, group)), Using(times[begin]));
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
  bool has_default_ttl_ = false;
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
