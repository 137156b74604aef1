#include "imports.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "shell/copy.h"
#include "shell/import_checkpoint.h"

namespace widerow::powercut {
namespace {

namespace fs = std::filesystem;

constexpr int32_t kRows = 150, kRowsStored = 40;
constexpr uint32_t kBodyBytesMax = 3'000;
constexpr std::string_view kProgressStart = "import-";

int64_t IdOf(uint64_t number, int32_t c) { return static_cast<int64_t>(number) * 1'000'000 + c; }

std::string ImportBody(WorkloadShape shape, int64_t id) {
  shape.body_bytes_max = kBodyBytesMax;
  return BodyOf(shape, -id);
}

// Writes the CSV file if it does not exist. It must not be written again, because an import continues only with a file
// that has not changed. If the disk is full or broken, this fails with the system's error.
std::error_code MakeCsv(const WorkloadShape& shape, uint64_t number, const fs::path& csv) {
  std::error_code error;
  if (fs::exists(csv, error)) return {};
  const fs::path fresh = csv.string() + ".new";
  errno = 0;
  std::ofstream out(fresh, std::ios::binary);
  for (int32_t c = 1; c <= kRows; ++c) {
    const int64_t id = IdOf(number, c);
    out << number << ',' << c << ',' << id << ",0x";
    for (const char byte : ImportBody(shape, id)) {
      constexpr const char* kDigits = "0123456789abcdef";
      out << kDigits[static_cast<uint8_t>(byte) >> 4] << kDigits[static_cast<uint8_t>(byte) & 15];
    }
    out << '\n';
  }
  out.close();
  if (out.fail()) return {errno == 0 ? EIO : errno, std::generic_category()};
  fs::rename(fresh, csv, error);
  return error;
}

}  // namespace

Expected<ResultSet> RunImport(Database& database, const WorkloadShape& shape, const fs::path& data, uint64_t number) {
  auto made = database.Execute(kImportTable);
  if (!made.ok()) return made;
  const fs::path csv = data.string() + ".csv-" + std::to_string(number);
  if (const std::error_code error = MakeCsv(shape, number, csv)) {
    return Failure{.message = "the rows to import cannot be written: " + csv.string() + ": " + error.message()};
  }
  CopyCommand command{.keyspace = "p", .table = "imported", .columns = {"n", "c", "op", "body"}, .file = csv};
  command.workers = 2;
  command.chunk_rows = 10;
  command.max_errors = 0;
  command.store_rows = kRowsStored;
  command.resume = true;
  command.progress_file = data / (std::string(kProgressStart) + std::to_string(number));
  const std::unique_ptr<Session> session = MakeLocalSession(database.engine(), "here");
  std::istringstream in;
  std::ostringstream out;
  const Status copied =
      RunCopyFrom(command, {.session = *session, .in = in, .out = out, .messages = out, .terminal = out});
  if (!copied.ok()) return Failure{.message = copied.error().message};
  std::error_code ignored;  // The file is removed only to free space, so an error does not matter.
  fs::remove(csv, ignored);
  return made;
}

std::string ReadImports(Database& database, const WorkloadShape& shape, const fs::path& data, Imported& imported) {
  auto result = database.Execute("SELECT n, c, op, body FROM p.imported");
  if (!result.ok()) return IsAbsence(result.error()) ? "" : "reading p.imported: " + result.error().message;
  ResultSet& set = result.value();
  while (set.Next()) {
    const Row& row = set.row();
    const auto number = static_cast<uint64_t>(row.Get<int64_t>("n"));
    const auto c = row.Get<int32_t>("c");
    const int64_t id = IdOf(number, c);
    const bool whole = !row.IsNull("op") && row.Get<int64_t>("op") == id && !row.IsNull("body") &&
                       row.Raw(row.Index("body")) == ImportBody(shape, id);
    if (!whole)
      return "row " + std::to_string(c) + " of import " + std::to_string(number) + " is not what was imported";
    if (!imported.rows[number].insert(c).second) return "row " + std::to_string(c) + " of an import twice";
  }
  if (set.failure()) return "reading p.imported: " + set.failure()->message;
  // A process whose calls fail cannot always open the directory; then the progress is not compared.
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(data, unreadable)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kProgressStart) || name.ends_with(".new")) continue;
    const auto checkpoint = ReadCheckpoint(entry.path());
    if (!checkpoint.ok()) return checkpoint.error().message;
    imported.done[std::stoull(name.substr(kProgressStart.size()))] = checkpoint.value()->rows;
  }
  return {};
}

void ImportHistory::Take(const Mark& mark) {
  if (mark.kind == Mark::kBegun) begun_ = mark.number;
  if (mark.kind == Mark::kAnswered) answered_ = mark.number;
}

std::string ImportHistory::Contradiction(const Imported& imported) const {
  for (const auto& each : imported.rows) {
    if (each.first > begun_) return "rows of import " + std::to_string(each.first) + ", which had not begun";
  }
  const auto missing = [&](uint64_t number, uint64_t rows) -> std::string {
    const auto found = imported.rows.find(number);
    for (int32_t c = 1; c <= static_cast<int32_t>(rows); ++c) {
      if (found == imported.rows.end() || !found->second.contains(c))
        return "row " + std::to_string(c) + " of import " + std::to_string(number) + " is lost";
    }
    return {};
  };
  for (uint64_t number = 1; number <= answered_; ++number) {
    if (std::string wrong = missing(number, kRows); !wrong.empty()) return wrong + ", which was answered";
  }
  for (const auto& [number, rows] : imported.done) {
    if (std::string wrong = missing(number, rows); !wrong.empty())
      return wrong + ", whose progress file says " + std::to_string(rows);
  }
  return {};
}

}  // namespace widerow::powercut
