// CheckExpression calls CheckDeterministic, CheckType and CheckSplices for one expression. CheckGeneratedKey needs all
// expressions of the table. It calls CheckKeySource for each source outside of the key, and makes the warnings. A
// source is a column that the expression of a generated column uses.
#include "planner/generated/check_expression.h"

#include <algorithm>
#include <string_view>

#include "base/limits.h"
#include "base/text.h"
#include "planner/function.h"
#include "planner/generated/expression_order.h"
#include "planner/terms/planning.h"
#include "planner/walk.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

bool IsIntegerKind(TypeKind kind) {
  return kind == TypeKind::kTinyint || kind == TypeKind::kSmallint || kind == TypeKind::kInt ||
         kind == TypeKind::kBigint || kind == TypeKind::kVarint;
}

std::string Named(const ColumnSchema& column) { return "Generated column " + column.name; }

// Checks a function that the expression calls. `top`: the call is the whole expression.
Status CheckFunction(const Function& function, const Expression& expression, const ColumnSchema& column,
                     SourceRange range, bool top) {
  if (function.is_aggregate()) {
    return InvalidAt(expression.range, Named(column) + " cannot be an aggregate: it is derived row by row");
  }
  if (!function.pure && (function.name != "random" || !top)) {
    return InvalidAt(expression.range,
                     Named(column) + " is not deterministic: " + function.name +
                         "() gives another value at every call, and reads could not find the row again",
                     function.name == "random"
                         ? "random(n) stands alone: " + column.name + " int GENERATED ALWAYS AS (random(100))"
                         : "give the value as an ordinary column, and derive from that");
  }
  if (function.name == "random") {
    if (!column.is_key()) return InvalidAt(range, Named(column) + " is random: it has a use in the primary key only");
    if (!FiniteCount(expression))
      return InvalidAt(expression.range, "random takes a constant of at least 1 in a generated column");
  }
  return OkStatus();
}

// Refuses functions that are not deterministic, and values that depend on more than the row's columns. random(n) is
// allowed as the whole expression of a key column.
Status CheckDeterministic(const Expression& expression, const ColumnSchema& column, SourceRange range, bool top) {
  if (std::holds_alternative<CellTimeExpression>(expression.node) ||
      std::holds_alternative<RowTokenExpression>(expression.node)) {
    return InvalidAt(expression.range,
                     Named(column) + " can be derived from columns only, not from tokens and write times");
  }
  Status status = OkStatus();
  if (const auto* call = std::get_if<CallExpression>(&expression.node)) {
    status = CheckFunction(*call->function, expression, column, range, top);
  }
  ForEachInside(expression, [&](const Expression& part) {
    if (status.ok()) status = CheckDeterministic(part, column, range, false);
  });
  return status;
}

// Checks a splice without a connector. All its parts except the last need a fixed width. Otherwise ('a', 'bc') and
// ('ab', 'c') would give the same text.
Status CheckUnconnected(const CallExpression& splice, const Expression& expression, const TableSchema& table) {
  for (size_t i = 1; i + 1 < splice.arguments.size(); ++i) {
    const Expression& part = splice.arguments[i];
    if (FixedWidth(part)) continue;
    const auto* column = std::get_if<ColumnExpression>(&part.node);
    return InvalidAt(expression.range,
                     "splice without a connector: part " + std::to_string(i) +
                         " has no fixed width, so that different rows would "
                         "get one key",
                     "ambiguous-splice: use a connector, as in splice(',', " +
                         (column != nullptr ? table.columns[column->column].name : std::string("a")) +
                         ", …), or give the part a width, as zero_pad(n, 6) and hash_prefix(x, 4) do");
  }
  return OkStatus();
}

// Checks a splice with a connector. A value before the connector may be the beginning of a longer value: '1' and '10'.
// The keys then keep the order of the values only if the connector sorts below every character of a value. This
// function requires that it sorts below '0'; splice() checks each value. Values of a fixed width need no such
// connector.
Status CheckConnector(const std::string& connector, const CallExpression& splice, const Expression& expression) {
  if (static_cast<uint8_t>(connector[0]) < static_cast<uint8_t>('0')) return OkStatus();
  for (size_t i = 1; i + 1 < splice.arguments.size(); ++i) {
    if (FixedWidth(splice.arguments[i])) continue;
    return InvalidAt(
        expression.range,
        StrCat("splice: the connector '", connector,
               "' does not sort below '0', so the spliced keys would not sort as the values do"),
        "order-breaking-splice: use a connector that sorts below every character of the values, such as ',', or give "
        "each part before it a width, as zero_pad(n, 6) and hash_prefix(x, 4) do");
  }
  return OkStatus();
}

Status CheckSplices(const Expression& expression, const TableSchema& table) {
  Status inside = OkStatus();
  ForEachInside(expression, [&](const Expression& part) {
    if (inside.ok()) inside = CheckSplices(part, table);
  });
  const CallExpression* const call = CallOf(expression, "splice");
  if (!inside.ok() || call == nullptr) return inside;
  const std::optional<std::string> connector = ConstantText(*call, 0);
  if (!connector) {
    return InvalidAt(expression.range, "splice: the connector must be a constant in a generated column",
                     "splice(',', zero_pad(device_id, 6), seller_id)");
  }
  return connector->empty() ? CheckUnconnected(*call, expression, table)
                            : CheckConnector(*connector, *call, expression);
}

Status CheckType(const Expression& expression, const ColumnSchema& column, SourceRange range) {
  const Type& type = *expression.type;
  if (type.is_multi_cell()) return InvalidAt(range, Named(column) + " cannot be a collection that is not frozen");
  if (!SameType(*column.type, type)) {
    return InvalidAt(
        range,
        StrCat(Named(column), " is of type ", TypeText(*column.type), ", its expression of type ", TypeText(type)),
        "declare it as " + column.name + " " + TypeText(type));
  }
  if (!column.type->bytes_max) return OkStatus();
  const std::optional<int64_t> bytes = BytesMax(expression);
  if (bytes && *bytes <= *column.type->bytes_max) return OkStatus();
  return InvalidAt(range,
                   StrCat(Named(column), " holds at most ", *column.type->bytes_max, " bytes, its expression may give ",
                          bytes ? std::to_string(*bytes) : "more"),
                   "declare it longer, or take a part of the source: substring(k, 1, 4)");
}

// Checks a source outside of the key. Two rows that differ only in this column must have different keys, or the second
// row would overwrite the first.
Status CheckKeySource(uint32_t source, const TableSchema& table, const GeneratedColumns& generated,
                      const std::map<uint32_t, SourceRange>& ranges) {
  const ColumnSchema& column = table.columns[source];
  std::optional<uint32_t> derived;
  for (const GeneratedColumn& key : generated.columns) {
    if (!table.columns[key.column].is_key()) continue;
    if (std::find(key.sources.begin(), key.sources.end(), source) == key.sources.end()) continue;
    derived = derived.value_or(key.column);
    if (DeterminedBy(key.expression).contains(source) && column.kind == ColumnKind::kRegular &&
        !column.type->is_multi_cell()) {
      return OkStatus();
    }
  }
  const std::string& key = table.columns[*derived].name;
  if (column.kind == ColumnKind::kStatic || column.type->is_multi_cell()) {
    return InvalidAt(ranges.at(*derived),
                     Named(table.columns[*derived]) + " of the key cannot be derived from " + column.name,
                     "a key is derived from key columns, or from ordinary columns of one value");
  }
  return InvalidAt(
      ranges.at(*derived),
      StrCat("Column ", column.name, ", from which ", key,
             " is derived, is not in the primary key: rows that differ in ", column.name, " alone would be one row"),
      "add it: PRIMARY KEY (…, " + column.name + ")");
}

void WarnOfIntegers(const Expression& expression, const TableSchema& table, std::vector<std::string>& warnings) {
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (call == nullptr) return;
  bool ordered = call->function->name == "splice";  // False after a hash prefix, because the keys then have no order.
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    const Expression& part = call->arguments[i];
    WarnOfIntegers(part, table, warnings);
    if (i == 0 || !ordered) continue;
    ordered = !OrderOf(part).columns.empty();
    if (!IsIntegerKind(part.type->kind)) continue;
    const auto* column = std::get_if<ColumnExpression>(&part.node);
    if (column == nullptr) continue;
    const std::string& name = table.columns[column->column].name;
    warnings.push_back(StrCat("order-breaking-splice: ", name, " is spliced as it is, and 10 sorts before 9: zero_pad(",
                              name, ", 9) would keep its order"));
  }
}

void WarnOfBuckets(const GeneratedColumn& column, const TableSchema& table, std::vector<std::string>& warnings) {
  const std::optional<int64_t> count = FiniteCount(column.expression);
  if (!count || *count <= static_cast<int64_t>(limits::kFanOutMax)) return;
  warnings.push_back(StrCat(table.columns[column.column].name, " has ", *count,
                            " values: a range would be read from each, and a statement reads ", limits::kFanOutMax,
                            " partitions at most"));
}

// Returns a value of the type that the functions of kRefuseConstants take; nullopt if none is known.
Value SampleOf(const Type& type) {
  switch (type.kind) {
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kInt:
    case TypeKind::kBigint:
    case TypeKind::kTimestamp:
    case TypeKind::kTime: return EncodeInteger(type.kind, 1);
    case TypeKind::kVarint: return Bytes("\x01", 1);
    case TypeKind::kText:
    case TypeKind::kAscii: return Bytes("1");
    case TypeKind::kDate: return Bytes("\x80\0\0\0", 4);
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid: return Bytes("\0\0\0\0\0\0\x11\xea\x80\0\0\0\0\0\0\0", 16);  // Of 2019.
    case TypeKind::kBlob: return Bytes("1");
    default: return std::nullopt;
  }
}

// Functions that refuse some constants (a width, a number of digits or buckets, the name of a hash function) whatever
// their other arguments are.
constexpr std::string_view kRefuseConstants[] = {"bucket",     "floor",  "hash_prefix", "mask_hash", "mask_inner",
                                                 "mask_outer", "substr", "substring",   "window",    "zero_pad"};

}  // namespace

Status CheckConstants(const Expression& expression, SourceRange range) {
  Status status = OkStatus();
  ForEachInside(expression, [&](const Expression& part) {
    if (status.ok()) status = CheckConstants(part, range);
  });
  const auto* call = std::get_if<CallExpression>(&expression.node);
  if (!status.ok() || call == nullptr) return status;
  const Function& function = *call->function;
  if (std::find(std::begin(kRefuseConstants), std::end(kRefuseConstants), function.name) == std::end(kRefuseConstants))
    return OkStatus();
  // A third argument of `floor` may be right for one row and wrong for another.
  if (function.name == "floor" && call->arguments.size() > 2) return OkStatus();
  std::vector<Value> values;
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    const auto* constant = std::get_if<ConstantExpression>(&call->arguments[i].node);
    if (constant == nullptr && i > 0) return OkStatus();
    values.push_back(constant != nullptr ? constant->value : SampleOf(*function.parameters[i]));
    if (!values.back()) return OkStatus();
  }
  const std::vector<ValueView> views(values.begin(), values.end());
  const Result<Value> result = function.body({}, views);
  if (result.ok()) return OkStatus();
  return InvalidAt(expression.range == SourceRange{} ? range : expression.range, result.error().message,
                   result.error().hint);
}

Status CheckExpression(const Expression& expression, const ColumnSchema& column, const TableSchema& table,
                       SourceRange range) {
  if (column.kind == ColumnKind::kStatic) return InvalidAt(range, Named(column) + " cannot be static");
  WR_RETURN_IF_ERROR(CheckDeterministic(expression, column, range, true));
  bool any = false;
  VisitColumns(expression, [&](uint32_t) { any = true; });
  if (!any && CallOf(expression, "random") == nullptr) {
    return InvalidAt(range, Named(column) + " is derived from no column: every row would have the same value",
                     "name a column, as in bucket(ts, 16)");
  }
  WR_RETURN_IF_ERROR(CheckType(expression, column, range));
  return CheckSplices(expression, table);
}

Status CheckGeneratedKey(const TableSchema& table, const GeneratedColumns& generated,
                         const std::map<uint32_t, SourceRange>& ranges, std::vector<std::string>* warnings) {
  for (const uint32_t source : generated.key_sources)
    WR_RETURN_IF_ERROR(CheckKeySource(source, table, generated, ranges));
  for (const GeneratedColumn& column : generated.columns) {
    if (warnings == nullptr) break;
    WarnOfIntegers(column.expression, table, *warnings);
    WarnOfBuckets(column, table, *warnings);
  }
  return OkStatus();
}

}  // namespace widerow
