// Keeps indexes and views in step with the writes to their base tables (storage/derived_writes.h): what followed from the rows before
// the write and does not after it is deleted, what is new is written. The writer's thread alone.
#pragma once

#include <map>
#include <tuple>

#include "exec/derived/derivation.h"
#include "storage/derived_writes.h"

namespace widerow {

class DerivedMaintenance final : public DerivedWrites {
 public:
  // What deletions of ranges and partitions in one write may hit: some hundreds of MB of memory, and seconds of the writer's thread.
  static constexpr size_t kRowsMax = 1'000'000;

  // `storage` outlives it, or at least its last call.
  explicit DerivedMaintenance(StorageEngine& storage, size_t rows_max = kRowsMax) : storage_(storage), rows_max_(rows_max) {}

  void Begin() override { rows_.clear(); }
  Status Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) override;
  Result<Mutation> After(ReadView& view, const SchemaPtr& schema) override;

 private:
  using Derivations = std::vector<DerivationPtr>;
  // What followed from a row before the write, one list a derivation.
  struct Before_ {
    TablePtr table;
    std::vector<DerivedRows> keys;
  };
  using Place = std::tuple<StorageId, Bytes, bool, Bytes>;  // Table, partition key, static, clustering.

  const Derivations& DerivationsFor(const TablePtr& table, const SchemaPtr& schema);
  Status NoteRow(const TouchedRows& touched, const Derivations& derivations, bool is_static, ByteView clustering, RowView* row);
  Status NoteNamed(ReadView& view, const TouchedRows& touched, const Derivations& derivations, bool is_static, ByteView clustering);
  Status NoteRange(ReadView& view, const TouchedRows& touched, const Derivations& derivations);

  StorageEngine& storage_;
  const size_t rows_max_;
  SchemaPtr schema_;  // What derivations_ are of.
  std::map<const TableSchema*, Derivations> derivations_;
  std::map<Place, Before_> rows_;  // Of the write at hand.
};

// Appends what makes a derived table's rows out of `before` those of `after`; both as SortedKeysOf gives them. `timestamp` is greater than
// that of anything that was written to the table before.
void AppendDerivedChanges(const TablePtr& table, const std::vector<DerivedRow>& before, const std::vector<DerivedRow>& after,
                          int64_t timestamp, int64_t now_seconds, Mutation& out);

}  // namespace widerow
