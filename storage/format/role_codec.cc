#include "storage/format/role_codec.h"

#include "base/checksum.h"

namespace widerow {
namespace {

constexpr uint8_t kVersion = 2, kWithoutId = 1;
enum Flag : uint8_t { kSuperuser = 1, kCanLogin = 2, kDefaultPassword = 4 };

using Texts = std::set<std::string, std::less<>>;

void AppendText(std::string_view text, Bytes& out) {
  AppendVarint(out, text.size());
  out += text;
}

void AppendTexts(const Texts& texts, Bytes& out) {
  AppendVarint(out, texts.size());
  for (const std::string& text : texts) AppendText(text, out);
}

bool TakeText(ByteView& in, std::string& text) {
  uint64_t size = 0;
  if (!TakeVarint(in, size) || size > in.size()) return false;
  text.assign(in.substr(0, size));
  in.remove_prefix(size);
  return true;
}

bool TakeId(ByteView& in, Uuid& id) {
  constexpr size_t kBytes = 16;
  if (in.size() < kBytes) return false;
  id = Uuid::FromBytes(in.substr(0, kBytes));
  in.remove_prefix(kBytes);
  return true;
}

bool TakeTexts(ByteView& in, Texts& texts) {
  uint64_t count = 0;
  if (!TakeVarint(in, count)) return false;
  for (std::string text; count > 0; --count) {
    if (!TakeText(in, text)) return false;
    texts.insert(std::move(text));
  }
  return true;
}

bool TakePermissions(ByteView& in, RoleSchema& role) {
  uint64_t count = 0;
  if (!TakeVarint(in, count)) return false;
  for (std::string resource; count > 0; --count) {
    uint64_t bits = 0;
    if (!TakeText(in, resource) || !TakeVarint(in, bits) || bits >> kPermissionCount != 0) return false;
    role.permissions[std::move(resource)] = PermissionSet::FromBits(static_cast<uint32_t>(bits));
  }
  return true;
}

}  // namespace

Bytes EncodeRole(const RoleSchema& role) {
  Bytes out(1, static_cast<char>(kVersion));
  const int flags = (role.superuser ? kSuperuser : 0) | (role.can_login ? kCanLogin : 0) |
                    (role.default_password ? kDefaultPassword : 0);
  out.push_back(static_cast<char>(flags));
  out += role.id.view();
  AppendText(role.name, out);
  AppendText(role.salted_hash, out);
  AppendTexts(role.member_of, out);
  AppendTexts(role.identities, out);
  AppendVarint(out, role.permissions.size());
  for (const auto& [resource, permissions] : role.permissions) {
    AppendText(resource, out);
    AppendVarint(out, permissions.bits());
  }
  Seal(out);
  return out;
}

bool DecodeRole(ByteView record, RoleSchema& role) {
  if (!Unseal(record) || record.size() < 2) return false;
  const auto version = static_cast<uint8_t>(record[0]), flags = static_cast<uint8_t>(record[1]);
  if (version != kVersion && version != kWithoutId) return false;
  record.remove_prefix(2);
  role = {};
  if (version != kWithoutId && !TakeId(record, role.id)) return false;
  role.superuser = (flags & kSuperuser) != 0;
  role.can_login = (flags & kCanLogin) != 0;
  role.default_password = (flags & kDefaultPassword) != 0;
  return TakeText(record, role.name) && !role.name.empty() && TakeText(record, role.salted_hash) &&
         TakeTexts(record, role.member_of) && TakeTexts(record, role.identities) && TakePermissions(record, role) &&
         record.empty();
}

}  // namespace widerow
