#include "types/value_order.h"

#include <algorithm>

#include "types/nullable_list.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

bool HasFields(const Type& type) { return type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt; }

// A client may send a tuple without its last fields. Removes these fields from the end of `fields`. `bytes` is the size
// of the tuple as sent.
void CutToSent(size_t bytes, std::vector<ValueView>& fields) {
  size_t sent = 0;
  for (size_t at = 0; at < bytes; ++sent) at += sizeof(int32_t) + fields[sent].value_or(ByteView()).size();
  fields.resize(sent);
}

}  // namespace

bool HoldsSets(const Type& type) {
  return type.kind == TypeKind::kSet || type.kind == TypeKind::kMap ||
         std::any_of(type.arguments.begin(), type.arguments.end(),
                     [](const TypePtr& inner) { return HoldsSets(*inner); });
}

Result<Bytes> PutInOrder(const Type& type, ByteView bytes) {
  if (bytes.empty() || !HoldsSets(type)) return Bytes(bytes);
  const bool of_fields = HasFields(type);
  const bool list = type.kind == TypeKind::kList;  // The list that is bound to IN ? may contain nulls.
  WR_ASSIGN_OR_RETURN(std::vector<ValueView> parts, of_fields ? SplitTuple(type, bytes)
                                                    : list    ? SplitNullableList(type, bytes)
                                                              : SplitCollection(type, bytes));
  if (of_fields) CutToSent(bytes.size(), parts);
  std::vector<Bytes> ordered(parts.size());  // Never resized: `parts` point into it.
  for (size_t i = 0; i < parts.size(); ++i) {
    const Type& inner = *type.arguments[i % type.arguments.size()];
    if (!parts[i] || !HoldsSets(inner)) continue;
    WR_ASSIGN_OR_RETURN(ordered[i], PutInOrder(inner, *parts[i]));
    parts[i] = ordered[i];
  }
  if (of_fields) return JoinTuple(parts);
  SortCollection(type, parts);
  return JoinCollection(type, parts);
}

}  // namespace widerow
