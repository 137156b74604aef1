// The schema changes while clients have prepared statements. The tests check which statements the server forgets or
// keeps, and under which ids. The expected behavior is that of Cassandra 5.0.9.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <atomic>
#include <thread>

#include "tests/unit/net/native_test.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr uint8_t kVersions[] = {3, 4, 5};

// A connection, and one statement that it has prepared.
struct Preparer {
  NativeClient& client;
  uint8_t version;
  std::string cql;
  NativePrepared known = client.Prepare(cql);

  NativeReply Run(bool skip_metadata = true, std::vector<Bytes> values = {}) {
    return client.Ask(Opcode::kExecute,
                      ExecuteBody(known.id, version, {.values = std::move(values), .skip_metadata = skip_metadata},
                                  known.metadata_id));
  }
  void PrepareAgain() {
    NativePrepared again = client.Prepare(cql);
    EXPECT_EQ(again.id, known.id) << "drivers refuse another id";
    known = std::move(again);
  }
};

class NativePreparedTest : public NativeTest {
 protected:
  void MakePeople() {
    Must("DROP TABLE IF EXISTS person");
    Must("DROP TABLE IF EXISTS other");
    Must("DROP TYPE IF EXISTS place");
    Must("CREATE TYPE place (street text)");
    Must("CREATE TABLE person (id int PRIMARY KEY, name text, home frozen<place>)");
    Must("CREATE TABLE other (id int PRIMARY KEY, name text)");
    Must("INSERT INTO person (id, name) VALUES (1, 'ann')");
  }
};

std::string Md5Of(std::string_view text) {
  std::string digest(16, '\0');
  EXPECT_EQ(EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(digest.data()), nullptr, EVP_md5(),
                       nullptr),
            1);
  return digest;
}

TEST_F(NativePreparedTest, UnpreparedNamesTheId) {
  for (const uint8_t version : kVersions) {
    auto client = Connect(version);
    for (const NativeReply& reply : {client->Ask(Opcode::kExecute, ExecuteBody("no such id", version)),
                                     client->Ask(Opcode::kBatch, BatchBody(0, {{.id = "no such id"}}, version))}) {
      EXPECT_EQ(reply.error_code(), kUnprepared);
      EXPECT_THAT(reply.error_text(), StartsWith("Prepared query with ID 6e6f2073756368206964 not found"));
      EXPECT_THAT(reply.body, EndsWith(Bytes("\0\x0ano such id", 12)));
    }
  }
}

TEST_F(NativePreparedTest, IdsAreCassandras) {
  Must("CREATE KEYSPACE elsewhere WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  auto client = Connect();
  const auto id = [&](std::string_view cql) { return client->Prepare(cql).id; };
  const std::string qualified = "SELECT v FROM k.t WHERE pk = ?", unqualified = "SELECT v FROM t WHERE pk = ?";
  const std::string insert = "INSERT INTO k.t (pk, ck) VALUES (1, 1); ",
                    batch = "BEGIN BATCH " + insert + insert + "APPLY BATCH";
  const std::string mixed = "BEGIN BATCH " + insert + "INSERT INTO t (pk, ck) VALUES (1, 1); APPLY BATCH";
  EXPECT_EQ(id(qualified), Md5Of(qualified));
  client->Query("USE k");
  EXPECT_EQ(id(qualified), Md5Of(qualified)) << "the same in every keyspace";
  EXPECT_EQ(id(unqualified), Md5Of("k" + unqualified));
  EXPECT_EQ(id(batch), Md5Of(batch));
  EXPECT_EQ(id(mixed), Md5Of("k" + mixed));
  EXPECT_EQ(id("TRUNCATE k.t"), Md5Of("TRUNCATE k.t"));
  EXPECT_EQ(id("DESCRIBE TABLE k.t"), Md5Of("kDESCRIBE TABLE k.t"));
  client->Query("USE elsewhere");
  EXPECT_EQ(id(qualified), Md5Of(qualified));
  EXPECT_EQ(id("DESCRIBE TABLE k.t"), Md5Of("elsewhereDESCRIBE TABLE k.t"));
}

TEST_F(NativePreparedTest, WhichChangesForgetWhichStatements) {
  const std::vector<std::string> about_person = {
      "SELECT * FROM k.person",
      "SELECT name FROM k.person WHERE id = 1",
      "SELECT count(*) FROM k.person",
      "INSERT INTO k.person (id) VALUES (1)",
      "INSERT INTO k.person (id) VALUES (1) IF NOT EXISTS",
      "BEGIN BATCH INSERT INTO k.other (id) VALUES (1); INSERT INTO k.person (id) VALUES (1); APPLY BATCH",
      "EXPLAIN SELECT * FROM k.person"};
  const std::vector<std::string> kept = {"SELECT * FROM k.other",
                                         "INSERT INTO k.other (id) VALUES (1)",
                                         "TRUNCATE k.person",
                                         "DESCRIBE KEYSPACE k",
                                         "CREATE TABLE IF NOT EXISTS k.other (id int PRIMARY KEY)",
                                         "USE k"};
  struct Change {
    std::vector<std::string> statements;
    bool forgets;
  };
  const std::vector<Change> changes = {
      {{"ALTER TABLE person ADD email text"}, true},
      {{"ALTER TABLE person DROP home"}, true},
      {{"ALTER TABLE person ADD email text", "ALTER TABLE person DROP email"}, true},
      {{"ALTER TABLE person DROP home", "ALTER TABLE person ADD home frozen<place>"}, true},
      {{"ALTER TABLE person WITH default_time_to_live = 100"}, true},
      {{"ALTER TABLE person WITH gc_grace_seconds = 100"}, true},
      {{"ALTER TABLE person WITH comment = 'people'"}, false},
      {{"ALTER TYPE place ADD number int"}, true},
      {{"ALTER TYPE place RENAME street TO road"}, true},
      {{"CREATE INDEX by_name ON person (name)"}, true},
      {{"TRUNCATE person"}, false},
      {{"ALTER KEYSPACE k WITH durable_writes = false"}, false},
      {{"CREATE TABLE third (id int PRIMARY KEY)", "DROP TABLE third"}, false},
      {{"CREATE MATERIALIZED VIEW named AS SELECT id, name FROM person WHERE name IS NOT NULL AND id IS NOT NULL "
        "PRIMARY KEY "
        "(name, id)",
        "DROP MATERIALIZED VIEW named"},
       false},
      {{"DROP TABLE person", "CREATE TABLE person (id int PRIMARY KEY, name text, home frozen<place>)"}, true},
  };
  for (const uint8_t version : kVersions) {
    auto client = Connect(version);
    for (const Change& change : changes) {
      MakePeople();
      std::vector<Preparer> people, others;
      for (const std::string& cql : about_person) people.push_back({*client, version, cql});
      for (const std::string& cql : kept) others.push_back({*client, version, cql});
      for (const std::string& cql : change.statements) Must(cql);
      for (Preparer& one : people) {
        EXPECT_EQ(one.Run().error_code() == kUnprepared, change.forgets) << change.statements[0] << ": " << one.cql;
        one.PrepareAgain();
        EXPECT_FALSE(one.Run().is_error()) << change.statements[0] << ": " << one.cql;
      }
      for (Preparer& one : others) EXPECT_FALSE(one.Run().is_error()) << change.statements[0] << ": " << one.cql;
    }
  }
}

TEST_F(NativePreparedTest, AfterADropTheErrorComesFromPreparingAgain) {
  for (const uint8_t version : kVersions) {
    MakePeople();
    auto client = Connect(version);
    Preparer select{*client, version, "SELECT * FROM k.person"};
    Must("DROP TABLE person");
    EXPECT_EQ(select.Run().error_code(), kUnprepared);
    const NativeReply again = client->Ask(Opcode::kPrepare, PrepareBody(select.cql, version));
    EXPECT_EQ(again.error_code(), kInvalid);
    EXPECT_THAT(again.error_text(), StartsWith("table person does not exist"));
    EXPECT_EQ(select.Run().error_code(), kUnprepared);
  }
}

TEST_F(NativePreparedTest, AViewIsForgottenWhenItsColumnsChange) {
  MakePeople();
  const std::string where = " FROM person WHERE name IS NOT NULL AND id IS NOT NULL PRIMARY KEY (name, id)";
  Must("CREATE MATERIALIZED VIEW everything AS SELECT *" + where);
  Must("CREATE MATERIALIZED VIEW keys AS SELECT id, name" + where);
  auto client = Connect();
  Preparer everything{*client, 4, "SELECT * FROM k.everything"}, keys{*client, 4, "SELECT * FROM k.keys"};
  Must("ALTER TABLE person WITH gc_grace_seconds = 100");
  EXPECT_FALSE(everything.Run().is_error());
  Must("ALTER TABLE person ADD email text");
  EXPECT_EQ(everything.Run().error_code(), kUnprepared);
  EXPECT_EQ(keys.Run().error_text(), "no error");
}

TEST_F(NativePreparedTest, RowsOfAnAlteredTableAreTheNewOnes) {
  for (const uint8_t version : kVersions) {
    const std::string table = "k.member" + std::to_string(version);
    Must("CREATE TABLE " + table + " (id int PRIMARY KEY, name text)");
    auto client = Connect(version);
    Preparer select{*client, version, "SELECT * FROM " + table + " WHERE id = 1"};
    Must("INSERT INTO " + table + " (id, name) VALUES (1, 'ann')");
    EXPECT_TRUE(RowsOf(select.Run()).names.empty());
    // Another connection changes the table. It has not prepared the statement.
    Must("ALTER TABLE " + table + " ADD email text");
    Must("UPDATE " + table + " SET email = 'a@x' WHERE id = 1");
    EXPECT_EQ(select.Run().error_code(), kUnprepared);
    const Bytes metadata_id = select.known.metadata_id;
    select.PrepareAgain();
    EXPECT_THAT(select.known.names, ElementsAre("id", "email", "name"));
    EXPECT_EQ(select.known.metadata_id == metadata_id, version < 5);
    const NativeRows rows = RowsOf(select.Run());
    EXPECT_EQ(rows.column_count, 3);
    EXPECT_EQ(rows.rows[0][1], "a@x");
    EXPECT_EQ(rows.flags & 8, 0);
  }
}

// Clients of version 5 say in each request which columns they know. For older versions, the server remembers which
// columns each client knows (net/native/known_statements.h).
TEST_F(NativePreparedTest, OthersHearOfItTooWhenOneClientHasPreparedAgain) {
  for (const uint8_t version : kVersions) {
    MakePeople();
    auto client = Connect(version), other = Connect(version), late = Connect(version);
    const std::string cql = "SELECT * FROM k.other WHERE id = 1";
    Preparer first{*client, version, cql}, second{*other, version, cql};
    Preparer describing{*late, version, cql};
    Must("ALTER TABLE other ADD email text");
    EXPECT_EQ(first.Run().error_code(), kUnprepared);
    first.PrepareAgain();
    EXPECT_EQ(RowsOf(first.Run()).column_count, 3);
    if (version < 5) {
      EXPECT_EQ(second.Run().error_code(), kUnprepared) << "it would read rows as they were";
      EXPECT_EQ(second.Run().error_code(), kUnprepared) << "requests that are under way as well";
      second.PrepareAgain();
    }
    const NativeRows changed = RowsOf(second.Run());
    EXPECT_EQ(changed.flags & 8, version < 5 ? 0 : 8);
    EXPECT_THAT(changed.names, ElementsAre("id", "email", "name"));
    EXPECT_THAT(RowsOf(describing.Run(false)).names, ElementsAre("id", "email", "name"))
        << "it reads them as they come";
    if (version < 5) continue;
    EXPECT_NE(changed.metadata_id, second.known.metadata_id);
    second.known.metadata_id = changed.metadata_id;
    EXPECT_TRUE(RowsOf(second.Run()).names.empty()) << "now the client knows";
    EXPECT_EQ(first.known.metadata_id, changed.metadata_id);
  }
}

// A driver may prepare the statement again on another connection of its pool. After that, the server must not refuse
// the statement for ever.
TEST_F(NativePreparedTest, PreparingAgainOnAnotherConnectionWillDo) {
  MakePeople();
  auto client = Connect(), other = Connect(), third = Connect();
  const std::string cql = "SELECT * FROM k.other WHERE id = 1";
  Preparer first{*client, 4, cql}, second{*other, 4, cql};
  Must("ALTER TABLE other ADD email text");
  first.PrepareAgain();
  EXPECT_EQ(second.Run().error_code(), kUnprepared);
  third->Prepare(cql);
  NativeReply reply = second.Run();
  for (int i = 0; i < 100 && reply.is_error(); ++i) {
    EXPECT_EQ(reply.error_code(), kUnprepared);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    reply = second.Run();
  }
  EXPECT_THAT(RowsOf(reply).names, ElementsAre("id", "email", "name"));
  Must("ALTER TABLE other DROP email");
  first.PrepareAgain();
  EXPECT_EQ(second.Run().error_code(), kUnprepared);
}

TEST_F(NativePreparedTest, ValuesAreNotTakenForThoseOfAnotherType) {
  for (const uint8_t version : kVersions) {
    MakePeople();
    auto client = Connect(version), other = Connect(version);
    const std::string cql = "INSERT INTO k.other (id, name) VALUES (1, ?)";
    Preparer first{*client, version, cql}, second{*other, version, cql};
    Must("DROP TABLE other");
    Must("CREATE TABLE other (id int PRIMARY KEY, name blob)");
    EXPECT_EQ(first.Run(true, {SizedValue("a text")}).error_code(), kUnprepared);
    first.PrepareAgain();
    EXPECT_FALSE(first.Run(true, {SizedValue("bytes")}).is_error());
    EXPECT_EQ(second.Run(true, {SizedValue("a text")}).error_code(), kUnprepared);
    const Bytes batch = BatchBody(0, {{.id = second.known.id, .values = {SizedValue("a text")}}}, version);
    EXPECT_EQ(other->Ask(Opcode::kBatch, batch).error_code(), kUnprepared);
    EXPECT_EQ(RowsOf(client->Query("SELECT name FROM k.other")).rows[0][0], "bytes");
    second.PrepareAgain();
    EXPECT_FALSE(other->Ask(Opcode::kBatch, batch).is_error());
  }
}

TEST_F(NativePreparedTest, ABatchNamesTheStatementThatIsForgotten) {
  for (const uint8_t version : kVersions) {
    MakePeople();
    auto client = Connect(version);
    Preparer kept{*client, version, "INSERT INTO k.other (id) VALUES (8)"};
    Preparer forgotten{*client, version, "INSERT INTO k.person (id) VALUES (9)"};
    const auto batch = [&] {
      return client->Ask(
          Opcode::kBatch,
          BatchBody(0,
                    {{.id = kept.known.id}, {.cql = "INSERT INTO k.other (id) VALUES (7)"}, {.id = forgotten.known.id}},
                    version));
    };
    Must("ALTER TABLE person ADD email text");
    const NativeReply refused = batch();
    EXPECT_EQ(refused.error_code(), kUnprepared);
    EXPECT_THAT(refused.body, EndsWith(Bytes("\0\x10", 2) + forgotten.known.id));
    EXPECT_TRUE(RowsOf(client->Query("SELECT * FROM k.other")).rows.empty()) << "nothing of it is written";
    forgotten.PrepareAgain();
    EXPECT_EQ(batch().result_kind(), 1);
    EXPECT_EQ(RowsOf(client->Query("SELECT * FROM k.other")).rows.size(), 2u);
  }
}

// Readers know the columns only from PREPARE, as drivers do. Meanwhile other clients change the table all the time.
TEST_F(NativePreparedTest, ConcurrencyOfReadersAndChanges) {
  MakePeople();
  Must("INSERT INTO other (id, name) VALUES (1, 'ann')");
  std::atomic<bool> done{false};
  std::atomic<int> rows_seen{0};
  const auto read = [&](uint8_t version, const std::string& cql) {
    auto client = Connect(version);
    Preparer select{*client, version, cql};
    while (!done) {
      const NativeReply reply = select.Run();
      if (reply.error_code() == kUnprepared) {
        select.PrepareAgain();
        continue;
      }
      const NativeRows rows = RowsOf(reply);
      if (rows.flags & 8) {
        select.known.names = rows.names;
        select.known.metadata_id = rows.metadata_id;
      }
      ASSERT_EQ(select.known.names.size(), static_cast<size_t>(rows.column_count)) << "version " << int{version};
      ASSERT_EQ(rows.rows.size(), 1u);
      for (size_t i = 0; i < select.known.names.size(); ++i) {
        const std::string& name = select.known.names[i];
        const Value& value = rows.rows[0][i];
        EXPECT_TRUE(name == "name" ? value == "ann" : name != "email" || !value || value == "a@x") << name;
      }
      ++rows_seen;
    }
  };
  std::vector<std::thread> readers;
  for (const uint8_t version : kVersions) {
    readers.emplace_back(read, version, "SELECT * FROM k.other WHERE id = 1");
    readers.emplace_back(read, version, "SELECT * FROM k.other");
  }
  for (int i = 0; i < 30 || (rows_seen < 200 && i < 1'000); ++i) {
    Must("ALTER TABLE other ADD email text");
    Must("UPDATE other SET email = 'a@x' WHERE id = 1");
    Must("ALTER TABLE other DROP email");
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace widerow
