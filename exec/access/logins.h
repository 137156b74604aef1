// Logins by name and password. Hashing is slow on purpose, so Logins has a few threads of its own for it. Threads that
// serve connections or run statements never wait for hashing, and password guessing keeps no other threads busy. A
// correct password is accepted for some minutes without hashing, as long as the role's password has not changed.
//
// Thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <thread>

#include "exec/access/login_limits.h"
#include "exec/access/user.h"

namespace widerow {

struct LoginRequest {
  std::string role, password;
  Bytes address;  // The client's address, in the format of inet.
};

class Logins {
 public:
  using Done = std::function<void(Result<UserPtr>)>;
  using Clock = std::chrono::steady_clock;

  // `schema` returns the newest schema; it is called on any thread.
  explicit Logins(std::function<SchemaPtr()> schema, const LoginLimits& limits = {});
  ~Logins();  // Waiting logins get Overloaded.

  // Checks a login. `done` gets the user, kBadCredentials in Cassandra's words, or kOverloaded. It runs before Login
  // returns, or later on a hashing thread. It must return quickly.
  void Login(LoginRequest request, Done done) WR_EXCLUDES(mutex_);
  // Logs in a client whose certificate, which has been verified, has this identity (ADD IDENTITY). Returns `known` if
  // it is the same user. kBadCredentials in Cassandra's words if no role has the identity or the role may not log in.
  Result<UserPtr> LoginByIdentity(std::string_view identity, const UserPtr& known) const;

 private:
  struct Waiting {
    LoginRequest request;
    Done done;
  };
  struct Verified {
    std::string salted_hash;  // The role's hash at the time of verification.
    Bytes proof;              // An HMAC of the password with key_.
    UserPtr user;
    Clock::time_point until;
    std::set<Bytes> addresses;  // Addresses that gave the right password (FailedLogins::KeyOf).
    double guesses_left = 0;    // Wrong passwords that these addresses together may still try while they must wait.
  };

  Bytes ProofOf(const LoginRequest& request) const;
  // Returns the user if this password was verified before; else null. While an address must wait after failed logins,
  // its passwords are compared only if it gave the right password earlier, and only until guesses_left is used up.
  UserPtr FindVerified(const RoleSchema& role, const LoginRequest& request) WR_EXCLUDES(mutex_);
  UserPtr Remember(const RoleSchema& role, const LoginRequest& request) WR_EXCLUDES(mutex_);
  // Returns the user or the error if the login can be decided without hashing; else nullopt.
  std::optional<Result<UserPtr>> Known(const LoginRequest& request) WR_EXCLUDES(mutex_);
  Result<UserPtr> Verify(const LoginRequest& request) WR_EXCLUDES(mutex_);
  std::optional<Error> Enqueue(Waiting& waiting) WR_EXCLUDES(mutex_);
  void Work() WR_EXCLUDES(mutex_);

  const std::function<SchemaPtr()> schema_;
  const LoginLimits limits_;
  const Bytes key_;  // Random.

  Mutex mutex_;
  CondVar ready_;
  std::deque<Waiting> waiting_ WR_GUARDED_BY(mutex_);
  std::unordered_map<Bytes, size_t> waiting_of_address_ WR_GUARDED_BY(mutex_);
  FailedLogins failed_ WR_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Verified> verified_ WR_GUARDED_BY(mutex_);  // By role.
  std::vector<std::thread> threads_ WR_GUARDED_BY(mutex_);
  size_t idle_ WR_GUARDED_BY(mutex_) = 0;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
};

// Decodes SASL PLAIN, the content of AUTH_RESPONSE: authorization id (ignored), name and password, separated by zero
// bytes. kBadCredentials in Cassandra's words if it is malformed.
Result<LoginRequest> DecodeSaslPlain(ByteView token);

Error WrongCredentials(const std::string& role);

}  // namespace widerow
