// Login first asks Known, which needs no hashing: it accepts a verified password (FindVerified) or refuses an address
// that must wait. Other logins are queued (Enqueue) for the hashing threads (Work), which call Verify. Verify spends
// the same time for wrong names and wrong passwords. Remember keeps an HMAC of a correct password, never the password.

#include "exec/access/logins.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <system_error>

#include "base/check.h"
#include "base/text.h"
#include "exec/access/identities.h"
#include "exec/access/password_hash.h"

namespace widerow {

namespace {

constexpr size_t kKeyBytes = 32;
// The greatest number of addresses that are remembered for a role (Verified::addresses).
constexpr size_t kAddressesMax = 16;
// A login of a role that does not exist compares its password with this hash, and so takes as long as other logins.
constexpr const char* kNobodysHash = "$2a$10$JSJEMFm6GeaW9XxT5JIheuEtPvat6i7uKbnTcxX3c1wshIIsGyUtG";

Error BadCredentials(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::kBadCredentials, .message = std::move(message), .hint = std::move(hint)};
}

Error TooManyLogins() {
  return {
      .code = ErrorCode::kOverloaded, .message = "Too many logins wait to be checked", .hint = "try again in a moment"};
}

Bytes RandomKey() {
  Bytes key(kKeyBytes, '\0');
  WR_CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), static_cast<int>(key.size())) == 1);
  return key;
}

bool IsThisMachine(ByteView address) {
  const Bytes key = FailedLogins::KeyOf(address);  // Turns an IPv4 address in IPv6 form into the IPv4 address.
  if (key.size() == 4) return key[0] == '\x7f';
  return address == ByteView("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
}

int CostMaxOf(const AccessPtr& catalog) {
  int cost = kBcryptCost;
  if (catalog == nullptr) return cost;
  for (const auto& [name, role] : catalog->roles) {
    if (!role->salted_hash.empty()) cost = std::max(cost, BcryptCostOf(role->salted_hash));
  }
  return std::min(cost, kBcryptCostMax);
}

std::optional<Error> RefuseWithoutLogin(const RoleSchema& role) {
  if (role.can_login) return std::nullopt;
  return BadCredentials(role.name + " is not permitted to log in", "ALTER ROLE … WITH LOGIN = true lets it");
}

// Returns an error if the role, whose password is correct, may not log in from the request's address.
std::optional<Error> Refuse(const RoleSchema& role, const LoginRequest& request) {
  if (std::optional<Error> refusal = RefuseWithoutLogin(role)) return refusal;
  if (role.default_password && !IsThisMachine(request.address)) {
    return BadCredentials(
        role.name + " is not permitted to log in",
        "it still has the password that everybody knows, with which it can log in on the server's machine "
        "only: ALTER ROLE " +
            role.name +
            " WITH PASSWORD = '…' there, or start the server on a new data "
            "directory with WIDEROW_SUPERUSER_PASSWORD set");
  }
  return std::nullopt;
}

}  // namespace

Error WrongCredentials(const std::string& role) {
  return BadCredentials("Provided username " + role + " and/or password are incorrect");
}

Result<LoginRequest> DecodeSaslPlain(ByteView token) {
  const size_t before_password = token.rfind('\0');
  const ByteView password = before_password == ByteView::npos ? ByteView() : token.substr(before_password + 1);
  if (password.empty()) return BadCredentials("Password must not be null");
  const ByteView left = token.substr(0, before_password);
  const size_t before_name = left.rfind('\0');
  const ByteView name = before_name == ByteView::npos ? ByteView() : left.substr(before_name + 1);
  if (name.empty()) return BadCredentials("Authentication ID must not be null");
  if (left.substr(0, before_name).find('\0') != ByteView::npos) {
    return BadCredentials("Credential format error: username or password is empty or contains NUL(\\0) character");
  }
  return LoginRequest{.role = Bytes(name), .password = Bytes(password), .address = {}};
}

Logins::Logins(std::function<SchemaPtr()> schema, const LoginLimits& limits)
    : schema_(std::move(schema)), limits_(limits), key_(RandomKey()), failed_(limits) {}

Logins::~Logins() {
  std::vector<std::thread> threads;
  std::deque<Waiting> waiting;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    waiting.swap(waiting_);
    ready_.NotifyAll();
  }
  for (Waiting& one : waiting) one.done(TooManyLogins());
  for (std::thread& thread : threads) thread.join();
}

// The proof covers role and password, so equal passwords of different roles have different proofs.
Bytes Logins::ProofOf(const LoginRequest& request) const {
  const Bytes message = std::to_string(request.role.size()) + ':' + request.role + request.password;
  Bytes proof(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  WR_CHECK(HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
                reinterpret_cast<const unsigned char*>(message.data()), message.size(),
                reinterpret_cast<unsigned char*>(proof.data()), &size) != nullptr);
  proof.resize(size);
  return proof;
}

UserPtr Logins::FindVerified(const RoleSchema& role, const LoginRequest& request) {
  const Bytes proof = ProofOf(request);
  MutexLock lock(mutex_);
  const auto found = verified_.find(role.name);
  if (found == verified_.end()) return nullptr;
  Verified& known = found->second;
  const Clock::time_point now = Clock::now();
  if (known.salted_hash != role.salted_hash || known.user->role_id() != role.id || known.until < now) {
    verified_.erase(found);
    return nullptr;
  }
  const Bytes address = FailedLogins::KeyOf(request.address);
  const bool waits = failed_.Blocked(request.address, now);
  if (waits && (!known.addresses.contains(address) || known.guesses_left < 1)) return nullptr;
  if (CRYPTO_memcmp(known.proof.data(), proof.data(), proof.size()) != 0) {
    if (waits) --known.guesses_left;
    return nullptr;
  }
  if (known.addresses.size() < kAddressesMax) known.addresses.insert(address);
  return known.user;
}

UserPtr Logins::Remember(const RoleSchema& role, const LoginRequest& request) {
  Verified verified{.salted_hash = role.salted_hash,
                    .proof = ProofOf(request),
                    .user = std::make_shared<const User>(role),
                    .until = Clock::now() + limits_.verified_age_max,
                    .addresses = {FailedLogins::KeyOf(request.address)},
                    .guesses_left = limits_.failures_burst};
  UserPtr user = verified.user;
  MutexLock lock(mutex_);
  if (verified_.size() >= limits_.verified_max) verified_.clear();
  verified_[role.name] = std::move(verified);
  return user;
}

std::optional<Result<UserPtr>> Logins::Known(const LoginRequest& request) {
  const AccessPtr catalog = schema_()->access;
  const RoleSchema* const role = catalog == nullptr ? nullptr : catalog->Find(request.role);
  if (role != nullptr) {
    if (UserPtr user = FindVerified(*role, request)) {
      if (std::optional<Error> refusal = Refuse(*role, request)) return std::move(*refusal);
      return Result<UserPtr>(std::move(user));
    }
  }
  MutexLock lock(mutex_);
  if (!failed_.Blocked(request.address, Clock::now())) return std::nullopt;
  return BadCredentials("Too many failed logins from this address", "try again in a few seconds");
}

void Logins::Login(LoginRequest request, Done done) {
  if (std::optional<Result<UserPtr>> known = Known(request)) return done(std::move(*known));
  Waiting waiting{std::move(request), std::move(done)};
  if (std::optional<Error> refusal = Enqueue(waiting)) waiting.done(std::move(*refusal));
}

Result<UserPtr> Logins::LoginByIdentity(std::string_view identity, const UserPtr& known) const {
  const AccessPtr catalog = schema_()->access;
  const RoleSchema* const role = catalog == nullptr ? nullptr : FindByIdentity(*catalog, identity);
  if (role == nullptr) {
    return BadCredentials(StrCat("Certificate identity '", identity, "' not authorized"),
                          StrCat("ADD IDENTITY '", identity, "' TO ROLE '…' lets it log in as that role"));
  }
  if (std::optional<Error> refusal = RefuseWithoutLogin(*role)) return std::move(*refusal);
  if (known != nullptr && known->role_id() == role->id && known->role() == role->name) return known;
  return UserPtr(std::make_shared<const User>(*role));
}

std::optional<Error> Logins::Enqueue(Waiting& waiting) {
  MutexLock lock(mutex_);
  if (stopping_ || waiting_.size() >= limits_.waiting_max) return TooManyLogins();
  const Bytes address = FailedLogins::KeyOf(waiting.request.address);
  const auto of_address = waiting_of_address_.find(address);
  if (of_address != waiting_of_address_.end() && of_address->second >= limits_.waiting_of_address_max) {
    return TooManyLogins();
  }
  if (idle_ <= waiting_.size() && threads_.size() < limits_.threads) {
    try {
      threads_.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) return TooManyLogins();  // The system has no more threads.
    }
  }
  ++waiting_of_address_[address];
  waiting_.push_back(std::move(waiting));
  ready_.NotifyOne();
  return std::nullopt;
}

void Logins::Work() {
  for (;;) {
    Waiting next;
    {
      MutexLock lock(mutex_);
      ++idle_;
      while (waiting_.empty() && !stopping_) ready_.Wait(mutex_);
      --idle_;
      if (waiting_.empty()) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
      const auto of_address = waiting_of_address_.find(FailedLogins::KeyOf(next.request.address));
      if (--of_address->second == 0) waiting_of_address_.erase(of_address);
    }
    next.done(Verify(next.request));
  }
}

Result<UserPtr> Logins::Verify(const LoginRequest& request) {
  // If a client opens many connections at once, only the first login is hashed. The others find its result here.
  if (std::optional<Result<UserPtr>> known = Known(request)) return std::move(*known);
  const AccessPtr catalog = schema_()->access;
  const RoleSchema* const role = catalog == nullptr ? nullptr : catalog->Find(request.role);
  const bool has_password = role != nullptr && !role->salted_hash.empty();
  const bool right = PasswordIs(request.password, has_password ? role->salted_hash : kNobodysHash) && has_password;
  if (!right) {
    // Spends the time of the most expensive hash, so that times reveal neither names nor settings.
    SpendRest(request.password, has_password ? BcryptCostOf(role->salted_hash) : kBcryptCost, CostMaxOf(catalog));
    MutexLock lock(mutex_);
    failed_.Add(request.address, Clock::now());
    return WrongCredentials(request.role);
  }
  if (std::optional<Error> refusal = Refuse(*role, request)) return std::move(*refusal);
  return Remember(*role, request);
}

}  // namespace widerow
