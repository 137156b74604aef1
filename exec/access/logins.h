// Logins by name and password. Hashing takes its time on purpose, so it is done by a few threads of its own: neither those that
// serve connections nor those that run statements wait for it, and who guesses passwords keeps no more than them busy. A
// password that was right is known again for some minutes without hashing, as long as the role's has not changed.
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
  Bytes address;  // Of the client, as inet has it.
};

class Logins {
 public:
  using Done = std::function<void(Result<UserPtr>)>;
  using Clock = std::chrono::steady_clock;

  // `schema` gives the newest, any thread.
  explicit Logins(std::function<SchemaPtr()> schema, const LoginLimits& limits = {});
  ~Logins();  // Those that wait are answered with Overloaded.

  // `done` gets the user, kBadCredentials in Cassandra's words, or kOverloaded: here, or later on a thread that hashes, where it
  // must be quick.
  void Login(LoginRequest request, Done done) WR_EXCLUDES(mutex_);

 private:
  struct Waiting {
    LoginRequest request;
    Done done;
  };
  struct Verified {
    std::string salted_hash;  // Of the role, when it was verified.
    Bytes proof;              // Of the password, under a key of this process.
    UserPtr user;
    Clock::time_point until;
    std::set<Bytes> addresses;  // FailedLogins::KeyOf, of those that have had it right.
    double guesses_left = 0;    // For such an address while it has to wait.
  };

  Bytes ProofOf(const LoginRequest& request) const;
  // Nothing is compared for an address that has to wait, unless it has had the role's password right before; and then not often.
  UserPtr FindVerified(const RoleSchema& role, const LoginRequest& request) WR_EXCLUDES(mutex_);
  UserPtr Remember(const RoleSchema& role, const LoginRequest& request) WR_EXCLUDES(mutex_);
  // By what is known without hashing: let in, refused, or (nullopt) to be looked at.
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

// SASL PLAIN, as AUTH_RESPONSE has it: authorization id (not used), name, password, with zero bytes between. kBadCredentials in
// Cassandra's words for anything else.
Result<LoginRequest> DecodeSaslPlain(ByteView token);

Error WrongCredentials(const std::string& role);

}  // namespace widerow
