// The words UNIQUE, LOCAL and GLOBAL of CREATE INDEX. They are kept among the options of the index, where clients
// see them in system_schema.indexes. A SASI index cannot be made with these words, so its options with these names come
// from the user.
#pragma once

#include <string>
#include <string_view>

#include "types/schema.h"

namespace widerow {

inline constexpr std::string_view kUniqueOption = "unique";  // Its value is "true".
inline constexpr std::string_view kScopeOption = "scope";    // Its value is "local" or "global".

// True if the index is unique: no two rows may have the same indexed value. If the index is local too, rows of
// different partitions may have the same value.
bool IsUnique(const IndexSchema& index);
// True if the index serves only queries that give the whole partition key.
bool IsLocal(const IndexSchema& index);
// True if the index was made with the word GLOBAL.
bool IsGlobal(const IndexSchema& index);
// True for an option that keeps one of these words. False for an option that the user wrote.
bool IsIndexWord(const IndexSchema& index, std::string_view option);

}  // namespace widerow
