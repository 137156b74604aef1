// The manifest is a JSON object. Its last member is the checksum of the text before it.
#include "storage/backup/manifest.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/checksum.h"
#include "base/text.h"
#include "storage/backup/durable_file.h"
#include "types/json_document.h"
#include "types/json_form.h"
#include "types/scalar_text.h"

namespace widerow {
namespace {

constexpr std::string_view kManifestFormat = "widerow-backup";
constexpr uint64_t kManifestVersion = 1;
constexpr std::string_view kChecksumMember = ",\n  \"checksum\": \"";
constexpr std::string_view kTextEnd = "\"\n}\n";

std::string Hex(uint64_t number) {
  Bytes bytes;
  AppendBigEndian(bytes, number);
  return ToHex(bytes);
}

class ObjectText {
 public:
  explicit ObjectText(std::string indent) : indent_(std::move(indent)) {}
  ObjectText& String(std::string_view name, std::string_view value) {
    Begin(name);
    AppendJsonString(value, text_);
    return *this;
  }
  template <typename Number>
  ObjectText& Integer(std::string_view name, Number value) {
    Begin(name);
    text_ += std::to_string(value);
    return *this;
  }
  ObjectText& Raw(std::string_view name, std::string_view json) {
    Begin(name);
    text_ += json;
    return *this;
  }
  std::string Open() && { return std::move(text_); }
  std::string Closed() && { return text_ + "\n" + indent_ + "}"; }

 private:
  void Begin(std::string_view name) {
    text_ += text_.empty() ? "{\n" : ",\n";
    text_ += indent_ + "  ";
    AppendJsonString(name, text_);
    text_ += ": ";
  }
  const std::string indent_;
  std::string text_;
};

void AddFile(const BackupFile& file, ObjectText& out) {
  out.String("file", file.name).Integer("bytes", file.bytes).String("xxh3", Hex(file.checksum));
}

// Reads members of an object. The first member that is missing or wrong makes ok() false.
class ObjectReader {
 public:
  explicit ObjectReader(const JsonValue& object) : object_(object) {}
  bool ok() const { return ok_; }
  const JsonValue* Find(std::string_view name) {
    for (const JsonValue::Member& member : object_.members) {
      if (member.name == name) return &member.value;
    }
    return nullptr;
  }
  std::string String(std::string_view name) {
    const JsonValue* const value = Find(name);
    if (value == nullptr || value->kind != JsonValue::Kind::kString) return Wrong(), std::string();
    return value->text;
  }
  template <typename Number>
  Number Integer(std::string_view name) {
    Number number = 0;
    const JsonValue* const value = Find(name);
    if (value == nullptr || value->kind != JsonValue::Kind::kNumber) return Wrong(), number;
    const char* const end = value->text.data() + value->text.size();
    const auto [at, code] = std::from_chars(value->text.data(), end, number);
    if (code != std::errc() || at != end) Wrong();
    return number;
  }
  Uuid Id(std::string_view name) {
    const std::optional<Uuid> id = Uuid::FromString(String(name));
    if (!id) Wrong();
    return id.value_or(Uuid());
  }
  BackupFile File() {
    BackupFile file{.name = String("file"), .bytes = Integer<uint64_t>("bytes")};
    Bytes checksum;
    if (!FromHex(String("xxh3"), checksum) || checksum.size() != sizeof file.checksum) return Wrong(), file;
    file.checksum = ReadBigEndian<uint64_t>(checksum.data());
    if (file.name.empty() || file.name.find('/') != std::string::npos) Wrong();
    return file;
  }
  void Wrong() { ok_ = false; }

 private:
  const JsonValue& object_;
  bool ok_ = true;
};

Error Damaged(const std::filesystem::path& path) {
  return ServerError("The manifest of the backup is damaged: '" + path.string() + "'",
                     "use another backup; this one cannot be trusted");
}

}  // namespace

int64_t Manifest::through_micros() const {
  for (auto log = logs.rbegin(); log != logs.rend(); ++log) {
    if (log->last_micros != 0) return log->last_micros;
  }
  return base_micros;
}

std::string MomentText(int64_t micros) {
  Bytes millis;
  AppendBigEndian(millis, micros / 1'000);
  std::string text = TimestampIsoText(millis, 'T');
  char digits[8];
  std::snprintf(digits, sizeof digits, "%03d", static_cast<int>(micros % 1'000));
  const size_t zone = text.find_last_of('Z');
  return zone == std::string::npos ? text : text.insert(zone, digits);
}

std::string EncodeManifest(const Manifest& manifest) {
  ObjectText out("");
  out.String("format", kManifestFormat)
      .Integer("version", kManifestVersion)
      .String("program", manifest.program_version);
  out.Integer("data_format", manifest.format_version).String("database", manifest.database_id.ToString());
  if (manifest.history) out.String("history", manifest.history->ToString());
  out.String("first_moment_text", MomentText(manifest.first_moment));
  out.String("last_moment_text", MomentText(manifest.last_moment));
  out.Integer("first_moment", manifest.first_moment).Integer("last_moment", manifest.last_moment);
  ObjectText base("  ");
  AddFile(manifest.base, base);
  base.Integer("records", manifest.records).Integer("folded_through", manifest.folded_through);
  base.Integer("through", manifest.base_through).Integer("through_micros", manifest.base_micros);
  out.Raw("base", std::move(base).Closed());
  std::string logs = "[";
  for (const BackupLog& log : manifest.logs) {
    ObjectText text("    ");
    AddFile(log.file, text);
    text.Integer("after", log.after).Integer("through", log.through).Integer("last_micros", log.last_micros);
    logs += (logs.size() == 1 ? "\n    " : ",\n    ") + std::move(text).Closed();
  }
  out.Raw("logs", logs + (manifest.logs.empty() ? "]" : "\n  ]"));
  std::string text = std::move(out).Open();
  const std::string checksum = Hex(Hash64(text));
  return text + std::string(kChecksumMember) + checksum + std::string(kTextEnd);
}

Result<Manifest> DecodeManifest(std::string_view text, const std::filesystem::path& path) {
  const Result<JsonValue> json = ParseJsonDocument(text);
  if (!json.ok() || json->kind != JsonValue::Kind::kObject) return Damaged(path);
  ObjectReader in(*json);
  if (in.String("format") != kManifestFormat) return Damaged(path);
  const auto version = in.Integer<uint64_t>("version");
  if (in.ok() && version != kManifestVersion) {
    return ServerError(StrCat("'", path.string(), "' has version ", version,
                              " of the format of backups; this Widerow reads version ", kManifestVersion),
                       "use the version of Widerow that made the backup, or a newer one");
  }
  const size_t end = text.rfind(kChecksumMember);
  if (end == std::string_view::npos) return Damaged(path);
  const std::string ending = std::string(kChecksumMember) + Hex(Hash64(text.substr(0, end))) + std::string(kTextEnd);
  if (text.substr(end) != ending) return Damaged(path);
  Manifest out{.program_version = in.String("program"),
               .format_version = in.Integer<uint32_t>("data_format"),
               .database_id = in.Id("database")};
  if (in.Find("history") != nullptr) out.history = in.Id("history");
  out.first_moment = in.Integer<int64_t>("first_moment");
  out.last_moment = in.Integer<int64_t>("last_moment");
  const JsonValue* const base = in.Find("base");
  const JsonValue* const logs = in.Find("logs");
  if (!in.ok() || base == nullptr || logs == nullptr) return Damaged(path);
  ObjectReader base_in(*base);
  out.base = base_in.File();
  out.records = base_in.Integer<uint64_t>("records");
  out.folded_through = base_in.Integer<uint64_t>("folded_through");
  out.base_through = base_in.Integer<uint64_t>("through");
  // Manifests of earlier versions have no "through_micros".
  if (base_in.Find("through_micros") != nullptr) out.base_micros = base_in.Integer<int64_t>("through_micros");
  bool ok = base_in.ok();
  for (const JsonValue& item : logs->items) {
    ObjectReader log_in(item);
    BackupLog log{.file = log_in.File(), .after = log_in.Integer<uint64_t>("after")};
    log.through = log_in.Integer<uint64_t>("through");
    log.last_micros = log_in.Integer<int64_t>("last_micros");
    ok = ok && log_in.ok() && log.after == out.through() && log.through >= log.after;
    out.logs.push_back(std::move(log));
  }
  if (!ok || out.through() < out.base_through) return Damaged(path);
  return out;
}

Result<Manifest> ReadManifest(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / kManifestName;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    const bool any = std::filesystem::is_directory(directory, error) && !std::filesystem::is_empty(directory, error);
    return any ? ServerError("'" + directory.string() + "' has no complete backup: " + kManifestName + " is missing",
                             "the backup was not finished; run `widerow backup` again, or use another backup")
               : ServerError("There is no backup in '" + directory.string() + "'",
                             "name the directory that `widerow backup --to DIR` was given");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file && !file.eof()) return FileError("read", path, EIO);
  return DecodeManifest(text, path);
}

Status WriteManifest(const std::filesystem::path& directory, const Manifest& manifest) {
  const std::filesystem::path path = directory / kManifestName, unfinished = path.string() + ".new";
  std::error_code error;
  std::filesystem::remove(unfinished, error);
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<DurableFile> file, DurableFile::Create(unfinished));
  WR_RETURN_IF_ERROR(file->Append(EncodeManifest(manifest)));
  WR_RETURN_IF_ERROR(file->Finish());
  if (rename(unfinished.c_str(), path.c_str()) != 0) return FileError("rename", unfinished, errno);
  return SyncDirectory(directory);
}

}  // namespace widerow
