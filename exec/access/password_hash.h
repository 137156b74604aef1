// Passwords as bcrypt, by the system's crypt(3): what Cassandra stores, so that hashes can be carried from one to the other.
// A hash takes some 50 ms on purpose. Any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace widerow {

inline constexpr int kBcryptCost = 10;     // Cassandra's: 2^10 rounds.
inline constexpr int kBcryptCostMax = 12;  // Of hashes that are brought along: who guesses makes the server spend it.

// A new salt each time. kInvalid for a password that has a zero byte, which bcrypt cannot see past.
Result<std::string> HashPassword(const std::string& password, int cost = kBcryptCost);
// Whether `hash` is one of `password`. False for what is no hash; takes as long as the hash's cost says.
bool PasswordIs(const std::string& password, const std::string& hash);
// "$2a$10$" and 53 more characters: could have come from bcrypt.
bool IsBcryptHash(const std::string& text);
// Of what IsBcryptHash: 2 to its power are the rounds. kBcryptCost of anything else.
int BcryptCostOf(const std::string& hash);
// After PasswordIs with a hash of cost `spent`: takes what a hash of cost `whole` would have taken more. Nothing if that is less.
void SpendRest(const std::string& password, int spent, int whole);

}  // namespace widerow
