// The option maps of a table: caching, compaction and compression. Each Check… function refuses unknown options and bad
// values with Cassandra's sentences, fills in defaults and expands short class names.
#include <algorithm>
#include <span>

#include "base/text.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/parts/table_options.h"

namespace widerow::ddl {

namespace {

using OptionMap = std::map<std::string, std::string>;
using Names = std::span<const std::string_view>;

// Returns the names of those options that are in no list of `known`.
std::vector<std::string> Unknown(const OptionMap& options, std::initializer_list<Names> known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : options) {
    const auto holds = [&name = name](Names list) { return std::find(list.begin(), list.end(), name) != list.end(); };
    if (!std::any_of(known.begin(), known.end(), holds)) names.push_back(name);
  }
  return names;
}

std::string_view LastName(std::string_view class_name) { return class_name.substr(class_name.rfind('.') + 1); }

void ExpandClass(std::string& name, std::string_view package) {
  if (name.find('.') == std::string::npos) name.insert(0, package);
}

constexpr std::string_view kCompactionPackage = "org.apache.cassandra.db.compaction.";
constexpr std::string_view kAnyCompaction[] = {"class",
                                               "enabled",
                                               "log_all",
                                               "only_purge_repaired_tombstones",
                                               "provide_overlapping_tombstones",
                                               "tombstone_compaction_interval",
                                               "tombstone_threshold",
                                               "unchecked_tombstone_compaction"};
constexpr std::string_view kTiered[] = {"bucket_high", "bucket_low", "max_threshold", "min_sstable_size",
                                        "min_threshold"};
constexpr std::string_view kLeveledOptions[] = {"fanout_size", "single_sstable_uplevel", "sstable_size_in_mb"};
constexpr std::string_view kTimeWindow[] = {"compaction_window_size", "compaction_window_unit",
                                            "expired_sstable_check_frequency_seconds", "timestamp_resolution",
                                            "unsafe_aggressive_sstable_expiration"};
constexpr std::string_view kUnified[] = {"base_shard_count",    "expired_sstable_check_frequency_seconds",
                                         "flush_size_override", "max_sstables_to_compact",
                                         "min_sstable_size",    "overlap_inclusion_method",
                                         "scaling_parameters",  "sstable_growth",
                                         "target_sstable_size", "unsafe_aggressive_sstable_expiration"};

Status CheckThresholds(SourceRange range, OptionMap& options) {
  int32_t thresholds[2];
  const char* const names[] = {"min_threshold", "max_threshold"};
  for (size_t i = 0; i < 2; ++i) {
    const std::string& text = options.try_emplace(names[i], i == 0 ? "4" : "32").first->second;
    const auto value = ParseInt(text);
    if (!value) {
      return ConfigErrorAt(
          range, "Invalid value " + text + " for '" + names[i] + "' compaction sub-option - must be an integer");
    }
    thresholds[i] = *value;
  }
  const auto [least, most] = thresholds;
  if (least <= 0 || most <= 0) {
    return ConfigErrorAt(range,
                         "Disabling compaction by setting compaction thresholds to 0 has been removed, set the "
                         "compaction option 'enabled' to false instead.");
  }
  if (least < 2)
    return ConfigErrorAt(range, "Min compaction threshold cannot be less than 2 (got " + std::to_string(least) + ")");
  if (least > most) {
    return ConfigErrorAt(range, "Min compaction threshold (got " + std::to_string(least) +
                                    ") cannot be greater than max compaction threshold (got " + std::to_string(most) +
                                    ")");
  }
  return OkStatus();
}

// Accepts ALL and NONE in any case and, if `number` is true, integers from 0 on. Puts the value into upper case.
Status CheckCachingValue(SourceRange range, OptionMap& caching, const std::string& name, bool number) {
  const auto found = caching.find(name);
  if (found == caching.end()) return OkStatus();
  const std::string given = found->second;
  found->second = ToUpper(given);
  if (found->second == "ALL" || found->second == "NONE") return OkStatus();
  const auto value = ParseInt(given);
  if (number && value && *value >= 0) return OkStatus();
  return ConfigErrorAt(range, "Invalid value '" + given + "' for caching sub-option '" + name + "': only " +
                                  (number ? "'ALL', 'NONE', and integer values" : "'ALL' and 'NONE'") + " are allowed");
}

constexpr std::string_view kCompressPackage = "org.apache.cassandra.io.compress.";
constexpr std::string_view kCompressors[] = {"DeflateCompressor", "LZ4Compressor", "NoopCompressor", "SnappyCompressor",
                                             "ZstdCompressor"};
constexpr std::string_view kAnyCompression[] = {"chunk_length_in_kb", "class", "min_compress_ratio"};
constexpr std::string_view kLz4[] = {"lz4_compressor_type", "lz4_high_compressor_level"};
constexpr std::string_view kZstd[] = {"compression_level"};
constexpr int32_t kZstdLevelMin = -131'072;
constexpr int32_t kZstdLevelMax = 22;

Status CheckCompressionNumbers(SourceRange range, OptionMap& compression) {
  const std::string& length = compression.try_emplace("chunk_length_in_kb", "16").first->second;
  const auto kilobytes = ParseInt(length);
  if (!kilobytes) return ConfigErrorAt(range, "Invalid value for chunk_length_in_kb");
  if (*kilobytes <= 0) return ConfigErrorAt(range, "Invalid negative or null chunk_length_in_kb");
  if ((*kilobytes & (*kilobytes - 1)) != 0) return ConfigErrorAt(range, "chunk_length_in_kb must be a power of 2");
  if (const auto ratio = compression.find("min_compress_ratio"); ratio != compression.end()) {
    const auto value = ParseDouble(ratio->second);
    if (!value || (*value != 0 && *value < 1)) {
      return ConfigErrorAt(range, "min_compress_ratio can either be 0 or greater than or equal to 1");
    }
    if (*value == 0) {
      compression.erase(ratio);  // 0 is the default, which is not shown.
    } else {
      ratio->second = DoubleText(*value);
    }
  }
  if (const auto level = compression.find("compression_level"); level != compression.end()) {
    const auto value = ParseInt(level->second);
    const std::string create = "ZstdCompressor.create() threw an error: java.lang.";
    if (!value) {
      return ConfigErrorAt(range, create + "NumberFormatException For input string: \"" + level->second + "\"");
    }
    if (*value < kZstdLevelMin || *value > kZstdLevelMax) {
      return ConfigErrorAt(range,
                           create + "IllegalArgumentException compression_level=" + level->second + " is invalid");
    }
  }
  return OkStatus();
}

}  // namespace

Status CheckCaching(SourceRange range, OptionMap& caching) {
  static constexpr std::string_view kKnown[] = {"keys", "rows_per_partition"};
  if (const auto unknown = Unknown(caching, {kKnown}); !unknown.empty()) {
    return ConfigErrorAt(range, "Invalid caching sub-options [" + JoinNames(unknown) +
                                    "]: only 'keys' and 'rows_per_partition' are allowed");
  }
  WR_RETURN_IF_ERROR(CheckCachingValue(range, caching, "keys", false));
  WR_RETURN_IF_ERROR(CheckCachingValue(range, caching, "rows_per_partition", true));
  caching.try_emplace("keys", "ALL");
  caching.try_emplace("rows_per_partition", "NONE");
  return OkStatus();
}

Status CheckCompaction(SourceRange range, OptionMap& compaction) {
  const auto found = compaction.find("class");
  if (found == compaction.end()) return ConfigErrorAt(range, "Missing sub-option 'class' for the 'compaction' option");
  ExpandClass(found->second, kCompactionPackage);
  const std::string name(LastName(found->second));
  Names own;
  const bool unified = name == "UnifiedCompactionStrategy";
  if (unified) own = kUnified;
  if (name == "LeveledCompactionStrategy") own = kLeveledOptions;
  if (name == "TimeWindowCompactionStrategy") own = kTimeWindow;
  if (!found->second.starts_with(kCompactionPackage) || (own.empty() && name != "SizeTieredCompactionStrategy")) {
    return ConfigErrorAt(range, "Unable to find compaction strategy class '" + found->second + "'");
  }
  const auto unknown = Unknown(compaction, {kAnyCompaction, own, unified ? Names() : Names(kTiered)});
  if (!unknown.empty()) {
    return ConfigErrorAt(range, "Properties specified [" + JoinNames(unknown) + "] are not understood by " + name);
  }
  return unified ? OkStatus() : CheckThresholds(range, compaction);
}

Status CheckCompression(SourceRange range, OptionMap& compression) {
  const auto enabled = compression.extract("enabled");
  const bool off = !enabled.empty() && ToUpper(enabled.mapped()) != "TRUE";
  if (off && !compression.empty()) {
    return ConfigErrorAt(range, "If the 'enabled' option is set to false no other options must be specified");
  }
  if (off || (enabled.empty() && compression.empty())) {
    compression = {{"enabled", "false"}};
    return OkStatus();
  }
  const auto found = compression.find("class");
  if (found == compression.end() || found->second.empty()) {
    return ConfigErrorAt(range, "Missing sub-option 'class' for the 'compression' option.");
  }
  ExpandClass(found->second, kCompressPackage);
  const std::string_view name = LastName(found->second);
  if (!found->second.starts_with(kCompressPackage) ||
      std::find(std::begin(kCompressors), std::end(kCompressors), name) == std::end(kCompressors)) {
    return ConfigErrorAt(range, "Could not create Compression for type " + found->second);
  }
  const Names own = name == "LZ4Compressor" ? Names(kLz4) : name == "ZstdCompressor" ? Names(kZstd) : Names();
  const auto unknown = Unknown(compression, {kAnyCompression, own});
  if (!unknown.empty()) return ConfigErrorAt(range, "Unknown compression options " + JoinNames(unknown));
  return CheckCompressionNumbers(range, compression);
}

}  // namespace widerow::ddl
