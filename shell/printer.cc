// One printer class per format. The table format measures each page before it prints it, so a column can become wider
// on a later page. Values are made safe for terminals by text_width.h; colors are added last, so that they do not count
// in widths.
#include "shell/printer.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "shell/csv.h"
#include "shell/text_width.h"
#include "types/json_form.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr std::array<std::pair<OutputFormat, const char*>, 4> kFormatNames = {{{OutputFormat::kTable, "table"},
                                                                               {OutputFormat::kExpanded, "expanded"},
                                                                               {OutputFormat::kJson, "json"},
                                                                               {OutputFormat::kCsv, "csv"}}};

bool IsNumber(const Type& type) {
  switch (type.kind) {
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kInt:
    case TypeKind::kBigint:
    case TypeKind::kVarint:
    case TypeKind::kCounter:
    case TypeKind::kDecimal:
    case TypeKind::kFloat:
    case TypeKind::kDouble: return true;
    default: return false;
  }
}

std::string CountLine(uint64_t rows) { return "(" + std::to_string(rows) + (rows == 1 ? " row)" : " rows)"); }

// A value in the form that is printed on the terminal.
struct Cell {
  std::string text;
  size_t width = 0;
  bool null = false;
};

Cell MakeCell(const Type& type, const ValueView& value) {
  if (!value) return {.text = "null", .width = 4, .null = true};
  Cell cell{.text = EscapeForTerminal(FormatText(type, *value))};
  cell.width = DisplayWidth(cell.text);
  return cell;
}

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string Header(const std::string& text) const { return Paint("\x1b[1;35m", text); }
  std::string Value(const Type& type, const Cell& cell) const {
    return Paint(cell.null ? "\x1b[31m" : IsNumber(type) ? "\x1b[32m" : "\x1b[33m", cell.text);
  }

 private:
  std::string Paint(const char* code, const std::string& text) const { return color_ ? code + text + "\x1b[0m" : text; }
  const bool color_;
};

class TablePrinter final : public ResultPrinter {
 public:
  TablePrinter(std::ostream& out, bool color) : out_(out), paint_(color) {}

  void Page(const RowsPage& page) override {
    const ResultColumns& columns = *page.columns;
    std::vector<std::vector<Cell>> rows;
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) {
      std::vector<Cell>& row = rows.emplace_back();
      for (size_t i = 0; i < columns.size(); ++i) row.push_back(MakeCell(*columns[i].type, values[i]));
    }
    const bool first = widths_.empty();
    if (first) Measure(columns);
    for (const std::vector<Cell>& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].width);
    }
    if (first) PrintHeader(columns);
    for (const std::vector<Cell>& row : rows) PrintRow(columns, row);
    rows_ += rows.size();
  }

  void End() override { out_ << "\n" << CountLine(rows_) << "\n"; }

 private:
  void Measure(const ResultColumns& columns) {
    for (const ResultColumn& column : columns) widths_.push_back(DisplayWidth(EscapeForTerminal(column.name)));
  }

  void PrintHeader(const ResultColumns& columns) {
    std::string rule;
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string name = EscapeForTerminal(columns[i].name);
      Put(i, columns.size(), IsNumber(*columns[i].type), paint_.Header(name), DisplayWidth(name));
      rule += std::string(widths_[i] + 2, '-') + (i + 1 < columns.size() ? "+" : "");
    }
    out_ << "\n" << rule << "\n";
  }

  void PrintRow(const ResultColumns& columns, const std::vector<Cell>& row) {
    for (size_t i = 0; i < row.size(); ++i) {
      Put(i, row.size(), IsNumber(*columns[i].type), paint_.Value(*columns[i].type, row[i]), row[i].width);
    }
    out_ << "\n";
  }

  // Prints a cell: numbers to the right, others to the left; no blanks at the end of a line.
  void Put(size_t i, size_t count, bool right, const std::string& text, size_t width) {
    const std::string fill(widths_[i] - width, ' ');
    const bool last = i + 1 == count;
    out_ << (i == 0 ? " " : "| ") << (right ? fill : "") << text << (right || last ? "" : fill) << (last ? "" : " ");
  }

  std::ostream& out_;
  const Painter paint_;
  std::vector<size_t> widths_;
  uint64_t rows_ = 0;
};

class ExpandedPrinter final : public ResultPrinter {
 public:
  ExpandedPrinter(std::ostream& out, bool color) : out_(out), paint_(color) {}

  void Page(const RowsPage& page) override {
    const ResultColumns& columns = *page.columns;
    size_t name_width = 0;
    for (const ResultColumn& column : columns) {
      name_width = std::max(name_width, DisplayWidth(EscapeForTerminal(column.name)));
    }
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) PrintRow(columns, values, name_width);
  }

  void End() override { out_ << CountLine(rows_) << "\n"; }

 private:
  void PrintRow(const ResultColumns& columns, const std::vector<ValueView>& values, size_t name_width) {
    std::vector<Cell> cells;
    size_t value_width = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      cells.push_back(MakeCell(*columns[i].type, values[i]));
      value_width = std::max(value_width, cells.back().width);
    }
    out_ << "@ Row " << ++rows_ << "\n"
         << std::string(name_width + 2, '-') << "+" << std::string(value_width + 2, '-') << "\n";
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string name = EscapeForTerminal(columns[i].name);
      out_ << " " << paint_.Header(name) << std::string(name_width - DisplayWidth(name), ' ') << " | "
           << paint_.Value(*columns[i].type, cells[i]) << "\n";
    }
    out_ << "\n";
  }

  std::ostream& out_;
  const Painter paint_;
  uint64_t rows_ = 0;
};

class JsonPrinter final : public ResultPrinter {
 public:
  explicit JsonPrinter(std::ostream& out) : out_(out) {}

  void Page(const RowsPage& page) override {
    const ResultColumns& columns = *page.columns;
    std::string text;
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) {
      for (size_t i = 0; i < columns.size(); ++i) {
        text += i == 0 ? "{" : ",";
        AppendJsonString(columns[i].name, text);
        text += ':';
        if (values[i]) {
          AppendJson(*columns[i].type, *values[i], text, JsonForm::kExact);
        } else {
          text += "null";
        }
      }
      text += columns.empty() ? "{}\n" : "}\n";
    }
    out_ << text;
  }

  void End() override {}

 private:
  std::ostream& out_;
};

class CsvPrinter final : public ResultPrinter {
 public:
  explicit CsvPrinter(std::ostream& out) : out_(out) {}

  void Page(const RowsPage& page) override {
    const ResultColumns& columns = *page.columns;
    std::string text;
    if (!header_printed_) {
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text += ',';
        AppendCsvField(columns[i].name, false, {}, text);
      }
      text += "\n";
      header_printed_ = true;
    }
    PageReader reader(page);
    std::vector<ValueView> values;
    while (reader.Next(values)) {
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text += ',';
        AppendCsvValue(*columns[i].type, values[i], "", {}, text);
      }
      text += "\n";
    }
    out_ << text;
  }

  void End() override {}

 private:
  std::ostream& out_;
  bool header_printed_ = false;
};

}  // namespace

std::optional<OutputFormat> OutputFormatFromName(std::string_view name) {
  for (const auto& [format, format_name] : kFormatNames) {
    if (name == format_name) return format;
  }
  return std::nullopt;
}

const char* OutputFormatName(OutputFormat format) {
  for (const auto& [known, name] : kFormatNames) {
    if (known == format) return name;
  }
  return "table";
}

void AppendCsvValue(const Type& type, const ValueView& value, std::string_view null_text, const CsvFormat& format,
                    std::string& out) {
  if (!value) {
    out += null_text;
    return;
  }
  const std::string text = ReadsAsNull(type, *value) ? std::string(kEmptyValueField) : FormatText(type, *value);
  AppendCsvField(text, text.empty() || text == null_text, format, out);
}

std::unique_ptr<ResultPrinter> MakePrinter(const PrinterOptions& options, std::ostream& out) {
  switch (options.format) {
    case OutputFormat::kTable: return std::make_unique<TablePrinter>(out, options.color);
    case OutputFormat::kExpanded: return std::make_unique<ExpandedPrinter>(out, options.color);
    case OutputFormat::kJson: return std::make_unique<JsonPrinter>(out);
    case OutputFormat::kCsv: return std::make_unique<CsvPrinter>(out);
  }
  return nullptr;
}

}  // namespace widerow
