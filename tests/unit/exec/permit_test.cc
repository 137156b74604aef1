// Each function of Engine that runs statements (here a *verb*) must check permissions. The test runs each verb with a
// statement of each kind of plan: as a role without permissions, as the superuser, and without a user.
// tests/tree/permit_test.py checks that kVerbs names all verbs.
#include "exec/access/permit.h"

#include <type_traits>

#include "advise/finding.h"
#include "exec/engine/admitted_request.h"
#include "exec/engine/blob_read.h"
#include "exec/engine/blob_write.h"
#include "exec/engine/bulk_insert.h"
#include "exec/engine/optimistic_transaction.h"
#include "exec/select/show_rows.h"
#include "parser/parse.h"
#include "tests/unit/exec/access_fixture.h"

namespace widerow {
namespace {

// A Permit can be made only by the code that checks permissions, and a request cannot run without a Permit.
static_assert(!std::is_default_constructible_v<Permit>);
static_assert(!std::is_constructible_v<Permit, const Plan&>);
static_assert(!std::is_default_constructible_v<AdmittedRequest>);
static_assert(
    !std::is_constructible_v<AdmittedRequest, const Plan&, const PreparedStatement&, const RequestParameters&>);

// One statement for each kind of plan. The order is that of the alternatives of Plan::node.
struct PlanKind {
  const char* text;
  bool everybody = false;  // True if a role needs no permission for the statement.
};
constexpr PlanKind kPlanKinds[] = {
    {"SELECT v FROM k.t WHERE id = 1"},
    {"INSERT INTO k.t (id, v) VALUES (2, 2)"},
    {"BEGIN BATCH INSERT INTO k.t (id, v) VALUES (3, 3) APPLY BATCH"},
    {"TRUNCATE k.emptied"},
    {"USE k", true},
    {"CREATE TABLE IF NOT EXISTS k.made (id int PRIMARY KEY)"},
    {"CREATE ROLE IF NOT EXISTS made"},
    {"DESCRIBE KEYSPACES", true},
    {"ADVISE TABLE k.t"},
    {"EXPLAIN ANALYZE INSERT INTO k.t (id, v) VALUES (4, 4)"},
};
static_assert(std::size(kPlanKinds) == std::variant_size_v<decltype(Plan::node)>,
              "each kind of plan needs a statement here");

class NoViewer final : public RowViewer {
 public:
  void Begin(const ResultColumnsPtr&) override {}
  bool Show(std::span<const ByteView>) override { return true; }
};

struct Attempt {
  Engine& engine;
  PreparedPtr statement;
  std::string text;
  RequestParameters parameters;
};

// The error of an attempt to run a plan, or nullopt if the plan has run.
using Refusal = std::optional<ErrorCode>;
Refusal Ran() { return std::nullopt; }

template <typename T>
Refusal CodeOf(const Result<T>& result) {
  return result.ok() ? Ran() : result.error().code;
}

Refusal InTransaction(const Attempt& attempt) {
  const SnapshotPtr snapshot = attempt.engine.OpenSnapshot().value();
  const auto transaction = attempt.engine.BeginTransaction(snapshot);
  const Refusal executed = CodeOf(transaction->Execute(attempt.statement, attempt.parameters));
  if (executed == Ran()) { EXPECT_TRUE(transaction->Commit().value()); }
  attempt.engine.snapshots().Close(snapshot->id());
  return executed;
}

Refusal Advised(const Attempt& attempt) {
  const Statement statement = Parse(attempt.text, Dialect::kWiderow).value();
  return CodeOf(attempt.engine.Advise(std::get<AdviseStatement>(statement.node), "k", attempt.parameters));
}

Refusal Submitted(const Attempt& attempt) {
  std::promise<void> done;
  const Result<bool> begun =
      attempt.engine.Submit(attempt.statement, attempt.parameters, [&](const Result<Outcome>& outcome) {
        EXPECT_TRUE(outcome.ok());
        done.set_value();
      });
  if (begun.ok()) {
    EXPECT_TRUE(*begun);
    done.get_future().wait();
  }
  return CodeOf(begun);
}

Refusal OnSnapshot(const Attempt& attempt) {
  const SnapshotPtr snapshot = attempt.engine.OpenSnapshot().value();
  RequestParameters parameters = attempt.parameters;
  parameters.snapshot = snapshot;
  const Refusal code = CodeOf(attempt.engine.ExecutePrepared(*attempt.statement, parameters));
  attempt.engine.snapshots().Close(snapshot->id());
  return code;
}

Refusal Batched(const Attempt& attempt) {
  const std::vector<BatchEntry> entries{{.statement = attempt.statement, .values = {}, .names = {}}};
  return CodeOf(attempt.engine.ExecuteBatch(BatchStatement::Kind::kLogged, entries, attempt.parameters));
}

Refusal Pointed(const Attempt& attempt) {
  RowsPage page;
  const Result<bool> read = attempt.engine.ReadPoint(*attempt.statement, attempt.parameters, page);
  if (read.ok()) { EXPECT_TRUE(*read); }
  return CodeOf(read);
}

Refusal Shown(const Attempt& attempt) {
  NoViewer viewer;
  const Status shown = attempt.engine.ShowRows(*attempt.statement, attempt.parameters, viewer);
  return shown.ok() ? Ran() : shown.error().code;
}

Refusal Checked(const Attempt& attempt) {
  const Status checked = attempt.engine.CheckPermission(*attempt.statement, attempt.parameters);
  return checked.ok() ? Ran() : checked.error().code;
}

// OpenBlob and WriteBlob take only statements about a blob. So this function does not use the statement of the attempt,
// but another one with the same kind of plan.
Refusal BlobOpened(const Attempt& attempt) {
  const PreparedPtr select = attempt.engine.Prepare("SELECT b FROM k.t WHERE id = 1", "k").value();
  return CodeOf(attempt.engine.OpenBlob(*select, attempt.parameters));
}

Refusal BlobWritten(const Attempt& attempt) {
  const PreparedPtr update = attempt.engine.Prepare("UPDATE k.t SET b = ? WHERE id = 1", "k").value();
  RequestParameters parameters = attempt.parameters;
  parameters.values.resize(1);
  return CodeOf(attempt.engine.WriteBlob(update, parameters));
}

// There is no backup with this id. Only a role with the permission gets the error that says so.
Refusal BackupFound(const Attempt& attempt) {
  const Refusal code = CodeOf(attempt.engine.FindBackup(Uuid(), attempt.parameters));
  return code == ErrorCode::kInvalid ? Ran() : code;
}

bool IsA(size_t kind, std::initializer_list<size_t> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// A function of Engine that runs statements: its name, the kinds of plan that it can run, and how to call it.
struct Verb {
  const char* name;
  bool (*takes)(size_t kind);
  Refusal (*run)(const Attempt& attempt);
};
constexpr size_t kSelect = 0, kModify = 1, kTruncate = 3, kDdl = 5, kAdvise = 8;
const Verb kVerbs[] = {
    {"Execute", [](size_t) { return true; },
     [](const Attempt& a) { return CodeOf(a.engine.Execute(a.text, a.parameters)); }},
    {"ExecutePrepared", [](size_t) { return true; },
     [](const Attempt& a) { return CodeOf(a.engine.ExecutePrepared(*a.statement, a.parameters)); }},
    {"ExecutePrepared", [](size_t kind) { return kind == kSelect; }, OnSnapshot},
    {"ExecuteBatch", [](size_t kind) { return kind == kModify; }, Batched},
    {"ReadPoint", [](size_t kind) { return kind == kSelect; }, Pointed},
    {"CheckPermission",
     [](size_t kind) {
       return IsA(kind, {kSelect, kModify, kTruncate, kDdl});
     },
     Checked},
    {"ShowRows", [](size_t kind) { return kind == kSelect; }, Shown},
    {"Submit", [](size_t kind) { return kind == kModify; }, Submitted},
    {"OpenBlob", [](size_t kind) { return kind == kSelect; }, BlobOpened},
    {"WriteBlob", [](size_t kind) { return kind == kModify; }, BlobWritten},
    {"Advise", [](size_t kind) { return kind == kAdvise; }, Advised},
    {"Heat", [](size_t kind) { return kind == kSelect; },
     [](const Attempt& a) { return CodeOf(a.engine.Heat(a.parameters)); }},
    {"BeginBackup", [](size_t kind) { return kind == kSelect; },
     [](const Attempt& a) { return CodeOf(a.engine.BeginBackup(std::nullopt, a.parameters)); }},
    {"FindBackup", [](size_t kind) { return kind == kSelect; }, BackupFound},
    {"OpenBulkInsert", [](size_t kind) { return kind == kModify; },
     [](const Attempt& a) { return CodeOf(a.engine.OpenBulkInsert(a.statement, {}, a.parameters)); }},
    {"BeginTransaction",
     [](size_t kind) {
       return IsA(kind, {kSelect, kModify});
     },
     InTransaction},
};

class PermitTest : public AccessTest {
 protected:
  void SetUp() override {
    AccessTest::SetUp();
    Must("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Must("CREATE TABLE k.t (id int PRIMARY KEY, v int, b longblob)");
    Must("CREATE TABLE k.emptied (id int PRIMARY KEY, v int)");
    Must("INSERT INTO k.t (id, v) VALUES (1, 1)");
    Must("INSERT INTO k.emptied (id, v) VALUES (1, 1)");
    Must("CREATE ROLE stranger WITH PASSWORD = 'pw' AND LOGIN = true");
  }
  Attempt AttemptAs(const UserPtr& user, const PlanKind& kind) {
    ConnectionFacts facts;
    facts.user = user;
    return {.engine = *engine_,
            .statement = engine_->Prepare(kind.text, "k").value(),
            .text = kind.text,
            .parameters = {.keyspace = "k", .connection = std::make_shared<const ConnectionFacts>(facts)}};
  }
  uint32_t RowsOf(const std::string& table) {
    const auto rows = As(*LogIn("cassandra", "cassandra"), "SELECT id FROM k." + table);
    return rows.ok() ? std::get<RowsPage>(rows->result).row_count : 0;
  }
};

TEST_F(PermitTest, NoVerbRunsAPlanForARoleWithoutPermissions) {
  const SchemaPtr before = engine_->schema();
  const UserPtr stranger = *LogIn("stranger", "pw");
  for (size_t kind = 0; kind < std::size(kPlanKinds); ++kind) {
    const Attempt attempt = AttemptAs(stranger, kPlanKinds[kind]);
    ASSERT_EQ(attempt.statement->plan->node.index(), kind) << kPlanKinds[kind].text;
    for (const Verb& verb : kVerbs) {
      if (!verb.takes(kind)) continue;
      const Refusal expected = kPlanKinds[kind].everybody ? Ran() : Refusal(ErrorCode::kUnauthorized);
      EXPECT_EQ(verb.run(attempt), expected) << verb.name << ": " << kPlanKinds[kind].text;
    }
  }
  EXPECT_EQ(engine_->schema(), before);
  EXPECT_EQ(RowsOf("t"), 1u);
  EXPECT_EQ(RowsOf("emptied"), 1u);
}

// A request without a connection has no user, so it may run no plan.
TEST_F(PermitTest, NoVerbRunsAPlanForNobody) {
  for (size_t kind = 0; kind < std::size(kPlanKinds); ++kind) {
    Attempt attempt = AttemptAs(nullptr, kPlanKinds[kind]);
    for (const std::shared_ptr<const ConnectionFacts>& connection :
         {attempt.parameters.connection, std::shared_ptr<const ConnectionFacts>()}) {
      attempt.parameters.connection = connection;
      for (const Verb& verb : kVerbs) {
        if (!verb.takes(kind)) continue;
        EXPECT_EQ(verb.run(attempt), Refusal(ErrorCode::kUnauthorized)) << verb.name << ": " << kPlanKinds[kind].text;
      }
    }
  }
}

// The attempts that fail in the tests above succeed for a superuser. So these tests would notice a missing check.
TEST_F(PermitTest, EachVerbRunsItsPlansForASuperuser) {
  const UserPtr superuser = *LogIn("cassandra", "cassandra");
  for (size_t kind = 0; kind < std::size(kPlanKinds); ++kind) {
    for (const Verb& verb : kVerbs) {
      if (!verb.takes(kind)) continue;
      EXPECT_EQ(verb.run(AttemptAs(superuser, kPlanKinds[kind])), Ran()) << verb.name << ": " << kPlanKinds[kind].text;
    }
  }
  EXPECT_EQ(RowsOf("t"), 4u);
  EXPECT_EQ(RowsOf("emptied"), 0u);
}

}  // namespace
}  // namespace widerow
