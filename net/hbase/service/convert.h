// Converts between the messages of HBase's protocol and the structs of net/hbase/cells and net/hbase/store.
#pragma once

#include "net/hbase/proto/client.pb.h"
#include "net/hbase/store/meta_table.h"
#include "net/hbase/store/row_writer.h"
#include "net/hbase/store/scanner.h"

namespace widerow::hbase {

namespace pb = ::hbase::pb;

// Finds the table of a region. Fails with NotServingRegionException if the name has no known form.
Result<TableId> TableOf(const pb::RegionSpecifier& region);
TableId TableOf(const pb::TableName& name);
void SetTableName(const TableId& id, pb::TableName& name);

Result<std::unique_ptr<ReadSpec>> ReadOf(const pb::Get& get);
Result<std::unique_ptr<ScanSpec>> ScanOf(const pb::Scan& scan);
// Removes the mutation's cells from the front of `cell_block`, even if the mutation is refused. `mutation` contains the
// number of these cells.
Result<Mutation> MutationOf(const pb::MutationProto& mutation, ByteView& cell_block);
Result<RowCondition> ConditionOf(const pb::Condition& condition);

// If `cell_block` is null, puts the cells into `result`. Otherwise appends the cells to `cell_block`, and puts only
// their number into `result`.
void SetResult(ByteView row, const std::vector<Cell>& cells, Bytes* cell_block, pb::Result& result);

}  // namespace widerow::hbase
