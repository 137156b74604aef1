// A part is binary: first a checksum, then the fields of RecordsPart or LogPart (net/http/backup_parts.h).
#include "net/http/backup_handler.h"

#include <charconv>

#include "base/limits.h"
#include "exec/session/backup_registry.h"
#include "net/http/backup_parts.h"
#include "net/http/error_reply.h"
#include "net/text/json_slice.h"
#include "net/text/url_query.h"

namespace widerow {
namespace {

bool ParseNumber(std::string_view text, uint64_t& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

Result<std::optional<BackupPlace>> PlaceOf(std::string_view body) {
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::optional<BackupPlace>();
  WR_RETURN_IF_ERROR(CheckJson(body, limits::kNestingMax));
  if (KindOf(body.substr(body.find_first_not_of(" \t\r\n"))) != JsonKind::kObject) {
    return InvalidError("the request body must be empty or a JSON object");
  }
  BackupPlace place;
  bool has_history = false, has_sequence = false;
  for (const JsonMember& member : SplitJsonObject(body)) {
    if (member.name == "history" && KindOf(member.value) == JsonKind::kString) {
      const std::optional<Uuid> history = Uuid::FromString(DecodeJsonString(member.value));
      has_history = history.has_value();
      place.history = history.value_or(Uuid());
    } else if (member.name == "sequence") {
      has_sequence = ParseNumber(member.value, place.sequence);
    } else if (uint64_t micros = 0; member.name == "micros" && ParseNumber(member.value, micros)) {
      place.micros = static_cast<int64_t>(micros);
    } else {
      return InvalidError("unknown field \"" + member.name + "\" in the request body",
                          "the fields are history, sequence and micros");
    }
  }
  if (!has_history && !has_sequence) return std::optional<BackupPlace>();
  if (has_history && has_sequence) return std::optional<BackupPlace>(place);
  return InvalidError("history must be a uuid, and sequence a whole number; one needs the other");
}

HttpReply PartReply(std::string body) { return {.content_type = "application/octet-stream", .body = std::move(body)}; }

template <typename Part>
HttpReply ReplyOf(const Result<Part>& part) {
  return part.ok() ? PartReply(EncodePart(*part)) : ErrorReply(part.error(), {});
}

// The parameters of a URL, by name.
class BackupParameters {
 public:
  explicit BackupParameters(std::string_view query) : all_(ParseUrlQuery(query)) {}
  bool Text(std::string_view name, std::string& out) const {
    if (!all_) return false;
    for (const auto& [own, value] : *all_) {
      if (own == name) return out = value, true;
    }
    return false;
  }
  bool Number(std::string_view name, uint64_t& out) const {
    std::string text;
    return Text(name, text) && ParseNumber(text, out);
  }

 private:
  std::optional<std::vector<std::pair<std::string, std::string>>> all_;
};

HttpReply AnswerRecords(OpenBackup& backup, const BackupParameters& parameters) {
  std::string database, hex;
  Bytes after;
  const bool good = parameters.Text("database", database) && (database == "data" || database == "meta") &&
                    parameters.Text("after", hex) && FromHex(hex, after);
  if (!good) return HttpErrorReply(400, "records takes ?database=data&after=HEX or ?database=meta&after=HEX");
  return ReplyOf(backup.ReadRecords(database == "meta", after));
}

HttpReply AnswerLog(OpenBackup& backup, const BackupParameters& parameters) {
  uint64_t sequence = 0, offset = 0;
  if (!parameters.Number("sequence", sequence) || !parameters.Number("offset", offset)) {
    return HttpErrorReply(400, "log takes ?sequence=N&offset=N");
  }
  return ReplyOf(backup.ReadLog(sequence, offset));
}

}  // namespace

HttpReply AnswerBeginBackup(Engine& engine, const HttpRequest& request) {
  const Result<std::optional<BackupPlace>> place = PlaceOf(request.body);
  if (!place.ok()) return ErrorReply(place.error(), {});
  const Result<OpenBackupPtr> backup = engine.BeginBackup(*place, {.connection = request.connection});
  if (!backup.ok()) return ErrorReply(backup.error(), {});
  return {.body = EncodeFacts((*backup)->id(), (*backup)->facts())};
}

HttpReply AnswerBackup(Engine& engine, std::string_view rest, std::string_view query, const HttpRequest& request) {
  const std::string_view id = rest.substr(0, rest.find('/'));
  const std::string_view what = rest.substr(std::min(rest.size(), id.size() + 1));
  const std::optional<Uuid> uuid = Uuid::FromString(id);
  const Result<OpenBackupPtr> found = engine.FindBackup(uuid.value_or(Uuid()), {.connection = request.connection});
  if (!found.ok()) return ErrorReply(found.error(), {});
  const BackupParameters parameters(query);
  if (request.method == "DELETE" && what.empty()) {
    uint64_t through = 0;
    if (parameters.Number("through", through)) {
      const Status finished = (*found)->Finished(through);
      if (!finished.ok()) return ErrorReply(finished.error(), {});
    }
    engine.backups().Remove(*uuid);
    return {.body = "{}\n"};
  }
  if (request.method == "GET" && what.empty()) {
    const Status touched = (*found)->Touch();
    return touched.ok() ? HttpReply{.body = "{}\n"} : ErrorReply(touched.error(), {});
  }
  if (request.method == "GET" && what == "records") return AnswerRecords(**found, parameters);
  if (request.method == "GET" && what == "log") return AnswerLog(**found, parameters);
  return HttpErrorReply(404, "there is nothing at this path of a backup",
                        "GET /v1/backups/ID, its /records and /log, and DELETE /v1/backups/ID");
}

}  // namespace widerow
