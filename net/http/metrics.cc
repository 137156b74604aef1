// MetricsText collects the statistics of storage, tables and process; `Text` writes them in Prometheus' format. Every
// name begins with widerow_. HELP texts are part of the output.
#include "net/http/metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

#include "exec/virtual/virtual_tables.h"
#include "net/tls/tls_acceptor.h"
#include "storage/statistics.h"

namespace widerow {
namespace {

// Upper bounds of the wait histogram's buckets, as powers of two in microseconds: 16 us to 17 s.
constexpr uint32_t kFirstPower = 4, kLastPower = 24;

class Text {
 public:
  // Begins a metric; its samples must follow.
  Text& Metric(std::string_view name, std::string_view type, std::string_view help) {
    name_ = "widerow_" + std::string(name);
    out_.append("# HELP ").append(name_).append(" ").append(help).append("\n# TYPE ").append(name_);
    out_.append(" ").append(type).append("\n");
    return *this;
  }
  // Adds a sample. `suffix` is appended to the metric's name; `labels` is the text between the braces.
  Text& Sample(double value, std::string_view labels = {}, std::string_view suffix = {}) {
    out_.append(name_).append(suffix);
    if (!labels.empty()) out_.append("{").append(labels).append("}");
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    out_.append(" ").append(digits, end).append("\n");
    return *this;
  }
  template <typename Number>
  void One(std::string_view name, std::string_view type, std::string_view help, Number value) {
    Metric(name, type, help).Sample(static_cast<double>(value));
  }
  std::string Take() && { return std::move(out_); }

 private:
  std::string name_, out_;
};

std::string Label(std::string_view name, std::string_view value) {
  std::string out(name);
  out += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string SecondsOf(uint64_t micros) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, static_cast<double>(micros) / 1e6).ptr};
}

void WriteWaits(const StorageStatistics& storage, Text& out) {
  out.Metric("write_wait_seconds", "histogram", "Waits of writes by stage, from the queue to the answer.");
  for (size_t stage = 0; stage < kWaitStages; ++stage) {
    const LatencyHistogram::Counts& waits = storage.waits[stage];
    const std::string label = Label("stage", kWaitStageNames[stage]);
    for (uint32_t power = kFirstPower; power <= kLastPower; ++power) {
      const std::string end = Label("le", SecondsOf(uint64_t{1} << power));
      out.Sample(static_cast<double>(waits.BelowPowerOfTwo(power)), label + "," + end, "_bucket");
    }
    out.Sample(static_cast<double>(waits.count), label + "," + Label("le", "+Inf"), "_bucket");
    out.Sample(static_cast<double>(waits.total_micros) / 1e6, label, "_sum");
    out.Sample(static_cast<double>(waits.count), label, "_count");
  }
}

void Writes(const StorageStatistics& storage, Text& out) {
  out.One("write_groups_total", "counter", "Groups of writes; each is one record of the commit log.", storage.groups);
  out.One("writes_pending", "gauge", "Writes in the queue.", storage.writes_pending);
  out.One("fold_progress", "gauge", "Share of the current fold that is done; 1 if no memtable is folded.",
          storage.fold_progress);
  out.One("folds_total", "counter", "Memtables folded.", storage.folds);
  out.One("fold_seconds_total", "counter", "Time spent on folding memtables.",
          static_cast<double>(storage.fold_micros) / 1e6);
  out.One("log_bytes_appended_total", "counter", "Bytes appended to the commit log.", storage.log_bytes_appended);
}

void Backups(const BackupStatistics& backups, Text& out) {
  out.One("log_kept_bytes", "gauge", "Bytes of the commit log that are kept for backups.", backups.kept_log_bytes);
  out.One("log_kept_bytes_max", "gauge", "The most bytes that are kept (--keep-log); 0: the log is not kept.",
          backups.kept_log_bytes_max);
  if (backups.finished_seconds == 0) return;
  out.One("backup_last_timestamp_seconds", "gauge", "Time at which the last backup since the start was finished.",
          backups.finished_seconds);
  out.One("backup_sequences_behind", "gauge", "Writes that are not in this backup.", backups.groups_not_in_backup);
  out.One("backup_log_reaches", "gauge", "1 if an incremental backup can follow this backup; otherwise 0.",
          backups.log_reaches_backup ? 1 : 0);
}

void Usage(const StorageUsage& usage, Text& out) {
  out.One("memtable_bytes", "gauge", "Bytes of the memtable that takes writes.", usage.memtable_bytes);
  out.One("memtable_bytes_max", "gauge", "A memtable of this size is folded into the data file.",
          usage.memtable_bytes_max);
  out.One("folding_bytes", "gauge", "Bytes of the memtable that is being folded; 0 if there is none.",
          usage.folding_bytes);
  out.One("log_bytes", "gauge", "Bytes of the commit log's files.", usage.log_bytes);
  out.One("data_bytes", "gauge", "Bytes of the data file.", usage.pages * usage.page_bytes);
  out.One("data_bytes_free", "gauge", "Bytes of the data file's free pages, which are used first.",
          usage.free_pages * usage.page_bytes);
  out.One("data_pages", "gauge", "Pages of the data file.", usage.pages);
  out.One("data_pages_free", "gauge", "Free pages of the data file.", usage.free_pages);
  out.One("data_bytes_max", "gauge", "The greatest size that the data file can have.", usage.map_bytes);
}

void Tables(Engine& engine, Text& out) {
  struct Column {
    std::string_view name, type, help;
    double (*of)(const PartitionStats&);
  };
  static constexpr Column kColumns[] = {{"table_rows", "gauge", "Estimated rows of the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.rows); }},
                                        {"table_bytes", "gauge", "Estimated bytes of the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.bytes); }},
                                        {"table_reads_total", "counter", "Reads of the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.reads); }},
                                        {"table_writes_total", "counter", "Writes to the table.",
                                         [](const PartitionStats& p) { return static_cast<double>(p.writes); }}};
  std::vector<std::pair<std::string, std::vector<PartitionStats>>> tables;
  for (const auto& [keyspace_name, keyspace] : engine.schema()->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      tables.emplace_back(Label("keyspace", keyspace_name) + "," + Label("table", table_name),
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

void Process(Engine& engine, Text& out) {
  out.One("cql_connections", "gauge", "Clients of the native protocol.", engine.connections().List().size());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  out.One("cpu_seconds_total", "counter", "User and system time of the process.",
          seconds(usage.ru_utime) + seconds(usage.ru_stime));
  uint64_t size = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  out.One("resident_bytes", "gauge", "Memory of the process, with pages of files.", resident * page);
  out.One("private_bytes", "gauge", "Memory of the process, without pages of files.", (resident - shared) * page);
}

void Tls(const TlsAcceptor& tls, Text& out) {
  out.Metric("tls_handshakes_total", "counter", "TLS handshakes of clients, by result.");
  out.Sample(static_cast<double>(tls.handshakes_done()), Label("result", "done"));
  out.Sample(static_cast<double>(tls.handshakes_failed()), Label("result", "failed"));
  out.One("tls_certificate_expiry_timestamp_seconds", "gauge",
          "When the server's certificate expires, in seconds of Unix time.", tls.certificate_ends());
}

}  // namespace

std::string MetricsText(Engine& engine, const TlsAcceptor* tls) {
  Text out;
  const StorageStatistics storage = engine.storage().Statistics();
  WriteWaits(storage, out);
  Writes(storage, out);
  Backups(engine.storage().Backups(), out);
  // The gauges of Usage need a snapshot. Without one they are left out.
  if (const Result<StorageUsage> usage = engine.storage().Usage(); usage.ok()) Usage(*usage, out);
  Tables(engine, out);
  Process(engine, out);
  if (tls != nullptr) Tls(*tls, out);
  return std::move(out).Take();
}

}  // namespace widerow
