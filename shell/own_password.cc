#include "shell/own_password.h"

#include <vector>

#include "shell/lexer.h"

namespace widerow {
namespace {

constexpr size_t kTextBytesMax = 4'096;  // Longer statements are not looked at.

// Returns the only value of an answer of one row and one text column.
std::optional<std::string> OnlyText(const Outcome& outcome) {
  const auto* const page = std::get_if<RowsPage>(&outcome.result);
  if (page == nullptr || page->row_count != 1 || page->columns->size() != 1 || page->body.size() < 4)
    return std::nullopt;
  return std::string(page->body.substr(4));
}

bool Names(const ShellToken& token, const std::string& user) { return token.text == user || NameOf(token) == user; }

}  // namespace

std::optional<std::string> NewPasswordOf(const std::string& user, std::string_view statement, const Outcome& outcome) {
  if (user.empty() || statement.size() > kTextBytesMax) return std::nullopt;
  const std::vector<ShellToken> tokens = LexShell(statement);
  if (tokens.size() < 3 || !IsWord(tokens[0], "ALTER") || !IsWord(tokens[1], "ROLE")) return std::nullopt;
  size_t name = 2;
  if (tokens.size() > 4 && IsWord(tokens[2], "IF") && IsWord(tokens[3], "EXISTS")) name = 4;
  if (!Names(tokens[name], user)) return std::nullopt;
  for (size_t i = name + 1; i < tokens.size(); ++i) {
    if (!IsWord(tokens[i], "PASSWORD")) continue;
    if (IsWord(tokens[i - 1], "HASHED")) return std::nullopt;
    if (IsWord(tokens[i - 1], "GENERATED")) return OnlyText(outcome);
    if (i + 2 < tokens.size() && tokens[i + 2].kind == ShellToken::Kind::kString) return tokens[i + 2].text;
  }
  return std::nullopt;
}

}  // namespace widerow
