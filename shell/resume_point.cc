#include "shell/resume_point.h"

#include <ostream>

#include "types/text_form.h"

namespace widerow {
namespace {

constexpr auto kSaveInterval = std::chrono::seconds(5);

std::string QuotedName(const TableSchema& table) {
  return QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name);
}

// A digest of the settings that decide how the file is split into records and how a record becomes a row.
std::string StatementDigest(const CopyCommand& command, const CopyMapping& mapping) {
  std::string text = mapping.Statement() + '\0' + command.null_text + '\0';
  for (const CopySlot& slot : mapping.slots) text += std::to_string(slot.field) + slot.name + '\0';
  text += {command.csv.delimiter, command.csv.quote, command.csv.escape.value_or('\0'), command.header ? 'h' : '-'};
  return DigestOfText(text + std::to_string(command.skip_rows) + " " + std::to_string(mapping.field_count));
}

Result<RowsPage> Select(Session& session, const std::string& text) {
  WR_ASSIGN_OR_RETURN(Outcome outcome, session.Execute({.text = text}));
  return std::get<RowsPage>(std::move(outcome.result));
}

}  // namespace

ResumePoint::ResumePoint(const CopyCommand& command, const CopyEnvironment& environment)
    : command_(command),
      environment_(environment),
      file_(command.progress_file.empty() ? command.file + ".progress" : command.progress_file) {}

Status ResumePoint::Open(const ImportSource& source, const CopyMapping& mapping, const TableSchema& table) {
  keeps_ = source.regular() && !mapping.adds;
  saved_ = std::chrono::steady_clock::now();
  if (!keeps_) {
    if (!command_.resume) return OkStatus();
    if (mapping.adds) {
      return InvalidError("RESUME is not supported for tables of counters",
                          "rows read again would be added again: TRUNCATE the table and import the whole file");
    }
    return InvalidError("RESUME needs a regular file: STDIN and pipes cannot be read again");
  }
  WR_RETURN_IF_ERROR(Identify(source, mapping, table));
  return command_.resume ? Find(table) : Forget();
}

Status ResumePoint::Identify(const ImportSource& source, const CopyMapping& mapping, const TableSchema& table) {
  const auto text = [](const std::string& name) { return FormatLiteral(*ScalarType(TypeKind::kText), name); };
  WR_ASSIGN_OR_RETURN(const RowsPage id,
                      Select(environment_.session, "SELECT id FROM system_schema.tables WHERE keyspace_name = " +
                                                       text(table.keyspace) + " AND table_name = " + text(table.name)));
  identity_ = {.table = QuotedName(table),
               .table_id = DigestOfText(id.body),
               .statement = StatementDigest(command_, mapping),
               .file_bytes = source.size(),
               .modified_nanos = source.modified_nanos()};
  return OkStatus();
}

Status ResumePoint::Find(const TableSchema& table) {
  WR_ASSIGN_OR_RETURN(found_, ReadCheckpoint(file_));
  if (!found_) {
    environment_.messages << "No import to resume: " << file_ << " does not exist. Starting at the beginning"
                          << std::endl;
    return OkStatus();
  }
  WR_RETURN_IF_ERROR(CheckResumable(*found_, identity_, command_.file));
  if (found_->rows_in > 0) {
    WR_ASSIGN_OR_RETURN(const RowsPage row,
                        Select(environment_.session, "SELECT * FROM " + QuotedName(table) + " LIMIT 1"));
    if (row.row_count == 0) {
      return InvalidError("The import that stopped after row " + std::to_string(found_->rows) + " had put " +
                              std::to_string(found_->rows_in) + " rows into " + QuotedName(table) +
                              ", which is empty now",
                          "without RESUME the import starts at the beginning");
    }
  }
  environment_.messages << "Continuing after row " << found_->rows << " (line " << found_->line << "); "
                        << found_->rows_in << (found_->rows_in == 1 ? " row is" : " rows are") << " in" << std::endl;
  return OkStatus();
}

// Removes the checkpoint of an earlier import. Otherwise, if this run were killed before its first Save, RESUME would
// continue from that checkpoint.
Status ResumePoint::Forget() {
  const Result<std::optional<ImportCheckpoint>> earlier = ReadCheckpoint(file_);
  if (!earlier.ok() || !earlier.value()) return OkStatus();
  environment_.messages << "An earlier import stopped after row " << earlier.value()->rows
                        << " (RESUME=TRUE would continue there); this one starts at the beginning" << std::endl;
  return RemoveCheckpoint(file_);
}

void ResumePoint::Save(const Place& place, uint64_t rows_in, BadRows& bad) {
  if (!keeps_) return;
  ImportCheckpoint checkpoint{.identity = identity_,
                              .rows = place.rows,
                              .bytes = place.bytes,
                              .line = place.line,
                              .rows_in = rows_in_before() + rows_in,
                              .bad_rows = bad.count(),
                              .first_bad = bad.first()};
  const auto save = [&]() -> Status {
    WR_ASSIGN_OR_RETURN(checkpoint.digest, DigestOfSource(command_.file, place.bytes));
    WR_ASSIGN_OR_RETURN(checkpoint.error_file_bytes, bad.Sync());
    return WriteCheckpoint(file_, checkpoint);
  };
  saved_ = std::chrono::steady_clock::now();
  if (const Status saved = save(); !saved.ok()) {
    environment_.messages << saved.error().message << "; if this import stops, RESUME cannot go on here" << std::endl;
    keeps_ = false;
  }
}

bool ResumePoint::due() const { return keeps_ && std::chrono::steady_clock::now() - saved_ >= kSaveInterval; }

Status ResumePoint::Complete() {
  if (command_.file.empty() || (!keeps_ && !found_)) return OkStatus();
  return RemoveCheckpoint(file_);
}

}  // namespace widerow
