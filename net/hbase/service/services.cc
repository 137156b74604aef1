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
  if (call.ran_long != nullptr && *call.ran_long) return answer;  // The call is counted when it runs again.
  Count(RequestTimes::KindOf(service, call.method), begun, !answer.ok());
  return answer;
}

bool Services::Start(std::string_view service, const Call& call, std::function<void(Result<Answer>)> done) {
  if (service != "ClientService") return false;
  return client_.Start(call, [this, kind = RequestTimes::KindOf(service, call.method),
                              begun = std::chrono::steady_clock::now(), done = std::move(done)](Result<Answer> answer) {
    Count(kind, begun, !answer.ok());
    done(std::move(answer));
  });
}

void Services::Count(size_t kind, std::chrono::steady_clock::time_point begun, bool failed) {
  const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  times_.Add(kind, static_cast<uint64_t>(taken.count()), failed);
}

Result<Answer> Services::Answered(std::string_view service, const Call& call) {
  if (service == "ClientService") return client_.Run(call);
  if (service == "MasterService") return master_.Run(call);
  if (service == "ClientMetaService") return registry_.Run(call);
  return MakeJavaError("org.apache.hadoop.hbase.ipc.UnknownServiceException", StrCat(service, " is not supported"));
}

}  // namespace widerow::hbase
