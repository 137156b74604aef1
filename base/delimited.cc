#include "base/delimited.h"

namespace widerow {
namespace {

constexpr char kZero = '\0';
constexpr auto kMoreZeros = static_cast<char>(0xFE);
constexpr auto kZerosEnd = static_cast<char>(0xFF);

// Reads the delimited bytes at the front of `in`. Calls plain(bytes) for bytes without zeros, and zeros(count) for a
// run of zeros. Returns what DelimitedSize returns; if that is 0, some calls may have been made.
template <typename Plain, typename Zeros>
size_t ReadDelimited(ByteView in, const Plain& plain, const Zeros& zeros) {
  size_t at = 0;
  for (size_t zero = in.find(kZero); zero != ByteView::npos; zero = in.find(kZero, at)) {
    plain(in.substr(at, zero - at));
    at = zero + 1;
    if (at == in.size() || static_cast<uint8_t>(in[at]) < 0xFE) return at;  // This zero is the terminator.
    size_t run = 0;
    while (at < in.size() && in[at] == kMoreZeros) ++run, ++at;
    if (at == in.size()) return 0;
    const char end = in[at++];
    if (end != kZerosEnd && end != kZero) return 0;
    zeros(end == kZerosEnd ? run + 1 : run);
    if (end == kZero) return at;  // The bytes ended with zeros, and this zero is the terminator.
  }
  return 0;
}

// Does what AppendDelimited does, for at most kShortBytes bytes. It goes byte by byte, because most keys are short, and
// numbers in them have many zeros.
constexpr size_t kShortBytes = 32;
void AppendShortDelimited(ByteView bytes, Bytes& out) {
  char buffer[2 * kShortBytes + 1];
  char* to = buffer;
  bool in_zeros = false;
  for (const char byte : bytes) {
    if (byte == kZero) {
      *to++ = in_zeros ? kMoreZeros : kZero;
    } else {
      if (in_zeros) *to++ = kZerosEnd;
      *to++ = byte;
    }
    in_zeros = byte == kZero;
  }
  if (in_zeros) *to++ = kMoreZeros;
  *to++ = kZero;
  out.append(buffer, static_cast<size_t>(to - buffer));
}

}  // namespace

void AppendDelimited(ByteView bytes, Bytes& out) {
  if (bytes.size() <= kShortBytes) return AppendShortDelimited(bytes, out);
  for (size_t at = 0; at < bytes.size();) {
    const size_t zero = bytes.find(kZero, at);
    if (zero == ByteView::npos) {
      out.append(bytes.substr(at));
      break;
    }
    out.append(bytes.substr(at, zero - at));
    size_t end = zero + 1;
    while (end < bytes.size() && bytes[end] == kZero) ++end;
    out.push_back(kZero);
    if (end == bytes.size()) {
      out.append(end - zero, kMoreZeros);
    } else {
      out.append(end - zero - 1, kMoreZeros);
      out.push_back(kZerosEnd);
    }
    at = end;
  }
  out.push_back(kZero);
}

size_t DelimitedSize(ByteView in) {
  return ReadDelimited(
      in, [](ByteView) {}, [](size_t) {});
}

bool TakeDelimited(ByteView& in, Bytes& out) {
  const size_t size_before = out.size();
  const size_t size = ReadDelimited(
      in, [&](ByteView plain) { out.append(plain); }, [&](size_t count) { out.append(count, kZero); });
  if (size == 0) out.resize(size_before);
  in.remove_prefix(size);
  return size > 0;
}

bool SkipDelimited(ByteView& in) {
  const size_t size = DelimitedSize(in);
  if (size == 0) return false;
  in.remove_prefix(size);
  return true;
}

}  // namespace widerow
