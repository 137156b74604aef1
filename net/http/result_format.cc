// ChooseFormat parses the Accept header. ResultWriter appends to the caller's string: Begin appends the columns, Page
// appends rows, and End appends the closing part. JSON values come from types/json_form.h, CSV fields from
// types/text_form.h.
#include "net/http/result_format.h"

#include <algorithm>
#include <cstdlib>

#include "types/json_form.h"
#include "types/text_form.h"

namespace widerow {

namespace {

void AppendCsvField(std::string_view text, std::string& out) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.append(text);
    return;
  }
  out.push_back('"');  // Empty text is quoted too: an empty field without quotes is null.
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view TakeUntil(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return Trim(part);
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

std::optional<ResultFormat> FormatOfMediaRange(std::string_view range) {
  const std::string type = LowerCase(range);
  if (type == "application/json" || type == "application/*" || type == "*/*") return ResultFormat::kJson;
  if (type == "application/x-ndjson" || type == "application/ndjson") return ResultFormat::kNdjson;
  if (type == "text/csv" || type == "text/*") return ResultFormat::kCsv;
  return std::nullopt;
}

double QualityOf(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string parameter = LowerCase(TakeUntil(parameters, ';'));
    if (parameter.rfind("q=", 0) == 0) return std::strtod(parameter.c_str() + 2, nullptr);
  }
  return 1;
}

}  // namespace

const char* ContentTypeOf(ResultFormat format) {
  switch (format) {
    case ResultFormat::kJson: return "application/json";
    case ResultFormat::kNdjson: return "application/x-ndjson";
    case ResultFormat::kCsv: return "text/csv; charset=utf-8";
  }
  return "application/json";
}

std::optional<ResultFormat> ChooseFormat(std::string_view accept) {
  if (Trim(accept).empty()) return ResultFormat::kJson;
  std::optional<ResultFormat> best;
  double best_quality = 0;
  while (!accept.empty()) {
    std::string_view parameters = TakeUntil(accept, ',');
    const std::optional<ResultFormat> format = FormatOfMediaRange(TakeUntil(parameters, ';'));
    const double quality = QualityOf(parameters);
    if (format && quality > best_quality) {
      best = format;
      best_quality = quality;
    }
  }
  return best;
}

std::optional<ResultFormat> FormatFromName(std::string_view name) {
  if (name == "json") return ResultFormat::kJson;
  if (name == "ndjson") return ResultFormat::kNdjson;
  if (name == "csv") return ResultFormat::kCsv;
  return std::nullopt;
}

void ResultWriter::Begin(std::string& out) const {
  if (format_ == ResultFormat::kJson) {
    out += "{\"columns\":[";
    for (size_t i = 0; i < columns_->size(); ++i) {
      out += i == 0 ? "{\"name\":" : ",{\"name\":";
      AppendJsonString((*columns_)[i].name, out);
      out += ",\"type\":";
      AppendJsonString(TypeText(*(*columns_)[i].type), out);
      out += '}';
    }
    out += "],\"rows\":[";
  } else if (format_ == ResultFormat::kCsv) {
    for (size_t i = 0; i < columns_->size(); ++i) {
      if (i > 0) out += ',';
      AppendCsvField((*columns_)[i].name, out);
    }
    out += "\r\n";
  }
}

void ResultWriter::Page(const RowsPage& page, std::string& out) {
  if (format_ == ResultFormat::kNdjson && keys_.empty()) {
    for (const ResultColumn& column : *columns_) {
      AppendJsonString(column.name, keys_.emplace_back());
      keys_.back() += ':';
    }
  }
  PageReader reader(page);
  while (reader.Next(row_)) Row(row_, out);
}

void ResultWriter::Row(const std::vector<ValueView>& row, std::string& out) {
  const size_t count = std::min(row.size(), columns_->size());
  if (format_ == ResultFormat::kJson) out += first_row_ ? "[" : ",\n[";
  if (format_ == ResultFormat::kNdjson) out += '{';
  first_row_ = false;
  for (size_t i = 0; i < count; ++i) {
    const Type& type = *(*columns_)[i].type;
    if (i > 0) out += ',';
    if (format_ == ResultFormat::kNdjson) out += keys_[i];
    if (format_ == ResultFormat::kCsv) {
      if (row[i]) AppendCsvField(FormatText(type, *row[i]), out);
    } else if (row[i]) {
      AppendJson(type, *row[i], out, JsonForm::kExact);
    } else {
      out += "null";
    }
  }
  out += format_ == ResultFormat::kJson ? "]" : format_ == ResultFormat::kNdjson ? "}\n" : "\r\n";
}

void ResultWriter::End(std::string_view page_state, const std::vector<std::string>& warnings, std::string& out) const {
  if (format_ != ResultFormat::kJson) return;
  out += ']';
  if (!page_state.empty()) out.append(",\"page_state\":\"").append(page_state).append("\"");
  if (!warnings.empty()) {
    out += ",\"warnings\":";
    AppendJsonStrings(warnings, out);
  }
  out += "}\n";
}

void AppendJsonStrings(const std::vector<std::string>& strings, std::string& out) {
  out += '[';
  for (size_t i = 0; i < strings.size(); ++i) {
    if (i > 0) out += ',';
    AppendJsonString(strings[i], out);
  }
  out += ']';
}

}  // namespace widerow
