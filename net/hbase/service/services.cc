#include "net/hbase/service/services.h"

#include "base/text.h"
#include "net/hbase/cells/java_error.h"

namespace widerow::hbase {

Services::Services(Engine& engine, ServerAddress address)
    : address_(std::move(address)),
      cluster_id_(Uuid::Random().ToString()),
      catalog_(engine),
      client_(catalog_, address_),
      master_(catalog_, cluster_id_, address_),
      registry_(cluster_id_, address_) {}

Result<Answer> Services::Run(std::string_view service, const Call& call) {
  if (service == "ClientService") return client_.Run(call);
  if (service == "MasterService") return master_.Run(call);
  if (service == "ClientMetaService") return registry_.Run(call);
  return MakeJavaError("org.apache.hadoop.hbase.ipc.UnknownServiceException", StrCat(service, " is not supported"));
}

}  // namespace widerow::hbase
