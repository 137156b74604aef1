// <query_parameters>: the part of QUERY and EXECUTE after the statement (v4 section 4.1.4, v5 section 4.1.4).
#pragma once

#include "exec/rows/outcome.h"
#include "net/protocol/body_reader.h"

namespace widerow {

struct QueryParameters {
  bool skip_metadata = false;
  RequestParameters request;  // `keyspace`: the one that a version 5 request names; empty if it names none.
};

// Reads the parameters; `in` fails if they are malformed.
QueryParameters ReadQueryParameters(BodyReader& in, uint8_t version);

// The flags and functions below also serve BATCH, whose message has the same parts.
struct QueryFlags {
  static constexpr uint32_t kValues = 0x01, kSkipMetadata = 0x02, kPageSize = 0x04, kPagingState = 0x08,
                            kSerialConsistency = 0x10, kTimestamp = 0x20, kNames = 0x40, kKeyspace = 0x80,
                            kNowSeconds = 0x100;
};
uint32_t ReadQueryFlags(BodyReader& in, uint8_t version);  // One byte before version 5.
ConsistencyLevel ReadConsistency(BodyReader& in);
// Reads those of the last parameters that `flags` announces: serial consistency, default timestamp, keyspace and
// current time.
void ReadTrailingParameters(BodyReader& in, uint8_t version, uint32_t flags, QueryParameters& parameters);

}  // namespace widerow
