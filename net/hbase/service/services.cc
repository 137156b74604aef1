#include "net/hbase/service/services.h"

#include <chrono>

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
  const auto begun = std::chrono::steady_clock::now();
  Result<Answer> answer = Answered(service, call);
  if (call.ran_long != nullptr && *call.ran_long) return answer;  // It is counted when it runs again.
  const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  times_.Add(RequestTimes::KindOf(service, call.method), static_cast<uint64_t>(taken.count()), !answer.ok());
  return answer;
}

Result<Answer> Services::Answered(std::string_view service, const Call& call) {
  if (service == "ClientService") return client_.Run(call);
  if (service == "MasterService") return master_.Run(call);
  if (service == "ClientMetaService") return registry_.Run(call);
  return MakeJavaError("org.apache.hadoop.hbase.ipc.UnknownServiceException", StrCat(service, " is not supported"));
}

}  // namespace widerow::hbase
