#include "net/protocol/supported.h"

#include "net/protocol/body_writer.h"
#include "net/protocol/version.h"

namespace widerow {

Bytes EncodeSupported(const AnswerTo& to) {
  std::vector<std::string> versions;
  for (uint8_t version = kProtocolVersionMin; version <= kProtocolVersionMax; ++version) {
    versions.push_back(VersionName(version));
  }
  FrameWriter frame(to, Opcode::kSupported);
  AppendBigEndian(frame.body(), uint16_t{3});
  AppendString(frame.body(), "PROTOCOL_VERSIONS");
  AppendStringList(frame.body(), versions);
  AppendString(frame.body(), "COMPRESSION");
  AppendStringList(frame.body(), {"lz4", "snappy"});
  AppendString(frame.body(), "CQL_VERSION");
  AppendStringList(frame.body(), {"3.4.7"});
  return frame.Finish();
}

}  // namespace widerow
