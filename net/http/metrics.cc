// MetricsText collects the statistics of requests, storage and tables, one function for each group. HELP texts are part
// of the output.
#include "net/http/metrics.h"

#include "exec/load/statement_times.h"
#include "exec/session/request_counts.h"
#include "exec/virtual/virtual_tables.h"
#include "net/http/metrics_writer.h"
#include "net/http/request.h"
#include "net/tls/tls_acceptor.h"
#include "storage/statistics.h"
#include "storage/storage_engine.h"

namespace widerow {
namespace {

void Build(MetricsWriter& out) {
  out.Metric("widerow_build_info", "gauge", "The version of the program and of its data format; the value is 1.");
  out.Sample(1, MetricsLabel("version", WIDEROW_VERSION) + "," +
                    MetricsLabel("data_format", std::to_string(kStorageFormatVersion)));
}

void Requests(Engine& engine, MetricsWriter& out) {
  using Kind = RequestCounts::Kind;
  const RequestCounts& counts = engine.request_counts();
  const auto name_of = [](RequestCounts::Protocol protocol) {
    return MetricsLabel("protocol", protocol == RequestCounts::Protocol::kCql ? "cql" : "http");
  };
  out.Metric("widerow_requests_total", "counter", "Requests of clients, by protocol and by kind of message.");
  for (const auto& [kind, name] :
       {std::pair(Kind::kQuery, "query"), std::pair(Kind::kPrepare, "prepare"), std::pair(Kind::kExecute, "execute"),
        std::pair(Kind::kBatch, "batch"), std::pair(Kind::kLogin, "login")}) {
    out.Sample(static_cast<double>(counts.requests(kind)),
               name_of(RequestCounts::Protocol::kCql) + "," + MetricsLabel("kind", name));
  }
  out.Sample(static_cast<double>(counts.requests(Kind::kHttp)),
             name_of(RequestCounts::Protocol::kHttp) + "," + MetricsLabel("kind", "http"));
  out.Metric("widerow_request_errors_total", "counter", "Errors sent to clients, by protocol and by kind of error.");
  for (const RequestCounts::ErrorCount& error : counts.errors()) {
    out.Sample(static_cast<double>(error.count), name_of(error.protocol) + "," + MetricsLabel("error", error.name));
  }
  out.Metric("widerow_statement_seconds", "histogram",
             "Times of statements over stored tables, estimated from those that are measured.");
  for (size_t kind = 0; kind < kStatementKindNames.size(); ++kind) {
    out.Histogram(engine.statement_times().Read(static_cast<StatementKind>(kind)),
                  MetricsLabel("kind", kStatementKindNames[kind]));
  }
}

void WriteWaits(const StorageStatistics& storage, MetricsWriter& out) {
  out.Metric("widerow_write_wait_seconds", "histogram", "Waits of writes by stage, from the queue to the answer.");
  for (size_t stage = 0; stage < kWaitStages; ++stage) {
    out.Histogram(storage.waits[stage], MetricsLabel("stage", kWaitStageNames[stage]));
  }
}

void Writes(const StorageStatistics& storage, MetricsWriter& out) {
  out.One("widerow_write_groups_total", "counter", "Groups of writes; each is one record of the commit log.",
          storage.groups);
  out.One("widerow_writes_pending", "gauge", "Writes in the queue.", storage.writes_pending);
  out.One("widerow_fold_progress", "gauge", "Share of the current fold that is done; 1 if no memtable is folded.",
          storage.fold_progress);
  out.One("widerow_folds_total", "counter", "Memtables folded.", storage.folds);
  out.One("widerow_fold_seconds_total", "counter", "Time spent on folding memtables.",
          static_cast<double>(storage.fold_micros) / 1e6);
  out.One("widerow_log_bytes_appended_total", "counter", "Bytes appended to the commit log.",
          storage.log_bytes_appended);
  out.One("widerow_large_objects_written_total", "counter", "Values written in pieces.", storage.large_objects_written);
  out.One("widerow_large_object_bytes_written_total", "counter", "Bytes of these values.", storage.large_bytes_written);
  out.One("widerow_large_object_bytes_read_total", "counter", "Bytes read in parts from values in pieces.",
          storage.large_bytes_read);
  out.One("widerow_large_objects_loose", "gauge",
          "Values in pieces that are being written, or wait for a fold or a sweep.", storage.large_objects_loose);
}

void Backups(const BackupStatistics& backups, MetricsWriter& out) {
  out.One("widerow_log_kept_bytes", "gauge", "Bytes of the commit log that are kept for backups.",
          backups.kept_log_bytes);
  out.One("widerow_log_kept_bytes_max", "gauge", "The most bytes that are kept (--keep-log); 0: the log is not kept.",
          backups.kept_log_bytes_max);
  if (backups.finished_seconds == 0) return;
  out.One("widerow_backup_last_timestamp_seconds", "gauge",
          "Time at which the last backup since the start was finished.", backups.finished_seconds);
  out.One("widerow_backup_sequences_behind", "gauge", "Writes that are not in this backup.",
          backups.groups_not_in_backup);
  out.One("widerow_backup_log_reaches", "gauge", "1 if an incremental backup can follow this backup; otherwise 0.",
          backups.log_reaches_backup ? 1 : 0);
}

void Usage(const StorageUsage& usage, MetricsWriter& out) {
  out.One("widerow_memtable_bytes", "gauge", "Bytes of the memtable that takes writes.", usage.memtable_bytes);
  out.One("widerow_memtable_bytes_max", "gauge", "A memtable of this size is folded into the data file.",
          usage.memtable_bytes_max);
  out.One("widerow_folding_bytes", "gauge", "Bytes of the memtable that is being folded; 0 if there is none.",
          usage.folding_bytes);
  out.One("widerow_log_bytes", "gauge", "Bytes of the commit log's files.", usage.log_bytes);
  out.One("widerow_data_bytes", "gauge", "Bytes of the data file.", usage.pages * usage.page_bytes);
  out.One("widerow_data_bytes_free", "gauge", "Bytes of the data file's free pages, which are used first.",
          usage.free_pages * usage.page_bytes);
  out.One("widerow_data_pages", "gauge", "Pages of the data file.", usage.pages);
  out.One("widerow_data_pages_free", "gauge", "Free pages of the data file.", usage.free_pages);
  out.One("widerow_data_bytes_max", "gauge", "The greatest size that the data file can have.", usage.map_bytes);
}

void Tables(Engine& engine, MetricsWriter& out) {
  struct Column {
    std::string_view name, type, help;
    double (*of)(const PartitionStats&);
  };
  static constexpr Column kColumns[] = {{"widerow_table_rows", "gauge", "Estimated rows of the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.rows); }},
                                        {"widerow_table_bytes", "gauge", "Estimated bytes of the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.bytes); }},
                                        {"widerow_table_reads_total", "counter", "Reads of the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.reads); }},
                                        {"widerow_table_writes_total", "counter", "Writes to the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.writes); }}};
  std::vector<std::pair<std::string, std::vector<PartitionStats>>> tables;
  for (const auto& [keyspace_name, keyspace] : engine.schema()->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      tables.emplace_back(MetricsLabel("keyspace", keyspace_name) + "," + MetricsLabel("table", table_name),
                          engine.storage().Partitions(*table));
    }
  }
  for (const Column& column : kColumns) {
    out.Metric(column.name, column.type, column.help);
    for (const auto& [labels, partitions] : tables) {
      double sum = 0;
      for (const PartitionStats& partition : partitions) sum += column.of(partition);
      out.Sample(sum, labels);
    }
  }
}

void Connections(Engine& engine, MetricsWriter& out) {
  out.One("widerow_cql_connections", "gauge", "Clients of the native protocol.", engine.connections().List().size());
  out.One("widerow_accepts_writes", "gauge", "1 while the server accepts writes; 0 while it refuses them, see /readyz.",
          engine.TakesWrites().ok() ? 1 : 0);
}

void Tls(const TlsAcceptor& tls, MetricsWriter& out) {
  out.Metric("widerow_tls_handshakes_total", "counter", "TLS handshakes of clients, by result.");
  out.Sample(static_cast<double>(tls.handshakes_done()), MetricsLabel("result", "done"));
  out.Sample(static_cast<double>(tls.handshakes_failed()), MetricsLabel("result", "failed"));
  out.One("widerow_tls_certificate_expiry_timestamp_seconds", "gauge",
          "When the server's certificate expires, in seconds of Unix time.", tls.certificate_ends());
}

}  // namespace

std::string MetricsText(Engine& engine, const TlsAcceptor* tls, const HttpExtension* extension) {
  MetricsWriter out;
  Build(out);
  Requests(engine, out);
  const StorageStatistics storage = engine.storage().Statistics();
  WriteWaits(storage, out);
  Writes(storage, out);
  Backups(engine.storage().Backups(), out);
  // The gauges of Usage need a snapshot. Without one they are left out.
  if (const Result<StorageUsage> usage = engine.storage().Usage(); usage.ok()) Usage(*usage, out);
  Tables(engine, out);
  Connections(engine, out);
  WriteProcessMetrics(out);
  if (tls != nullptr) Tls(*tls, out);
  if (extension != nullptr) extension->WriteMetrics(out);
  return std::move(out).Take();
}

}  // namespace widerow
