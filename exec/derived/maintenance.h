// Updates indexes and views with each write to their base tables (storage/derived_writes.h). It deletes derived rows
// that follow from the base rows before the write but not after it, and writes the new ones. Storage's writer thread
// only.
#pragma once

#include <map>
#include <tuple>

#include "exec/derived/derivation.h"
#include "storage/derived_writes.h"

namespace widerow {

class DerivedMaintenance final : public DerivedWrites {
 public:
  // The greatest number of rows that range and partition deletions of one write may affect: some hundreds of MB of
  // memory, and seconds of the writer's thread.
  static constexpr size_t kRowsMax = 1'000'000;

  // `storage` must outlive the last call.
  explicit DerivedMaintenance(StorageEngine& storage, size_t rows_max = kRowsMax)
      : storage_(storage), rows_max_(rows_max) {}

  void Begin() override { rows_.clear(); }
  Status Before(ReadView& view, const SchemaPtr& schema, const TouchedRows& touched) override;
  Result<Mutation> After(ReadView& view, const SchemaPtr& schema) override;

 private:
  using Derivations = std::vector<DerivationPtr>;
  // The derived rows of a base row before the write, one entry per derivation.
  struct Before_ {
    TablePtr table;
    std::vector<DerivedRows> keys;
  };
  using Place = std::tuple<StorageId, Bytes, bool, Bytes>;  // Table, partition key, static, clustering.

  const Derivations& DerivationsFor(const TablePtr& table, const SchemaPtr& schema);
  Status NoteRow(const TouchedRows& touched, const Derivations& derivations, bool is_static, ByteView clustering,
                 RowView* row);
  Status NoteNamed(ReadView& view, const TouchedRows& touched, const Derivations& derivations, bool is_static,
                   ByteView clustering);
  Status NoteRange(ReadView& view, const TouchedRows& touched, const Derivations& derivations);

  StorageEngine& storage_;
  const size_t rows_max_;
  SchemaPtr schema_;  // The schema of derivations_.
  std::map<const TableSchema*, Derivations> derivations_;
  std::map<Place, Before_> rows_;  // The rows of the current write.
};

// Appends the changes that turn the rows `before` of a derived table into `after`; both are results of SortedKeysOf.
// `timestamp` must be greater than all timestamps written to the table before.
void AppendDerivedChanges(const TablePtr& table, const std::vector<DerivedRow>& before,
                          const std::vector<DerivedRow>& after, int64_t timestamp, int64_t now_seconds, Mutation& out);

}  // namespace widerow
