#include "storage/fold/direct_log.h"

#include "storage/log/write_codec.h"

namespace widerow {
namespace {

bool TakeSized(ByteView& in, Bytes& out) {
  uint64_t size = 0;
  if (!TakeVarint(in, size) || size > in.size()) return false;
  out.assign(in.substr(0, size));
  in.remove_prefix(size);
  return true;
}

bool TakeInteger(ByteView& in, int64_t& out) {
  if (in.size() < sizeof out) return false;
  out = ReadBigEndian<int64_t>(in.data());
  in.remove_prefix(sizeof out);
  return true;
}

}  // namespace

Bytes EncodePurgeGroup(const PurgeGroup& purge) {
  Bytes out(1, static_cast<char>(GroupKind::kPurge));
  AppendBigEndian(out, purge.now_seconds);
  for (const PurgeCandidate& candidate : purge.candidates) {
    AppendSized(out, candidate.key);
    AppendVarint(out, candidate.prefix_size);
    AppendSized(out, candidate.row_key);
    AppendBigEndian(out, candidate.since);
  }
  return out;
}

bool DecodePurgeGroup(ByteView body, PurgeGroup& purge) {
  if (!TakeInteger(body, purge.now_seconds)) return false;
  while (!body.empty()) {
    PurgeCandidate& candidate = purge.candidates.emplace_back();
    uint64_t prefix_size = 0;
    const bool whole = TakeSized(body, candidate.key) && TakeVarint(body, prefix_size) &&
                       TakeSized(body, candidate.row_key) && TakeInteger(body, candidate.since);
    if (!whole || prefix_size < sizeof(StorageId) || prefix_size >= candidate.key.size()) return false;
    candidate.prefix_size = prefix_size;
  }
  return true;
}

Bytes EncodePiecesGroup(const PiecesGroup& pieces) {
  Bytes out(1, static_cast<char>(GroupKind::kPieces));
  AppendBigEndian(out, pieces.object);
  AppendBigEndian(out, pieces.number);
  AppendSized(out, pieces.partition_prefix);
  out.append(pieces.bytes);
  return out;
}

bool DecodePiecesGroup(ByteView body, PiecesGroup& pieces) {
  constexpr size_t kNumbersBytes = 16;
  if (body.size() < kNumbersBytes) return false;
  pieces.object = ReadBigEndian<uint64_t>(body.data());
  pieces.number = ReadBigEndian<uint64_t>(body.data() + 8);
  body.remove_prefix(kNumbersBytes);
  uint64_t size = 0;
  if (!TakeVarint(body, size) || size > body.size() || size <= sizeof(StorageId)) return false;
  pieces.partition_prefix = body.substr(0, size);
  pieces.bytes = body.substr(size);
  return !pieces.bytes.empty();
}

}  // namespace widerow
