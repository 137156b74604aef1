#include "exec/watch/watch_options.h"

#include <iterator>

namespace widerow {

namespace {
constexpr const char* kNames[] = {"auth", "ddl", "dcl", "dml", "query", "other", "error"};
}  // namespace

const char* AuditCategoryName(AuditCategory category) { return kNames[static_cast<size_t>(category)]; }

std::optional<AuditCategories> AuditCategories::Named(std::string_view names) {
  AuditCategories categories;
  while (true) {
    const size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    bool known = name == "all";
    for (size_t i = 0; i < std::size(kNames); ++i) {
      if (name != "all" && name != kNames[i]) continue;
      categories.Add(static_cast<AuditCategory>(i));
      known = true;
    }
    if (!known) return std::nullopt;
    if (comma == std::string_view::npos) return categories;
    names.remove_prefix(comma + 1);
  }
}

}  // namespace widerow
