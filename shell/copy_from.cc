#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <istream>
#include <ostream>

#include "shell/copy.h"
#include "shell/import_workers.h"
#include "shell/interrupt.h"
#include "shell/progress.h"

namespace widerow {
namespace {

std::string Rows(uint64_t count) { return std::to_string(count) + (count == 1 ? " row" : " rows"); }

// The bytes of a file, or of STDIN up to a line with \. alone.
class ImportSource {
 public:
  ~ImportSource() {
    if (file_ >= 0) ::close(file_);
  }

  Status Open(const std::string& path, std::istream& in) {
    in_ = &in;
    if (path.empty()) return OkStatus();
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info = {};
    if (file_ < 0 || ::fstat(file_, &info) != 0)
      return ServerError("Cannot read " + path + ": " + std::strerror(errno));
    if (S_ISDIR(info.st_mode)) return ServerError("Cannot read " + path + ": it is a directory");
    if (S_ISREG(info.st_mode)) size_ = static_cast<uint64_t>(info.st_size);
    return OkStatus();
  }

  size_t Read(char* to, size_t size) { return file_ >= 0 ? ReadFile(to, size) : ReadLines(to, size); }
  uint64_t size() const { return size_; }   // 0: not known.
  int failure() const { return failure_; }  // errno.

 private:
  size_t ReadFile(char* to, size_t size) {
    while (true) {
      const ssize_t got = ::read(file_, to, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) failure_ = errno;
      if (errno != EINTR || Interrupted()) return 0;
    }
  }

  size_t ReadLines(char* to, size_t size) {
    if (rest_.empty() && !ended_) {
      ended_ = !std::getline(*in_, rest_) || rest_ == "\\." || rest_ == "\\.\r";
      if (ended_)
        rest_.clear();
      else
        rest_ += '\n';
    }
    const size_t count = std::min(size, rest_.size());
    std::copy_n(rest_.begin(), count, to);
    rest_.erase(0, count);
    return count;
  }

  int file_ = -1;
  std::istream* in_ = nullptr;
  std::string rest_;
  bool ended_ = false;
  uint64_t size_ = 0;
  int failure_ = 0;
};

class Importer {
 public:
  Importer(const CopyCommand& command, const CopyEnvironment& environment)
      : command_(command), environment_(environment), progress_(environment.terminal, environment.show_progress) {}

  Status Run() {
    WR_RETURN_IF_ERROR(source_.Open(command_.file, environment_.in));
    CsvReader reader([this](char* to, size_t size) { return source_.Read(to, size); }, command_.csv);
    std::vector<std::string> header;
    std::string header_line;
    if (command_.header) WR_RETURN_IF_ERROR(ReadHeader(reader, header, header_line));
    WR_RETURN_IF_ERROR(MapColumns(header));
    bad_.emplace(ErrorFile(), command_.csv, header_line, command_.max_errors);
    WR_RETURN_IF_ERROR(StartWorkers());
    const Status read = ReadRows(reader);
    const Status sent = workers_->Finish();
    const Status closed = bad_->Close();
    for (const Status* status : {&sent, &read, &closed}) {
      if (!status->ok()) return Stopped(status->error());
    }
    WR_CHECK(workers_->rows_in() + bad_->count() == rows_read_);  // No row may be lost between the two.
    if (Interrupted()) return Stopped(ServerError("Interrupted"));
    Summarize();
    return OkStatus();
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

  Status MapColumns(const std::vector<std::string>& header) {
    const std::string& keyspace = command_.keyspace.empty() ? environment_.keyspace : command_.keyspace;
    if (keyspace.empty()) {
      return InvalidError("No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
    }
    WR_ASSIGN_OR_RETURN(const SchemaPtr schema, environment_.session.Schema());
    const TablePtr table = schema->FindTable(keyspace, command_.table);
    if (table == nullptr) return InvalidError("Table " + keyspace + "." + command_.table + " does not exist");
    WR_ASSIGN_OR_RETURN(mapping_, MapCopyColumns(command_, *table, *schema, header));
    return OkStatus();
  }

  Status StartWorkers() {
    WR_RETURN_IF_ERROR(CheckStatement());
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::unique_ptr<Session>> sessions;
    for (unsigned i = 0; i < (command_.workers == 0 ? cores : command_.workers); ++i) {
      WR_ASSIGN_OR_RETURN(sessions.emplace_back(), environment_.session.Connect());
    }
    workers_.emplace(std::move(sessions), mapping_, command_, *bad_);
    return OkStatus();
  }

  // A computed column that the database refuses is told once, not once a row.
  Status CheckStatement() {
    if (command_.computed.empty()) return OkStatus();
    const Result<Outcome> outcome = environment_.session.Execute({.text = "EXPLAIN " + mapping_.InsertText()});
    if (outcome.ok()) return OkStatus();
    Error error = outcome.error();
    error.range.reset();  // It is not the user's text.
    return error;
  }

  Status ReadRows(CsvReader& reader) {
    CsvRecord record;
    while (!Interrupted() && !workers_->failed() && rows_read_ < command_.max_rows) {
      const CsvReader::Found found = reader.Next(record);
      if (source_.failure() != 0) return ReadFailure();
      if (found == CsvReader::Found::kEnd || Interrupted()) break;
      ++next_.number;
      next_.line = record.line;
      if (next_.number <= command_.skip_rows) continue;
      ++rows_read_;
      if (found == CsvReader::Found::kBroken) {
        WR_RETURN_IF_ERROR(bad_->Add({.line = record.line, .reason = reader.reason(), .raw = record.raw}));
      } else if (!AddRow(record, reader)) {
        break;
      }
      if (rows_read_ % 256 == 0) Draw(reader);
    }
    ++next_.number;
    return OkStatus();
  }

  // False if a worker has failed.
  bool AddRow(const CsvRecord& record, const CsvReader& reader) {
    while (!workers_->Add(record, next_.number)) {
      if (workers_->failed()) {
        --next_.number;  // It is not in.
        return false;
      }
      Draw(reader);
    }
    return true;
  }

  void Draw(const CsvReader& reader) {
    const double fraction =
        source_.size() == 0 ? -1 : static_cast<double>(reader.bytes_read()) / static_cast<double>(source_.size());
    progress_.Update({.fraction = fraction, .rows = workers_->rows_in(), .bad = bad_->count()});
  }

  std::string BadText() const {
    if (bad_->count() == 0) return "";
    return ", " + std::to_string(bad_->count()) + (bad_->count() == 1 ? " bad row → " : " bad rows → ") + bad_->file() +
           " (first: " + bad_->first() + ")";
  }

  Error Stopped(Error error) const {
    const ImportWorkers::Place place = workers_->FirstOpenRow(next_);
    const std::string line = place.number == next_.number ? "" : " (line " + std::to_string(place.line) + ")";
    error.hint = (error.hint.empty() ? "" : error.hint + "; ") + Rows(workers_->rows_in()) + " " +
                 (workers_->rows_in() == 1 ? "is" : "are") + " in" + BadText() +
                 "; go on WITH SKIPROWS=" + std::to_string(place.number - 1) + line;
    return error;
  }

  void Summarize() {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f s", progress_.seconds());
    environment_.messages << Rows(workers_->rows_in()) << " imported in " << seconds << " ("
                          << Rate(workers_->rows_in(), progress_.seconds()) << ")" << BadText() << "\n";
  }

  const CopyCommand& command_;
  const CopyEnvironment& environment_;
  Progress progress_;
  ImportSource source_;
  CopyMapping mapping_;
  std::optional<BadRows> bad_;
  std::optional<ImportWorkers> workers_;
  uint64_t rows_read_ = 0;
  ImportWorkers::Place next_;  // While reading: the row being read; then the one after the last.
};

}  // namespace

Status RunCopyFrom(const CopyCommand& command, const CopyEnvironment& environment) {
  return Importer(command, environment).Run();
}

}  // namespace widerow
