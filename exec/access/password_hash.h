// Passwords hashed with bcrypt by the system's crypt(3). Cassandra stores hashes in the same form, so they can be moved
// between Cassandra and Widerow. A hash takes about 50 ms on purpose. Safe on any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace widerow {

inline constexpr int kBcryptCost = 10;  // Cassandra's cost: 2^10 rounds.
// The greatest cost of an imported hash. Each wrong password costs the server as much as the most expensive hash.
inline constexpr int kBcryptCostMax = 12;

// Hashes with a new salt each time. kInvalid for a password with a zero byte, because bcrypt ignores what follows it.
Result<std::string> HashPassword(const std::string& password, int cost = kBcryptCost);
// True if `hash` is a hash of `password`. False also if it is not a hash. Takes as long as the cost of the hash
// requires.
bool PasswordIs(const std::string& password, const std::string& hash);
// True if the text has the form of a bcrypt hash: "$2a$", "$2b$" or "$2y$", two digits of the cost, "$" and 53 more
// characters.
bool IsBcryptHash(const std::string& text);
// Returns the cost of a bcrypt hash, whose rounds are 2^cost; kBcryptCost for any other text.
int BcryptCostOf(const std::string& hash);
// Spends the time by which a hash of cost `whole` is slower than a hash of cost `spent`; no time if it is not slower.
// Called after PasswordIs.
void SpendRest(const std::string& password, int spent, int whole);

}  // namespace widerow
