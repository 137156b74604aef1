// Expected() goes through the rows of a table and looks up the derived rows that must follow from each row. Stored()
// goes through the rows of the index or view and looks up the base row of each. Neither keeps rows in memory.
#include "exec/derived/compare_derived.h"

#include "base/text.h"
#include "exec/derived/base_place.h"
#include "exec/derived/derivation.h"

namespace widerow {
namespace {

// A row that expires within this time may be missing on one side, so it is not compared.
constexpr int64_t kLastsSeconds = 600;

bool Lasts(int32_t ttl, int64_t expires_at, int64_t now_seconds) {
  return ttl == 0 || expires_at > now_seconds + kLastsSeconds;
}

Slice WholeOf(const TablePtr& table, bool statics) {
  Slice slice;
  slice.table = table;
  if (table->partitioning.by_token()) {
    slice.partitions = Slice::TokenRange{};
  } else {
    slice.partitions = Slice::KeyRange{};
  }
  slice.want_statics = statics;
  return slice;
}

class DerivedComparison {
 public:
  DerivedComparison(ReadView& view, const TablePtr& base, const TableDerivation& derivation, bool may_be_stale,
                    int64_t now_seconds, CheckReport& report)
      : view_(view),
        base_(base),
        derivation_(derivation),
        may_be_stale_(may_be_stale),
        now_(now_seconds),
        report_(report) {}

  void Run() {
    Status status = Expected();
    if (status.ok()) status = Stored();
    if (!status.ok()) report_.Add(Name(), "cannot be compared: " + status.error().message);
  }

 private:
  std::string Name() const { return StrCat(base_->keyspace, ".", derivation_.name(), " on ", base_->name); }
  std::string Where(ByteView partition_key, ByteView clustering) const {
    return StrCat(Name(), ", key 0x", ToHex(partition_key), " 0x", ToHex(clustering));
  }

  Status Expected() {
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(WholeOf(base_, base_->has_statics())));
    RowView row, found;
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) return OkStatus();
      row.ExpandUniform();
      const Bytes partition_key(row.partition_key), clustering(row.clustering);
      const BaseRow of{*base_, partition_key, row.is_static, clustering, &row};
      WR_ASSIGN_OR_RETURN(const DerivedRows keys, SortedKeysOf(derivation_, of));
      for (const DerivedRow& key : keys.rows) {
        if (!Lasts(key.ttl, key.expires_at, now_)) continue;
        room_.Clear();
        WR_ASSIGN_OR_RETURN(const bool there,
                            view_.GetRowInto(room_, *derivation_.table(), key.partition_key, key.clustering, found));
        if (there && found.marker.present()) continue;
        report_.Add(Where(partition_key, clustering), "the row is missing from the index or view");
      }
    }
  }

  Status Stored() {
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view_.OpenSlice(WholeOf(derivation_.table(), false)));
    RowView row;
    while (true) {
      WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
      if (!more) return OkStatus();
      if (!row.marker.present()) continue;
      ++(derivation_.table()->view != nullptr ? report_.view_rows : report_.index_entries);
      if (may_be_stale_ || !Lasts(row.marker.ttl, row.marker.expires_at, now_)) continue;
      const Bytes partition_key(row.partition_key), clustering(row.clustering);
      WR_ASSIGN_OR_RETURN(const BasePlace place, BasePlaceOf(*base_, derivation_, row));
      room_.Clear();
      WR_ASSIGN_OR_RETURN(const bool follows, FollowsFrom(view_, room_, *base_, derivation_, place, row));
      if (!follows) report_.Add(Where(partition_key, clustering), "the entry follows from no row of the table");
    }
  }

  ReadView& view_;
  const TablePtr& base_;
  const TableDerivation& derivation_;
  const bool may_be_stale_;
  const int64_t now_;
  CheckReport& report_;
  Arena room_;
};

}  // namespace

void CompareDerived(ReadView& view, const SchemaSnapshot& schema, const std::map<StorageId, uint64_t>& stale,
                    int64_t now_seconds, const std::function<void(const std::string& name)>& progress,
                    CheckReport& report) {
  for (const auto& [keyspace_name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      // Truncated and dropped partitions leave rows in indexes and views until DerivedBuilder removes them.
      const bool may_be_stale = stale.contains(table->storage_id) || !table->partitioning.extents.empty();
      for (const DerivationPtr& derivation : DerivationsOf(table, schema)) {
        if (!derivation->built()) {
          report.notes.push_back(
              StrCat(keyspace_name, ".", derivation->name(), " is being built, and was not checked"));
          continue;
        }
        progress(StrCat(keyspace_name, ".", derivation->name()));
        DerivedComparison(view, table, *derivation, may_be_stale, now_seconds, report).Run();
      }
    }
  }
}

}  // namespace widerow
