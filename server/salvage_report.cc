#include "server/salvage_report.h"

#include "base/text.h"
#include "planner/access/partition_key.h"
#include "shell/progress.h"
#include "types/order_codec.h"
#include "types/text_form.h"

namespace widerow {
namespace {

void AppendEquals(const ColumnSchema& column, ByteView value, std::string& out) {
  out += StrCat(out.empty() ? "" : " AND ", QuoteIdentifier(column.name), " = ", FormatLiteral(*column.type, value));
}

std::string KeyText(const SalvagedPlace& place) {
  const TableSchema& table = *place.table;
  std::string text;
  std::vector<Bytes> components;
  if (!SplitStoredKey(table, place.partition_key, components)) return "key 0x" + ToHex(place.partition_key);
  for (size_t i = 0; i < components.size(); ++i) AppendEquals(table.partition_key(i), components[i], text);
  ByteView rest = place.clustering;
  for (size_t i = 0; place.has_row && i < table.clustering_size && !rest.empty(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    const Result<Value> value = TakeComparable(*column.type, column.descending, rest);
    if (!value.ok()) return text + " AND clustering 0x" + ToHex(place.clustering);
    AppendEquals(column, value->value_or(Bytes()), text);
  }
  return text;
}

// Converts microseconds to a value of CQL's type timestamp.
Bytes MillisOf(int64_t micros) {
  Bytes value;
  AppendBigEndian(value, micros / 1'000);
  return value;
}

std::string UntilText(const SalvageReport& report) {
  if (!report.newest_micros) return "";
  return " that were written up to " + FormatText(*ScalarType(TypeKind::kTimestamp), MillisOf(*report.newest_micros));
}

const char* LackText(PartialRow::Lack lack) {
  switch (lack) {
    case PartialRow::Lack::kColumns: return "the row may lack columns";
    case PartialRow::Lack::kElements: return "collections of the row may lack elements";
    case PartialRow::Lack::kStatics: return "the partition may lack static columns";
  }
  return "";
}

}  // namespace

std::string PlaceText(const SalvagedPlace& place) {
  if (place.table == nullptr) return "a table that does not exist any more";
  return StrCat(QuoteIdentifier(place.table->keyspace), ".", QuoteIdentifier(place.table->name), " ", KeyText(place));
}

std::string PartialRowText(const PartialRow& row) { return StrCat(PlaceText(row.place), ": ", LackText(row.lack)); }

std::string LossText(const SalvageReport& report) {
  return StrCat(Counted(report.damaged_pages, "damaged page", "damaged pages"), ", ",
                Counted(report.lost_records, "record", "records"), ", and ",
                Counted(report.removed, "record that depends on them", "records that depend on them"));
}

std::string SalvageText(const SalvageReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += StrCat("note: ", note, "\n");
  text += StrCat("Lost: ", LossText(report), ".\n");
  if (!report.lost_ranges.empty()) {
    text += StrCat("\nRows and deletions between these keys may be lost (", report.lost_ranges.size(), "):\n");
    for (const LostRange& range : report.lost_ranges) {
      text += StrCat("after ", range.after ? PlaceText(*range.after) : "the beginning of the data", "\n  and before ",
                     range.before ? PlaceText(*range.before) : "the end of the data", "\n");
    }
  }
  if (!report.partial_rows.empty()) {
    text += StrCat("\nThese rows are there, and may lack values", UntilText(report), " (", report.partial_rows.size(),
                   "):\n");
    for (const PartialRow& row : report.partial_rows) text += StrCat(PartialRowText(row), "\n");
  }
  return text;
}

}  // namespace widerow
