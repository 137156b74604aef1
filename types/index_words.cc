#include "types/index_words.h"

namespace widerow {
namespace {

bool Says(const IndexSchema& index, std::string_view option, std::string_view value) {
  if (index.kind == IndexKind::kSasi) return false;
  const auto found = index.options.find(std::string(option));
  return found != index.options.end() && found->second == value;
}

}  // namespace

bool IsUnique(const IndexSchema& index) { return Says(index, kUniqueOption, "true"); }
bool IsLocal(const IndexSchema& index) { return Says(index, kScopeOption, "local"); }
bool IsGlobal(const IndexSchema& index) { return Says(index, kScopeOption, "global"); }

bool IsIndexWord(const IndexSchema& index, std::string_view option) {
  return index.kind != IndexKind::kSasi && (option == kUniqueOption || option == kScopeOption);
}

}  // namespace widerow
