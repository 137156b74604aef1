// Makes types for tests from the text that TypeText prints, such as "frozen<list<int>>" or "vector<float, 2>". "t" is a
// user-defined type (TestUdt).
#pragma once

#include <string_view>

#include "types/type.h"

namespace widerow::testing {

// Returns the user-defined type ks.t of the files in tests/data/types: (a int, "B" text).
inline TypePtr TestUdt(bool frozen) {
  Type type;
  type.kind = TypeKind::kUdt;
  type.frozen = frozen;
  type.keyspace = "ks";
  type.name = "t";
  type.field_names = {"a", "B"};
  type.arguments = {ScalarType(TypeKind::kInt), ScalarType(TypeKind::kText)};
  return std::make_shared<const Type>(std::move(type));
}

inline TypePtr TakeType(std::string_view& in, bool frozen = false) {
  const size_t end = in.find_first_of("<>,");
  const std::string_view name = in.substr(0, end);
  in.remove_prefix(end == std::string_view::npos ? in.size() : end);
  if (name == "t") return TestUdt(frozen);
  if (in.empty() || in[0] != '<') return ScalarType(ScalarKindFromName(name).value());
  std::vector<TypePtr> arguments;
  uint32_t dimension = 0;
  while (in[0] != '>') {
    in.remove_prefix(in[0] == ',' ? 2 : 1);
    if (in[0] >= '0' && in[0] <= '9') {
      dimension = std::stoul(std::string(in));
      in.remove_prefix(in.find('>'));
    } else {
      arguments.push_back(TakeType(in, name == "frozen"));
    }
  }
  in.remove_prefix(1);
  if (name == "frozen") return arguments[0];
  if (name == "list") return ListType(arguments[0], frozen);
  if (name == "set") return SetType(arguments[0], frozen);
  if (name == "map") return MapType(arguments[0], arguments[1], frozen);
  if (name == "vector") return VectorType(arguments[0], dimension);
  return TupleType(arguments);
}

inline TypePtr TypeFromText(std::string_view text) { return TakeType(text); }

}  // namespace widerow::testing
