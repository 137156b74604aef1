// ClientService.Scan: opens scanners, continues and closes them.
#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/service/client_service.h"
#include "net/hbase/service/convert.h"
#include "net/hbase/service/regions.h"

namespace widerow::hbase {

namespace {

constexpr size_t kAnswerBytes = 2u << 20;      // The bound for an answer if the client sets none.
constexpr size_t kAnswerBytesMax = 16u << 20;  // The greatest bound that a client can set.
constexpr size_t kResultsMax = 100'000;

Error UnknownScanner(uint64_t id) {
  return MakeJavaError(
      "org.apache.hadoop.hbase.UnknownScannerException",
      StrCat("Unknown scanner '", id, "'. It may have been closed because it was not used for a minute"));
}

// Fills the response. If `cell_block` is not null, the cells are appended to it, and the response gets only the number
// of cells of each row.
void SetResults(ScanAnswer& from, Bytes* cell_block, pb::ScanResponse& response) {
  for (const uint32_t cells : from.cells_of_rows) {
    response.add_partial_flag_per_result(false);
    response.add_cells_per_result(cells);
  }
  if (!from.cells_of_rows.empty()) *cell_block = std::move(from.cell_block);
  for (const ScanResult& result : from.results) {
    response.add_partial_flag_per_result(result.cut);
    if (cell_block != nullptr) {
      pb::Result ignored;
      SetResult(result.cells.row, result.cells.cells, cell_block, ignored);
      response.add_cells_per_result(static_cast<uint32_t>(result.cells.cells.size()));
    } else {
      pb::Result& made = *response.add_results();
      SetResult(result.cells.row, result.cells.cells, nullptr, made);
      made.set_partial(result.cut);
    }
  }
}

ScanLimits LimitsOf(const pb::ScanRequest& request, uint64_t result_bytes) {
  ScanLimits limits;
  const uint32_t wanted = request.has_number_of_rows() ? request.number_of_rows() : request.close_scanner() ? 0 : 1;
  limits.results = std::min<size_t>(wanted, kResultsMax);
  limits.rows = request.limit_of_rows();
  limits.bytes = result_bytes == 0 ? kAnswerBytes : std::min<size_t>(result_bytes, kAnswerBytesMax);
  limits.may_cut_rows = request.client_handles_partials();
  return limits;
}

}  // namespace

Result<MetaRows> ClientService::RowsOfMeta(const Caller& caller) {
  WR_ASSIGN_OR_RETURN(const std::vector<HTablePtr> tables, catalog_.All());
  const Database database = catalog_.For(caller);
  MetaRows rows;
  for (const HTablePtr& table : tables) {
    // The bounds of regions are row keys. A client sees them only if it may read or write the table.
    const bool may_see_keys = std::ranges::any_of(table->families, [&](const HFamily& family) {
      return database.CheckPermission(*family.statements.read_row).ok() ||
             database.CheckPermission(*family.statements.insert).ok();
    });
    const std::vector<Region> regions =
        may_see_keys ? RegionsOf(*table) : std::vector<Region>{{.table = table->id, .start = {}, .end = {}}};
    for (const Region& region : regions) rows.push_back(MetaRowOf(region, address_));
    rows.push_back(StateRowOf(*table));
  }
  return rows;
}

Result<std::unique_ptr<RowSource>> ClientService::SourceOf(const Caller& caller, const HTablePtr& table,
                                                           std::vector<ReadFamily> families) {
  if (table->id == MetaRegion().table) {
    WR_ASSIGN_OR_RETURN(MetaRows rows, RowsOfMeta(caller));
    return MakeMetaSource(std::move(rows), families);
  }
  if (table->unordered()) {
    return MakeJavaError(kDoNotRetry, StrCat("The table ", table->id.Text(),
                                             " has no PARTITION BY, so its rows have no order: only "
                                             "Get works. Create it with PARTITION BY RANGE (k) or KEY (k)"));
  }
  return MakeTableSource(catalog_.For(caller), table, std::move(families));
}

Result<uint64_t> ClientService::OpenScan(const Call& call, const pb::ScanRequest& request) {
  WR_ASSIGN_OR_RETURN(const TableId id, TableOf(request.region()));
  HTablePtr table = MetaTable();
  if (id != MetaRegion().table) { WR_ASSIGN_OR_RETURN(table, EnabledTable(id)); }
  WR_ASSIGN_OR_RETURN(std::unique_ptr<ScanSpec> spec, ScanOf(request.scan()));
  WR_ASSIGN_OR_RETURN(const std::vector<ReadFamily> families, FamiliesOf(*table, spec->read));
  WR_ASSIGN_OR_RETURN(std::unique_ptr<RowSource> source, SourceOf(call.caller, table, families));
  auto scanner = std::make_unique<Scanner>(table, std::move(source), families, std::move(spec));
  return scanners_.Add(std::make_shared<OpenScanner>(std::move(scanner), call.caller, request.scan().max_result_size()),
                       call.parameter.size());
}

Result<Answer> ClientService::Scan(const Call& call) {
  pb::ScanRequest request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  if (!request.has_scanner_id() && !request.has_scan()) {
    return MakeJavaError(kDoNotRetry, "Missing required input: scannerId or scan");
  }
  pb::ScanResponse response;
  Answer answer;
  uint64_t id = request.scanner_id();
  if (!request.has_scanner_id()) { WR_ASSIGN_OR_RETURN(id, OpenScan(call, request)); }
  const std::shared_ptr<OpenScanner> open = scanners_.Find(id, call.caller);
  if (open == nullptr) {
    if (!request.close_scanner()) return UnknownScanner(id);
    answer.message = Serialize(response);
    return answer;
  }
  MutexLock lock(open->mutex);
  response.set_scanner_id(id);
  response.set_ttl(static_cast<uint32_t>(std::chrono::milliseconds(Scanners::kLease).count()));
  if (request.has_next_call_seq() && request.next_call_seq() != open->next_sequence++) {
    scanners_.Close(id);
    return MakeJavaError("org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException",
                         "the request is not the next one of its scanner");
  }
  if (request.renew()) {
    answer.message = Serialize(response);
    return answer;
  }
  ScanLimits limits = LimitsOf(request, open->result_bytes);
  limits.room = call.room;
  limits.may_encode = call.cell_blocks;
  ScanAnswer scanned;
  scanned.more = true;
  if (limits.results > 0) {
    Result<ScanAnswer> next = open->scanner().Next(limits, catalog_.own().NowMs());
    if (!next.ok()) {
      scanners_.Close(id);
      return std::move(next).error();
    }
    scanned = std::move(*next);
  }
  SetResults(scanned, call.cell_blocks ? &answer.cell_block : nullptr, response);
  response.set_more_results(scanned.more);
  response.set_more_results_in_region(scanned.more);
  response.set_heartbeat_message(scanned.out_of_time);
  if (!scanned.more || request.close_scanner()) {
    scanners_.Close(id);
  } else {
    scanners_.Keep(id);
  }
  answer.message = Serialize(response);
  return answer;
}

}  // namespace widerow::hbase
