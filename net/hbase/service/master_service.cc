#include "net/hbase/service/master_service.h"

#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/comparator.h"
#include "net/hbase/proto/master.pb.h"
#include "net/hbase/service/convert.h"
#include "net/hbase/service/descriptors.h"
#include "net/hbase/service/regions.h"

namespace widerow::hbase {

namespace {

constexpr uint64_t kProcedure = 1;  // All procedures have this id, and are finished.

template <typename Response>
Result<Answer> Done(const Response& response) {
  return Answer{.message = Serialize(response), .cell_block = {}};
}

// Returns the response to a change, which is the id of its procedure.
Result<Answer> DoneOr(const Status& status) {
  if (!status.ok()) return status.error();
  pb::ProcedureResponse response;
  response.set_proc_id(kProcedure);
  return Done(response);
}

template <typename Request, typename Run>
Result<Answer> Changed(const Call& call, const Run& run) {
  Request request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  return DoneOr(run(request));
}

}  // namespace

Result<Answer> MasterService::Create(const Call& call) {
  return Changed<pb::CreateTableRequest>(call, [&](const pb::CreateTableRequest& request) {
    return admin_.Create(call.caller, DescriptorOf(request.table_schema()),
                         {request.split_keys().begin(), request.split_keys().end()});
  });
}

Result<Answer> MasterService::Modify(const Call& call) {
  return Changed<pb::ModifyTableRequest>(call, [&](const pb::ModifyTableRequest& request) {
    TableDescriptor table = DescriptorOf(request.table_schema());
    table.id = TableOf(request.table_name());
    return admin_.Modify(call.caller, table);
  });
}

std::optional<Result<Answer>> MasterService::Change(const Call& call) {
  if (call.method == "CreateTable") return Create(call);
  if (call.method == "ModifyTable") return Modify(call);
  if (call.method == "DeleteTable") {
    return Changed<pb::DeleteTableRequest>(
        call, [&](const auto& request) { return admin_.Delete(call.caller, TableOf(request.table_name())); });
  }
  if (call.method == "truncateTable") {
    return Changed<pb::TruncateTableRequest>(
        call, [&](const auto& request) { return admin_.Truncate(call.caller, TableOf(request.tablename())); });
  }
  if (call.method == "EnableTable") {
    return Changed<pb::EnableTableRequest>(call, [&](const auto& request) {
      return admin_.SetDisabled(call.caller, TableOf(request.table_name()), false);
    });
  }
  if (call.method == "DisableTable") {
    return Changed<pb::DisableTableRequest>(call, [&](const auto& request) {
      return admin_.SetDisabled(call.caller, TableOf(request.table_name()), true);
    });
  }
  return ChangeFamily(call);
}

std::optional<Result<Answer>> MasterService::ChangeFamily(const Call& call) {
  if (call.method == "AddColumn") {
    return Changed<pb::AddColumnRequest>(call, [&](const auto& request) {
      return admin_.AddFamily(call.caller, TableOf(request.table_name()), DescriptorOf(request.column_families()));
    });
  }
  if (call.method == "ModifyColumn") {
    return Changed<pb::ModifyColumnRequest>(call, [&](const auto& request) {
      return admin_.ModifyFamily(call.caller, TableOf(request.table_name()), DescriptorOf(request.column_families()));
    });
  }
  if (call.method == "DeleteColumn") {
    return Changed<pb::DeleteColumnRequest>(call, [&](const auto& request) {
      return admin_.DeleteFamily(call.caller, TableOf(request.table_name()), request.column_name());
    });
  }
  return std::nullopt;
}

std::optional<Result<Answer>> MasterService::Namespaces(const Call& call) {
  if (call.method == "CreateNamespace") {
    return Changed<pb::CreateNamespaceRequest>(call, [&](const auto& request) {
      return admin_.CreateNamespace(call.caller, request.namespacedescriptor().name());
    });
  }
  if (call.method == "DeleteNamespace") {
    return Changed<pb::DeleteNamespaceRequest>(
        call, [&](const auto& request) { return admin_.DeleteNamespace(call.caller, request.namespacename()); });
  }
  if (call.method == "ListNamespaces") {
    pb::ListNamespacesResponse response;
    for (const std::string& name : catalog_.Namespaces()) response.add_namespacename(name);
    return Done(response);
  }
  if (call.method == "ListNamespaceDescriptors") {
    pb::ListNamespaceDescriptorsResponse response;
    for (const std::string& name : catalog_.Namespaces()) response.add_namespacedescriptor()->set_name(name);
    return Done(response);
  }
  if (call.method == "GetNamespaceDescriptor") {
    pb::GetNamespaceDescriptorRequest request;
    if (Status parsed = ParseRequest(call, request); !parsed.ok()) return Result<Answer>(parsed.error());
    if (request.namespacename() != kSystemNamespace) {
      if (Status known = admin_.CheckNamespace(request.namespacename()); !known.ok()) {
        return Result<Answer>(known.error());
      }
    }
    pb::GetNamespaceDescriptorResponse response;
    response.mutable_namespacedescriptor()->set_name(request.namespacename());
    return Done(response);
  }
  return std::nullopt;
}

Result<Answer> MasterService::Descriptors(const Call& call) {
  pb::GetTableDescriptorsRequest request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  pb::GetTableDescriptorsResponse response;
  if (request.table_names_size() > 0) {
    for (const pb::TableName& name : request.table_names()) {
      const Result<HTablePtr> table = catalog_.Find(TableOf(name));
      if (table.ok()) SetTableSchema(**table, *response.add_table_schema());
    }
    return Done(response);
  }
  WR_ASSIGN_OR_RETURN(const std::vector<HTablePtr> tables, catalog_.All(request.namespace_()));
  ComparatorPtr pattern;
  if (!request.regex().empty()) {
    WR_ASSIGN_OR_RETURN(pattern, MakeRegexComparator(StrCat("^(?:", request.regex(), ")$"), 0, "UTF-8"));
  }
  for (const HTablePtr& table : tables) {
    if (pattern == nullptr || pattern->Compare(table->id.Text()) == 0) {
      SetTableSchema(*table, *response.add_table_schema());
    }
  }
  return Done(response);
}

Result<Answer> MasterService::Names(const Call& call) {
  pb::GetTableNamesRequest request;
  WR_RETURN_IF_ERROR(ParseRequest(call, request));
  pb::GetTableNamesResponse response;
  WR_ASSIGN_OR_RETURN(const std::vector<HTablePtr> tables, catalog_.All(request.namespace_()));
  ComparatorPtr pattern;
  if (!request.regex().empty()) {
    WR_ASSIGN_OR_RETURN(pattern, MakeRegexComparator(StrCat("^(?:", request.regex(), ")$"), 0, "UTF-8"));
  }
  for (const HTablePtr& table : tables) {
    if (pattern == nullptr || pattern->Compare(table->id.Text()) == 0) {
      SetTableName(table->id, *response.add_table_names());
    }
  }
  return Done(response);
}

std::optional<Result<Answer>> MasterService::Tables(const Call& call) {
  if (call.method == "GetTableDescriptors") return Descriptors(call);
  if (call.method == "GetTableNames") return Names(call);
  if (call.method == "GetTableState") {
    pb::GetTableStateRequest request;
    if (Status parsed = ParseRequest(call, request); !parsed.ok()) return Result<Answer>(parsed.error());
    const Result<HTablePtr> table = catalog_.Find(TableOf(request.table_name()));
    if (!table.ok()) return Result<Answer>(table.error());
    pb::GetTableStateResponse response;
    response.mutable_table_state()->set_state((*table)->disabled ? pb::TableState::DISABLED : pb::TableState::ENABLED);
    return Done(response);
  }
  if (call.method == "ListTableDescriptorsByNamespace" || call.method == "ListTableNamesByNamespace") {
    pb::ListTableDescriptorsByNamespaceRequest request;  // ListTableNamesByNamespaceRequest has the same field.
    if (Status parsed = ParseRequest(call, request); !parsed.ok()) return Result<Answer>(parsed.error());
    const Result<std::vector<HTablePtr>> tables = catalog_.All(request.namespacename());
    if (!tables.ok()) return Result<Answer>(tables.error());
    pb::GetTableDescriptorsResponse descriptors;  // The response to ListTableDescriptorsByNamespace has the same field.
    pb::ListTableNamesByNamespaceResponse names;
    for (const HTablePtr& table : *tables) {
      SetTableSchema(*table, *descriptors.add_table_schema());
      SetTableName(table->id, *names.add_tablename());
    }
    return call.method == "ListTableNamesByNamespace" ? Done(names) : Done(descriptors);
  }
  return std::nullopt;
}

Result<Answer> MasterService::ClusterStatus() const {
  pb::GetClusterStatusResponse response;
  pb::ClusterStatus& status = *response.mutable_cluster_status();
  SetServerName(address_, *status.mutable_master());
  pb::LiveServerInfo& live = *status.add_live_servers();
  SetServerName(address_, *live.mutable_server());
  live.mutable_server_load()->set_report_end_time(static_cast<uint64_t>(catalog_.own().NowMs()));
  SetServerName(address_, *status.add_servers_name());
  status.mutable_hbase_version()->set_version("2.6.4");
  status.mutable_cluster_id()->set_cluster_id(cluster_id_);
  status.set_balancer_on(false);
  return Done(response);
}

Result<Answer> MasterService::Run(const Call& call) {
  if (call.method == "IsMasterRunning") {
    pb::IsMasterRunningResponse response;
    response.set_is_master_running(true);
    return Done(response);
  }
  if (call.method == "getProcedureResult") {
    pb::GetProcedureResultResponse response;
    response.set_state(pb::GetProcedureResultResponse::FINISHED);
    return Done(response);
  }
  if (call.method == "GetClusterStatus") return ClusterStatus();
  if (call.method == "GetSchemaAlterStatus") {
    pb::GetSchemaAlterStatusResponse response;
    response.set_yet_to_update_regions(0);
    response.set_total_regions(1);
    return Done(response);
  }
  if (std::optional<Result<Answer>> answer = Change(call)) return std::move(*answer);
  if (std::optional<Result<Answer>> answer = Tables(call)) return std::move(*answer);
  if (std::optional<Result<Answer>> answer = Namespaces(call)) return std::move(*answer);
  return NotSupported(StrCat("MasterService.", call.method));
}

}  // namespace widerow::hbase
