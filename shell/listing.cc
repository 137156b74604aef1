#include "shell/listing.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

size_t Find(const ResultColumns& columns, std::string_view name) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  return columns.size();
}

// Prints the texts of one column, each followed by `behind`.
class ColumnPrinter final : public ResultPrinter {
 public:
  ColumnPrinter(size_t column, const char* behind, std::ostream& out) : column_(column), behind_(behind), out_(out) {}

  void Page(const RowsPage& page) override {
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) {
      if (values[column_]) out_ << FormatText(*(*page.columns)[column_].type, *values[column_]);
      out_ << behind_;
    }
  }
  void End() override {}

 private:
  const size_t column_;
  const char* const behind_;
  std::ostream& out_;
};

// Prints names as the server gives them: with quotes where CQL needs them.
class NamesPrinter final : public ResultPrinter {
 public:
  NamesPrinter(size_t keyspace, size_t type, size_t name, std::ostream& out)
      : keyspace_(keyspace), type_(type), name_(name), out_(out) {}

  void Page(const RowsPage& page) override {
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) {
      const std::string keyspace(values[keyspace_].value_or(""));
      // Keyspaces are printed alone, tables and types under the title of their keyspace.
      if (values[type_] != "keyspace" && (!begun_ || keyspace != last_keyspace_)) {
        const std::string title = "Keyspace " + keyspace;
        out_ << (begun_ ? "\n\n" : "") << title << "\n" << std::string(title.size(), '-') << "\n";
        last_keyspace_ = keyspace;
      } else if (begun_) {
        out_ << "  ";
      }
      begun_ = true;
      out_ << values[name_].value_or("");
    }
  }
  void End() override { out_ << (begun_ ? "\n" : "<empty>\n"); }

 private:
  const size_t keyspace_, type_, name_;
  std::ostream& out_;
  bool begun_ = false;
  std::string last_keyspace_;
};

// Prints findings in this form:
//   warning tail-hotspot  shop.events (day), declared
//     the partition key day is …
//     why  all writes of a period …
//     fix  CREATE TABLE …
class FindingPrinter final : public ResultPrinter {
 public:
  explicit FindingPrinter(std::ostream& out) : out_(out) {}

  void Page(const RowsPage& page) override {
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) {
      if (count_++ > 0) out_ << "\n";
      const auto text = [&](size_t column) { return values[column].value_or(""); };
      out_ << text(1) << " " << text(0) << "  " << QuoteIdentifier(text(3)) << "." << QuoteIdentifier(text(4))
           << Columns(text(5)) << ", " << text(2) << "\n";
      out_ << "  " << text(6) << "\n  why  " << text(7) << "\n";
      if (values[8]) out_ << "  fix  " << *values[8] << "\n";
    }
  }
  void End() override { out_ << (count_ == 0 ? "Nothing to advise.\n" : ""); }

 private:
  // Returns " (a, b)", or an empty text.
  static std::string Columns(ByteView list) {
    std::string out;
    const auto elements = SplitCollection(*ListType(ScalarType(TypeKind::kText), true), list);
    for (const ValueView& name : elements.ok() ? *elements : std::vector<ValueView>()) {
      out += (out.empty() ? " (" : ", ") + QuoteIdentifier(name.value_or(""));
    }
    return out.empty() ? out : out + ")";
  }

  std::ostream& out_;
  size_t count_ = 0;
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeFindingPrinter(const ResultColumns& columns, std::ostream& out) {
  constexpr const char* kNames[] = {"code",     "severity", "confidence", "keyspace_name", "table_name", "columns",
                                    "evidence", "why",      "fix"};
  if (!std::ranges::equal(columns, kNames, {}, &ResultColumn::name)) return nullptr;
  return std::make_unique<FindingPrinter>(out);
}

std::unique_ptr<ResultPrinter> MakeDescribePrinter(const ResultColumns& columns, std::ostream& out) {
  const size_t create = Find(columns, "create_statement");
  if (create < columns.size()) return std::make_unique<ColumnPrinter>(create, "\n\n", out);
  const size_t keyspace = Find(columns, "keyspace_name"), type = Find(columns, "type"), name = Find(columns, "name");
  if (keyspace == columns.size() || type == columns.size() || name == columns.size()) return nullptr;
  return std::make_unique<NamesPrinter>(keyspace, type, name, out);
}

std::unique_ptr<ResultPrinter> MakeLinePrinter(std::ostream& out) {
  return std::make_unique<ColumnPrinter>(0, "\n", out);
}

}  // namespace widerow
