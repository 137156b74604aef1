// The input and the output of a request, in no particular encoding. The native protocol, HTTP, the shell and the
// embedded API all use these types.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "exec/rows/answer_room.h"
#include "exec/rows/consistency.h"
#include "planner/evaluate/evaluate.h"
#include "planner/schema_change.h"
#include "types/type.h"

namespace widerow {

struct ResultColumn {
  std::string keyspace, table, name;
  TypePtr type;
};
using ResultColumns = std::vector<ResultColumn>;
using ResultColumnsPtr = std::shared_ptr<const ResultColumns>;

// One page of rows. `body` is the rows content of the native protocol (v4 section 4.2.5.2): for each row, for each
// column, an int32 length (-1 = null) and the value's bytes. PageReader iterates over it.
struct RowsPage {
  ResultColumnsPtr columns;
  Bytes body;
  uint32_t row_count = 0;
  std::vector<uint32_t> row_ends;  // The end of each row in `body`; may be empty.
  Bytes paging_state;  // Empty: no more rows. Otherwise opaque; send it back with the same statement and values.
};

struct VoidOutcome {};
struct UseOutcome {
  std::string keyspace;
};
struct SchemaChangeOutcome {
  SchemaChange change;
};

struct Outcome {
  std::variant<VoidOutcome, RowsPage, UseOutcome, SchemaChangeOutcome> result;
  std::vector<std::string> warnings;
  Bytes trace_id;                          // 16 bytes if the request was traced: its id in system_traces.
  std::shared_ptr<class Snapshot> moment;  // The snapshot for further pages (RequestParameters::keep_moment).
};

// Iterates over a page's body. Borrows the page.
class PageReader {
 public:
  explicit PageReader(const RowsPage& page)
      : at_(page.body.data()), column_count_(page.columns->size()), rows_left_(page.row_count) {}
  // Fills `row` with one entry per column; false after the last row. Values point into the page's body.
  bool Next(std::vector<ValueView>& row) {
    if (rows_left_ == 0) return false;
    --rows_left_;
    row.resize(column_count_);
    for (ValueView& value : row) {
      const auto size = ReadBigEndian<int32_t>(at_);
      at_ += 4;
      if (size < 0) {
        value.reset();
      } else {
        value = ByteView(at_, static_cast<size_t>(size));
        at_ += size;
      }
    }
    return true;
  }

 private:
  const char* at_;
  size_t column_count_;
  uint32_t rows_left_;
};

class User;  // exec/access/user.h

// The socket of a request. Addresses are in the format of inet: 4 or 16 bytes.
struct ConnectionFacts {
  Bytes local_address;  // The server's own address as the client reached it: system.local shows it.
  int32_t local_port = 0;
  Bytes client_address;
  int32_t client_port = 0;
  std::shared_ptr<const User> user;  // The role that has logged in; null: none (yet).
};

struct RequestParameters {
  std::vector<BoundValue> values;  // In marker order, or in the order of `names`.
  std::vector<std::string> names;  // One name per value (named values); empty: by position.
  std::string keyspace;            // The connection's or the request's; may be empty.
  // For logs: the text of the request, if the statement may have been prepared from another text. It must be valid
  // until the engine's function returns.
  std::string_view text;
  bool text_follows = false;  // True if the caller runs the request's own text after an error about the text.
  uint32_t page_rows = 0;     // 0: everything in one page (bounded by limits::kPageBytesMax).
  Bytes paging_state;
  ConsistencyLevel consistency = ConsistencyLevel::kOne;
  ConsistencyLevel serial_consistency = ConsistencyLevel::kSerial;  // For conditional writes.
  std::optional<int64_t> timestamp;                   // Default timestamp, µs; without it the server's clock.
  std::optional<int64_t> now_seconds;                 // The request's own time (protocol v5); else the server's.
  bool index_rows = false;                            // Fill RowsPage::row_ends, for readers that take single values.
  bool trace = false;                                 // Record the steps of the request.
  bool guarded = false;                               // Check batches as Cassandra does (exec/write/batch_guards.h).
  std::shared_ptr<const ConnectionFacts> connection;  // Null: from inside the process.
  std::shared_ptr<const ConnectionFacts> client;      // For logs, if `connection` is null.
  // The snapshot to read (exec/session/snapshot.h). Null: the present.
  std::shared_ptr<class Snapshot> snapshot;
  // If there are more pages, keep the snapshot of this page for them: Outcome::moment is the snapshot to read them
  // from. It must be closed after the last page. The server's own tables (system_views, …) have no such snapshot.
  bool keep_moment = false;
  // Says how the engine runs a SELECT that sorts the rows of several partitions (SelectPlan::sorts_partitions). True:
  // the answer is one page, whatever page_rows is. False: it refuses the SELECT if page_rows is not 0, as in Cassandra.
  bool whole_if_sorted = false;
  AnswerLimits answer;       // For the rows of a SELECT.
  bool* ran_long = nullptr;  // Gets true if a SELECT is too long for its thread (ReadLimits).
  std::vector<std::string>* warnings_of_error = nullptr;  // Gets the warnings of a request that fails; may be null.
};

}  // namespace widerow
