// Widerow as a library: a wide-table database inside your process, kept in one directory, with CQL as its language.
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
// Threads: any thread may use a Database or a PreparedQuery; one thread at a time may use a ResultSet, and the next
// call may come from another thread. A Database must outlive its ResultSets. With the default durability every
// acknowledged write is on disk.
//
// Functions return failures and do not throw, with three exceptions. Misuse of a Row (Get<T> of another type or of
// null, a missing column) throws widerow::TypeMismatch. value() of a failure throws std::runtime_error. So does
// iterating over a ResultSet if a later page cannot be fetched.
//
// This header needs only the standard library. An installed package provides it through find_package(widerow).
#pragma once

#include <chrono>
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
  uint32_t code = 0;    // The CQL protocol's error code: 0x2000 syntax, 0x2200 invalid, ….
  std::string message;  // Cassandra's sentence on the first line, then hint and caret lines.
  // The place of the fault in the statement. Lines count from 1, columns from 0. `column` and `length` count Unicode
  // code points. Line 0 means that there is no place.
  uint32_t line = 0, column = 0, length = 0;
};

// A T or a Failure.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : value_(std::move(value)) {}              // NOLINT: implicit on purpose
  Expected(Failure failure) : failure_(std::move(failure)) {}  // NOLINT: implicit on purpose
  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  // Throws std::runtime_error with the failure's message if there is no value.
  T& value() & {
    Require();
    return *value_;
  }
  // Returns by value, so that `for (… : db.Execute(…).value())` is safe.
  T value() && {
    Require();
    return std::move(*value_);
  }
  const T& value() const& {
    Require();
    return *value_;
  }
  const Failure& error() const { return failure_; }

 private:
  void Require() const {
    if (!value_) throw std::runtime_error(failure_.message);
  }
  std::optional<T> value_;
  Failure failure_;
};

// Thrown by Row for a column of another type, a null value or a missing column.
class TypeMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value for a bind marker. An integer takes the width of the marker's type; Execute fails if it is out of range. Text
// fits text and ascii; for every other type it is parsed as a CQL literal ("2013-01-01" for a date, "1.10" for a
// decimal).
class Parameter {
 public:
  enum class Kind : uint8_t { kNull, kUnset, kInteger, kDouble, kBoolean, kText, kBytes };
  Parameter() = default;
  Parameter(std::nullptr_t) {}                                               // NOLINT: implicit on purpose, all below
  Parameter(int value) : kind_(Kind::kInteger), integer_(value) {}           // NOLINT
  Parameter(long value) : kind_(Kind::kInteger), integer_(value) {}          // NOLINT
  Parameter(long long value) : kind_(Kind::kInteger), integer_(value) {}     // NOLINT
  Parameter(unsigned value) : kind_(Kind::kInteger), integer_(value) {}      // NOLINT
  Parameter(double value) : kind_(Kind::kDouble), double_(value) {}          // NOLINT
  Parameter(bool value) : kind_(Kind::kBoolean), integer_(value) {}          // NOLINT
  Parameter(std::string_view value) : kind_(Kind::kText), text_(value) {}    // NOLINT
  Parameter(const std::string& value) : kind_(Kind::kText), text_(value) {}  // NOLINT
  Parameter(const char* value) : kind_(Kind::kText), text_(value) {}         // NOLINT
  // Passes the value's bytes in the native protocol's encoding, for any type, collections included.
  static Parameter Raw(std::string_view bytes) {
    Parameter p;
    p.kind_ = Kind::kBytes;
    p.text_ = bytes;
    return p;
  }
  static Parameter Unset() {
    Parameter p;
    p.kind_ = Kind::kUnset;
    return p;
  }

  Kind kind() const { return kind_; }
  int64_t integer() const { return integer_; }
  double floating() const { return double_; }
  // Returns a view of the text that was passed, which must live until Execute returns.
  std::string_view text() const { return text_; }

 private:
  Kind kind_ = Kind::kNull;
  int64_t integer_ = 0;
  double double_ = 0;
  std::string_view text_;
};

struct Column {
  std::string keyspace, table, name;
  std::string type;  // For example "map<text, int>".
};

struct ResultSetState;

// One row. A row of a ResultSet is valid until the next row is fetched; a row that ForEachRow shows is valid until
// `visit` returns. Values keep the database's encoding and are decoded when they are read.
class Row {
 public:
  size_t size() const;
  bool IsNull(size_t column) const;
  // Returns the value's bytes in the native protocol's encoding; empty for null (see IsNull).
  std::string_view Raw(size_t column) const;
  // Returns the value as the shell prints it; "null" for null.
  std::string Text(size_t column) const;
  std::string Json(size_t column) const;
  // Returns the value as a T: bool, int32_t, int64_t (any integer type, and timestamp in ms), double (float, double) or
  // std::string (text, ascii). Throws TypeMismatch for another type or for null.
  template <typename T>
  T Get(size_t column) const;
  template <typename T>
  T Get(std::string_view name) const {
    return Get<T>(Index(name));
  }
  bool IsNull(std::string_view name) const { return IsNull(Index(name)); }
  // Throws TypeMismatch if there is no such column.
  size_t Index(std::string_view name) const;

 private:
  friend struct ResultSetState;
  explicit Row(const ResultSetState* state) : state_(state) {}
  const ResultSetState* state_;
};

// The rows of one statement. Later pages are fetched while the rows are read. Move-only. The memory of a destroyed
// ResultSet serves the thread's next statement, so a prepared read of one row allocates nothing.
// All rows have the columns of the first page: if the table is altered so that a later page has other columns, fetching
// that page fails.
class ResultSet {
 public:
  ResultSet(ResultSet&&) noexcept;
  ResultSet& operator=(ResultSet&&) noexcept;
  ~ResultSet();

  const std::vector<Column>& columns() const;
  const std::vector<std::string>& warnings() const;
  // Moves to the next row and fetches the next page if necessary. Returns false at the end or on a failure: see
  // failure().
  bool Next();
  const Row& row() const;
  // Returns the failure if a later page could not be fetched.
  const std::optional<Failure>& failure() const;

  // Supports `for (const Row& row : result)`. Throws std::runtime_error if fetching a later page fails.
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

// A prepared statement. Copies are cheap. It must not outlive its Database. After a schema change it is planned again,
// and its parameters take the new types of its markers; markers() does not change. If it cannot be planned again (its
// table is gone), running it is a Failure.
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
  // Address space reserved for the data file.
  uint64_t map_bytes = uint64_t{1} << 40;
  // Decides when a write is acknowledged. "sync": after it is safe from a power cut. "periodic": at once; unsynced
  // writes are synced every 200 ms. "none": at once; writes are synced when they are brought into the data file. A
  // killed process loses nothing with any of them. Any other name is a Failure.
  std::string durability = "sync";
  // Writes gather in this much memory before they are brought into the data file, in key order. Up to twice as much may
  // be in use.
  size_t memtable_bytes = size_t{64} << 20;
  uint32_t page_rows = 5'000;  // The number of rows that a ResultSet fetches at a time.
  // Returns microseconds since 1970, for tests that control time. Empty: the system clock.
  std::function<int64_t()> clock;
  // The language: "widerow" is CQL with extensions; "cassandra-5" refuses every extension, as Cassandra 5 does. Any
  // other name is a Failure.
  std::string profile = "widerow";
  bool extension_warnings = true;  // A statement that only Widerow understands gets a warning.
  // Guardrails limit keys, values, collections, … (docs/operate/guardrails.md). Each has two bounds. "warn": the answer
  // to a statement that exceeds the first bound has a warning. "enforce": in addition, a statement that exceeds the
  // second bound is refused. "off": there are no limits. Any other name is a Failure. Applies to the profile "widerow"
  // only.
  std::string guardrails = "warn";
  // New bounds of guardrails. For example, "value_bytes=2097152:16777216": warn beyond the first bound, fail beyond the
  // second.
  std::vector<std::string> guardrail_settings;
  // The units a second (docs/operate/guardrails.md) that this machine can read and write. They are needed for tables
  // with reserved throughput. 0: unknown.
  int64_t read_capacity = 0, write_capacity = 0;
  // A page of rows, an aggregate and ForEachRow are each read from one snapshot of the database. A SELECT fails if it
  // reads one snapshot for longer than read_time_max. It also fails if its snapshot keeps more than
  // read_pinned_bytes_max bytes of old data that could otherwise be reused. A page of rows ends early instead of
  // failing. If read_pinned_bytes_max is 0, the limit is 1 GiB, or six times memtable_bytes if that is more.
  std::chrono::milliseconds read_time_max{60'000};
  uint64_t read_pinned_bytes_max = 0;
  // True: statements about roles and permissions are run (docs/operate/security.md). This process may do anything; the
  // roles are for servers that open the directory later. False: such statements are refused.
  bool roles = false;
  // True: a commit log that is missing, incomplete or damaged does not prevent the opening. The writes that only the
  // missing part held are lost. False: Open fails and says what is missing.
  bool accept_lost_log = false;
  // The name of the one datacenter, in system.local and for NetworkTopologyStrategy.
  std::string datacenter = "datacenter1";
};

class Database {
 public:
  // Creates the directory if it is absent. Fails if the directory is in use already, if its data is damaged, or if the
  // data has a newer format.
  static Expected<std::unique_ptr<Database>> Open(DatabaseOptions options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs one statement. USE sets the keyspace of unqualified names for later calls on this Database.
  Expected<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters = {});
  // Plans a statement for repeated use. If the schema changes, it is planned again when it is executed.
  Expected<PreparedQuery> Prepare(std::string_view cql);
  Expected<ResultSet> Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters = {});
  // Shows each row of a SELECT to `visit` until `visit` returns false. Returns the number of rows shown. This is the
  // fastest way to read: no row is copied, a Row refers to the stored bytes. `visit` may use the database but must not
  // keep anything of the row. All rows come from one snapshot, which is held during the call. A call that takes longer
  // than read_time_max ends with a Failure after the rows that it has shown. Statements other than SELECT are a
  // Failure.
  Expected<size_t> ForEachRow(const PreparedQuery& query, const std::vector<Parameter>& parameters,
                              const std::function<bool(const Row&)>& visit);
  // Runs statements separated by semicolons and stops at the first failure. Returns the number of statements run.
  Expected<size_t> ExecuteScript(std::string_view cql);

  // Returns the keyspace of the last USE; empty if there was none.
  std::string keyspace() const;
  uint32_t page_rows() const;  // DatabaseOptions::page_rows.
  // Returns the internal engine, for the server and the tools of this project.
  Engine& engine();

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
