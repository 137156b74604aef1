// to_json and from_json, also under their old names.
#include "planner/functions/registry.h"
#include "types/json_form.h"

namespace widerow::functions {
namespace {

// True if `bytes` is empty and the type has no empty values. Only text, ascii, blob, and types that contain other types
// (collections, vectors, tuples and UDTs) have an empty value.
bool IsNothing(const Type& type, ByteView bytes) {
  const bool has_parts = !type.arguments.empty();
  return bytes.empty() && !has_parts && type.kind != TypeKind::kText && type.kind != TypeKind::kAscii &&
         type.kind != TypeKind::kBlob;
}

Result<Function> MakeToJson(const std::string& name, std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 1) return InvalidError("Invalid number of arguments for function system." + name + "(any)");
  const TypePtr type = arguments[0].type;
  if (type == nullptr) return CannotInfer(arguments[0], name + "(any)");
  const auto body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    std::string json;
    if (!values[0] || IsNothing(*type, *values[0])) {
      json = "null";
    } else {
      AppendJson(*type, *values[0], json, JsonForm::kCassandra);
    }
    return Value(std::move(json));
  };
  return Function{.name = name,
                  .parameters = {type},
                  .returns = ScalarType(TypeKind::kText),
                  .null_in_null_out = false,
                  .takes_empty = true,
                  .body = body};
}

}  // namespace

// Makes from_json for a receiver of the type `type`. Its result has this type.
Function FromJsonTo(const TypePtr& type) {
  const auto body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    Result<Value> value = ParseJson(*type, *values[0], JsonForm::kCassandra);
    if (value.ok()) return value;
    const std::string& message = value.error().message;
    if (IsAboutDuration(value.error())) return InvalidError(message);
    // Cassandra's sentences for a text that is no JSON, and for JSON that is no value of the type.
    return FunctionFailure(
        (message.starts_with("Could not decode JSON string") ? "execution of 'system.from_json[text]' failed: "
                                                             : "org.apache.cassandra.serializers.MarshalException: ") +
            message,
        "from_json", "text");
  };
  return {.name = "from_json", .parameters = {ScalarType(TypeKind::kText)}, .returns = type, .body = body};
}

void AddJson(FamilyMap& families) {
  for (const std::string name : {"to_json", "tojson"}) {
    families[name].make = [name](std::span<const FunctionArgument> arguments) { return MakeToJson(name, arguments); };
  }
  for (const std::string name : {"from_json", "fromjson"}) {
    families[name].make = [name](std::span<const FunctionArgument>) -> Result<Function> {
      return InvalidError(name + "() cannot be used in the selection clause of a SELECT statement");
    };
  }
}

}  // namespace widerow::functions
