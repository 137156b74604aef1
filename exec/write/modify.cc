#include "exec/write/modify.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <span>

#include "base/limits.h"
#include "base/text.h"
#include "exec/bind/bind.h"
#include "exec/bind/bind_ranges.h"
#include "exec/bind/key_choices.h"
#include "exec/bind/named_rows.h"
#include "exec/write/bind_times.h"
#include "exec/write/cell_operations.h"
#include "exec/write/decided_reads.h"
#include "exec/write/decided_write.h"
#include "exec/write/held_bytes.h"
#include "exec/write/indexed_values.h"
#include "exec/write/row_conditions.h"
#include "planner/access/partition_key.h"
#include "planner/counter_rules.h"
#include "planner/evaluate/json_object.h"
#include "types/order_codec.h"

namespace widerow {

namespace {

// The rows, or the ranges of rows, that a statement names in each of its partitions.
struct Places {
  NamedRows rows;
  std::vector<ClusteringRange> ranges;
};

// True if the operation is on a static column and `is_static` is true, or on another column and `is_static` is false.
bool SameKind(const BoundOperation& bound, bool is_static) {
  return (bound.column->kind == ColumnKind::kStatic) == is_static;
}

// True if running the operation twice differs from running it once.
bool AddsUp(const BoundOperation& bound) {
  const Type& type = *bound.column->type;
  return type.kind == TypeKind::kCounter || (type.kind == TypeKind::kList && type.is_multi_cell());
}

// Returns how often the operations change the static row of each partition. As in Cassandra, a statement with IN lists
// changes static columns once for each row that it names.
size_t StaticChanges(const ModifyPlan& plan, const Places& places, std::span<const BoundOperation> operations) {
  const auto is_static = [](const BoundOperation& operation) { return SameKind(operation, true); };
  if (std::none_of(operations.begin(), operations.end(), is_static)) return 0;
  if (!plan.clustering.names_whole_rows(*plan.table)) return 1;
  const bool adds_up = std::any_of(operations.begin(), operations.end(), [&](const BoundOperation& operation) {
    return is_static(operation) && AddsUp(operation);
  });
  return adds_up ? places.rows.size() : std::min<size_t>(1, places.rows.size());
}

// Returns the approximate number of bytes that the statement adds to the mutation for each partition, without the key.
size_t BytesInPartition(const ModifyPlan& plan, const Places& places, std::span<const BoundOperation> operations) {
  size_t of_row = sizeof(RowMutation), of_static = sizeof(RowMutation), bytes = sizeof(PartitionMutation);
  for (const BoundOperation& operation : operations)
    (SameKind(operation, true) ? of_static : of_row) += BytesInRow(operation);
  for (const NamedRow& row : places.rows) bytes += of_row + row.encoded.size();
  for (const ClusteringRange& range : places.ranges)
    bytes += sizeof(RowMutation) + range.begin.size() + (range.end ? range.end->size() : 0);
  return bytes + StaticChanges(plan, places, operations) * of_static;
}

bool DeletesAll(const ModifyPlan& plan) { return plan.kind == ModifyPlan::Kind::kDelete && plan.operations.empty(); }

// Binds the rows or the ranges of rows that the statement names. `places` must be empty.
Status BindPlaces(const ModifyPlan& plan, bool whole_rows, const EvaluationContext& context, Places& places) {
  if (DeletesAll(plan) && plan.clustering.all()) return OkStatus();
  if (whole_rows) return BindNamedRows(*plan.table, plan.clustering, context, places.rows);
  if (DeletesAll(plan)) { WR_ASSIGN_OR_RETURN(places.ranges, BindClustering(*plan.table, plan.clustering, context)); }
  return OkStatus();
}

// Collects the writes of one statement or batch. The plans must live until the decide step has run, because the
// BoundOperations of the decide step borrow from them.
class WriteBuilder {
 public:
  // `request`: the request of any of the statements if the write is conditional; else null. `batch`: the write is made
  // from a batch, even if the batch has one statement.
  explicit WriteBuilder(const WriteRequest* request, bool batch) {
    if (request == nullptr) return;
    conditions_.emplace(request->now_seconds, batch, request->answer);
    answer_ = request->answer;
  }
  Status Add(const ModifyPlan& plan, const WriteRequest& request);
  // Adds the write for one combination of values of plan.choices. request.context contains these values.
  Status AddChosen(const ModifyPlan& plan, const WriteRequest& request);
  Result<BuiltWrite> Finish();

 private:
  static Result<Mutation> DecideConditional(ReadView& view, const RowConditions& conditions, Mutation mutation,
                                            std::vector<ReadingWrite> reading, StorageEngine& storage,
                                            RowsPage& answer);
  // Called before the rows of a statement that writes to several rows are made. Adds the memory of these rows to
  // copied_bytes_. kInvalid if that sum is too large.
  Status CountCopies(const ModifyPlan& plan, const std::vector<Bytes>& keys, const Places& places,
                     std::span<const BoundOperation> operations);
  // Adds the changes to one partition. If the statement names one row, `row_named` becomes that row.
  Status AddPartition(const ModifyPlan& plan, const Places& places, std::span<const BoundOperation> operations,
                      const CellTimes& times, PartitionMutation& partition, Bytes& row_named);
  Status AddRow(const ModifyPlan& plan, const Bytes& key, bool is_static, const NamedRow& clustering,
                std::span<const BoundOperation> operations, const CellTimes& times, PartitionMutation& partition);
  // Adds the operations on this row. Operations that read are added to reading_, the others to `row`.
  Status AddOperations(const ModifyPlan& plan, const Bytes& key, std::span<const BoundOperation> operations,
                       const CellTimes& times, RowMutation& row);

  Mutation mutation_;
  Mutation counts_;  // The changes to counter tables. The decide step completes all of them.
  std::vector<ReadingWrite> reading_;
  std::optional<RowConditions> conditions_;
  AnswerLimits answer_;  // Of a conditional write.
  StorageEngine* storage_ = nullptr;
  int64_t now_seconds_ = 0;
  size_t copied_bytes_ = 0;  // The sum of CountCopies.
  JsonObjectScope objects_;  // INSERT JSON: the columns share one parsed object.
};

Result<BuiltWrite> WriteBuilder::Finish() {
  BuiltWrite built;
  for (const ReadingWrite& write : reading_) built.list_elements_read += write.list_reads();
  size_t& held = built.write.decide_bytes;
  held = HeldBytes(reading_);
  if (conditions_) {
    DropEmptyPartitions(mutation_);
    built.rows = std::make_shared<RowsPage>();
    built.decided = std::make_shared<const Mutation>(std::move(mutation_));
    held += conditions_->held_bytes() + HeldBytes(*built.decided);
    built.write.decide = [conditions = std::move(*conditions_), mutation = built.decided, reading = std::move(reading_),
                          storage = storage_, rows = built.rows](ReadView& view) {
      return DecideConditional(view, conditions, *mutation, reading, *storage, *rows);
    };
    built.write.conflict = AnswerConflicts(built.rows, now_seconds_, answer_);
    return built;
  }
  WR_RETURN_IF_ERROR(CheckIndexedValues(mutation_));
  if (!counts_.empty()) {
    built.write.mutation = std::move(mutation_);
    DropEmptyPartitions(counts_);
    built.decided = std::make_shared<const Mutation>(std::move(counts_));
    held += HeldBytes(*built.decided);
    built.write.decide = [mutation = built.decided, reading = std::move(reading_), storage = storage_,
                          now_seconds = now_seconds_](ReadView& view) -> Result<Mutation> {
      WR_ASSIGN_OR_RETURN(Mutation counted,
                          DecideCounters(view, *mutation, storage->NextTimestampMicros(), now_seconds));
      WR_ASSIGN_OR_RETURN(const Mutation changed, DecideReadingWrites(view, reading));
      counted.insert(counted.end(), changed.begin(), changed.end());
      return counted;
    };
  } else if (!reading_.empty()) {
    // The decide step also returns the changes that read nothing, so that reads see the columns as before the batch.
    built.decided = std::make_shared<const Mutation>(std::move(mutation_));
    held += HeldBytes(*built.decided);
    built.write.decide = [mutation = built.decided, reading = std::move(reading_)](ReadView& view) -> Result<Mutation> {
      WR_ASSIGN_OR_RETURN(const Mutation changed, DecideReadingWrites(view, reading));
      WR_RETURN_IF_ERROR(CheckIndexedValues(changed));
      Mutation whole = *mutation;
      whole.insert(whole.end(), changed.begin(), changed.end());
      return whole;
    };
  } else {
    built.write.mutation = std::move(mutation_);
  }
  return built;
}

Status WriteBuilder::AddOperations(const ModifyPlan& plan, const Bytes& key, std::span<const BoundOperation> operations,
                                   const CellTimes& times, RowMutation& row) {
  const bool reads = std::any_of(operations.begin(), operations.end(), [&](const BoundOperation& operation) {
    return operation.reads() && SameKind(operation, row.is_static);
  });
  ReadingWrite reading;
  for (const BoundOperation& operation : operations) {
    if (!SameKind(operation, row.is_static)) continue;
    if (operation.reads()) {
      reading.steps.emplace_back(operation);
    } else if (!reads || !operation.column->type->is_multi_cell()) {
      WR_RETURN_IF_ERROR(ApplyOperation(operation, times, row.content));
    } else {
      RowFragment written;
      WR_RETURN_IF_ERROR(ApplyOperation(operation, times, written));
      row.content.cells.insert(row.content.cells.end(), written.cells.begin(), written.cells.end());
      row.content.column_deletions.insert(row.content.column_deletions.end(), written.column_deletions.begin(),
                                          written.column_deletions.end());
      if (operation.column->type->kind == TypeKind::kList) reading.steps.emplace_back(std::move(written));
    }
  }
  if (!reads) return OkStatus();
  reading.table = plan.table;
  reading.partition_key = key;
  reading.is_static = row.is_static;
  reading.clustering = row.clustering;
  reading.times = times;
  reading.conditional = conditions_.has_value();
  reading_.push_back(std::move(reading));
  return OkStatus();
}

Status WriteBuilder::AddRow(const ModifyPlan& plan, const Bytes& key, bool is_static, const NamedRow& clustering,
                            std::span<const BoundOperation> operations, const CellTimes& times,
                            PartitionMutation& partition) {
  RowMutation& row = partition.rows.emplace_back();
  row.is_static = is_static;
  if (!is_static) {
    row.clustering = clustering.encoded;
    row.content.kept_clustering = clustering.kept;
    if (plan.kind == ModifyPlan::Kind::kInsert) {
      row.content.marker = {.timestamp = times.timestamp,
                            .ttl = times.ttl,
                            .expires_at = times.ttl == 0 ? 0 : times.now_seconds + times.ttl};
    }
    if (plan.kind == ModifyPlan::Kind::kDelete && plan.operations.empty()) row.content.deletion = times.Deletion();
  }
  row.content.cells.reserve(operations.size());
  WR_RETURN_IF_ERROR(AddOperations(plan, key, operations, times, row));
  NormalizeFragment(*plan.table, row.content);
  const RowFragment& content = row.content;
  if (!content.marker.present() && !content.deletion.present() && content.cells.empty() &&
      content.column_deletions.empty()) {
    partition.rows.pop_back();
  }
  return OkStatus();
}

Status WriteBuilder::Add(const ModifyPlan& plan, const WriteRequest& request) {
  EvaluationContext of_checks = request.context;
  of_checks.unset_is_null = true;
  for (const Expression& check : plan.checks) {
    if (Result<Value> checked = Evaluate(check, of_checks); !checked.ok()) return std::move(checked).error();
  }
  if (plan.choices.empty()) return AddChosen(plan, request);
  WR_ASSIGN_OR_RETURN(const auto values, BindChoices(plan.choices, *plan.table, request.context));
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto add = [&](const EvaluationContext& context, const std::vector<size_t>&) {
    WriteRequest chosen = request;
    chosen.context = context;
    return AddChosen(plan, chosen);
  };
  return ForEachCombination(values, order, request.context, add);
}

Status WriteBuilder::AddChosen(const ModifyPlan& plan, const WriteRequest& request) {
  const TableSchema& table = *plan.table;
  const bool counters = IsCounterTable(table);
  // As in Cassandra, the key is bound before TTL and values. If the statement names no rows, neither the TTL nor the
  // values are checked. If it names no partitions, the TTL is checked, but the values are not.
  WR_ASSIGN_OR_RETURN(const auto timestamp, BindTimestamp(plan.timestamp, request.context));
  WR_ASSIGN_OR_RETURN(const auto keys, BindPartitionKeys(table, plan.partition_key, request.context));
  WR_RETURN_IF_ERROR(RefuseEmptyKeys(keys));
  if (conditions_) WR_RETURN_IF_ERROR(conditions_->AddStatement(plan, keys));
  const bool whole_rows = plan.clustering.names_whole_rows(table);
  Places places;
  WR_RETURN_IF_ERROR(BindPlaces(plan, whole_rows, request.context, places));
  if (whole_rows && places.rows.empty() && !conditions_ && !DeletesAll(plan)) return OkStatus();
  WR_ASSIGN_OR_RETURN(CellTimes times, BindTimes(plan, request, timestamp));
  if (keys.empty() && !conditions_) return OkStatus();
  if (conditions_ || counters) times.timestamp = kUndecided;
  storage_ = request.storage;
  now_seconds_ = request.now_seconds;
  absl::InlinedVector<BoundOperation, 4> operations;
  operations.reserve(plan.operations.size());
  for (const CellOperation& operation : plan.operations)
    WR_RETURN_IF_ERROR(BindOperation(operation, table, request.context, operations.emplace_back()));
  WR_RETURN_IF_ERROR(CheckInProduct(keys.size() * std::max(places.rows.size(), places.ranges.size()), 0,
                                    places.ranges.empty() ? "rows" : "slices"));
  const bool several = keys.size() > 1 || places.rows.size() > 1 || places.ranges.size() > 1 || !plan.choices.empty();
  if (several) WR_RETURN_IF_ERROR(CountCopies(plan, keys, places, operations));
  for (const Bytes& key : keys) {
    if (!table.partitioning.by_token()) [[unlikely]] {
      Status has_partition = CheckHasPartition(table, key);
      if (!has_partition.ok() && plan.kind != ModifyPlan::Kind::kDelete) return has_partition;
      if (!has_partition.ok() && !conditions_) continue;  // Nothing to delete.
    }
    PartitionMutation& partition = (counters ? counts_ : mutation_).emplace_back();
    partition.table = plan.table;
    partition.partition_key = key;
    Bytes row_named;  // The row that the statement names, for its condition.
    WR_RETURN_IF_ERROR(AddPartition(plan, places, operations, times, partition, row_named));
    if (plan.condition != RowCondition::kNone) {
      WR_RETURN_IF_ERROR(conditions_->AddCondition(plan, row_named, request.context));
    }
  }
  return OkStatus();
}

Status WriteBuilder::CountCopies(const ModifyPlan& plan, const std::vector<Bytes>& keys, const Places& places,
                                 std::span<const BoundOperation> operations) {
  const size_t in_each = BytesInPartition(plan, places, operations);
  for (const Bytes& key : keys) copied_bytes_ += in_each + key.size();
  if (copied_bytes_ <= limits::kWriteMemoryMax) return OkStatus();
  return InvalidError(StrCat("A write that takes in memory at least ", copied_bytes_,
                             " bytes is longer than the maximum of ", limits::kWriteMemoryMax),
                      "the statement writes its values to each row: divide its IN lists among several statements");
}

Status WriteBuilder::AddPartition(const ModifyPlan& plan, const Places& places,
                                  std::span<const BoundOperation> operations, const CellTimes& times,
                                  PartitionMutation& partition, Bytes& row_named) {
  if (DeletesAll(plan) && plan.clustering.all()) {
    partition.partition_deletion = times.Deletion();
  } else if (plan.clustering.names_whole_rows(*plan.table)) {
    for (const NamedRow& row : places.rows) {
      WR_RETURN_IF_ERROR(AddRow(plan, partition.partition_key, false, row, operations, times, partition));
      row_named = row.encoded;
    }
  }
  for (const ClusteringRange& range : places.ranges) {
    if (!range.exact) {
      partition.range_deletions.push_back({range, times.Deletion()});
      continue;
    }
    row_named = range.begin;
    RowMutation row{.clustering = range.begin};
    row.content.deletion = times.Deletion();
    partition.rows.push_back(std::move(row));
  }
  for (size_t changes = StaticChanges(plan, places, operations); changes > 0; --changes) {
    WR_RETURN_IF_ERROR(AddRow(plan, partition.partition_key, true, {}, operations, times, partition));
  }
  return OkStatus();
}

Result<Mutation> WriteBuilder::DecideConditional(ReadView& view, const RowConditions& conditions, Mutation mutation,
                                                 std::vector<ReadingWrite> reading, StorageEngine& storage,
                                                 RowsPage& answer) {
  WR_ASSIGN_OR_RETURN(const bool hold, conditions.Hold(view, answer));
  if (!hold) return Mutation();
  WR_ASSIGN_OR_RETURN(int64_t newest, conditions.NewestTimestamp(view));
  const auto look_at = [&](const TableSchema& table, const Bytes& key, bool is_static,
                           const Bytes& clustering) -> Status {
    if (conditions.AsksOf(is_static, clustering)) return OkStatus();  // `newest` covers the rows of conditions already.
    WR_ASSIGN_OR_RETURN(const int64_t of_row, view.NewestTimestamp(table, key, is_static, clustering));
    newest = std::max(newest, of_row);
    return OkStatus();
  };
  for (const PartitionMutation& partition : mutation) {
    for (const RowMutation& row : partition.rows) {
      WR_RETURN_IF_ERROR(look_at(*partition.table, partition.partition_key, row.is_static, row.clustering));
    }
  }
  for (const ReadingWrite& write : reading) {
    WR_RETURN_IF_ERROR(look_at(*write.table, write.partition_key, write.is_static, write.clustering));
  }
  const int64_t after = newest == std::numeric_limits<int64_t>::max() ? newest : newest + 1;
  const int64_t timestamp = std::max(storage.NextTimestampMicros(), after);
  // As in Cassandra, range deletions are older than the rows written with them.
  for (PartitionMutation& partition : mutation) SetTimes({.rows = timestamp, .ranges = timestamp - 1}, partition);
  for (ReadingWrite& write : reading) write.SetTimestamp(timestamp);
  WR_ASSIGN_OR_RETURN(const Mutation changed, DecideReadingWrites(view, reading));
  mutation.insert(mutation.end(), changed.begin(), changed.end());
  WR_RETURN_IF_ERROR(CheckIndexedValues(mutation));
  return mutation;
}

Result<BuiltWrite> BuildOne(const ModifyPlan& plan, const WriteRequest& request) {
  WriteBuilder builder(plan.condition != RowCondition::kNone ? &request : nullptr, false);
  WR_RETURN_IF_ERROR(builder.Add(plan, request));
  return builder.Finish();
}

Result<BuiltWrite> BuildBatch(const BatchPlan& plan, WriteRequest request) {
  WR_ASSIGN_OR_RETURN(auto timestamp, BindTimestamp(plan.timestamp, request.context));
  if (timestamp) {
    WR_RETURN_IF_ERROR(CheckTimestamp(*timestamp, plan.timestamp->range));
    request.timestamp = *timestamp;
  }
  WriteBuilder builder(plan.conditional() ? &request : nullptr, true);
  for (const ModifyPlan& statement : plan.statements) WR_RETURN_IF_ERROR(builder.Add(statement, request));
  return builder.Finish();
}

}  // namespace

bool IsApplied(const RowsPage& answer) {
  std::vector<ValueView> row;
  return PageReader(answer).Next(row) && row[0] && *row[0] == ByteView("\1", 1);
}

Result<BuiltWrite> BuildWrite(const Permit& permit, const WriteRequest& request) {
  if (const auto* batch = std::get_if<BatchPlan>(&permit.plan().node)) return BuildBatch(*batch, request);
  return BuildOne(std::get<ModifyPlan>(permit.plan().node), request);
}

Result<BuiltWrite> BuildWrite(const std::vector<BoundStatement>& statements) {
  const BoundStatement* conditional = nullptr;
  for (const BoundStatement& statement : statements) {
    if (statement.plan().condition != RowCondition::kNone) conditional = &statement;
  }
  WriteBuilder builder(conditional != nullptr ? &conditional->request : nullptr, true);
  for (const BoundStatement& statement : statements) {
    WR_RETURN_IF_ERROR(builder.Add(statement.plan(), statement.request));
  }
  return builder.Finish();
}

}  // namespace widerow
