#include "net/protocol/query_parameters.h"

#include <algorithm>
#include <limits>

namespace widerow {

namespace {

void ReadValues(BodyReader& in, uint8_t version, bool named, RequestParameters& request) {
  const uint16_t count = in.Short();
  // The reserved memory is bounded by the size of the message, whatever count it claims.
  request.values.reserve(std::min<size_t>(count, in.left() / sizeof(int32_t)));
  for (uint16_t i = 0; i < count && in.ok(); ++i) {
    if (named) request.names.emplace_back(in.String());
    request.values.push_back(in.Value(version));
  }
}

}  // namespace

uint32_t ReadQueryFlags(BodyReader& in, uint8_t version) {
  return version >= 5 ? static_cast<uint32_t>(in.Int()) : in.Byte();
}

ConsistencyLevel ReadConsistency(BodyReader& in) {
  const uint16_t consistency = in.Short();
  if (consistency > static_cast<uint16_t>(ConsistencyLevel::kNodeLocal)) {
    in.Fail("Unknown code " + std::to_string(consistency) + " for a consistency level");
  }
  return static_cast<ConsistencyLevel>(consistency);
}

void ReadTrailingParameters(BodyReader& in, uint8_t version, uint32_t flags, QueryParameters& parameters) {
  if (flags & QueryFlags::kSerialConsistency) parameters.request.serial_consistency = ReadConsistency(in);
  if (flags & QueryFlags::kTimestamp) {
    const int64_t timestamp = in.Long();
    if (timestamp == std::numeric_limits<int64_t>::min()) {
      in.Fail(
          "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got "
          "-9223372036854775808)");
    }
    parameters.request.timestamp = timestamp;
  }
  if (version < 5) return;
  if (flags & QueryFlags::kKeyspace) parameters.request.keyspace = in.String();
  if (flags & QueryFlags::kNowSeconds) parameters.request.now_seconds = in.Int();
}

QueryParameters ReadQueryParameters(BodyReader& in, uint8_t version) {
  QueryParameters parameters;
  parameters.request.consistency = ReadConsistency(in);
  const uint32_t flags = ReadQueryFlags(in, version);
  if (flags & QueryFlags::kValues) ReadValues(in, version, (flags & QueryFlags::kNames) != 0, parameters.request);
  parameters.skip_metadata = (flags & QueryFlags::kSkipMetadata) != 0;
  if (flags & QueryFlags::kPageSize) {
    const int32_t rows = in.Int();
    parameters.request.page_rows = rows > 0 ? static_cast<uint32_t>(rows) : 0;
  }
  if (flags & QueryFlags::kPagingState) parameters.request.paging_state = in.NullableBytes().value_or(ByteView());
  ReadTrailingParameters(in, version, flags, parameters);
  return parameters;
}

}  // namespace widerow
