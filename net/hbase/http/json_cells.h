// Cells as JSON. Rows, qualifiers and values are bytes; a request chooses how they are written: as text (UTF-8), as hex
// digits, or as base64url.
#pragma once

#include "base/result.h"
#include "net/hbase/cells/cell.h"
#include "net/hbase/store/read_spec.h"

namespace widerow::hbase {

enum class BytesForm : uint8_t { kText, kHex, kBase64 };

// Finds the form by its name: "text", "hex" or "base64". An empty name stands for "text".
Result<BytesForm> BytesFormNamed(std::string_view name);
Result<Bytes> DecodeBytes(std::string_view text, BytesForm form);
// Appends a JSON string. As text, bytes that are not UTF-8 become the object {"hex":"…"}.
void AppendBytes(ByteView bytes, BytesForm form, std::string& out);
// Appends {"row":…,"cells":[…]}.
void AppendRow(ByteView row, const std::vector<Cell>& cells, BytesForm form, std::string& out);

// Adds "family" or "family:qualifier" to the columns that are read. A family contains all columns of it.
Status AddColumn(std::string_view column, BytesForm form, ReadSpec& read);
// Parses a number of versions, which is at least 1.
Result<int32_t> ParseVersions(std::string_view text);
// Parses a whole number.
Result<int64_t> ParseNumber(std::string_view name, std::string_view text);

}  // namespace widerow::hbase
