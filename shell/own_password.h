// Recognizes a statement that changes the password of the user who runs it. Over HTTP, each request carries the
// password, so the shell must send the new one from then on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exec/rows/outcome.h"

namespace widerow {

// Returns the new password of `user` if the statement, whose answer is `outcome`, has changed it: ALTER ROLE with
// PASSWORD or GENERATED PASSWORD. A generated password is in the answer. After HASHED PASSWORD, the result is nullopt,
// because the password cannot be computed from the hash.
std::optional<std::string> NewPasswordOf(const std::string& user, std::string_view statement, const Outcome& outcome);

}  // namespace widerow
