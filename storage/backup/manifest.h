// The manifest of a backup directory. It lists the files of the backup and says which moments can be restored. It is
// written last, so a directory without a manifest has no complete backup.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "storage/backup.h"

namespace widerow {

// A file of the backup, with the size and the XXH3 checksum that it must have.
struct BackupFile {
  std::string name;
  uint64_t bytes = 0;
  uint64_t checksum = 0;
};

// A file with the groups of the commit log after `after` and up to `through`.
struct BackupLog {
  BackupFile file;
  uint64_t after = 0, through = 0;
  int64_t last_micros = 0;  // The time of the last group; 0 if there is none.
};

struct Manifest {
  std::string program_version;  // The version of the program that has written the manifest.
  uint32_t format_version = 0;  // The version of the format of the data file.
  Uuid database_id;
  std::optional<Uuid> history;
  // The data file, the number of its records, and the last group of the log that it contains.
  BackupFile base;
  uint64_t records = 0;
  uint64_t folded_through = 0;
  // Every restore must replay the groups up to `base_through`. The result is the database as it was at `first_moment`.
  uint64_t base_through = 0;
  int64_t base_micros = 0;  // The time of the group that ends at `base_through`; 0: unknown.
  int64_t first_moment = 0;
  int64_t last_moment = 0;
  std::vector<BackupLog> logs;  // The first begins after folded_through, and each other one where the previous ends.

  uint64_t through() const { return logs.empty() ? folded_through : logs.back().through; }
  // The time of the group that ends at through(); 0: unknown.
  int64_t through_micros() const;
};

inline constexpr const char* kManifestName = "manifest.json";

std::string EncodeManifest(const Manifest& manifest);
// `path` is for messages. Errors: the text is damaged, or of a later version of the format of backups.
Result<Manifest> DecodeManifest(std::string_view text, const std::filesystem::path& path);

// Errors: there is no backup, or only an incomplete one; the manifest is damaged.
Result<Manifest> ReadManifest(const std::filesystem::path& directory);
// Replaces the manifest; durable on return. If the process ends meanwhile, the manifest is the old one or the new one.
Status WriteManifest(const std::filesystem::path& directory, const Manifest& manifest);

// Returns for example "2026-11-27T16:45:03.123456Z".
std::string MomentText(int64_t micros);

}  // namespace widerow
