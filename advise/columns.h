// Guesses what a column is for from its type, its name and its derivation. A derivation is the expression of a
// generated column; it is null for an ordinary column.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advise/facts.h"

namespace widerow::advise {

bool IsTime(TypeKind kind);     // timestamp, date, timeuuid.
bool IsInteger(TypeKind kind);  // tinyint to bigint, varint.
bool IsText(TypeKind kind);     // text, ascii.

// True if one of the words in a name such as "order_no", "orderNo" or "ORDER-NO" is one of `words`.
bool HasWord(std::string_view name, std::initializer_list<std::string_view> words);

// Returns the function that computes the column, in lower case: "bucket", "hash_prefix", …; "" for an ordinary column.
std::string FunctionOf(const Term* derivation);
// Returns argument `index` of the function that computes the column; nullopt if this argument is not an integer
// literal.
std::optional<int64_t> NumberArgument(const Term* derivation, size_t index);
// Returns the columns that a derivation uses.
std::vector<std::string> SourcesOf(const Term& term);

// True if the derivation gives distant results for neighboring values: the functions md5, hash_prefix, reverse, bucket
// and random do, and so does a text whose beginning is computed by one of them.
bool Scatters(const Term* derivation);
// True if the column is a time, or is computed from a time by a function that does not scatter, such as one that
// returns the day.
bool IsTimeWindow(const TableFacts& table, uint32_t column);
// True for uuids, and for names such as user_id, userid, order_no or email.
bool IsIdentifier(const ColumnSchema& column);
// True if the name is that of a code, such as phone, isbn or url. The digits of a code are not a number, and its
// hyphens and slashes do not join several values.
bool IsCodeName(std::string_view name);
// True if the name contains the word bucket, salt, shard or slot. Such a column is a number that clients compute.
bool IsBucketName(std::string_view name);

// Returns a value of a time type in microseconds since 1970; nullopt for other types.
std::optional<int64_t> MicrosOf(const Type& type, ByteView value);

// Returns the first clustering column that is a time; nullopt if there is none.
std::optional<uint32_t> ClusteringTime(const TableFacts& table);
// Returns the indexes of the partition key's columns.
std::vector<uint32_t> PartitionKeyColumns(const TableFacts& table);
// Returns the index of the column named `name`; nullopt if there is none.
std::optional<uint32_t> IndexOf(const TableSchema& table, std::string_view name);

}  // namespace widerow::advise
