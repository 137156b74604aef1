#include "widerow/bulk_writer.h"

#include "embedded/failure.h"
#include "embedded/parameters.h"
#include "exec/engine/bulk_insert.h"
#include "exec/engine/engine.h"

namespace widerow {
namespace {

constexpr size_t kMemoryBytesMin = size_t{1} << 20;

std::string InsertText(std::string_view table, const std::vector<std::string>& columns) {
  std::string names, markers;
  for (const std::string& column : columns) {
    names += (names.empty() ? "" : ", ") + column;
    markers += markers.empty() ? "?" : ", ?";
  }
  return "INSERT INTO " + std::string(table) + " (" + names + ") VALUES (" + markers + ")";
}

}  // namespace

struct BulkWriter::State {
  explicit State(std::unique_ptr<BulkInsert> opened) : insert(std::move(opened)) {}

  Status Add(const std::vector<Parameter>& parameters) {
    WR_RETURN_IF_ERROR(BindParameters(parameters, insert->markers(), values));
    WR_RETURN_IF_ERROR(insert->Add(0, values, insert->NextTimestamp()));
    ++added;
    if (insert->full()) WR_RETURN_IF_ERROR(Store());
    return OkStatus();
  }

  Status Store() {
    WR_RETURN_IF_ERROR(insert->Store({}));
    stored = added;
    return OkStatus();
  }

  const std::unique_ptr<BulkInsert> insert;
  std::vector<BoundValue> values;  // Values of the row being added; the memory is reused.
  uint64_t calls = 0, added = 0, stored = 0;
};

BulkWriter::BulkWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
BulkWriter::~BulkWriter() = default;

Expected<std::unique_ptr<BulkWriter>> BulkWriter::Open(Database& database, std::string_view table,
                                                       const std::vector<std::string>& columns,
                                                       BulkWriterOptions options) {
  if (options.memory_bytes < kMemoryBytesMin) return ToFailure(InvalidError("memory_bytes must be at least 1 MiB"), {});
  const std::string text = InsertText(table, columns);
  Result<PreparedPtr> prepared = database.engine().Prepare(text, database.keyspace());
  if (!prepared.ok()) return ToFailure(prepared.error(), text);
  Result<std::unique_ptr<BulkInsert>> insert =
      database.engine().OpenBulkInsert(*prepared, {.memory_bytes = options.memory_bytes}, {});
  if (!insert.ok()) return ToFailure(insert.error(), text);
  return std::unique_ptr<BulkWriter>(new BulkWriter(std::make_unique<State>(std::move(*insert))));
}

Expected<uint64_t> BulkWriter::Add(const std::vector<Parameter>& values) {
  ++state_->calls;
  const Status added = state_->Add(values);
  if (added.ok()) return state_->added;
  Error error = added.error();
  error.message = "row " + std::to_string(state_->calls) + ": " + error.message;
  error.range.reset();  // The range refers to InsertText, not to a text of the caller.
  return ToFailure(error, {});
}

Expected<uint64_t> BulkWriter::Finish() {
  const Status stored = state_->Store();
  if (!stored.ok()) return ToFailure(stored.error(), {});
  return state_->stored;
}

}  // namespace widerow
