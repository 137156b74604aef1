// Passwords hashed with bcrypt by the system's crypt(3). Cassandra stores the same form, so hashes can be moved between
// the two. A hash takes about 50 ms on purpose. Any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace widerow {

inline constexpr int kBcryptCost = 10;     // Cassandra's: 2^10 rounds.
inline constexpr int kBcryptCostMax = 12;  // For imported hashes: every guess costs the server that much.

// Hashes with a new salt each time. kInvalid for a password with a zero byte, because bcrypt ignores what follows it.
Result<std::string> HashPassword(const std::string& password, int cost = kBcryptCost);
// True if `hash` is a hash of `password`; false if it is no hash. Takes as long as the hash's cost requires.
bool PasswordIs(const std::string& password, const std::string& hash);
// True if the text has the form of a bcrypt hash: "$2a$10$" and 53 more characters.
bool IsBcryptHash(const std::string& text);
// Returns the cost of a bcrypt hash, whose rounds are 2^cost; kBcryptCost for any other text.
int BcryptCostOf(const std::string& hash);
// Spends the time by which a hash of cost `whole` is slower than one of cost `spent`; none if it is not. Called after
// PasswordIs.
void SpendRest(const std::string& password, int spent, int whole);

}  // namespace widerow
