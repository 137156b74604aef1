#include "planner/ddl/index/index_options.h"

#include <algorithm>

#include "planner/ddl/edit/schema_edit.h"

namespace widerow::ddl {
namespace {

constexpr std::string_view kAttached = "org.apache.cassandra.index.sai.StorageAttachedIndex";
constexpr std::string_view kSasi = "org.apache.cassandra.index.sasi.SASIIndex";
constexpr std::string_view kLegacy = "legacy_local_table";

// True if two names are equal, ignoring case. Full names of Java classes are compared by == instead.
bool Is(std::string_view written, std::string_view name) {
  return std::equal(written.begin(), written.end(), name.begin(), name.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

bool IsCustom(const CreateIndexStatement& statement) {
  return statement.custom || (statement.using_class && !Is(*statement.using_class, kLegacy));
}

SourceRange RangeOf(const CreateIndexStatement& statement) { return statement.table.range; }

}  // namespace

Status CheckIndexAttributes(const CreateIndexStatement& statement, const Properties& properties) {
  if (!properties.Has("options")) return OkStatus();
  const SourceRange range = properties.RangeOf("options");
  if (!IsCustom(statement)) return InvalidAt(range, "Cannot specify options for a non-CUSTOM index", "add USING 'sai'");
  WR_ASSIGN_OR_RETURN(const auto options, properties.Map("options"));
  for (const char* const name : {"class_name", "target"}) {
    if (options->contains(name)) return InvalidAt(range, std::string("Cannot specify ") + name + " as a CUSTOM option");
  }
  return OkStatus();
}

Result<IndexClass> ReadIndexClass(const CreateIndexStatement& statement) {
  if (!IsCustom(statement)) return IndexClass{};
  const std::string written = statement.using_class.value_or(std::string(kLegacy));
  IndexClass found{.custom = true, .options = {{"class_name", written}}};
  if (written == kAttached || Is(written, "sai") || Is(written, "StorageAttachedIndex")) {
    found.kind = IndexKind::kSai;
    return found;
  }
  if (written == kSasi) {
    found.kind = IndexKind::kSasi;
    return found;
  }
  Error error = ConfigErrorAt(RangeOf(statement), "Unable to find custom indexer class '" + written + "'");
  error.hint =
      "there are 'sai' and '" + std::string(kSasi) + "'; CREATE INDEX without CUSTOM and USING makes a plain one";
  return error;
}

}  // namespace widerow::ddl
