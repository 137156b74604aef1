// Writes and reads the parts of catalog records (catalog_codec.cc): numbers, texts, types, and sequences of them.
#pragma once

#include <bit>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/limits.h"
#include "types/schema.h"

namespace widerow::catalog {

// Writer and Reader have functions of the same names. A template whose parameter is one of these classes describes a
// record once, so the form that is written and the form that is read cannot differ.
class Writer {
 public:
  static constexpr bool kReads = false;
  void Number(uint64_t value) { AppendVarint(out_, value); }
  template <typename T>
  void Integer(const T& value) {
    AppendVarint(out_, static_cast<uint64_t>(value));
  }
  void Text(const Bytes& text) {
    Number(text.size());
    out_.append(text);
  }
  void Double(const double& value) { AppendBigEndian(out_, std::bit_cast<uint64_t>(value)); }
  void Id(const Uuid& id) { out_.append(id.view()); }
  bool ok() const { return true; }
  bool empty() const { return out_.empty(); }
  void Append(const Writer& other) { out_.append(other.out_); }
  Bytes Finish() {
    Seal(out_);
    return std::move(out_);
  }

 private:
  Bytes out_;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(ByteView in) : in_(in) {}

  uint64_t Number() {
    uint64_t value = 0;
    ok_ = ok_ && TakeVarint(in_, value);
    return ok_ ? value : 0;
  }
  template <typename T>
  void Integer(T& value) {
    value = static_cast<T>(Number());
  }
  void Text(Bytes& text) {
    const uint64_t size = Number();
    if (size > in_.size()) ok_ = false;
    if (!ok_) return;
    text.assign(in_.substr(0, size));
    in_.remove_prefix(size);
  }
  void Double(double& value) {
    if (in_.size() < 8) ok_ = false;
    if (!ok_) return;
    value = std::bit_cast<double>(ReadBigEndian<uint64_t>(in_.data()));
    in_.remove_prefix(8);
  }
  void Id(Uuid& id) {
    if (in_.size() < 16) ok_ = false;
    if (!ok_) return;
    id = Uuid::FromBytes(in_.substr(0, 16));
    in_.remove_prefix(16);
  }
  // Reads the number of items that follow. Each item takes at least one byte, so a number greater than the bytes that
  // are left is damaged, and the Reader fails.
  uint64_t Count() {
    const uint64_t count = Number();
    if (count > in_.size()) ok_ = false;
    return ok_ ? count : 0;
  }
  void Fail() { ok_ = false; }
  bool ok() const { return ok_; }
  bool AtEnd() const { return ok_ && in_.empty(); }

 private:
  ByteView in_;
  bool ok_ = true;
};

template <typename Items, typename Each>
void Sequence(Writer& io, const Items& items, Each each) {
  io.Number(items.size());
  for (const auto& item : items) each(item);
}
template <typename Items, typename Each>
void Sequence(Reader& io, Items& items, Each each) {
  items.clear();
  for (uint64_t count = io.Count(); count > 0 && io.ok(); --count) each(items.emplace_back());
}

inline void TextMap(Writer& io, const std::map<std::string, std::string>& map) {
  io.Number(map.size());
  for (const auto& [key, value] : map) {
    io.Text(key);
    io.Text(value);
  }
}
inline void TextMap(Reader& io, std::map<std::string, std::string>& map) {
  map.clear();
  for (uint64_t count = io.Count(); count > 0 && io.ok(); --count) {
    Bytes key, value;
    io.Text(key);
    io.Text(value);
    map.emplace(std::move(key), std::move(value));
  }
}

inline void TypeField(Writer& io, const TypePtr& type) {
  io.Integer(type->kind);
  io.Integer(type->frozen);
  Sequence(io, type->arguments, [&](const TypePtr& argument) { TypeField(io, argument); });
  io.Text(type->keyspace);
  io.Text(type->name);
  Sequence(io, type->field_names, [&](const std::string& name) { io.Text(name); });
  io.Integer(type->dimension);
  io.Number(type->bytes_max.has_value() ? uint64_t{*type->bytes_max} + 1 : 0);
}

inline bool IsPlausible(const Type& type) {
  const size_t arguments = type.arguments.size();
  switch (type.kind) {
    case TypeKind::kList:
    case TypeKind::kSet: return arguments == 1;
    case TypeKind::kMap: return arguments == 2;
    case TypeKind::kVector: return arguments == 1 && type.dimension > 0;
    case TypeKind::kTuple: return arguments > 0;
    case TypeKind::kUdt: return type.field_names.size() == arguments;
    default: return arguments == 0 && type.kind >= TypeKind::kAscii && type.kind <= TypeKind::kVarint;
  }
}

inline TypePtr ReadType(Reader& io, size_t depth) {
  if (depth > limits::kNestingMax) {
    io.Fail();
    return nullptr;
  }
  Type type;
  io.Integer(type.kind);
  io.Integer(type.frozen);
  Sequence(io, type.arguments, [&](TypePtr& argument) { argument = ReadType(io, depth + 1); });
  io.Text(type.keyspace);
  io.Text(type.name);
  Sequence(io, type.field_names, [&](std::string& name) { io.Text(name); });
  io.Integer(type.dimension);
  if (const uint64_t bytes_max = io.Number(); bytes_max > 0) type.bytes_max = static_cast<uint32_t>(bytes_max - 1);
  if (!io.ok() || !IsPlausible(type)) {
    io.Fail();
    return nullptr;
  }
  const bool is_plain_scalar = type.arguments.empty() && type.kind != TypeKind::kUdt && !type.bytes_max.has_value();
  return is_plain_scalar ? ScalarType(type.kind) : std::make_shared<const Type>(std::move(type));
}
inline void TypeField(Reader& io, TypePtr& type) { type = ReadType(io, 0); }

}  // namespace widerow::catalog
