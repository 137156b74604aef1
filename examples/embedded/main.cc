// A shop's orders in a database inside this process, read newest first, without a server.
#include <cstdio>
#include <filesystem>

#include "widerow/database.h"

namespace {

constexpr const char* kSchema = R"(
  CREATE KEYSPACE IF NOT EXISTS shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
  USE shop;
  CREATE TABLE IF NOT EXISTS orders (user text, id int, total decimal, PRIMARY KEY (user, id))
    WITH CLUSTERING ORDER BY (id DESC);
)";

int Fail(const widerow::Failure& failure) {
  std::fprintf(stderr, "%s\n", failure.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path directory = argc > 1 ? argv[1] : "orders-data";
  auto opened = widerow::Database::Open({.directory = directory});
  if (!opened.ok()) return Fail(opened.error());
  widerow::Database& db = *opened.value();

  if (auto done = db.ExecuteScript(kSchema); !done.ok()) return Fail(done.error());
  auto insert = db.Prepare("INSERT INTO orders (user, id, total) VALUES (?, ?, ?)");
  if (!insert.ok()) return Fail(insert.error());
  for (int id = 1; id <= 3; ++id) {
    auto written = db.Execute(insert.value(), {"ann", id, std::to_string(id * 10) + ".50"});
    if (!written.ok()) return Fail(written.error());
  }

  auto rows = db.Execute("SELECT id, total FROM orders WHERE user = ?", {"ann"});
  if (!rows.ok()) return Fail(rows.error());
  for (const widerow::Row& row : rows.value()) std::printf("%d %s\n", row.Get<int32_t>("id"), row.Text(1).c_str());
  return 0;
}
