#include "net/hbase/store/caller.h"

#include "exec/access/user.h"
#include "net/hbase/store/htable.h"

namespace widerow::hbase {

namespace {

using Kind = AccessResource::Kind;

// Permissions on the tables of the keyspace `hbase`.
AddedPermissions OnOwnTables() {
  const AccessResource own{.kind = Kind::kKeyspace, .keyspace = std::string(kSystemNamespace)};
  return {{own.Name(), {Permission::kSelect, Permission::kModify}}};
}

std::shared_ptr<const ConnectionFacts> With(const ConnectionFacts& client, AddedPermissions added) {
  ConnectionFacts facts = client;
  facts.user = std::make_shared<const User>(*client.user, std::move(added));
  return std::make_shared<const ConnectionFacts>(std::move(facts));
}

}  // namespace

Caller::Caller(const Client& client) {
  if (client == nullptr || client->user == nullptr) return;
  client_ = With(*client, OnOwnTables());
  AddedPermissions reads = OnOwnTables();
  reads[AccessResource{.kind = Kind::kAllKeyspaces}.Name()] = {Permission::kSelect};
  unseen_ = With(*client, std::move(reads));
}

Caller Caller::Server() {
  // The server creates the keyspace `hbase`, and drops the table group of a table that a client has dropped.
  AddedPermissions added = OnOwnTables();
  added[AccessResource{.kind = Kind::kAllKeyspaces}.Name()] = {Permission::kCreate, Permission::kDrop};
  RoleSchema none;
  none.name = "(server)";
  none.id = Uuid::Random();  // No role of the catalog has this id, even if a role is named "(server)".
  ConnectionFacts facts;
  facts.user = std::make_shared<const User>(none);
  Caller server;
  server.client_ = server.unseen_ = With(facts, std::move(added));
  return server;
}

bool Caller::IsSameRole(const Caller& other) const {
  if (client_ == nullptr || other.client_ == nullptr) return client_ == other.client_;
  return client_->user->role_id() == other.client_->user->role_id() &&
         client_->user->role() == other.client_->user->role();
}

}  // namespace widerow::hbase
