// Widerow as a library: a wide-table database inside your process, in one directory, spoken to in CQL.
//
//   auto opened = widerow::Database::Open({.directory = "data"});
//   if (!opened.ok()) { … opened.error().message … }
//   widerow::Database& db = *opened.value();
//   db.Execute("CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
//   db.Execute("CREATE TABLE shop.orders (user text, id int, total double, PRIMARY KEY (user, id))");
//   auto insert = db.Prepare("INSERT INTO shop.orders (user, id, total) VALUES (?, ?, ?)");
//   db.Execute(insert.value(), {"ann", 7, 12.50});
//   for (const widerow::Row& row : db.Execute("SELECT id, total FROM shop.orders WHERE user = 'ann'").value()) {
//     int32_t id = row.Get<int32_t>("id");
//     double total = row.Get<double>("total");
//   }
//
// Thread-safe: a Database, a PreparedQuery and a ResultSet's pages may be used from any thread; one ResultSet from one thread
// at a time; a Database outlives its ResultSets. Every acknowledged write is on disk. Nothing throws, except misuse of a Row
// (Get<T> of another type or of null, a column that is not there: widerow::TypeMismatch) and value() of a failure.
//
// This header needs nothing but the standard library and can be used from an installed package: find_package(widerow).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace widerow {

class Engine;

// A failure as the database reports it.
struct Failure {
  uint32_t code = 0;         // The CQL protocol's error code: 0x2000 syntax, 0x2200 invalid, ….
  std::string message;       // First line as Cassandra says it; then hint and caret lines.
  uint32_t line = 0, column = 0, length = 0;  // Place in the statement, from line 1, column 0; line 0: none.
};

// A T or a Failure.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : value_(std::move(value)) {}         // NOLINT: implicit on purpose
  Expected(Failure failure) : failure_(std::move(failure)) {}  // NOLINT: implicit on purpose
  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  // Throws std::runtime_error with the failure's message if there is no value.
  T& value() & { Require(); return *value_; }
  T value() && { Require(); return std::move(*value_); }  // By value: `for (… : db.Execute(…).value())` is safe.
  const T& value() const& { Require(); return *value_; }
  const Failure& error() const { return failure_; }

 private:
  void Require() const {
    if (!value_) throw std::runtime_error(failure_.message);
  }
  std::optional<T> value_;
  Failure failure_;
};

// Get<T>() on a column of another type.
class TypeMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value for a bind marker. Integers take the width of the marker's type (out of range is an error of Execute); text is
// for text, ascii, and, parsed as CQL would, for every other type ("2013-01-01" for a date, "1.10" for a decimal).
class Parameter {
 public:
  enum class Kind : uint8_t { kNull, kUnset, kInteger, kDouble, kBoolean, kText, kBytes };
  Parameter() = default;
  Parameter(std::nullptr_t) {}                                             // NOLINT: implicit on purpose, all below
  Parameter(int value) : kind_(Kind::kInteger), integer_(value) {}         // NOLINT
  Parameter(long value) : kind_(Kind::kInteger), integer_(value) {}        // NOLINT
  Parameter(long long value) : kind_(Kind::kInteger), integer_(value) {}   // NOLINT
  Parameter(unsigned value) : kind_(Kind::kInteger), integer_(value) {}    // NOLINT
  Parameter(double value) : kind_(Kind::kDouble), double_(value) {}        // NOLINT
  Parameter(bool value) : kind_(Kind::kBoolean), integer_(value) {}        // NOLINT
  Parameter(std::string_view value) : kind_(Kind::kText), text_(value) {}  // NOLINT
  Parameter(const std::string& value) : kind_(Kind::kText), text_(value) {}  // NOLINT
  Parameter(const char* value) : kind_(Kind::kText), text_(value) {}       // NOLINT
  // The value's bytes as the native protocol has them: any type, collections too.
  static Parameter Raw(std::string_view bytes) { Parameter p; p.kind_ = Kind::kBytes; p.text_ = bytes; return p; }
  static Parameter Unset() { Parameter p; p.kind_ = Kind::kUnset; return p; }

  Kind kind() const { return kind_; }
  int64_t integer() const { return integer_; }
  double floating() const { return double_; }
  // Borrowed: the argument must live until Execute returns.
  std::string_view text() const { return text_; }

 private:
  Kind kind_ = Kind::kNull;
  int64_t integer_ = 0;
  double double_ = 0;
  std::string_view text_;
};

struct Column {
  std::string keyspace, table, name;
  std::string type;  // "map<text, int>", ….
};

struct ResultSetState;

// One row of a ResultSet, good until the next row is fetched; or one that is shown, good during the call. Values stay as the
// database has them and are decoded where they are asked for.
class Row {
 public:
  size_t size() const;
  bool IsNull(size_t column) const;
  // The value as the native protocol has it; empty for null (see IsNull).
  std::string_view Raw(size_t column) const;
  // As the shell prints it; "null" for null.
  std::string Text(size_t column) const;
  std::string Json(size_t column) const;
  // bool, int32_t, int64_t (any integer type, also timestamp in ms), double (float, double), std::string (text, ascii).
  // Throws TypeMismatch on another type or on null.
  template <typename T>
  T Get(size_t column) const;
  template <typename T>
  T Get(std::string_view name) const { return Get<T>(Index(name)); }
  bool IsNull(std::string_view name) const { return IsNull(Index(name)); }
  // Throws TypeMismatch if there is no such column.
  size_t Index(std::string_view name) const;

 private:
  friend struct ResultSetState;
  explicit Row(const ResultSetState* state) : state_(state) {}
  const ResultSetState* state_;
};

// Rows of one statement, fetched page by page as they are walked. Move-only. Its memory is used again for the thread's next
// statement: a prepared read of one row allocates none.
class ResultSet {
 public:
  ResultSet(ResultSet&&) noexcept;
  ResultSet& operator=(ResultSet&&) noexcept;
  ~ResultSet();

  const std::vector<Column>& columns() const;
  const std::vector<std::string>& warnings() const;
  // Moves to the next row, fetching the next page if need be. False at the end or on a failure: see failure().
  bool Next();
  const Row& row() const;
  // Set if fetching a later page failed.
  const std::optional<Failure>& failure() const;

  // for (const Row& row : result) …. Throws std::runtime_error if fetching a later page fails.
  class Iterator {
   public:
    explicit Iterator(ResultSet* set) : set_(set) {}
    const Row& operator*() const { return set_->row(); }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return set_ != other.set_; }

   private:
    ResultSet* set_;
  };
  Iterator begin();
  Iterator end() { return Iterator(nullptr); }

 private:
  friend class Database;
  friend class ReadSnapshot;
  friend class Transaction;
  explicit ResultSet(std::unique_ptr<ResultSetState> state);
  std::unique_ptr<ResultSetState> state_;
};

// A prepared statement. Cheap to copy.
class PreparedQuery {
 public:
  const std::string& text() const;
  std::vector<Column> markers() const;

 private:
  friend class Database;
  friend class ReadSnapshot;
  friend class Transaction;
  struct State;
  std::shared_ptr<const State> state_;
};

struct DatabaseOptions {
  std::filesystem::path directory;
  uint64_t map_bytes = uint64_t{1} << 40;
  // When a write is answered: "sync", once a power cut cannot take it away; "periodic", at once, and what is not yet on the
  // disk is synced every 200 ms; "none", at once, and synced when it happens. A killed process loses nothing in any of them.
  // Another name is a Failure.
  std::string durability = "sync";
  // Writes gather in so much memory before they are brought into the data file, in order. Up to twice as much is in use.
  size_t memtable_bytes = size_t{64} << 20;
  uint32_t page_rows = 5'000;  // Rows fetched at a time by a ResultSet.
  // Microseconds since 1970, for tests that move time; the system clock if empty.
  std::function<int64_t()> clock;
  // Which language is spoken: "widerow", CQL with extensions, or "cassandra-5", which refuses every extension as Cassandra 5
  // does. Another name is a Failure.
  std::string profile = "widerow";
  bool extension_warnings = true;  // Whether a statement that only Widerow understands gets a warning.
  // What is done about keys, values, collections, … beyond their guardrails (docs/operate/guardrails.md): "warn", "enforce", which also
  // refuses what is beyond their second bounds, or "off". Another name is a Failure. Only of profile widerow.
  std::string guardrails = "warn";
  std::vector<std::string> guardrail_settings;  // "value_bytes=2097152:16777216": warn beyond the first, fail beyond the second.
  // Units a second (docs/operate/guardrails.md) that this machine can do, for tables with reserved throughput. 0: not said.
  int64_t read_capacity = 0, write_capacity = 0;
  // Statements about roles and permissions are run (docs/operate/security.md): this process may do anything, they are for servers that
  // open the directory later. Without it they are refused.
  bool roles = false;
};

class Database {
 public:
  // Creates the directory if absent. Fails with a clear message if it is in use, damaged or of a newer format.
  static Expected<std::unique_ptr<Database>> Open(DatabaseOptions options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // USE: the keyspace of unqualified names in later calls on this Database.
  Expected<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters = {});
  Expected<PreparedQuery> Prepare(std::string_view cql);
  Expected<ResultSet> Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters = {});
  // The rows of a SELECT shown to `visit`, one after another, until it answers false; gives how many were shown. The quickest
  // way to read: no row is copied, a Row's values lie where they are stored. `visit` may use the database and keep nothing of
  // the row; a snapshot is held meanwhile, so it should not dawdle. Other statements are a Failure.
  Expected<size_t> ForEachRow(const PreparedQuery& query, const std::vector<Parameter>& parameters,
                              const std::function<bool(const Row&)>& visit);
  // A script of statements separated by semicolons; stops at the first failure.
  Expected<size_t> ExecuteScript(std::string_view cql);

  // That of the last USE; empty if there was none.
  std::string keyspace() const;
  uint32_t page_rows() const;  // As it was opened with.
  // The internal engine, for the server and the tools of this project.
  Engine& engine();

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
