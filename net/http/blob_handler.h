// /v1/blob/KEYSPACE/TABLE/COLUMN?key=…: reads and writes one value of a blob column in parts, so that the memory does
// not depend on its size. docs/reference/http.md describes it for users.
#pragma once

#include <string_view>

#include "exec/engine/engine.h"
#include "net/http/request.h"

namespace widerow {

// `path` is the part of the URL's path after /v1/blob/, `query` the part after the question mark.
//
// Answers GET and HEAD. The source of the reply's body reads the value while the body is sent.
HttpReply AnswerBlob(Engine& engine, std::string_view path, std::string_view query, const HttpRequest& request);
// Begins the answer to PUT: checks everything but the body, and returns the sink that takes the body.
OpenedSink OpenBlobSink(Engine& engine, std::string_view path, std::string_view query, const HttpRequest& request);

// A range of bytes, from a header "Range: bytes=…".
struct ByteRange {
  uint64_t from = 0, count = 0;
};
// Reads the header's value for a body of `size` bytes. nullopt: the header must be ignored, because it is empty, has
// several ranges or is no range of bytes. If the result has a count of 0, the range cannot be satisfied.
std::optional<ByteRange> ReadRange(std::string_view header, uint64_t size);

}  // namespace widerow
