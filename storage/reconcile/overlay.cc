#include "storage/reconcile/overlay.h"

#include "storage/format/row_codec.h"
#include "storage/reconcile/merge.h"

namespace widerow {

Bytes EncodePendingDeletion(const PendingDeletion& pending) {
  Bytes out;
  out.push_back(static_cast<char>(kRecordVersion));
  AppendBigEndian(out, pending.deletion.timestamp);
  AppendBigEndian(out, pending.deletion.local_seconds);
  AppendVarint(out, pending.partition_prefix.size());
  out.append(pending.partition_prefix);
  AppendVarint(out, pending.begin.size());
  out.append(pending.begin);
  out.push_back(pending.end.has_value() ? '\1' : '\0');
  if (pending.end.has_value()) out.append(*pending.end);
  Seal(out);
  return out;
}

bool DecodePendingDeletion(ByteView record, PendingDeletion& pending) {
  if (!Unseal(record)) return false;
  row_decode::Reader in(record);
  if (in.Byte() != kRecordVersion) return false;
  pending.deletion.timestamp = in.Fixed64();
  pending.deletion.local_seconds = in.Fixed64();
  pending.partition_prefix = Bytes(in.Take(in.Varint()));
  pending.begin = Bytes(in.Take(in.Varint()));
  const uint8_t has_end = in.Byte();
  if (!in.ok || has_end > 1) return false;
  if (has_end == 1) pending.end = Bytes(in.Take(static_cast<uint64_t>(in.end - in.at)));
  return !in.more();
}

Overlay::Overlay(std::vector<PendingDeletionPtr> deletions) : deletions_(std::move(deletions)) {
  for (const PendingDeletionPtr& pending : deletions_) by_partition_.emplace(pending->partition_prefix, pending.get());
}

DeletionTime Overlay::Find(ByteView partition_prefix, ByteView clustering, uint64_t txn_id) const {
  DeletionTime found;
  for (auto [at, end] = by_partition_.equal_range(partition_prefix); at != end; ++at) {
    const PendingDeletion& pending = *at->second;
    const bool covers = pending.txn_id <= txn_id && clustering >= pending.begin &&
                        (!pending.end.has_value() || clustering < *pending.end);
    if (covers) found = Newer(found, pending.deletion);
  }
  return found;
}

}  // namespace widerow
