// Importer::Run reads CSV records in this thread and gives them to ImportWorkers. In a data directory the workers'
// sinks are lanes of one bulk load, which gathers rows until StoreGathered stores them; on a server each worker has a
// session and sends batches (RowLoader). From time to time, all rows read so far are stored and the progress is saved
// (ResumePoint), so that a stopped import can continue. `behind_` is the place up to which rows have been read.
// `first_not_stored_` is the first row that a bulk load has not stored yet.
#include <algorithm>
#include <cstring>
#include <ostream>

#include "base/text.h"
#include "shell/bulk_sink.h"
#include "shell/copy.h"
#include "shell/import_source.h"
#include "shell/import_workers.h"
#include "shell/interrupt.h"
#include "shell/progress.h"
#include "shell/resume_point.h"
#include "shell/row_loader.h"

namespace widerow {
namespace {

std::string Rows(uint64_t count) { return std::to_string(count) + (count == 1 ? " row" : " rows"); }

// The approximate share of reading in the time of a bulk load; the rest is storing.
constexpr double kReadingShare = 0.6;

// Removes the range from an error about the statement of the mapping, because it is no range of the user's text.
template <typename T>
Result<T> WithoutRange(Result<T> result) {
  if (result.ok()) return result;
  Error error = std::move(result).error();
  error.range.reset();
  return error;
}

class Importer {
 public:
  Importer(const CopyCommand& command, const CopyEnvironment& environment)
      : command_(command),
        environment_(environment),
        progress_(environment.terminal, environment.show_progress),
        resume_(command, environment) {
    first_not_stored_.number = command.skip_rows + 1;
  }

  Status Run() {
    WR_RETURN_IF_ERROR(source_.Open(command_.file, environment_.in, command_.csv));
    reader_.emplace([this](char* to, size_t size) { return source_.Read(to, size); }, command_.csv);
    std::vector<std::string> header;
    std::string header_line;
    if (command_.header) WR_RETURN_IF_ERROR(ReadHeader(*reader_, header, header_line));
    WR_ASSIGN_OR_RETURN(const TablePtr table, MapColumns(header));
    bad_.emplace(ErrorFile(), command_.csv, header_line, command_.max_errors);
    WR_RETURN_IF_ERROR(StartWorkers());
    WR_RETURN_IF_ERROR(resume_.Open(source_, mapping_, *table));
    WR_RETURN_IF_ERROR(GoToBegin());
    const Status read = ReadRows(*reader_);
    const Status sent = workers_->Finish();
    const Status stored = StoreGathered(workers_->FirstOpenRow(next_));
    const bool all_in = read.ok() && sent.ok() && stored.ok();
    // Each row that was read must be stored or reported as bad.
    if (all_in) WR_CHECK(counters_.rows_in + bad_->count() - bad_before_ == rows_read_);
    if (all_in && Interrupted()) resume_.Save(behind_, rows_in(), *bad_);
    const Status closed = bad_->Close();
    for (const Status* status : {&stored, &sent, &read, &closed}) {
      if (!status->ok()) return Stopped(status->error());
    }
    if (Interrupted()) return Stopped(ServerError("Interrupted"));
    Summarize();
    return resume_.Complete();
  }

 private:
  std::string ErrorFile() const {
    if (!command_.error_file.empty()) return command_.error_file;
    return (command_.file.empty() ? command_.table : command_.file) + ".err";
  }

  Status ReadHeader(CsvReader& reader, std::vector<std::string>& header, std::string& header_line) {
    CsvRecord record;
    const CsvReader::Found found = reader.Next(record);
    if (source_.failure() != 0) return ReadFailure();
    if (found == CsvReader::Found::kEnd) return InvalidError("The file is empty: there is no header line");
    if (found == CsvReader::Found::kBroken) return InvalidError("The header line is broken: " + reader.reason());
    for (const CsvField& field : record.fields) header.emplace_back(field.text);
    header_line = record.raw;
    return OkStatus();
  }

  Error ReadFailure() const {
    return ServerError("Cannot read " + command_.file + ": " + std::strerror(source_.failure()));
  }

  Result<TablePtr> MapColumns(const std::vector<std::string>& header) {
    const std::string& keyspace = command_.keyspace.empty() ? environment_.keyspace : command_.keyspace;
    if (keyspace.empty()) {
      return InvalidError("No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
    }
    WR_ASSIGN_OR_RETURN(schema_, environment_.session.Schema());
    const TablePtr table = schema_->FindTable(keyspace, command_.table);
    if (table == nullptr) return InvalidError(StrCat("Table ", keyspace, ".", command_.table, " does not exist"));
    WR_ASSIGN_OR_RETURN(mapping_, MapCopyColumns(command_, *table, *schema_, header));
    return table;
  }

  // If there is a checkpoint, continues at its place. The rows that SKIPROWS leaves out are skipped later, by ReadRows.
  Status GoToBegin() {
    if (const ImportCheckpoint* const found = resume_.found()) {
      WR_RETURN_IF_ERROR(source_.SkipTo(found->bytes));
      reader_.emplace([this](char* to, size_t size) { return source_.Read(to, size); }, command_.csv,
                      CsvReader::kRecordBytesMax, CsvReader::Start{found->bytes, found->line});
      WR_RETURN_IF_ERROR(bad_->GoOn(found->bad_rows, found->error_file_bytes, found->first_bad));
      bad_before_ = found->bad_rows;
      next_ = first_not_stored_ = {.number = found->rows, .line = found->line};
      ++first_not_stored_.number;
      rows_read_by_others_ = found->rows - std::min(found->rows, command_.skip_rows);
    }
    bytes_begun_at_ = bytes_stored_before_ = stored_bytes_ = static_cast<double>(reader_->bytes_read());
    behind_ = {.rows = next_.number, .bytes = reader_->bytes_read(), .line = reader_->line()};
    return OkStatus();
  }

  Status StartWorkers() {
    WR_RETURN_IF_ERROR(CheckStatement());
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const size_t count = command_.workers == 0 ? cores : command_.workers;
    if (!mapping_.adds) {
      WR_ASSIGN_OR_RETURN(bulk_, WithoutRange(environment_.session.OpenBulk(mapping_.Statement(), count)));
    }
    if (bulk_ != nullptr && mapping_.allows_statics_alone) {
      const std::string statement = mapping_.OfPartition().Statement();
      WR_ASSIGN_OR_RETURN(bulk_statics_, WithoutRange(environment_.session.OpenBulk(statement, count)));
    }
    std::vector<std::unique_ptr<RowSink>> sinks;
    for (size_t i = 0; i < count; ++i) {
      if (bulk_ != nullptr) {
        sinks.push_back(
            std::make_unique<BulkSink>(*bulk_, bulk_statics_.get(), i, mapping_, command_, *bad_, counters_));
        continue;
      }
      WR_ASSIGN_OR_RETURN(std::unique_ptr<Session> session, environment_.session.Connect());
      sinks.push_back(std::make_unique<RowLoader>(std::move(session), mapping_, command_, *bad_, counters_));
    }
    std::unique_ptr<RowKeys> keys;
    if (bulk_ == nullptr) {
      WR_ASSIGN_OR_RETURN(RowKeys made, WithoutRange(RowKeys::Make(mapping_, command_, *schema_)));
      keys = std::make_unique<RowKeys>(std::move(made));
    }
    workers_.emplace(std::move(sinks), std::move(keys), command_.chunk_rows);
    return OkStatus();
  }

  // Checks the statement once, so that an error in a computed column is not reported for every row.
  Status CheckStatement() {
    if (command_.computed.empty()) return OkStatus();
    const Result<Outcome> outcome =
        WithoutRange(environment_.session.Execute({.text = "EXPLAIN " + mapping_.Statement()}));
    return outcome.ok() ? OkStatus() : Status(outcome.error());
  }

  Status ReadRows(CsvReader& reader) {
    CsvRecord record;
    while (!Interrupted() && !workers_->failed() && rows_read_by_others_ + rows_read_ < command_.max_rows) {
      const CsvReader::Found found = reader.Next(record);
      if (source_.failure() != 0) return ReadFailure();
      if (found == CsvReader::Found::kEnd || Interrupted()) break;
      ++next_.number;
      next_.line = record.line;
      if (next_.number <= command_.skip_rows) continue;
      ++rows_read_;
      if (found == CsvReader::Found::kBroken) {
        WR_RETURN_IF_ERROR(bad_->Add({.line = record.line, .reason = reader.reason(), .raw = record.raw}));
      } else if (!AddRow(record)) {
        break;
      }
      behind_ = {.rows = next_.number, .bytes = reader.bytes_read(), .line = reader.line()};
      const bool store = rows_read_ - rows_read_before_ >= command_.store_rows;
      if (rows_read_ % 256 != 0 && !store) continue;
      Draw();
      if (store || (bulk_ != nullptr ? IsBulkFull() : resume_.due())) WR_RETURN_IF_ERROR(StoreWhileReading());
    }
    ++next_.number;
    return OkStatus();
  }

  bool IsBulkFull() const { return bulk_->full() || (bulk_statics_ != nullptr && bulk_statics_->full()); }

  // Returns false if a worker has failed.
  bool AddRow(const CsvRecord& record) {
    const int64_t timestamp = bulk_ == nullptr ? 0 : bulk_->NextTimestamp();
    while (!workers_->Add(record, next_.number, timestamp)) {
      if (workers_->failed()) {
        --next_.number;  // No worker has taken the row.
        return false;
      }
      Draw();
    }
    return true;
  }

  // Stores the rows that have been read so far, and saves the progress.
  Status StoreWhileReading() {
    while (!workers_->failed() && !workers_->Drain()) Draw();
    if (workers_->failed()) return OkStatus();
    WR_RETURN_IF_ERROR(StoreGathered({.number = next_.number + 1}));
    rows_read_before_ = rows_read_;
    resume_.Save(behind_, rows_in(), *bad_);
    if (bulk_ == nullptr) return OkStatus();
    environment_.messages << Rows(AllRowsIn()) << " in so far; SKIPROWS=" << next_.number << " continues after them"
                          << std::endl;
    return OkStatus();
  }

  // Stores the rows that the bulk load has gathered. No worker may be busy; `next` is the first row that has not been
  // gathered.
  Status StoreGathered(ImportWorkers::Place next) {
    if (bulk_ == nullptr) return OkStatus();
    Status stored = bulk_->Store([this](double fraction) {
      stored_bytes_ = bytes_stored_before_ + fraction * (static_cast<double>(behind_.bytes) - bytes_stored_before_);
      Draw();
    });
    if (!stored.ok()) return stored;
    if (bulk_statics_ != nullptr) WR_RETURN_IF_ERROR(bulk_statics_->Store({}));
    bytes_stored_before_ = static_cast<double>(behind_.bytes);
    rows_stored_ = counters_.rows_in;
    first_not_stored_ = next;
    return OkStatus();
  }

  // Returns the number of rows of this run that are in the table.
  uint64_t rows_in() const { return bulk_ != nullptr ? rows_stored_ : counters_.rows_in.load(); }

  uint64_t AllRowsIn() const { return resume_.rows_in_before() + rows_in(); }

  void Draw() {
    const double size = static_cast<double>(source_.size());
    const double read = static_cast<double>(behind_.bytes) / size;
    const double done = bulk_ == nullptr ? read : read * kReadingShare + stored_bytes_ / size * (1 - kReadingShare);
    progress_.Update({.fraction = size == 0 ? -1 : done,
                      .begun_at = size == 0 ? 0 : bytes_begun_at_ / size,
                      .rows = counters_.rows_in,
                      .bad = bad_->count()});
  }

  // Returns the options with which an import continues after row `number`.
  std::string WayOn(uint64_t number) const {
    return (resume_.keeps() ? "RESUME=TRUE or " : "") + ("SKIPROWS=" + std::to_string(number));
  }

  std::string BadText() const {
    if (bad_->count() == 0) return "";
    return StrCat(", ", bad_->count(), bad_->count() == 1 ? " bad row → " : " bad rows → ", bad_->file(),
                  " (first: ", bad_->first(), ")");
  }

  Error Stopped(Error error) const {
    const ImportWorkers::Place place = bulk_ != nullptr ? first_not_stored_ : workers_->FirstOpenRow(next_);
    const bool known = place.number != next_.number && place.line != 0;
    const std::string line = known ? " (line " + std::to_string(place.line) + ")" : "";
    error.hint =
        StrCat(error.hint.empty() ? "" : error.hint + "; ", Rows(AllRowsIn()), " ", AllRowsIn() == 1 ? "is" : "are",
               " in", BadText(),
               mapping_.adds ? StrCat("; all before row ", place.number, line,
                                      ", and maybe some after it, which would be added twice: TRUNCATE and start again")
                             : "; continue WITH " + WayOn(place.number - 1) + line);
    return error;
  }

  void Summarize() {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f s", progress_.seconds());
    environment_.messages << Rows(rows_in()) << " imported in " << seconds << " ("
                          << Rate(rows_in(), progress_.seconds()) << ")"
                          << (resume_.found() == nullptr ? "" : ", " + std::to_string(AllRowsIn()) + " in all")
                          << BadText() << "\n";
  }

  const CopyCommand& command_;
  const CopyEnvironment& environment_;
  Progress progress_;
  ResumePoint resume_;
  ImportSource source_;
  std::optional<CsvReader> reader_;
  SchemaPtr schema_;
  CopyMapping mapping_;
  std::optional<BadRows> bad_;
  std::unique_ptr<BulkInsert> bulk_;          // Null: rows are sent through sessions.
  std::unique_ptr<BulkInsert> bulk_statics_;  // Takes records with static columns alone (BulkSink).
  LoaderCounters counters_;
  std::optional<ImportWorkers> workers_;
  uint64_t rows_read_ = 0, rows_read_by_others_ = 0;  // Rows read by this run, and by the runs before it.
  uint64_t bad_before_ = 0;
  // The values of counters_.rows_in (only with bulk_) and of rows_read_ at the last store.
  uint64_t rows_stored_ = 0, rows_read_before_ = 0;
  // Places in the file, in bytes: the end of the last stored row, how far the running Store() has come (an estimate),
  // and where this run began.
  double bytes_stored_before_ = 0, stored_bytes_ = 0, bytes_begun_at_ = 0;
  ResumePoint::Place behind_;  // The place up to which rows have been read.
  ImportWorkers::Place first_not_stored_;
  ImportWorkers::Place next_;  // While reading: the current row; afterwards: the row after the last.
};

}  // namespace

Status RunCopyFrom(const CopyCommand& command, const CopyEnvironment& environment) {
  return Importer(command, environment).Run();
}

}  // namespace widerow
