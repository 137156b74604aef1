// Functions that make requests of the native protocol, as a client does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "net/protocol/body_writer.h"
#include "net/protocol/frame.h"

namespace widerow {

inline Bytes MakeFrame(Opcode opcode, ByteView body, uint8_t version = 4, int16_t stream = 1, uint8_t flags = 0) {
  Bytes frame;
  AppendFrameHeader(frame, {.version = version,
                            .flags = flags,
                            .stream = stream,
                            .opcode = static_cast<uint8_t>(opcode),
                            .body_bytes = static_cast<uint32_t>(body.size())});
  return frame.append(body);
}

inline Bytes StringMapBody(const std::vector<std::pair<std::string, std::string>>& map) {
  Bytes body;
  AppendBigEndian(body, static_cast<uint16_t>(map.size()));
  for (const auto& [key, value] : map) {
    AppendString(body, key);
    AppendString(body, value);
  }
  return body;
}

inline Bytes StartupBody(const std::string& compression = {}) {
  std::vector<std::pair<std::string, std::string>> options{{"CQL_VERSION", "3.0.0"}, {"DRIVER_NAME", "test"}};
  if (!compression.empty()) options.emplace_back("COMPRESSION", compression);
  return StringMapBody(options);
}

// The part <query_parameters> of a request. Its flags name only the fields that are set.
struct ParametersText {
  // Each is a whole [value] of the protocol: SizedValue, kNullValue or kUnsetValue.
  std::vector<Bytes> values;
  std::vector<std::string> names;
  bool skip_metadata = false;
  int32_t page_rows = 0;
  Bytes paging_state;
  int64_t timestamp = 0;
  std::string keyspace;
  int32_t now_seconds = 0;
  uint16_t consistency = 1;
  bool serial = false;
};

inline const Bytes kNullValue("\xff\xff\xff\xff", 4), kUnsetValue("\xff\xff\xff\xfe", 4);
inline Bytes SizedValue(ByteView bytes) {
  Bytes value;
  AppendSizedBytes(value, bytes);
  return value;
}
inline Bytes IntValue(int32_t number) {
  Bytes bytes;
  AppendBigEndian(bytes, number);
  return SizedValue(bytes);
}

inline uint32_t FlagsOf(const ParametersText& text) {
  uint32_t flags = 0;
  if (!text.values.empty()) flags |= 0x01;
  if (text.skip_metadata) flags |= 0x02;
  if (text.page_rows != 0) flags |= 0x04;
  if (!text.paging_state.empty()) flags |= 0x08;
  if (text.serial) flags |= 0x10;
  if (text.timestamp != 0) flags |= 0x20;
  if (!text.names.empty()) flags |= 0x40;
  if (!text.keyspace.empty()) flags |= 0x80;
  if (text.now_seconds != 0) flags |= 0x100;
  return flags;
}

inline void AppendParameters(Bytes& body, const ParametersText& text, uint8_t version) {
  const uint32_t flags = FlagsOf(text);
  AppendBigEndian(body, text.consistency);
  if (version >= 5) {
    AppendBigEndian(body, flags);
  } else {
    body.push_back(static_cast<char>(flags));
  }
  if (!text.values.empty()) {
    AppendBigEndian(body, static_cast<uint16_t>(text.values.size()));
    for (size_t i = 0; i < text.values.size(); ++i) {
      if (!text.names.empty()) AppendString(body, text.names[i]);
      body += text.values[i];
    }
  }
  if (text.page_rows != 0) AppendBigEndian(body, text.page_rows);
  if (!text.paging_state.empty()) AppendSizedBytes(body, text.paging_state);
  if (text.serial) AppendBigEndian(body, uint16_t{8});
  if (text.timestamp != 0) AppendBigEndian(body, text.timestamp);
  if (!text.keyspace.empty()) AppendString(body, text.keyspace);
  if (text.now_seconds != 0) AppendBigEndian(body, text.now_seconds);
}

inline Bytes QueryBody(std::string_view cql, uint8_t version = 4, const ParametersText& parameters = {}) {
  Bytes body;
  AppendLongString(body, cql);
  AppendParameters(body, parameters, version);
  return body;
}

inline Bytes PrepareBody(std::string_view cql, uint8_t version = 4, std::string_view keyspace = {}) {
  Bytes body;
  AppendLongString(body, cql);
  if (version >= 5) {
    AppendBigEndian(body, keyspace.empty() ? int32_t{0} : int32_t{1});
    if (!keyspace.empty()) AppendString(body, keyspace);
  }
  return body;
}

inline Bytes ExecuteBody(ByteView id, uint8_t version = 4, const ParametersText& parameters = {},
                         ByteView metadata_id = {}) {
  Bytes body;
  AppendShortBytes(body, id);
  if (version >= 5) AppendShortBytes(body, metadata_id);
  AppendParameters(body, parameters, version);
  return body;
}

struct BatchEntryText {
  Bytes id;  // Empty if the statement is given by its text.
  std::string cql;
  std::vector<Bytes> values;
};

inline Bytes BatchBody(uint8_t kind, const std::vector<BatchEntryText>& entries, uint8_t version = 4,
                       const ParametersText& parameters = {}) {
  Bytes body(1, static_cast<char>(kind));
  AppendBigEndian(body, static_cast<uint16_t>(entries.size()));
  for (const BatchEntryText& entry : entries) {
    body.push_back(entry.id.empty() ? 0 : 1);
    if (entry.id.empty()) {
      AppendLongString(body, entry.cql);
    } else {
      AppendShortBytes(body, entry.id);
    }
    AppendBigEndian(body, static_cast<uint16_t>(entry.values.size()));
    for (const Bytes& value : entry.values) body += value;
  }
  AppendParameters(body, parameters, version);
  return body;
}

inline Bytes RegisterBody(const std::vector<std::string>& types) {
  Bytes body;
  AppendStringList(body, types);
  return body;
}

}  // namespace widerow
