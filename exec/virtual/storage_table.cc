// system_views.storage: the database's use of disk and memory.
#include "exec/virtual/generators.h"

namespace widerow {

namespace {

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void StorageRows(const VirtualContext& context, VirtualRows& rows) {
  if (!context.Wants("local")) return;
  const Result<StorageUsage> asked = context.storage.Usage();
  if (!asked.ok()) return;
  const StorageUsage& usage = *asked;
  const uint64_t file_bytes = usage.pages * usage.page_bytes;
  const auto integer = [&](const char* column, uint64_t number) { rows.Integer(column, static_cast<int64_t>(number)); };
  rows.Add().Text("key", "local");
  integer("data_file_bytes", file_bytes);
  integer("data_file_bytes_max", usage.map_bytes);
  rows.Double("data_file_share", Share(file_bytes, usage.map_bytes));
  integer("page_bytes", usage.page_bytes);
  integer("pages", usage.pages);
  integer("free_pages", usage.free_pages);
  rows.Double("free_share", Share(usage.free_pages, usage.pages));
  integer("log_bytes", usage.log_bytes);
  integer("memtable_bytes", usage.memtable_bytes);
  integer("folding_bytes", usage.folding_bytes);
  integer("memtable_bytes_max", usage.memtable_bytes_max);
}

}  // namespace widerow
