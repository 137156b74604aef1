// The registry of functions, in which ResolveFunction (planner/functions/resolve_function.h) searches. It has one
// Family for each name, and is made once, at the start of the process. Each Add function below is in a file of its own
// and adds the functions of one topic.
#pragma once

#include <map>

#include "planner/function.h"

namespace widerow::functions {

// Makes the overload for arguments of these types. The error says why there is none. A literal has its natural type.
// For any argument that is not a literal, the type is nullptr if it is not known.
using Factory = std::function<Result<Function>(std::span<const FunctionArgument> arguments)>;

struct Family {
  // A family has either overloads with fixed signatures, or a factory that makes an overload for each call.
  std::vector<Function> overloads;
  Factory make;
  bool ascii_literals = false;  // True if the factory gets a literal of ASCII characters as ascii, not as text.
};
using FamilyMap = std::map<std::string, Family, std::less<>>;

void AddMd5(FamilyMap& families);  // md5, hash_prefix
void AddBucket(FamilyMap& families);
void AddSplice(FamilyMap& families);
void AddText(FamilyMap& families);  // reverse, substr, substring, zero_pad
void AddRandom(FamilyMap& families);
void AddToken(FamilyMap& families);
void AddUuidAndTime(FamilyMap& families);
void AddWindow(FamilyMap& families);
void AddBlobConversions(FamilyMap& families);
void AddMath(FamilyMap& families);
void AddCountMinMax(FamilyMap& families);
void AddSumAvg(FamilyMap& families);
void AddOperations(FamilyMap& families);   // "_add", "_substract", …: the functions that + - * / % and negation call
void AddCasts(FamilyMap& families);        // cast_as_text, …: the functions that CAST(x AS type) calls
void AddCollections(FamilyMap& families);  // map_keys, map_values, collection_count, _min, _max, _sum, _avg
void AddSimilarity(FamilyMap& families);   // similarity_cosine, _euclidean, _dot_product
void AddMasks(FamilyMap& families);        // mask_null, _default, _replace, _inner, _outer, _hash
void AddJson(FamilyMap& families);         // to_json, from_json
void AddFloor(FamilyMap& families);

// Makes the error "Cannot infer type of argument ? in call to function system.max(any): use type casts to
// disambiguate".
Error CannotInfer(const FunctionArgument& argument, std::string_view signature);
// Makes the error "Invalid number of arguments in call to function system.now: 0 required but 1 provided".
Error WrongArgumentCount(std::string_view name, size_t required, size_t provided);

// Returns the function from_json that makes values of `type`. The from_json functions differ only in the type that they
// return.
Function FromJsonTo(const TypePtr& type);

// Makes the error of a function that failed on its values: "the operation 'int / int' failed: / by zero".
Error FunctionFailure(const std::string& message, std::string_view name, std::string_view argument_types);

// True for tinyint to bigint and for counter.
bool IsInteger(TypeKind kind);
bool IsFloating(TypeKind kind);  // float and double.
// Returns the value of an int argument. nullopt for an empty value, which every type allows.
std::optional<int64_t> IntegerArgument(ValueView value);
// Returns the types for which sum, avg and the arithmetic functions are declared, in the order in which messages list
// them.
std::span<const TypeKind> NumericKinds();
// Returns a value as the text that md5(), splice() and similar functions work on: digits for integers, the unchanged
// bytes of text, ascii and blob, and FormatText for other types.
std::string KeyText(const Type& type, ByteView bytes);

}  // namespace widerow::functions
