// Declares functions for ResolveFunction (planner/functions/resolve_function.h): one family per name, made once at
// start-up. Each other file of this folder adds the families of one topic.
#pragma once

#include <map>

#include "planner/function.h"

namespace widerow::functions {

// Makes the overload for arguments of these types, or says why there is none. A literal has its natural type; an
// unknown type is nullptr.
using Factory = std::function<Result<Function>(std::span<const FunctionArgument> arguments)>;

struct Family {
  std::vector<Function> overloads;  // Fixed signatures, or
  Factory make;                     // a factory that makes one on demand.
  bool ascii_literals = false;      // On-demand only: a literal of ASCII characters is passed as ascii, not text.
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

// "Cannot infer type of argument ? in call to function system.max(any): use type casts to disambiguate"
Error CannotInfer(const FunctionArgument& argument, std::string_view signature);
// "Invalid number of arguments in call to function system.now: 0 required but 1 provided"
Error WrongArgumentCount(std::string_view name, size_t required, size_t provided);

// Returns the function from_json that makes values of `type`. The from_json functions differ only in the type that they
// return.
Function FromJsonTo(const TypePtr& type);

// The error of a function that failed on its values: "the operation 'int / int' failed: / by zero".
Error FunctionFailure(const std::string& message, std::string_view name, std::string_view argument_types);

// True for tinyint to bigint and for counter.
bool IsInteger(TypeKind kind);
bool IsFloating(TypeKind kind);  // float and double.
// Returns the value of an int argument. nullopt for an empty value, which every type allows.
std::optional<int64_t> IntegerArgument(ValueView value);
// Returns the types for which sum, avg and the arithmetic functions are declared, in the order of messages.
std::span<const TypeKind> NumericKinds();
// Returns numbers as decimal text, text and ascii unchanged, other types as FormatText prints them.
std::string KeyText(const Type& type, ByteView bytes);

}  // namespace widerow::functions
