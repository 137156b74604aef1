#include "exec/access/role_settings.h"

#include "exec/access/password_hash.h"

namespace widerow {

namespace {

const std::string& TextOf(const RoleOption& option) { return std::get<Literal>(option.value.at(0).node).text; }

// The grammar allows only true and false, in upper or lower case, so the length shows which one it is.
bool IsTrue(const RoleOption& option) { return TextOf(option).size() == std::string_view("true").size(); }

// Returns the elements of the option that are not `known`, as "[a, b]"; empty if there are none.
std::string UnknownOf(const RoleOption& option, std::string_view known) {
  std::string unknown;
  for (const Term& element : std::get<SetTerm>(option.value.at(0).node).elements) {
    const std::string& name = std::get<Literal>(element.node).text;
    if (name != known) unknown += (unknown.empty() ? "" : ", ") + name;
  }
  return unknown;
}

Status CheckHash(const std::string& hash, SourceRange range) {
  if (!IsBcryptHash(hash)) {
    return InvalidAt(
        range, "Invalid hashed password value. Please use jBcrypt.",
        "a hash begins with $2a$ and has 60 characters: copy one from system_auth.roles, or say PASSWORD = '…'");
  }
  if (BcryptCostOf(hash) > kBcryptCostMax) {
    return InvalidAt(range, "A hashed password with a cost above 2^" + std::to_string(kBcryptCostMax) + " is not taken",
                     "each login, also of who only guesses, would keep a processor busy for a long time");
  }
  return OkStatus();
}

void ReadOne(const RoleOption& option, RoleSettings& settings) {
  const std::string& name = option.name;
  // CREATE USER … SUPERUSER has no value.
  if (name == "superuser") settings.superuser = option.value.empty() || IsTrue(option);
  if (name == "nosuperuser") settings.superuser = false;
  if (name == "login") settings.login = IsTrue(option);
  if (name == "password") settings.password = TextOf(option);
  if (name == "hashed password") settings.hash = TextOf(option);
  if (name == "generated password") settings.generated = true;
  if (name == "options") settings.options = true;
  if (name.starts_with("access to")) settings.datacenters = true;
  if (name.starts_with("access from")) settings.cidrs = true;
}

Status CheckOne(const RoleOption& option, const std::string& datacenter) {
  const std::string& name = option.name;
  if (name == "hashed password") return CheckHash(TextOf(option), option.value[0].range);
  if (name == "options") {
    return InvalidError("org.apache.cassandra.auth.CassandraRoleManager doesn't support OPTIONS",
                        "a role has PASSWORD, LOGIN and SUPERUSER");
  }
  if (!name.starts_with("access ") || option.value.empty()) return OkStatus();
  const bool to = name.starts_with("access to");
  const std::string unknown = UnknownOf(option, to ? std::string_view(datacenter) : std::string_view());
  if (unknown.empty()) return OkStatus();
  if (to) {
    return InvalidAt(option.value[0].range,
                     "Invalid value(s) for DATACENTERS '[" + unknown + "]',All values must be valid datacenters",
                     "this server is " + datacenter);
  }
  return InvalidAt(option.value[0].range, "Invalid CIDR group(s): [" + unknown + "]. Available CIDR Groups are: []",
                   "there are no CIDR groups here: leave it out, or say ACCESS FROM ALL CIDRS");
}

}  // namespace

bool RoleSettings::empty() const {
  return !superuser && !login && !password && !hash && !generated && !datacenters && !cidrs && !options;
}

std::vector<std::string> RoleSettings::NotOnesOwn() const {
  std::vector<std::string> names;
  if (superuser) names.emplace_back("SUPERUSER");
  if (login) names.emplace_back("LOGIN");
  if (options) names.emplace_back("OPTIONS");
  return names;
}

RoleSettings ReadRoleSettings(const std::vector<RoleOption>& options) {
  RoleSettings settings;
  for (const RoleOption& option : options) ReadOne(option, settings);
  return settings;
}

Status CheckRoleOptions(const std::vector<RoleOption>& options, const std::string& datacenter) {
  for (const RoleOption& option : options) WR_RETURN_IF_ERROR(CheckOne(option, datacenter));
  return OkStatus();
}

}  // namespace widerow
