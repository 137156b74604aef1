#include "shell/json_parameter.h"

#include <algorithm>

#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

bool AreKept(const Type& type, const Result<std::vector<ValueView>>& parts, bool has_fields) {
  if (!parts.ok()) return true;
  for (size_t i = 0; i < parts->size(); ++i) {
    const Type& part = *type.arguments[has_fields ? i : i % type.arguments.size()];
    if ((*parts)[i] && !IsKeptByJson(part, *(*parts)[i])) return false;
  }
  return true;
}

}  // namespace

bool IsKeptByJson(const Type& type, ByteView bytes) {
  switch (type.kind) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kVector: return AreKept(type, SplitCollection(type, bytes), false);
    case TypeKind::kTuple:
    case TypeKind::kUdt: return AreKept(type, SplitTuple(type, bytes), true);
    default: return !ReadsAsNull(type, bytes) && (bytes.empty() || HasExactText(type, bytes));
  }
}

}  // namespace widerow
