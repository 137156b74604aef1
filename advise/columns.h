// What a column is for, as far as its type, name and derivation tell.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advise/facts.h"

namespace widerow::advise {

bool IsTime(TypeKind kind);     // timestamp, date, timeuuid
bool IsInteger(TypeKind kind);  // tinyint to bigint, varint
bool IsText(TypeKind kind);     // text, ascii

// "order_no", "orderNo", "ORDER-NO": whether one of the name's words is one of `words`.
bool HasWord(std::string_view name, std::initializer_list<std::string_view> words);

// The function that gives the column, lower-case: "bucket", "hash_prefix", …; "" for ordinary columns.
std::string FunctionOf(const Term* derivation);
// Argument `index` of that function as a number; nullopt if there is none.
std::optional<int64_t> NumberArgument(const Term* derivation, size_t index);
// The columns that a derivation is made of.
std::vector<std::string> SourcesOf(const Term& term);

// Neighbours of the source are scattered: md5, hash_prefix, reverse, bucket, random, or text that begins with one of these.
bool Scatters(const Term* derivation);
// A time, or a window of time that a column was derived to.
bool IsTimeWindow(const TableFacts& table, uint32_t column);
// By name: a bucket, salt or shard that clients compute.
bool IsBucketName(std::string_view name);

// The value in microseconds since 1970, of a time type.
std::optional<int64_t> MicrosOf(const Type& type, ByteView value);

// The first clustering column that is a time; nullopt if there is none.
std::optional<uint32_t> ClusteringTime(const TableFacts& table);
// The index of the column called `name`.
std::optional<uint32_t> IndexOf(const TableSchema& table, std::string_view name);

}  // namespace widerow::advise
