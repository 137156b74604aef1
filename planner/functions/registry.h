// How functions are declared to ResolveFunction (planner/function.h): one family a name, made once at start-up. Each
// file beside this one adds the families of one idea.
#pragma once

#include <map>

#include "planner/function.h"

namespace widerow::functions {

// Makes the overload for arguments of these types (a literal's is its natural one; nullptr: unknown) or says why not.
using Factory = std::function<Result<Function>(std::span<const FunctionArgument> arguments)>;

struct Family {
  std::vector<Function> overloads;  // Fixed signatures, …
  Factory make;                     // … or one on demand for whatever comes.
  bool ascii_literals = false;      // Of those made on demand: a literal of ASCII characters comes as an ascii, not as a text.
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
void AddOperations(FamilyMap& families);   // "_add", "_substract", …: what stands behind + - * / % and the sign
void AddCasts(FamilyMap& families);        // cast_as_text, …: what stands behind CAST(x AS type)
void AddCollections(FamilyMap& families);  // map_keys, map_values, collection_count, _min, _max, _sum, _avg
void AddSimilarity(FamilyMap& families);   // similarity_cosine, _euclidean, _dot_product
void AddMasks(FamilyMap& families);        // mask_null, _default, _replace, _inner, _outer, _hash
void AddJson(FamilyMap& families);         // to_json, from_json
void AddFloor(FamilyMap& families);

// "Cannot infer type of argument ? in call to function system.max(any): use type casts to disambiguate"
Error CannotInfer(const FunctionArgument& argument, std::string_view signature);
// "Invalid number of arguments in call to function system.now: 0 required but 1 provided"
Error WrongArgumentCount(std::string_view name, size_t required, size_t provided);

// from_json as it makes values of `type`. Two of them differ in what they return alone.
Function FromJsonTo(const TypePtr& type);

// A function that failed on the values it was called with: "the operation 'int / int' failed: / by zero".
Error FunctionFailure(const std::string& message, std::string_view name, std::string_view argument_types);

// tinyint to bigint and counter.
bool IsInteger(TypeKind kind);
bool IsFloating(TypeKind kind);  // float and double.
// An int argument. Bodies get checked values, but an empty one is a value of every type.
std::optional<int64_t> IntegerArgument(ValueView value);
// The kinds sum, avg and the arithmetic functions are declared for, in the order messages list them.
std::span<const TypeKind> NumericKinds();
// Numbers as their decimal text, text and ascii as they are, all else as FormatText prints it.
std::string KeyText(const Type& type, ByteView bytes);

}  // namespace widerow::functions
