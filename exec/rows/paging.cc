#include "exec/rows/paging.h"

#include <xxhash.h>

namespace widerow {

namespace {
constexpr char kVersion = 2;
constexpr size_t kHeaderBytes = 1 + 8;  // The version and the checksum of what follows: the scope and the body.
constexpr size_t kScopeBytes = 8;

bool TakeBytes(ByteView& in, Bytes& out) {
  uint64_t size = 0;
  if (!TakeVarint(in, size) || size > in.size()) return false;
  out = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

bool TakeMergePosition(ByteView& in, PagingState& state) {
  uint64_t group = 0, source = 0, count = 0;
  if (!TakeVarint(in, group) || !TakeVarint(in, source) || !TakeVarint(in, count) || count > in.size()) return false;
  state.group = static_cast<uint32_t>(group);
  state.source = static_cast<uint32_t>(source);
  for (; count > 0; --count) {
    uint64_t rows = 0;
    if (!TakeVarint(in, rows)) return false;
    state.source_rows_left.push_back(static_cast<uint32_t>(rows));
  }
  return true;
}

Error BadPagingState() {
  return {.code = ErrorCode::kProtocolError,
          .message = "Invalid value for the paging state",
          .hint = "give back the state of the last page unchanged"};
}
}  // namespace

Bytes EncodePagingState(const PagingState& state, uint64_t scope) {
  Bytes body;
  AppendBigEndian(body, scope);
  AppendVarint(body, state.rows_left);
  AppendVarint(body, state.partition_rows_left);
  body.push_back(static_cast<char>((state.at.partition_done ? 1 : 0) | (state.at.after_static ? 2 : 0) |
                                   (state.order_term ? 4 : 0)));
  AppendVarint(body, state.at.partition_key.size());
  body += state.at.partition_key;
  AppendVarint(body, state.at.clustering.size());
  body += state.at.clustering;
  if (state.order_term) {
    AppendVarint(body, state.order_term->size());
    body += *state.order_term;
  }
  if (state.group != 0 || state.source != 0 || !state.source_rows_left.empty()) {
    AppendVarint(body, state.group);
    AppendVarint(body, state.source);
    AppendVarint(body, state.source_rows_left.size());
    for (const uint32_t rows : state.source_rows_left) AppendVarint(body, rows);
  }
  Bytes out(1, kVersion);
  AppendBigEndian(out, XXH3_64bits(body.data(), body.size()));
  return out + body;
}

Result<PagingState> DecodePagingState(ByteView bytes, uint64_t scope) {
  if (bytes.size() < kHeaderBytes + kScopeBytes || bytes[0] != kVersion) return BadPagingState();
  ByteView body = bytes.substr(kHeaderBytes);
  if (ReadBigEndian<uint64_t>(bytes.data() + 1) != XXH3_64bits(body.data(), body.size())) return BadPagingState();
  if (ReadBigEndian<uint64_t>(body.data()) != scope) return ForeignPagingState();
  body.remove_prefix(kScopeBytes);
  PagingState state;
  uint64_t rows = 0, partition_rows = 0;
  if (!TakeVarint(body, rows) || !TakeVarint(body, partition_rows) || body.empty()) return BadPagingState();
  state.rows_left = static_cast<uint32_t>(rows);
  state.partition_rows_left = static_cast<uint32_t>(partition_rows);
  state.at.partition_done = (body[0] & 1) != 0;
  state.at.after_static = (body[0] & 2) != 0;
  const bool ordered = (body[0] & 4) != 0;
  body.remove_prefix(1);
  if (!TakeBytes(body, state.at.partition_key) || !TakeBytes(body, state.at.clustering)) return BadPagingState();
  if (ordered && !TakeBytes(body, state.order_term.emplace())) return BadPagingState();
  if (!body.empty() && (!TakeMergePosition(body, state) || !body.empty())) return BadPagingState();
  return state;
}

Error ForeignPagingState() {
  return InvalidError("Invalid paging state: it is one of another statement",
                      "a state continues with the same table, partitions, order and grouping; columns, limits and "
                      "other conditions may differ");
}

uint64_t ScopeOfText(ByteView statement, ByteView keyspace) {
  const uint64_t hash = XXH3_64bits(statement.data(), statement.size());
  return XXH3_64bits_withSeed(keyspace.data(), keyspace.size(), hash);
}

}  // namespace widerow
