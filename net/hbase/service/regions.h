// The messages that describe regions, and the rows of hbase:meta that contain them.
#pragma once

#include "net/hbase/proto/common.pb.h"
#include "net/hbase/service/call.h"
#include "net/hbase/store/meta_table.h"

namespace widerow::hbase {

void SetServerName(const ServerAddress& address, ::hbase::pb::ServerName& name);
void SetRegionInfo(const Region& region, ::hbase::pb::RegionInfo& info);
// Returns the row of a region, with the columns info:regioninfo, info:server and others.
RowCells MetaRowOf(const Region& region, const ServerAddress& address);
// Returns the row of a table's state, with the column table:state.
RowCells StateRowOf(const HTable& table);

}  // namespace widerow::hbase
