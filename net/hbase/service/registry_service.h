// HBase's ClientMetaService, by which clients find the servers of a cluster without ZooKeeper. This server is the
// master and the only region server. Thread-safe.
#pragma once

#include "net/hbase/service/call.h"

namespace widerow::hbase {

class RegistryService {
 public:
  // Borrows both arguments.
  RegistryService(const std::string& cluster_id, const ServerAddress& address)
      : cluster_id_(cluster_id), address_(address) {}

  Result<Answer> Run(const Call& call) const;
  // Returns the answer to the preamble that asks for the cluster's id.
  Bytes ConnectionRegistry() const;

 private:
  const std::string& cluster_id_;
  const ServerAddress& address_;
};

}  // namespace widerow::hbase
