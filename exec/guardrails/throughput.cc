#include "exec/guardrails/throughput.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "base/text.h"

namespace widerow {
namespace {

constexpr uint64_t kUnitBytes = 4'096;

size_t Index(Access access) { return static_cast<size_t>(access); }
const char* NameOf(Access access) { return access == Access::kRead ? "read" : "write"; }
int64_t LimitOf(const TableThroughput& of, Access access) {
  return access == Access::kRead ? of.read_limit : of.write_limit;
}
int64_t ReservedOf(const TableThroughput& of, Access access) {
  return access == Access::kRead ? of.read_reserved : of.write_reserved;
}

std::array<int64_t, 2> ReservedBy(const SchemaSnapshot& schema) {
  std::array<int64_t, 2> sum = {0, 0};
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      for (const Access access : {Access::kRead, Access::kWrite}) {
        sum[Index(access)] += ReservedOf(table->options.throughput, access);
      }
    }
  }
  return sum;
}

Error OverloadedError(std::string message, std::string hint) {
  return {.code = ErrorCode::kOverloaded, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace

int64_t UnitsOf(uint64_t rows, uint64_t bytes) {
  const uint64_t beyond = bytes > rows * kUnitBytes ? (bytes - rows * kUnitBytes + kUnitBytes - 1) / kUnitBytes : 0;
  return static_cast<int64_t>(std::max<uint64_t>(rows + beyond, 1));
}

double Throughput::Bucket::Fill(int64_t rate, int64_t now_micros) {
  if (rate != rate_) {
    rate_ = rate;
    units_ = static_cast<double>(rate);
    filled_at_ = now_micros;
  } else if (now_micros > filled_at_) {
    const double seconds = static_cast<double>(now_micros - filled_at_) / 1e6;
    units_ = std::min(units_ + seconds * static_cast<double>(rate), static_cast<double>(rate));
    filled_at_ = now_micros;
  }
  return units_;
}

Status Throughput::Admit(const TableSchema& table, Access access) {
  const size_t i = Index(access);
  const int64_t now = clock_.NowMicros();
  const std::string name = table.keyspace + "." + table.name, what = NameOf(access);
  const int64_t limit = LimitOf(table.options.throughput, access);
  const int64_t reserved = ReservedOf(table.options.throughput, access);
  MutexLock lock(mutex_);
  Table& state = tables_[table.id];
  if (limit != 0 && state.limit[i].Fill(limit, now) <= 0) {
    ++state.used[i].refused;
    return OverloadedError(StrCat("Table ", name, " has used its ", what, "_limit of ", limit, " units a second"),
                           StrCat("try again later, or ALTER TABLE ", name, " WITH ", what, "_limit = ", 2 * limit));
  }
  const int64_t capacity = capacity_.of(access);
  if (capacity == 0 || (reserved != 0 && state.reserved[i].Fill(reserved, now) > 0)) return OkStatus();
  if (shared_[i].Fill(std::max<int64_t>(capacity - reserved_[i], 0), now) > 0) return OkStatus();
  ++state.used[i].refused;
  return OverloadedError(StrCat("The server's ", what, "s beyond what tables have reserved, ",
                                std::max<int64_t>(capacity - reserved_[i], 0), " units a second, are used up"),
                         StrCat("try again later, or ALTER TABLE ", name, " WITH ", what, "_reserved = N"));
}

void Throughput::Charge(const TableSchema& table, Access access, int64_t units) {
  const size_t i = Index(access);
  const int64_t now = clock_.NowMicros();
  const int64_t limit = LimitOf(table.options.throughput, access);
  const int64_t reserved = ReservedOf(table.options.throughput, access);
  const auto amount = static_cast<double>(units);
  MutexLock lock(mutex_);
  Table& state = tables_[table.id];
  state.used[i].units += static_cast<uint64_t>(units);
  if (limit != 0) {
    state.limit[i].Fill(limit, now);
    state.limit[i].Take(amount);
  }
  if (capacity_.of(access) == 0) return;
  if (reserved != 0 && state.reserved[i].Fill(reserved, now) > 0) {
    state.reserved[i].Take(amount);
    state.used[i].reserved_units += static_cast<uint64_t>(units);
  } else {
    shared_[i].Fill(std::max<int64_t>(capacity_.of(access) - reserved_[i], 0), now);
    shared_[i].Take(amount);
  }
}

Status Throughput::CheckReserved(const SchemaSnapshot& schema) const {
  const std::array<int64_t, 2> sum = ReservedBy(schema);
  for (const Access access : {Access::kRead, Access::kWrite}) {
    const int64_t wanted = sum[Index(access)], capacity = capacity_.of(access);
    if (wanted == 0 || wanted <= capacity) continue;
    const std::string what = NameOf(access);
    if (capacity == 0) {
      return ConfigError(what + "_reserved needs to know what the server can do: start it with --" + what +
                         "-capacity UNITS");
    }
    return ConfigError(StrCat("Tables would have ", wanted, " ", what, " units a second reserved, of ", capacity,
                              " that the server has (--", what, "-capacity)"));
  }
  return OkStatus();
}

void Throughput::SetSchema(const SchemaSnapshot& schema) {
  MutexLock lock(mutex_);
  reserved_ = ReservedBy(schema);
  if (tables_.empty()) return;
  absl::flat_hash_set<Uuid> present;
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) present.insert(table->id);
  }
  absl::erase_if(tables_, [&](const auto& table) { return !present.contains(table.first); });
}

std::vector<Throughput::TableUse> Throughput::List(const SchemaSnapshot& schema) const {
  std::vector<TableUse> out;
  MutexLock lock(mutex_);
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      const auto found = tables_.find(table->id);
      if (!table->options.throughput.any() && found == tables_.end()) continue;
      TableUse& use =
          out.emplace_back(TableUse{.keyspace = name, .table = table_name, .declared = table->options.throughput});
      if (found != tables_.end()) use.used = found->second.used;
    }
  }
  return out;
}

}  // namespace widerow
