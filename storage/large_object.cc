#include "storage/large_object.h"

namespace widerow {

Bytes EncodeLargeReference(const LargeReference& reference) {
  Bytes out;
  AppendBigEndian(out, reference.object);
  AppendBigEndian(out, reference.bytes);
  return out;
}

bool DecodeLargeReference(ByteView in, LargeReference& reference) {
  if (in.size() != 2 * sizeof(uint64_t)) return false;
  reference.object = ReadBigEndian<uint64_t>(in.data());
  reference.bytes = ReadBigEndian<uint64_t>(in.data() + sizeof(uint64_t));
  return reference.bytes <= kLargeObjectBytesMax;
}

}  // namespace widerow
