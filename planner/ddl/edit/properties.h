// The properties of WITH a = 1 AND b = {…}, read by name and type. Errors are the sentences of Cassandra's
// PropertyDefinitions.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "base/result.h"
#include "parser/ast.h"

namespace widerow::ddl {

class Properties {
 public:
  // Fails with kSyntaxError: "Multiple definitions for property 'x'", "Unknown property 'x'". `known` has the allowed
  // names.
  static Result<Properties> Read(const std::vector<Property>& properties, std::span<const std::string_view> known);

  bool Has(std::string_view name) const { return byname_.contains(name); }
  SourceRange RangeOf(std::string_view name) const;
  // Return nullopt if the property is not given, an error if it has another type.
  Result<std::optional<std::string>> Text(std::string_view name) const;
  Result<std::optional<std::map<std::string, std::string>>> Map(std::string_view name) const;
  Result<std::optional<int32_t>> Int(std::string_view name) const;
  Result<std::optional<double>> Double(std::string_view name) const;
  Result<std::optional<bool>> Boolean(std::string_view name) const;

 private:
  std::map<std::string, Property, std::less<>> byname_;
};

// Parse like Java's Integer.parseInt and Double.parseDouble, with small differences.
std::optional<int32_t> ParseInt(std::string_view text);
std::optional<double> ParseDouble(std::string_view text);
// Prints like Java's Double.toString: 1.0, 0.01, 1.0E-5.
std::string DoubleText(double value);
std::string ToUpper(std::string text);

}  // namespace widerow::ddl
