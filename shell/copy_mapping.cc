// Mapper names the CSV fields (by the command's list, the header, or the table's columns), makes a slot for each field
// that fills a column, and cuts the expressions of SET at their :name markers. Then it checks that every field is used
// and every key column filled.
#include "shell/copy_mapping.h"

#include <algorithm>

#include "base/text.h"
#include "parser/parse.h"
#include "planner/counter_rules.h"
#include "planner/generated/generated_columns.h"
#include "planner/terms/resolve_type.h"
#include "shell/lexer.h"

namespace widerow {
namespace {

// Finds the column of a header name: as written, or in lower case as CQL reads an unquoted name.
const ColumnSchema* FindColumn(const TableSchema& table, const std::string& name) {
  const ColumnSchema* column = table.Find(name);
  return column != nullptr ? column : table.Find(ToLower(name));
}

bool IsList(const ColumnSchema& column) { return column.type->kind == TypeKind::kList && column.type->is_multi_cell(); }

class Mapper {
 public:
  Mapper(const CopyCommand& command, const TableSchema& table, const SchemaSnapshot& schema,
         const std::vector<std::string>& header)
      : command_(command), table_(table), schema_(schema), header_(header) {}

  Result<CopyMapping> Run() {
    mapping_.table = QuoteIdentifier(table_.keyspace) + "." + QuoteIdentifier(table_.name);
    mapping_.adds = IsCounterTable(table_);
    WR_RETURN_IF_ERROR(NameFields());
    WR_RETURN_IF_ERROR(AddPlainColumns());
    for (const CopyCommand::Computed& computed : command_.computed) WR_RETURN_IF_ERROR(AddComputed(computed));
    WR_RETURN_IF_ERROR(CheckUnknown());
    WR_RETURN_IF_ERROR(CheckKey());
    if (mapping_.adds) WR_RETURN_IF_ERROR(PutKeyLast());
    FindKeySlots();
    mapping_.allows_statics_alone = AllowsStaticsAlone();
    return std::move(mapping_);
  }

 private:
  struct Field {
    std::string name;  // Empty: the field is skipped.
    const ColumnSchema* column = nullptr;
    bool used = false;  // True if a column or an expression uses the field.
  };

  bool IsComputed(const ColumnSchema& column) const {
    return std::any_of(command_.computed.begin(), command_.computed.end(),
                       [&](const CopyCommand::Computed& c) { return FindColumn(table_, c.column) == &column; });
  }

  // True for a generated column whose value INSERT computes. (A random number cannot be left out, because all lines
  // with one key must have the same.)
  bool IsDerived(const ColumnSchema& column) const {
    return column.is_generated() &&
           !table_.generated->Of(static_cast<uint32_t>(&column - table_.columns.data()))->random;
  }

  // Gives each CSV field its name and its column: from the command's list, the header, or the table's order.
  Status NameFields() {
    if (!command_.columns.empty()) {
      if (!header_.empty() && header_.size() != command_.columns.size()) {
        return InvalidError("The file has " + std::to_string(header_.size()) + " fields, the column list " +
                                std::to_string(command_.columns.size()),
                            "write - for a field to skip");
      }
      for (size_t i = 0; i < command_.columns.size(); ++i) {
        const std::optional<std::string>& name = command_.columns[i];
        Field field{.name = !header_.empty() ? header_[i] : name.value_or("")};
        if (name) field.column = table_.Find(*name);
        if (name && field.column == nullptr) return NoSuchColumns({*name});
        field.used = !name;
        fields_.push_back(std::move(field));
      }
    } else if (!header_.empty()) {
      for (const std::string& name : header_) fields_.push_back({name, FindColumn(table_, name)});
    } else {
      for (const ColumnSchema& column : table_.columns) {
        // The file has all columns except those that SET computes. COPY TO writes generated columns, too.
        if (!IsComputed(column)) fields_.push_back({column.name, &column});
      }
    }
    mapping_.field_count = fields_.size();
    return OkStatus();
  }

  Error NoSuchColumns(const std::vector<std::string>& names) const {
    std::vector<std::string> columns;
    for (const ColumnSchema& column : table_.columns) columns.push_back(column.name);
    return InvalidError("Table " + table_.keyspace + "." + table_.name + " has no column " + JoinNames(names),
                        "its columns are " + JoinNames(columns) +
                            (command_.columns.empty() ? "; WITH IGNOREUNKNOWN=TRUE ignores other fields" : ""));
  }

  Status AddPlainColumns() {
    for (size_t i = 0; i < fields_.size(); ++i) {
      const ColumnSchema* column = fields_[i].column;
      if (column == nullptr || IsComputed(*column)) continue;
      for (const CopySlot& slot : mapping_.slots) {
        if (slot.name == column->name) return InvalidError("Column " + column->name + " is in the file twice");
      }
      fields_[i].used = true;
      mapping_.columns.push_back(
          {QuoteIdentifier(column->name), {"", ""}, {mapping_.slots.size()}, false, column->kind, IsList(*column)});
      const bool needed = column->is_key() && !IsDerived(*column);
      mapping_.slots.push_back({i, column->name, column->type, column->kind, needed, false});
    }
    return OkStatus();
  }

  // Makes a slot for each :name marker in the expression. A marker without a type gets one: "(type)" is written before
  // its slot, with the type of the field's column, or text if the field has no column.
  Status AddComputed(const CopyCommand::Computed& computed) {
    const ColumnSchema* target = FindColumn(table_, computed.column);
    if (target == nullptr) return NoSuchColumns({computed.column});
    CopyMapping::Column column{QuoteIdentifier(target->name), {}, {}, true, target->kind, IsList(*target)};
    const std::string& text = computed.expression;
    const std::vector<ShellToken> tokens = LexShell(text);
    size_t copied = 0;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (!IsMarker(tokens, i)) continue;
      WR_ASSIGN_OR_RETURN(const size_t field, FindField(NameOf(tokens[i + 1]), target->name));
      WR_ASSIGN_OR_RETURN(TypePtr type, HintedType(text, tokens, i));
      const bool hinted = type != nullptr;
      if (!hinted) type = fields_[field].column != nullptr ? fields_[field].column->type : ScalarType(TypeKind::kText);
      column.pieces.push_back(text.substr(copied, tokens[i].begin - copied) +
                              (hinted ? "" : "(" + TypeText(*type) + ")"));
      copied = tokens[i + 1].end;
      column.slots.push_back(mapping_.slots.size());
      mapping_.slots.push_back({field, fields_[field].name, std::move(type), target->kind, false, true});
      fields_[field].used = true;
    }
    column.pieces.push_back(text.substr(copied));
    mapping_.columns.push_back(std::move(column));
    return OkStatus();
  }

  // True for a colon directly followed by a name, except the colon of {'key':value}.
  static bool IsMarker(const std::vector<ShellToken>& tokens, size_t i) {
    const ShellToken& name = tokens[i + 1];
    const bool is_name = name.kind == ShellToken::Kind::kWord || name.kind == ShellToken::Kind::kQuotedName;
    const bool behind_key = i > 0 && (tokens[i - 1].kind != ShellToken::Kind::kPunctuation ||
                                      IsPunctuation(tokens[i - 1], ']') || IsPunctuation(tokens[i - 1], '}'));
    return IsPunctuation(tokens[i], ':') && is_name && name.begin == tokens[i].end && !behind_key;
  }

  Result<size_t> FindField(const std::string& name, const std::string& target) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (!fields_[i].name.empty()) names.push_back(fields_[i].name);
      if (fields_[i].name == name || ToLower(fields_[i].name) == name) return i;
    }
    return InvalidError("The expression for " + target + " uses :" + name + ", which is not a field of the file",
                        "the fields are " + JoinNames(names));
  }

  // Returns the type of (type):name; null if no type is written.
  Result<TypePtr> HintedType(const std::string& text, const std::vector<ShellToken>& tokens, size_t colon) const {
    if (colon == 0 || !IsPunctuation(tokens[colon - 1], ')')) return TypePtr();
    size_t open = colon - 1;
    while (open > 0 && !IsPunctuation(tokens[open], '(')) --open;
    const uint32_t begin = tokens[open].end;
    WR_ASSIGN_OR_RETURN(const TypeName name,
                        ParseTypeName(std::string_view(text).substr(begin, tokens[colon - 1].begin - begin)));
    return ResolveType(name, schema_, table_.keyspace);
  }

  Status CheckUnknown() const {
    std::vector<std::string> unknown;
    for (const Field& field : fields_) {
      if (field.column == nullptr && !field.used) unknown.push_back(field.name);
    }
    if (unknown.empty() || command_.ignore_unknown) return OkStatus();
    return NoSuchColumns(unknown);
  }

  Status CheckKey() const {
    std::vector<std::string> missing;
    for (const ColumnSchema& column : table_.columns) {
      const std::string name = QuoteIdentifier(column.name);
      const bool filled = std::any_of(mapping_.columns.begin(), mapping_.columns.end(),
                                      [&](const CopyMapping::Column& c) { return c.quoted_name == name; });
      const bool needed = column.kind == ColumnKind::kClustering ? !FillsPartitionsOnly() : column.is_key();
      if (needed && !column.is_generated() && !filled) missing.push_back(column.name);
    }
    if (missing.empty()) return OkStatus();
    return InvalidError(
        "The file has no field for the primary key column " + JoinNames(missing),
        "name the fields in the file's first line (HEADER=TRUE), list them (COPY t (a, b) …), or compute the "
        "column (WITH SET = {'" +
            missing[0] + "': '…'})");
  }

  // True if the statement writes static columns and no rows.
  bool FillsPartitionsOnly() const {
    return std::ranges::all_of(mapping_.columns, &CopyMapping::Column::of_partition) &&
           std::ranges::any_of(mapping_.columns, [](const auto& c) { return c.kind == ColumnKind::kStatic; });
  }

  bool AllowsStaticsAlone() const {
    const auto has = [&](ColumnKind kind) {
      return std::ranges::any_of(mapping_.columns, [&](const auto& column) { return column.kind == kind; });
    };
    return has(ColumnKind::kStatic) && has(ColumnKind::kClustering) &&
           std::ranges::none_of(mapping_.columns, [](const auto& c) { return c.computed && !c.of_partition(); });
  }

  void FindKeySlots() {
    for (const CopyMapping::Column& column : mapping_.columns) {
      const auto* schema_column =
          std::find_if(table_.columns.data(), table_.columns.data() + table_.columns.size(),
                       [&](const ColumnSchema& c) { return QuoteIdentifier(c.name) == column.quoted_name; });
      const auto index = static_cast<uint32_t>(schema_column - table_.columns.data());
      const bool makes_key =
          schema_column->is_key() || (table_.generated != nullptr && table_.generated->IsKeySource(index));
      if (!makes_key) continue;
      mapping_.key_slots.insert(mapping_.key_slots.end(), column.slots.begin(), column.slots.end());
    }
  }

  // Puts the key columns last, as in UPDATE … SET n = n + ? WHERE k = ?, and brings the slots into the order of the
  // markers.
  Status PutKeyLast() {
    std::stable_partition(mapping_.columns.begin(), mapping_.columns.end(),
                          [](const auto& column) { return !column.is_key(); });
    if (mapping_.columns[0].is_key())
      return InvalidError("The file has no field for a counter: there is nothing to add");
    std::vector<CopySlot> slots;
    for (CopyMapping::Column& column : mapping_.columns) {
      for (size_t& slot : column.slots) {
        slots.push_back(std::move(mapping_.slots[slot]));
        slot = slots.size() - 1;
      }
    }
    mapping_.slots = std::move(slots);
    return OkStatus();
  }

  const CopyCommand& command_;
  const TableSchema& table_;
  const SchemaSnapshot& schema_;
  const std::vector<std::string>& header_;
  std::vector<Field> fields_;
  CopyMapping mapping_;
};

}  // namespace

std::string CopyMapping::Statement() const {
  std::vector<std::pair<const Column*, std::string>> values;
  for (const Column& column : columns) {
    std::string value;
    for (size_t i = 0; i < column.slots.size(); ++i) value += column.pieces[i] + "?";
    values.emplace_back(&column, value + column.pieces.back());
  }
  return StatementOf(values);
}

CopyMapping CopyMapping::OfPartition() const {
  CopyMapping mapping{.table = table, .adds = adds};
  std::ranges::copy_if(columns, std::back_inserter(mapping.columns), &Column::of_partition);
  return mapping;
}

std::string CopyMapping::StatementOf(const std::vector<std::pair<const Column*, std::string>>& values) const {
  std::string first, second;  // INSERT: names and values. UPDATE of counters: assignments and WHERE.
  for (const auto& [column, value] : values) {
    const std::string& name = column->quoted_name;
    if (!adds) {
      first += (first.empty() ? "" : ", ") + name;
      second += (second.empty() ? "" : ", ") + value;
    } else if (column->is_key()) {
      second += (second.empty() ? "" : " AND ") + name + " = " + value;
    } else {
      first += (first.empty() ? "" : ", ") + name + " = " + name + " + " + value;
    }
  }
  return adds ? "UPDATE " + table + " SET " + first + " WHERE " + second
              : "INSERT INTO " + table + " (" + first + ") VALUES (" + second + ")";
}

Result<CopyMapping> MapCopyColumns(const CopyCommand& command, const TableSchema& table, const SchemaSnapshot& schema,
                                   const std::vector<std::string>& header) {
  return Mapper(command, table, schema, header).Run();
}

}  // namespace widerow
