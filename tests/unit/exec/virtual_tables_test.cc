// Drivers read the server's own tables. These must have Cassandra's columns, and their rows must describe this server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "exec/engine/engine.h"
#include "tests/unit/scratch_engine.h"
#include "types/text_form.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class VirtualTablesTest : public ::testing::Test {
 protected:
  void Reopen() {
    engine_.reset();
    engine_ = OpenEngine(directory_);
  }

  // Returns the rows, read page by page. Each row is one text: its values joined by blanks.
  std::vector<std::string> Rows(const std::string& text, RequestParameters parameters = {}) {
    std::vector<std::string> out;
    do {
      const Result<Outcome> outcome = engine_->Execute(text, parameters);
      if (!outcome.ok()) {
        ADD_FAILURE() << text << ": " << outcome.error().message;
        break;
      }
      if (!std::holds_alternative<RowsPage>(outcome->result)) break;
      const auto& page = std::get<RowsPage>(outcome->result);
      PageReader reader(page);
      for (std::vector<ValueView> row; reader.Next(row);) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
          line += (i == 0 ? "" : " ") + (row[i] ? FormatText(*(*page.columns)[i].type, *row[i]) : "null");
        }
        out.push_back(std::move(line));
      }
      parameters.paging_state = page.paging_state;
    } while (!parameters.paging_state.empty());
    return out;
  }

  // Inserts `rows` rows of 100 bytes into each of `partitions` partitions.
  void Fill(const std::string& table, int partitions, int rows) {
    constexpr int kBatch = 500;
    for (int first = 0; first < partitions; first += kBatch) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (int k = first; k < std::min(first + kBatch, partitions); ++k) {
        for (int c = 0; c < rows; ++c) {
          batch += "INSERT INTO " + table + " (k, c, v) VALUES (" + std::to_string(k) + ", " + std::to_string(c) +
                   ", 0x" + std::string(200, 'a') + "); ";
        }
      }
      Rows(batch + "APPLY BATCH");
    }
  }

  // Returns a column of system.size_estimates for the table ks.t.
  double Estimated(const std::string& column) {
    const auto rows =
        Rows("SELECT " + column + " FROM system.size_estimates WHERE keyspace_name = 'ks' AND table_name = 't'");
    return rows.size() == 1 ? std::stod(rows[0]) : -1;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

const std::set<std::string> kOurs = {
    "system_views backups",        "system_views busy_partitions",  "system_views guardrails",
    "system_views heat",           "system_views heat_ranges",      "system_views heat_shapes",
    "system_views hot_partitions", "system_views large_partitions", "system_views partitions",
    "system_views statements",     "system_views index_builds",     "system_views purges",
    "system_views storage",        "system_views table_throughput", "system_views write_waits"};

std::string TableOf(const std::string& line) { return line.substr(0, line.find(' ', line.find(' ') + 1)); }

TEST_F(VirtualTablesTest, ColumnsAreCassandras) {
  std::ifstream file(WR_TEST_DATA "/system_columns.txt");
  std::set<std::string> theirs, their_tables;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    theirs.insert(line);
    their_tables.insert(TableOf(line));
  }
  ASSERT_THAT(theirs, SizeIs(::testing::Gt(500)));

  std::set<std::string> ours, our_tables;
  for (const char* keyspace : {"system_schema", "system_virtual_schema"}) {
    for (std::string& line :
         Rows(std::string("SELECT keyspace_name, table_name, column_name, kind, position, clustering_order, "
                          "type FROM ") +
                  keyspace + ".columns",
              {.page_rows = 7})) {
      our_tables.insert(TableOf(line));
      ours.insert(std::move(line));
    }
  }
  for (const std::string& line : ours) {
    if (!kOurs.contains(TableOf(line))) { EXPECT_TRUE(theirs.contains(line)) << line; }
  }
  for (const std::string& line : theirs) {
    if (our_tables.contains(TableOf(line))) { EXPECT_TRUE(ours.contains(line)) << line; }
  }
  for (const std::string& table : their_tables) {
    if (!table.starts_with("system_views ")) { EXPECT_TRUE(our_tables.contains(table)) << table; }
  }
}

TEST_F(VirtualTablesTest, TheHostIdStaysAndTheSchemaVersionMovesWithTheSchema) {
  const std::string host = "SELECT host_id FROM system.local", version = "SELECT schema_version FROM system.local";
  const auto host_before = Rows(host);
  const auto version_before = Rows(version);
  Rows("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  const auto version_after = Rows(version);
  EXPECT_NE(version_after, version_before);
  Reopen();
  EXPECT_EQ(Rows(host), host_before);
  EXPECT_EQ(Rows(version), version_after);
}

TEST_F(VirtualTablesTest, LocalAdvertisesWhereTheClientCameIn) {
  RequestParameters parameters;
  parameters.connection = std::make_shared<ConnectionFacts>(ConnectionFacts{
      .local_address = Bytes("\x0a\0\0\7", 4), .local_port = 19042, .client_address = {}, .client_port = 0});
  const std::string local =
      "SELECT rpc_address, rpc_port, broadcast_address, listen_address FROM system.local WHERE key = 'local'";
  EXPECT_THAT(Rows(local, parameters), ElementsAre("10.0.0.7 19042 10.0.0.7 10.0.0.7"));
  EXPECT_THAT(Rows(local), ElementsAre("127.0.0.1 9042 127.0.0.1 127.0.0.1"));
  EXPECT_THAT(Rows("SELECT * FROM system.local WHERE key = 'other'"), IsEmpty());
}

TEST_F(VirtualTablesTest, WritesSayWhatTheyHaveWaitedFor) {
  const std::string waits = "SELECT stage, count FROM system_views.write_waits";
  EXPECT_THAT(Rows(waits), UnorderedElementsAre("apply 0", "back_pressure 0", "queue 0", "sync 0", "total 0"));
  Rows("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Rows("CREATE TABLE ks.t (k int PRIMARY KEY)");
  Rows("INSERT INTO ks.t (k) VALUES (1)");
  Rows("INSERT INTO ks.t (k) VALUES (2)");
  EXPECT_THAT(Rows(waits), UnorderedElementsAre("apply 2", "back_pressure 2", "queue 2", "sync 2", "total 2"));
  const std::string total =
      "SELECT stage FROM system_views.write_waits WHERE stage = 'total' AND p50th_ms > 0 AND max_ms > 0";
  EXPECT_THAT(Rows(total + " AND p999th_ms > 0 AND p99th_ms > 0 AND total_ms > 0"), ElementsAre("total"));
}

TEST_F(VirtualTablesTest, ClientsAreThoseThatAreConnected) {
  const std::string clients =
      "SELECT address, port, driver_name, keyspace_name, request_count FROM system_views.clients";
  EXPECT_THAT(Rows(clients), IsEmpty());
  auto entry = engine_->connections().Add({.address = Bytes("\x7f\0\0\1", 4), .port = 5});
  EXPECT_THAT(Rows(clients), ElementsAre("127.0.0.1 5 null null 0"));
  entry->Set({.address = Bytes("\x7f\0\0\1", 4), .port = 5, .options = {{"DRIVER_NAME", "d"}}, .keyspace = "ks"});
  entry->CountRequest();
  EXPECT_THAT(Rows(clients), ElementsAre("127.0.0.1 5 d ks 1"));
  // Virtual tables can be filtered without ALLOW FILTERING.
  EXPECT_THAT(Rows(clients + " WHERE driver_name = 'e'"), IsEmpty());
  entry.reset();
  EXPECT_THAT(Rows(clients), IsEmpty());
}

TEST_F(VirtualTablesTest, EstimatesAreCloseForATableOfManyPartitions) {
  Rows("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Rows("CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY (k, c))");
  Fill("ks.t", 20'000, 2);
  // The keys are fixed, so each run gives the same estimate. It is not exact: its error is less than a tenth.
  EXPECT_NEAR(Estimated("partitions_count"), 20'000, 2'000);
  EXPECT_NE(Estimated("partitions_count"), 20'000);
  EXPECT_GT(Estimated("mean_partition_size"), 200);
  EXPECT_LT(Estimated("mean_partition_size"), 500);
}

TEST_F(VirtualTablesTest, EstimatesOfATableInKeyOrderComeFromTheRowsOfItsFirstPartitions) {
  Rows("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Rows(
      "CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY (k, c)) PARTITION BY RANGE (k) "
      "(PARTITION low VALUES LESS THAN (100), PARTITION high VALUES LESS THAN (MAXVALUE))");
  Fill("ks.t", 4'000, 5);
  EXPECT_NEAR(Estimated("partitions_count"), 4'000, 10);
  EXPECT_GT(Estimated("mean_partition_size"), 500);
  EXPECT_LT(Estimated("mean_partition_size"), 1'250);
}

TEST_F(VirtualTablesTest, EstimatesOfATableInKeyOrderAreAtLeastWhatWasCounted) {
  Rows("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Rows("CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY (k, c)) PARTITION BY KEY (k) PARTITIONS 1");
  Fill("ks.t", 1'100, 1);
  EXPECT_EQ(Estimated("partitions_count"), 1'100);
  // The first partition has more rows than the estimate reads.
  for (int first = 0; first < 20'000; first += 1'000) {
    std::string batch = "BEGIN UNLOGGED BATCH ";
    for (int c = first; c < first + 1'000; ++c)
      batch += "INSERT INTO ks.t (k, c) VALUES (0, " + std::to_string(c) + "); ";
    Rows(batch + "APPLY BATCH");
  }
  EXPECT_GE(Estimated("partitions_count"), 1'024);
}

TEST_F(VirtualTablesTest, StorageTellsOfFileLogAndMemory) {
  Rows("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Rows("CREATE TABLE ks.t (k int PRIMARY KEY, v blob)");
  const auto number = [&](const std::string& column) {
    const auto rows = Rows("SELECT " + column + " FROM system_views.storage");
    return rows.size() == 1 ? std::stod(rows[0]) : -1;
  };
  const double memory = number("memtable_bytes");
  Rows("INSERT INTO ks.t (k, v) VALUES (1, 0x" + std::string(20'000, 'a') + ")");
  EXPECT_GE(number("memtable_bytes"), memory + 10'000);
  EXPECT_GE(number("log_bytes"), 10'000);
  EXPECT_EQ(number("data_file_bytes"), number("pages") * number("page_bytes"));
  EXPECT_LT(number("data_file_bytes"), number("data_file_bytes_max"));
  EXPECT_GE(number("free_pages"), 0);
  EXPECT_LT(number("free_share"), 1);
}

}  // namespace
}  // namespace widerow
