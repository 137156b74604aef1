// All services of HBase's protocol, for one database. Thread-safe.
#pragma once

#include <functional>
#include <string>

#include "net/hbase/service/client_service.h"
#include "net/hbase/service/master_service.h"
#include "net/hbase/service/registry_service.h"
#include "net/hbase/service/request_times.h"

namespace widerow::hbase {

class Services {
 public:
  Services(Engine& engine, ServerAddress address);

  // Runs a request of the service with this name ("ClientService", …).
  Result<Answer> Run(std::string_view service, const Call& call);
  // Starts a short put, and does not wait for the disk. `done` is called with the answer, either before this function
  // returns or on the storage's thread, where it must return quickly. For any other request, returns false and does
  // nothing; the caller then calls Run.
  bool Start(std::string_view service, const Call& call, std::function<void(Result<Answer>)> done);
  // Returns the answer to the preamble "Regist".
  Bytes ConnectionRegistry() const { return registry_.ConnectionRegistry(); }
  const ServerAddress& address() const { return address_; }
  Catalog& catalog() { return catalog_; }
  RowWriter& rows() { return client_.rows(); }
  const RequestTimes& times() const { return times_; }

 private:
  Result<Answer> Answered(std::string_view service, const Call& call);
  // Counts a request that began at `begun`.
  void Count(size_t kind, std::chrono::steady_clock::time_point begun, bool failed);

  const ServerAddress address_;
  const std::string cluster_id_;
  Catalog catalog_;
  ClientService client_;
  MasterService master_;
  RegistryService registry_;
  RequestTimes times_;
};

}  // namespace widerow::hbase
