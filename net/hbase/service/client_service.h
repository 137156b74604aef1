// HBase's ClientService: Get, Mutate, Multi and Scan. Thread-safe.
#pragma once

#include "net/hbase/service/call.h"
#include "net/hbase/service/nonces.h"
#include "net/hbase/service/scanners.h"
#include "net/hbase/store/meta_table.h"
#include "net/hbase/store/row_writer.h"

namespace hbase::pb {
class Action;
class Condition;
class GetResponse;
class MultiRequest;
class RegionAction;
class RegionActionResult;
class Result;
class ResultOrException;
class Scan;
class ScanRequest;
class ScanResponse;
}  // namespace hbase::pb

namespace widerow::hbase {

class ClientService {
 public:
  // `address` must outlive the service.
  ClientService(Catalog& catalog, const ServerAddress& address)
      : catalog_(catalog), address_(address), rows_(catalog) {}

  Result<Answer> Run(const Call& call);
  // Starts a request that RowWriter::StartPut can do; `done` gets its answer. For any other request, returns false and
  // does nothing; the caller then calls Run.
  bool Start(const Call& call, std::function<void(Result<Answer>)> done);
  RowWriter& rows() { return rows_; }

 private:
  Result<Answer> Get(const Call& call);
  Result<Answer> Mutate(const Call& call);
  Result<Answer> Multi(const Call& call);
  Result<Answer> Scan(const Call& call);

  // The state that the actions of a Multi share. `in` has the cells of the request, `out` receives the cells of the
  // answer.
  struct MultiCells {
    ByteView in;
    Bytes* out = nullptr;  // Null: the answers contain the cells themselves.
    uint64_t nonce_group = 0;
    AnswerRoom* room = nullptr;
    size_t bytes = 0;  // The size of the answers so far.
    const Caller& caller;
  };

  Result<HTablePtr> EnabledTable(const TableId& id);
  // Applies the mutations of a row as one write, unless a request with the same nonce has been applied. `condition` may
  // be null.
  Result<WriteResult> Apply(const Caller& caller, const HTable& table, std::span<const Mutation> mutations,
                            RowCondition* condition, uint64_t nonce_group);
  // Appends the present cells of the columns of an Increment or Append. They are the answer if the same request was
  // applied before.
  Status AppendPresent(const Caller& caller, const HTable& table, const Mutation& mutation, std::vector<Cell>& cells);
  // Runs the actions of one region one by one.
  void RunEach(const HTable& table, const ::hbase::pb::RegionAction& actions, MultiCells& cells,
               ::hbase::pb::RegionActionResult& results);
  // Applies the mutations in their order, and sets the exception of each mutation that fails.
  void ApplyWaiting(const Caller& caller, const HTable& table, const std::vector<Mutation>& mutations,
                    const std::vector<::hbase::pb::ResultOrException*>& results);
  Status RunAction(const HTable& table, const ::hbase::pb::Action& action, MultiCells& cells,
                   ::hbase::pb::ResultOrException& result);
  // Runs the actions as one write of a row.
  Result<bool> RunAtomic(const HTable& table, const ::hbase::pb::RegionAction& actions,
                         const ::hbase::pb::Condition* condition, MultiCells& cells,
                         ::hbase::pb::RegionActionResult& results);

  Result<uint64_t> OpenScan(const Call& call, const ::hbase::pb::ScanRequest& request);
  Result<std::unique_ptr<RowSource>> SourceOf(const Caller& caller, const HTablePtr& table,
                                              std::vector<ReadFamily> families);
  // Returns the rows of hbase:meta. As in CQL, every role sees all tables.
  Result<MetaRows> RowsOfMeta(const Caller& caller);

  Catalog& catalog_;
  const ServerAddress& address_;
  RowWriter rows_;
  Nonces nonces_;
  Scanners scanners_;
};

}  // namespace widerow::hbase
