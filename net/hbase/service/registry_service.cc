#include "net/hbase/service/registry_service.h"

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/proto/registry.pb.h"
#include "net/hbase/service/regions.h"

namespace widerow::hbase {

namespace pb = ::hbase::pb;

Result<Answer> RegistryService::Run(const Call& call) const {
  if (call.method == "GetClusterId") {
    pb::GetClusterIdResponse response;
    response.set_cluster_id(cluster_id_);
    return Answer{.message = Serialize(response), .cell_block = {}};
  }
  if (call.method == "GetActiveMaster") {
    pb::GetActiveMasterResponse response;
    SetServerName(address_, *response.mutable_server_name());
    return Answer{.message = Serialize(response), .cell_block = {}};
  }
  if (call.method == "GetMasters") {
    pb::GetMastersResponse response;
    pb::GetMastersResponseEntry& master = *response.add_master_servers();
    SetServerName(address_, *master.mutable_server_name());
    master.set_is_active(true);
    return Answer{.message = Serialize(response), .cell_block = {}};
  }
  if (call.method == "GetMetaRegionLocations") {
    pb::GetMetaRegionLocationsResponse response;
    pb::RegionLocation& location = *response.add_meta_locations();
    SetRegionInfo(MetaRegion(), *location.mutable_region_info());
    SetServerName(address_, *location.mutable_server_name());
    location.set_seq_num(0);
    return Answer{.message = Serialize(response), .cell_block = {}};
  }
  if (call.method == "GetBootstrapNodes") {
    pb::GetBootstrapNodesResponse response;
    SetServerName(address_, *response.add_server_name());
    return Answer{.message = Serialize(response), .cell_block = {}};
  }
  return NotSupported(StrCat("ClientMetaService.", call.method));
}

Bytes RegistryService::ConnectionRegistry() const {
  pb::GetConnectionRegistryResponse response;
  response.set_cluster_id(cluster_id_);
  return Serialize(response);
}

}  // namespace widerow::hbase
