#include "net/hbase/service/client_service.h"

#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/service/convert.h"

namespace widerow::hbase {

namespace {

// Returns the block for the cells of an answer, or null if the client does not accept cell blocks.
Bytes* BlockOf(const Call& call, Answer& answer) { return call.cell_blocks ? &answer.cell_block : nullptr; }

void SetException(const Error& error, pb::NameBytesPair& exception) {
  const JavaError java = ToJavaError(error);
  exception.set_name(java.class_name);
  exception.set_value(java.text);
}

// Removes from each put the cells that a later put of the list writes again with the same timestamp. As in HBase, the
// later cell replaces the earlier one even if the TTL of the later cell has ended already.
std::vector<Mutation> WithoutReplacedCells(const HTable& table, std::vector<Mutation> puts) {
  std::set<std::tuple<Bytes, Bytes, Bytes, int64_t>> later;
  for (auto put = puts.rbegin(); put != puts.rend(); ++put) {
    std::erase_if(put->cells, [&](const Cell& cell) {
      return later.contains({put->row, cell.family, cell.qualifier, cell.timestamp});
    });
    const bool refused =
        std::ranges::any_of(put->cells, [&](const Cell& cell) { return table.Find(cell.family) == nullptr; });
    if (refused) continue;
    for (const Cell& cell : put->cells) later.emplace(put->row, cell.family, cell.qualifier, cell.timestamp);
  }
  return puts;
}

}  // namespace

Result<Answer> ClientService::Run(const Call& call) {
  if (call.method == "Get") return Get(call);
  if (call.method == "Mutate") return Mutate(call);
  if (call.method == "Multi") return Multi(call);
  if (call.method == "Scan") return Scan(call);
  return NotSupported(StrCat("ClientService.", call.method));
}

Result<HTablePtr> ClientService::EnabledTable(const TableId& id) {
  if (id == MetaRegion().table) return NotSupported("this operation on hbase:meta");
  WR_ASSIGN_OR_RETURN(HTablePtr table, catalog_.Find(id));
  if (table->disabled) return MakeJavaError("org.apache.hadoop.hbase.TableNotEnabledException", id.Text());
  return table;
}

Result<Answer> ClientService::Get(const Call& call) {
  pb::GetRequest request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  WR_ASSIGN_OR_RETURN(const TableId id, TableOf(request.region()));
  if (call.ran_long != nullptr && (id == MetaRegion().table || request.get().has_filter())) {
    *call.ran_long = true;
    return ServerError("filters and hbase:meta are not read on a thread that others need");
  }
  pb::GetResponse response;
  Answer answer;
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<ReadSpec> read, ReadOf(request.get()));
  std::vector<Cell> cells;
  if (id == MetaRegion().table) {
    WR_ASSIGN_OR_RETURN(MetaRows rows, RowsOfMeta(call.caller));
    for (RowCells& row : rows) {
      if (row.row == request.get().row()) cells = std::move(row.cells);
    }
  } else {
    WR_ASSIGN_OR_RETURN(const HTablePtr table, EnabledTable(id));
    read->room = call.room;
    read->ran_long = call.ran_long;
    WR_ASSIGN_OR_RETURN(cells, rows_.Get(call.caller, *table, request.get().row(), *read));
  }
  pb::Result& result = *response.mutable_result();
  if (request.get().existence_only()) {
    result.set_exists(!cells.empty());
    result.set_associated_cell_count(0);
  } else {
    SetResult(request.get().row(), cells, BlockOf(call, answer), result);
  }
  answer.message = Serialize(response);
  return answer;
}

Status ClientService::AppendPresent(const Caller& caller, const HTable& table, const Mutation& mutation,
                                    std::vector<Cell>& cells) {
  ReadSpec read;
  read.time_range = mutation.time_range;
  for (const Cell& cell : mutation.cells) {
    const auto found = std::ranges::find(read.families, cell.family, &FamilyColumns::family);
    if (found != read.families.end()) {
      found->qualifiers.push_back(cell.qualifier);
    } else {
      read.families.push_back({.family = cell.family, .qualifiers = {cell.qualifier}});
    }
  }
  for (FamilyColumns& columns : read.families) std::ranges::sort(columns.qualifiers);
  WR_ASSIGN_OR_RETURN(std::vector<Cell> present, rows_.Get(caller, table, mutation.row, read));
  std::ranges::move(present, std::back_inserter(cells));
  return OkStatus();
}

Result<WriteResult> ClientService::Apply(const Caller& caller, const HTable& table, std::span<const Mutation> mutations,
                                         RowCondition* condition, uint64_t nonce_group) {
  const auto has_nonce = [](const Mutation& mutation) { return IsDelta(mutation.kind) && mutation.nonce != 0; };
  const auto found = std::ranges::find_if(mutations, has_nonce);
  if (found == mutations.end()) return rows_.Apply(caller, table, mutations, condition);
  const uint64_t nonce = found->nonce;
  if (!nonces_.Begin(nonce_group, nonce)) {
    WriteResult again;
    for (const Mutation& mutation : mutations) {
      if (!IsDelta(mutation.kind) || !mutation.return_results) continue;
      WR_RETURN_IF_ERROR(AppendPresent(caller, table, mutation, again.cells));
    }
    return again;
  }
  bool applied = false;
  const absl::Cleanup end = [&] { nonces_.End(nonce_group, nonce, applied); };
  Result<WriteResult> result = rows_.Apply(caller, table, mutations, condition);
  applied = result.ok() && result->processed;
  return result;
}

Result<Answer> ClientService::Mutate(const Call& call) {
  pb::MutateRequest request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  WR_ASSIGN_OR_RETURN(const TableId id, TableOf(request.region()));
  WR_ASSIGN_OR_RETURN(const HTablePtr table, EnabledTable(id));
  ByteView cells = call.cell_block;
  WR_ASSIGN_OR_RETURN(const Mutation mutation, MutationOf(request.mutation(), cells));
  std::optional<RowCondition> condition;
  if (request.has_condition()) { WR_ASSIGN_OR_RETURN(condition, ConditionOf(request.condition())); }
  WR_ASSIGN_OR_RETURN(const WriteResult result, Apply(call.caller, *table, {&mutation, 1},
                                                      condition ? &*condition : nullptr, request.nonce_group()));
  pb::MutateResponse response;
  Answer answer;
  response.set_processed(result.processed);
  if (IsDelta(mutation.kind) && result.processed) {
    SetResult(mutation.row, result.cells, BlockOf(call, answer), *response.mutable_result());
  }
  answer.message = Serialize(response);
  return answer;
}

bool ClientService::Start(const Call& call, std::function<void(Result<Answer>)> done) {
  if (call.method != "Mutate") return false;
  pb::MutateRequest request;
  if (!ParseRequest(call, request).ok() || request.has_condition()) return false;
  const Result<TableId> id = TableOf(request.region());
  if (!id.ok()) return false;
  const Result<HTablePtr> table = EnabledTable(*id);
  if (!table.ok()) return false;
  ByteView cells = call.cell_block;
  const Result<Mutation> mutation = MutationOf(request.mutation(), cells);
  return mutation.ok() && rows_.StartPut(call.caller, **table, *mutation, [done = std::move(done)](Status status) {
    if (!status.ok()) return done(std::move(status).error());
    pb::MutateResponse response;
    response.set_processed(true);
    done(Answer{.message = Serialize(response), .cell_block = {}});
  });
}

Status ClientService::RunAction(const HTable& table, const pb::Action& action, MultiCells& cells,
                                pb::ResultOrException& result) {
  if (action.has_get()) {
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<ReadSpec> read, ReadOf(action.get()));
    read->room = cells.room;
    WR_ASSIGN_OR_RETURN(const std::vector<Cell> found, rows_.Get(cells.caller, table, action.get().row(), *read));
    if (action.get().existence_only()) {
      result.mutable_result()->set_exists(!found.empty());
      result.mutable_result()->set_associated_cell_count(0);
      return OkStatus();
    }
    for (const Cell& cell : found) cells.bytes += cell.bytes();
    if (cells.room != nullptr) WR_RETURN_IF_ERROR(cells.room->GrowWhole(cells.bytes));
    SetResult(action.get().row(), found, cells.out, *result.mutable_result());
    return OkStatus();
  }
  if (!action.has_mutation()) return NotSupported("a coprocessor's call");
  WR_ASSIGN_OR_RETURN(const Mutation mutation, MutationOf(action.mutation(), cells.in));
  WR_ASSIGN_OR_RETURN(const WriteResult written,
                      Apply(cells.caller, table, {&mutation, 1}, nullptr, cells.nonce_group));
  SetResult(mutation.row, written.cells, cells.out, *result.mutable_result());
  return OkStatus();
}

void ClientService::RunEach(const HTable& table, const pb::RegionAction& actions, MultiCells& cells,
                            pb::RegionActionResult& results) {
  // As in HBase, Puts and Deletes wait until the next Increment or Append, or until the end of the actions. Gets do not
  // see the waiting ones. If only Puts wait, they become one write, which needs one sync.
  std::vector<Mutation> waiting;
  std::vector<pb::ResultOrException*> waiting_results;
  const auto flush = [&] {
    ApplyWaiting(cells.caller, table, waiting, waiting_results);
    waiting.clear();
    waiting_results.clear();
  };
  for (int i = 0; i < actions.action_size(); ++i) {
    const pb::Action& action = actions.action(i);
    pb::ResultOrException& result = *results.add_resultorexception();
    result.set_index(action.index());
    Status status;
    const auto kind = action.has_mutation() ? std::optional(action.mutation().mutate_type()) : std::nullopt;
    if (kind == pb::MutationProto::PUT || kind == pb::MutationProto::DELETE) {
      Result<Mutation> mutation = MutationOf(action.mutation(), cells.in);
      if (mutation.ok()) {
        SetResult(mutation->row, {}, cells.out, *result.mutable_result());
        waiting.push_back(std::move(*mutation));
        waiting_results.push_back(&result);
        continue;
      }
      status = std::move(mutation).error();
    } else {
      if (kind) flush();
      status = RunAction(table, action, cells, result);
    }
    if (status.ok()) continue;
    result.clear_result();
    SetException(status.error(), *result.mutable_exception());
  }
  flush();
}

void ClientService::ApplyWaiting(const Caller& caller, const HTable& table, const std::vector<Mutation>& mutations,
                                 const std::vector<pb::ResultOrException*>& results) {
  const bool puts = mutations.size() > 1 && std::ranges::all_of(mutations, [](const Mutation& mutation) {
                      return mutation.kind == MutationKind::kPut;
                    });
  const Result<bool> together = puts ? rows_.PutMany(caller, table, mutations) : Result<bool>(false);
  if (together.ok() && *together) return;
  // The mutations have not been applied together. Now they are applied one by one, so that each has its own result.
  const std::vector<Mutation> lasting = puts ? WithoutReplacedCells(table, mutations) : mutations;
  for (size_t i = 0; i < lasting.size(); ++i) {
    if (lasting[i].cells.empty() && !mutations[i].cells.empty()) continue;
    const Result<WriteResult> written = rows_.Apply(caller, table, {&lasting[i], 1});
    if (written.ok()) continue;
    results[i]->clear_result();
    SetException(written.error(), *results[i]->mutable_exception());
  }
}

Result<bool> ClientService::RunAtomic(const HTable& table, const pb::RegionAction& actions,
                                      const pb::Condition* condition, MultiCells& cells,
                                      pb::RegionActionResult& results) {
  // After an error, the loop still removes the cells of the remaining actions from the cell block, because the cells of
  // later actions of the request follow them.
  std::vector<Mutation> mutations;
  Status status;
  for (const pb::Action& action : actions.action()) {
    Result<Mutation> mutation = action.has_mutation()
                                    ? MutationOf(action.mutation(), cells.in)
                                    : MakeJavaError(kDoNotRetry, "Atomic put and/or delete only, not a Get");
    if (mutation.ok()) {
      mutations.push_back(std::move(*mutation));
    } else if (status.ok()) {
      status = std::move(mutation).error();
    }
  }
  if (!status.ok()) return std::move(status).error();
  std::optional<RowCondition> made;
  if (condition != nullptr) { WR_ASSIGN_OR_RETURN(made, ConditionOf(*condition)); }
  WR_ASSIGN_OR_RETURN(const WriteResult written,
                      Apply(cells.caller, table, mutations, made ? &*made : nullptr, cells.nonce_group));
  const bool has_cells = !written.cells.empty();
  for (int i = 0; i < actions.action_size(); ++i) {
    pb::ResultOrException& result = *results.add_resultorexception();
    result.set_index(static_cast<uint32_t>(i));
    // The result of the first action contains the cells of all mutations.
    const bool first = i == 0 && has_cells;
    SetResult(mutations.empty() ? Bytes() : mutations[0].row, first ? written.cells : std::vector<Cell>(), cells.out,
              *result.mutable_result());
  }
  results.set_processed(written.processed);
  return written.processed;
}

Result<Answer> ClientService::Multi(const Call& call) {
  pb::MultiRequest request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  pb::MultiResponse response;
  Answer answer;
  MultiCells cells{.in = call.cell_block,
                   .out = BlockOf(call, answer),
                   .nonce_group = request.noncegroup(),
                   .room = call.room,
                   .caller = call.caller};
  for (const pb::RegionAction& actions : request.regionaction()) {
    pb::RegionActionResult& results = *response.add_regionactionresult();
    const Result<TableId> id = TableOf(actions.region());
    const Result<HTablePtr> table = id.ok() ? EnabledTable(*id) : Result<HTablePtr>(id.error());
    if (!table.ok()) {
      SetException(table.error(), *results.mutable_exception());
      // MutationOf removes the cells of these actions from the cell block, because the cells of later actions follow
      // them.
      for (const pb::Action& action : actions.action()) {
        if (action.has_mutation()) (void)MutationOf(action.mutation(), cells.in);
      }
      continue;
    }
    // Old clients send the condition with the whole request.
    const pb::Condition* const condition = actions.has_condition()   ? &actions.condition()
                                           : request.has_condition() ? &request.condition()
                                                                     : nullptr;
    if (!actions.atomic() && condition == nullptr) {
      RunEach(**table, actions, cells, results);
      continue;
    }
    const Result<bool> processed = RunAtomic(**table, actions, condition, cells, results);
    if (!processed.ok()) {
      results.clear_resultorexception();
      SetException(processed.error(), *results.mutable_exception());
    } else {
      response.set_processed(*processed);
    }
  }
  answer.message = Serialize(response);
  return answer;
}

}  // namespace widerow::hbase
