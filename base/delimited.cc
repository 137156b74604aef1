#include "base/delimited.h"

namespace widerow {
namespace {

constexpr char kZero = '\0';
constexpr auto kMoreZeros = static_cast<char>(0xFE);
constexpr auto kZerosEnd = static_cast<char>(0xFF);

}  // namespace

size_t DelimitedSize(ByteView in) {
  size_t at = 0;
  while ((at = in.find(kZero, at)) != ByteView::npos) {
    if (at + 1 == in.size()) return at + 1;
    const auto next = static_cast<uint8_t>(in[at + 1]);
    if (next < 0xFE) return at + 1;
    ++at;
    while (at < in.size() && in[at] == kMoreZeros) ++at;
    if (at == in.size()) return 0;
    if (in[at] == kZerosEnd) {
      ++at;
    } else if (in[at] == kZero) {
      return at + 1;  // The bytes ended with zeros, and this zero is the terminator.
    } else {
      return 0;
    }
  }
  return 0;
}

namespace {

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

bool TakeDelimited(ByteView& in, Bytes& out) {
  const size_t size_before = out.size();
  size_t at = 0;
  for (size_t zero = in.find(kZero); zero != ByteView::npos; zero = in.find(kZero, at)) {
    out.append(in.substr(at, zero - at));
    at = zero + 1;
    const auto next = at < in.size() ? static_cast<uint8_t>(in[at]) : uint8_t{0};
    if (next < 0xFE) {  // This zero is the terminator.
      in.remove_prefix(at);
      return true;
    }
    size_t run = 0;
    while (at < in.size() && in[at] == kMoreZeros) ++run, ++at;
    if (at == in.size()) break;
    const char end = in[at++];
    if (end != kZerosEnd && end != kZero) break;
    out.append(end == kZerosEnd ? run + 1 : run, kZero);
    if (end == kZero) {  // The bytes ended with zeros, and this zero is the terminator.
      in.remove_prefix(at);
      return true;
    }
  }
  out.resize(size_before);
  return false;
}

bool SkipDelimited(ByteView& in) {
  const size_t size = DelimitedSize(in);
  if (size == 0) return false;
  in.remove_prefix(size);
  return true;
}

}  // namespace widerow
