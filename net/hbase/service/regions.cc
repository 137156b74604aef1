#include "net/hbase/service/regions.h"

#include "base/text.h"

namespace widerow::hbase {

namespace {

namespace pb = ::hbase::pb;

constexpr ByteView kMagic = "PBUF";  // Begins every serialized message in hbase:meta.

Cell MetaCell(const char* family, const char* qualifier, const ServerAddress& address, Bytes value) {
  return {.family = family,
          .qualifier = qualifier,
          .timestamp = static_cast<int64_t>(address.start_code),
          .value = std::move(value)};
}

Bytes Long(uint64_t number) {
  Bytes bytes;
  AppendBigEndian(bytes, number);
  return bytes;
}

}  // namespace

void SetServerName(const ServerAddress& address, pb::ServerName& name) {
  name.set_host_name(address.host);
  name.set_port(address.port);
  name.set_start_code(address.start_code);
}

void SetRegionInfo(const Region& region, pb::RegionInfo& info) {
  info.set_region_id(region.id);
  info.mutable_table_name()->set_namespace_(region.table.space);
  info.mutable_table_name()->set_qualifier(region.table.name);
  info.set_start_key(region.start);
  info.set_end_key(region.end);
  info.set_offline(false);
  info.set_split(false);
  info.set_replica_id(0);
}

RowCells MetaRowOf(const Region& region, const ServerAddress& address) {
  pb::RegionInfo info;
  SetRegionInfo(region, info);
  const std::string server = StrCat(address.host, ":", address.port);
  RowCells row{.row = region.Name(), .cells = {}};
  row.cells.push_back(MetaCell("info", "regioninfo", address, Bytes(kMagic) + info.SerializeAsString()));
  row.cells.push_back(MetaCell("info", "seqnumDuringOpen", address, Long(1)));
  row.cells.push_back(MetaCell("info", "server", address, server));
  row.cells.push_back(MetaCell("info", "serverstartcode", address, Long(address.start_code)));
  row.cells.push_back(
      MetaCell("info", "sn", address, StrCat(address.host, ",", address.port, ",", address.start_code)));
  row.cells.push_back(MetaCell("info", "state", address, "OPEN"));
  return row;
}

RowCells StateRowOf(const HTable& table) {
  pb::TableState state;
  state.set_state(table.disabled ? pb::TableState::DISABLED : pb::TableState::ENABLED);
  RowCells row{.row = table.id.Text(), .cells = {}};
  row.cells.push_back({.family = "table", .qualifier = "state", .timestamp = 1, .value = state.SerializeAsString()});
  return row;
}

}  // namespace widerow::hbase
