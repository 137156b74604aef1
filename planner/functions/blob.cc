// int_as_blob, blob_as_int and so on: convert between values and their bytes.
#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

Function ToBlob(const std::string& name, TypeKind kind) {
  return {.name = name,
          .parameters = {ScalarType(kind)},
          .returns = ScalarType(TypeKind::kBlob),
          .takes_empty = true,
          .body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
            return Value(Bytes(*values[0]));
          }};
}

Function FromBlob(const std::string& name, TypeKind kind) {
  return {.name = name,
          .parameters = {ScalarType(TypeKind::kBlob)},
          .returns = ScalarType(kind),
          .body = [name, kind](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
            const Type& type = *ScalarType(kind);
            if (ValidateValue(type, *values[0]).ok()) return Value(Bytes(*values[0]));
            return InvalidError("In call to function system." + name + ", value 0x" + ToHex(*values[0]) +
                                " is not a valid binary representation for type " + TypeText(type));
          }};
}

}  // namespace

void AddBlobConversions(FamilyMap& families) {
  static constexpr const char* kTypeNames[] = {
      "ascii", "bigint",   "boolean", "counter", "date",      "decimal",  "double",  "duration", "float",   "inet",
      "int",   "smallint", "text",    "time",    "timestamp", "timeuuid", "tinyint", "uuid",     "varchar", "varint"};
  for (const std::string type_name : kTypeNames) {
    const TypeKind kind = *ScalarKindFromName(type_name);
    for (const std::string& name : {type_name + "_as_blob", type_name + "asblob"}) {
      families[name].overloads.push_back(ToBlob(name, kind));
    }
    for (const std::string& name : {"blob_as_" + type_name, "blobas" + type_name}) {
      families[name].overloads.push_back(FromBlob(name, kind));
    }
  }
}

}  // namespace widerow::functions
