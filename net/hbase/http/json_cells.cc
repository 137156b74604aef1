#include "net/hbase/http/json_cells.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "net/text/base64url.h"
#include "types/json_form.h"

namespace widerow::hbase {

Result<BytesForm> BytesFormNamed(std::string_view name) {
  if (name.empty() || name == "text") return BytesForm::kText;
  if (name == "hex") return BytesForm::kHex;
  if (name == "base64") return BytesForm::kBase64;
  return InvalidError(StrCat("unknown encoding \"", name, "\""), "the encodings are text, hex and base64");
}

Result<Bytes> DecodeBytes(std::string_view text, BytesForm form) {
  Bytes bytes;
  switch (form) {
    case BytesForm::kText: return Bytes(text);
    case BytesForm::kHex:
      if (!FromHex(text, bytes)) return InvalidError(StrCat("\"", text, "\" is not hex"), "two digits for each byte");
      return bytes;
    case BytesForm::kBase64:
      if (!DecodeBase64Url(text, bytes)) return InvalidError(StrCat("\"", text, "\" is not base64url"));
      return bytes;
  }
  return bytes;
}

void AppendBytes(ByteView bytes, BytesForm form, std::string& out) {
  switch (form) {
    case BytesForm::kText:
      if (IsUtf8(bytes)) return AppendJsonString(bytes, out);
      out += StrCat("{\"hex\":\"", ToHex(bytes), "\"}");
      return;
    case BytesForm::kHex: out += StrCat("\"", ToHex(bytes), "\""); return;
    case BytesForm::kBase64: out += StrCat("\"", EncodeBase64Url(bytes), "\""); return;
  }
}

void AppendRow(ByteView row, const std::vector<Cell>& cells, BytesForm form, std::string& out) {
  out += "{\"row\":";
  AppendBytes(row, form, out);
  out += ",\"cells\":[";
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    out += i == 0 ? "{\"family\":" : ",{\"family\":";
    AppendJsonString(cell.family, out);
    out += ",\"qualifier\":";
    AppendBytes(cell.qualifier, form, out);
    out += StrCat(",\"timestamp\":", cell.timestamp, ",\"value\":");
    AppendBytes(cell.value, form, out);
    out += '}';
  }
  out += "]}";
}

Status AddColumn(std::string_view column, BytesForm form, ReadSpec& read) {
  const size_t colon = column.find(':');
  const bool whole_family = colon == std::string_view::npos;
  Bytes qualifier;
  if (!whole_family) { WR_ASSIGN_OR_RETURN(qualifier, DecodeBytes(column.substr(colon + 1), form)); }
  const Bytes family(column.substr(0, colon));
  const auto found = std::ranges::find(read.families, family, &FamilyColumns::family);
  if (found == read.families.end()) {
    read.families.push_back({.family = family, .qualifiers = {}});
    if (!whole_family) read.families.back().qualifiers.push_back(std::move(qualifier));
    return OkStatus();
  }
  // No qualifiers stand for the whole family, which contains every column of it.
  if (whole_family) found->qualifiers.clear();
  if (found->qualifiers.empty()) return OkStatus();
  const auto at = std::ranges::lower_bound(found->qualifiers, qualifier);
  if (at == found->qualifiers.end() || *at != qualifier) found->qualifiers.insert(at, std::move(qualifier));
  return OkStatus();
}

Result<int32_t> ParseVersions(std::string_view text) {
  WR_ASSIGN_OR_RETURN(const int64_t versions, ParseNumber("versions", text));
  if (versions == 0) return InvalidError("versions must be at least 1", "leave it out for the newest version");
  return static_cast<int32_t>(std::min<int64_t>(versions, INT32_MAX));
}

Result<int64_t> ParseNumber(std::string_view name, std::string_view text) {
  int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number >= 0) return number;
  return InvalidError(StrCat(name, " must be a whole number, not \"", text, "\""));
}

}  // namespace widerow::hbase
