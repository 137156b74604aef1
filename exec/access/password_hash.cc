#include "exec/access/password_hash.h"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <memory>

#include "base/check.h"

namespace widerow {

namespace {

constexpr const char* kPrefix = "$2a$";  // Cassandra accepts no other prefix.
constexpr size_t kHashBytes = 60, kSaltBytes = 16;

// crypt's scratch memory. It is large and contains the password, so it is wiped at the end.
struct CryptData {
  struct crypt_data data = {};
  ~CryptData() { OPENSSL_cleanse(&data, sizeof data); }
};

// Returns the hash; empty if crypt refuses the setting.
std::string Crypt(const std::string& password, const std::string& setting) {
  const auto scratch = std::make_unique<CryptData>();
  const char* const hash = crypt_r(password.c_str(), setting.c_str(), &scratch->data);
  return hash == nullptr || hash[0] == '*' ? "" : hash;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsBase64(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '/'; }

}  // namespace

Result<std::string> HashPassword(const std::string& password, int cost) {
  if (password.find('\0') != std::string::npos) {
    return InvalidError("A password must not have a zero byte", "bcrypt would not see what comes after it");
  }
  char random[kSaltBytes];
  if (RAND_bytes(reinterpret_cast<unsigned char*>(random), sizeof random) != 1) {
    return ServerError("The system gives no random bytes for a password's salt");
  }
  char setting[CRYPT_GENSALT_OUTPUT_SIZE];
  const char* const made =
      crypt_gensalt_rn(kPrefix, static_cast<unsigned long>(cost), random, sizeof random, setting, sizeof setting);
  std::string hash = made == nullptr ? "" : Crypt(password, setting);
  if (hash.empty()) return ServerError("The system's crypt library has no bcrypt");
  return hash;
}

bool PasswordIs(const std::string& password, const std::string& hash) {
  if (!IsBcryptHash(hash) || password.find('\0') != std::string::npos) return false;
  const std::string made = Crypt(password, hash);
  return made.size() == hash.size() && CRYPTO_memcmp(made.data(), hash.data(), made.size()) == 0;
}

int BcryptCostOf(const std::string& hash) { return IsBcryptHash(hash) ? std::stoi(hash.substr(4, 2)) : kBcryptCost; }

// A hash of cost n takes 2^n rounds, so two hashes of cost n take as long as one of cost n + 1. A hash of cost `spent`
// and one more hash of each cost from `spent` to `whole` - 1 therefore take as long as one of cost `whole`.
void SpendRest(const std::string& password, int spent, int whole) {
  for (int cost = spent; cost < whole; ++cost) {
    const std::string digits = (cost < 10 ? "0" : "") + std::to_string(cost);
    static_cast<void>(Crypt(password, kPrefix + digits + "$JSJEMFm6GeaW9XxT5JIheu"));
  }
}

bool IsBcryptHash(const std::string& text) {
  if (text.size() != kHashBytes || !text.starts_with("$2") || text[3] != '$' || text[6] != '$') return false;
  const bool known = text[2] == 'a' || text[2] == 'b' || text[2] == 'y';
  const bool cost = IsDigit(text[4]) && IsDigit(text[5]) && text.substr(4, 2) >= "04" && text.substr(4, 2) <= "31";
  return known && cost && std::all_of(text.begin() + 7, text.end(), IsBase64);
}

}  // namespace widerow
