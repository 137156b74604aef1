#include "net/protocol/frame_writer.h"

#include "base/text.h"
#include "net/protocol/body_writer.h"
#include "net/protocol/error_response.h"

namespace widerow {

namespace {

// Smaller bodies are not compressed, because compression would cost more than it saves.
constexpr size_t kCompressFromBytes = 256;

Error AnswerTooLong(size_t bytes) {
  return InvalidError(
      StrCat("The answer has ", bytes, " bytes, and a frame of the native protocol has at most ", kAnswerBytesMax),
      "ask for fewer rows, with a smaller page size, or for fewer columns");
}

}  // namespace

FrameWriter::FrameWriter(const AnswerTo& to, Opcode opcode, ByteView trace_id, const std::vector<std::string>& warnings)
    : to_(to),
      header_{.version = to.version, .is_response = true, .stream = to.stream, .opcode = static_cast<uint8_t>(opcode)},
      bytes_(kFrameHeaderBytes, '\0') {
  if (!trace_id.empty()) {
    header_.flags |= FrameFlags::kTracing;
    bytes_.append(trace_id);
  }
  if (!warnings.empty() && to.version >= 4) {
    header_.flags |= FrameFlags::kWarning;
    AppendStringList(bytes_, warnings);
  }
}

Bytes FrameWriter::Finish() {
  const ByteView body = ByteView(bytes_).substr(kFrameHeaderBytes);
  if (body.size() > kAnswerBytesMax) return EncodeError(to_, AnswerTooLong(body.size()));
  if (to_.compression != Compression::kNone && body.size() >= kCompressFromBytes) {
    Bytes compressed(kFrameHeaderBytes, '\0');
    CompressBody(to_.compression, body, compressed);
    if (compressed.size() < bytes_.size()) {
      bytes_ = std::move(compressed);
      bytes_.shrink_to_fit();  // The frame may wait long for the client, and the memory budget counts its capacity.
      header_.flags |= FrameFlags::kCompressed;
    }
  }
  header_.body_bytes = static_cast<uint32_t>(bytes_.size() - kFrameHeaderBytes);
  Bytes header;
  AppendFrameHeader(header, header_);
  bytes_.replace(0, kFrameHeaderBytes, header);
  return std::move(bytes_);
}

}  // namespace widerow
