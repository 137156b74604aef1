#include "widerow/blob.h"

#include <algorithm>

#include "embedded/failure.h"
#include "embedded/parameters.h"
#include "exec/engine/blob_read.h"
#include "exec/engine/blob_write.h"
#include "exec/engine/engine.h"

namespace widerow {

struct BlobWriter::State {
  std::unique_ptr<BlobWrite> write;
  bool failed = false;
};

BlobWriter::BlobWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
BlobWriter::~BlobWriter() = default;

Expected<std::unique_ptr<BlobWriter>> BlobWriter::Open(Database& database, std::string_view cql,
                                                       const std::vector<Parameter>& parameters) {
  const auto open = [&]() -> Result<std::unique_ptr<BlobWrite>> {
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, database.engine().Prepare(cql, database.keyspace()));
    RequestParameters request{.keyspace = database.keyspace()};
    WR_RETURN_IF_ERROR(BindParameters(parameters, prepared->plan->markers, request.values));
    return database.engine().WriteBlob(prepared, request);
  };
  Result<std::unique_ptr<BlobWrite>> write = open();
  if (!write.ok()) return ToFailure(write.error(), cql);
  auto state = std::make_unique<State>();
  state->write = std::move(*write);
  return std::unique_ptr<BlobWriter>(new BlobWriter(std::move(state)));
}

Expected<uint64_t> BlobWriter::Write(std::string_view bytes) {
  if (state_->failed) return ToFailure(InvalidError("An earlier part of the value was not written"), {});
  if (const Status written = state_->write->Append(bytes); !written.ok()) {
    state_->failed = true;
    return ToFailure(written.error(), {});
  }
  return state_->write->bytes();
}

Expected<uint64_t> BlobWriter::Finish() {
  if (std::exchange(state_->failed, true)) {
    return ToFailure(InvalidError("A part of the value was not written, or Finish was called before"), {});
  }
  const Result<Outcome> outcome = state_->write->Finish();
  if (!outcome.ok()) {
    Error error = outcome.error();
    error.range.reset();
    return ToFailure(error, {});
  }
  return state_->write->bytes();
}

struct BlobReader::State {
  std::unique_ptr<BlobRead> read;
  std::string part;  // The bytes of the last part; its memory is reused.
};

BlobReader::BlobReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
BlobReader::~BlobReader() = default;

Expected<std::unique_ptr<BlobReader>> BlobReader::Open(Database& database, std::string_view cql,
                                                       const std::vector<Parameter>& parameters) {
  const auto open = [&]() -> Result<std::unique_ptr<BlobRead>> {
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, database.engine().Prepare(cql, database.keyspace()));
    RequestParameters request{.keyspace = database.keyspace()};
    WR_RETURN_IF_ERROR(BindParameters(parameters, prepared->plan->markers, request.values));
    return database.engine().OpenBlob(*prepared, request);
  };
  Result<std::unique_ptr<BlobRead>> read = open();
  if (!read.ok()) return ToFailure(read.error(), cql);
  if (*read == nullptr) return std::unique_ptr<BlobReader>();
  auto state = std::make_unique<State>();
  state->read = std::move(*read);
  return std::unique_ptr<BlobReader>(new BlobReader(std::move(state)));
}

uint64_t BlobReader::size() const { return state_->read->bytes(); }

Expected<size_t> BlobReader::Read(uint64_t offset, char* to, size_t count) {
  constexpr size_t kPart = 1u << 20;
  size_t done = 0;
  while (done < count && offset + done < size()) {
    state_->part.clear();
    const Status read = state_->read->Read(offset + done, std::min(kPart, count - done), state_->part);
    if (!read.ok()) return ToFailure(read.error(), {});
    std::copy(state_->part.begin(), state_->part.end(), to + done);
    done += state_->part.size();
  }
  return done;
}

}  // namespace widerow
