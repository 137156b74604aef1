#include "planner/system_keyspaces.h"

#include <algorithm>
#include <iterator>

namespace widerow {

bool IsLocalSystemKeyspace(std::string_view name) {
  static constexpr std::string_view kNames[] = {"system", "system_schema", "system_views", "system_virtual_schema",
                                                "widerow_schema"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool IsReplicatedSystemKeyspace(std::string_view name) {
  return name == "system_auth" || name == "system_distributed" || name == "system_traces";
}

bool IsSystemKeyspace(std::string_view name) { return IsLocalSystemKeyspace(name) || IsReplicatedSystemKeyspace(name); }

bool IsVirtualKeyspace(std::string_view name) { return name == "system_views" || name == "system_virtual_schema"; }

}  // namespace widerow
