// splice(connector, a, b, …): joins values into one text that sorts as the values do. Values that would break this
// order are refused. A part of fixed width cannot break it, whatever the connector is.
#include <algorithm>

#include "planner/functions/registry.h"

namespace widerow::functions {

namespace {

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Checks that `part` followed by the connector sorts as `part` alone does. For example, 'a100' must stay before
// 'a1001'. So the connector must be below every character of the values.
Status CheckPart(std::string_view connector, std::string_view part, bool last) {
  if (connector.empty()) return OkStatus();
  if (part.find(connector) != std::string_view::npos) {
    return InvalidError("splice: value " + Quoted(part) + " contains the connector " + Quoted(connector),
                        "ambiguous-splice: use a connector that no value contains");
  }
  // An equal character is refused too. With the connector ',;', 'a' sorts before 'a,0', but the spliced 'a,;…' sorts
  // after 'a,0…'.
  const auto below = [&](char c) { return static_cast<uint8_t>(c) <= static_cast<uint8_t>(connector[0]); };
  const auto found = std::find_if(part.begin(), part.end(), below);
  if (last || found == part.end()) return OkStatus();
  return InvalidError(
      "splice: the connector " + Quoted(connector) + " sorts above " + Quoted({&*found, 1}) + " in value " +
          Quoted(part) + ", so the spliced keys would not sort as the values do",
      "order-breaking-splice: use a connector that sorts below every character of the values, such as ','");
}

bool CanBeSpliced(TypeKind kind) {
  return IsInteger(kind) || kind == TypeKind::kVarint || kind == TypeKind::kText || kind == TypeKind::kAscii ||
         kind == TypeKind::kUuid || kind == TypeKind::kTimeuuid;
}

// Computes splice(). `types` and `fixed` have an entry for each argument. The entry of `fixed` is true if the argument
// has a fixed width.
Result<Value> Splice(const std::vector<TypePtr>& types, const std::vector<bool>& fixed,
                     std::span<const ValueView> values) {
  const std::string_view connector = *values[0];
  Bytes out;
  bool places_known = true;  // True if the places of all connectors so far do not depend on the values.
  for (size_t i = 1; i < values.size(); ++i) {
    const std::string part = KeyText(*types[i], *values[i]);
    const bool last = i + 1 == values.size();
    if (!fixed[i] && !(last && places_known)) WR_RETURN_IF_ERROR(CheckPart(connector, part, last));
    places_known = places_known && fixed[i];
    if (i > 1) out += connector;
    out += part;
  }
  return Value(std::move(out));
}

Result<Function> MakeSplice(std::span<const FunctionArgument> arguments) {
  if (arguments.size() < 2) {
    return InvalidError("Invalid number of arguments in call to function system.splice: at least 2 required but " +
                            std::to_string(arguments.size()) + " provided",
                        "splice(',', zero_pad(device_id, 6), seller_id)");
  }
  std::vector<TypePtr> types{ScalarType(TypeKind::kText)};
  std::vector<bool> fixed{false};
  for (size_t i = 1; i < arguments.size(); ++i) {
    fixed.push_back(arguments[i].fixed_width);
    types.push_back(arguments[i].type == nullptr ? ScalarType(TypeKind::kText) : arguments[i].type);
    if (CanBeSpliced(types[i]->kind)) continue;
    return InvalidError("Type error: " + arguments[i].text + " cannot be passed as argument " + std::to_string(i) +
                            " of function system.splice of type text",
                        "splice takes text, integers and uuids");
  }
  const auto body = [types, fixed](const FunctionContext&, std::span<const ValueView> values) {
    return Splice(types, fixed, values);
  };
  return Function{.name = "splice", .parameters = types, .returns = ScalarType(TypeKind::kText), .body = body};
}

}  // namespace

void AddSplice(FamilyMap& families) { families["splice"].make = MakeSplice; }

}  // namespace widerow::functions
