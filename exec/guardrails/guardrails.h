// Limits that a sensible design respects: bytes of a key, elements of a collection, keys of an IN list, … A statement
// that exceeds a guardrail's `warn` runs, and its answer has a warning, which drivers log. A statement that exceeds its
// `fail` is refused, but only where guardrails are enforced. docs/operate/guardrails.md lists the defaults and their
// sources.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/dialect.h"

namespace widerow {

enum class GuardrailMode : uint8_t { kOff, kWarn, kEnforce };
// The names are "off", "warn" and "enforce".
std::string_view GuardrailModeName(GuardrailMode mode);
std::optional<GuardrailMode> GuardrailModeFromName(std::string_view name);

struct Guardrail {
  int64_t warn = kNever, fail = kNever;  // The greatest number without a warning, and without an error.
  static constexpr int64_t kNever = -1;

  bool Warns(int64_t number) const { return warn != kNever && number > warn; }
  bool Fails(int64_t number) const { return fail != kNever && number > fail; }
};

struct Guardrails {
  GuardrailMode mode = GuardrailMode::kWarn;
  // Writes.
  Guardrail key_component_bytes{1'024};
  Guardrail value_bytes{1 << 20, 256 << 20};
  Guardrail row_bytes{1 << 20, 16 << 20};
  Guardrail collection_items{200, 20'000};
  Guardrail collection_bytes{1 << 20};
  Guardrail timestamp_ahead_seconds{3 * 86'400};
  Guardrail list_elements_read{0};  // Elements that a write reads because it changes a list by index or by value.
  // Partitions. Checked only if their size and their load are known.
  Guardrail partition_bytes{100 << 20};
  Guardrail partition_rows{100'000};
  Guardrail partition_reads_a_second{3'000};  // Found by exec/heat.
  Guardrail partition_writes_a_second{1'000};
  // SELECTs.
  Guardrail in_partitions{20, 1'000};  // Partitions that IN names.
  Guardrail filtered_rows{1'000};      // Rows that ALLOW FILTERING reads for one page.
  // The schema.
  Guardrail key_columns{3};
  Guardrail columns{50};
  Guardrail type_fields{30};
  Guardrail tables{100};
  Guardrail time_window_without_ttl{0};  // Tables with TimeWindowCompactionStrategy and no TTL.
  // The server: the percentage of the address space for data (--map-size) that is in use.
  Guardrail data_file_percent{70, 90};

  bool on() const { return mode != GuardrailMode::kOff; }
  // Sets one guardrail from "value_bytes=2097152" or "value_bytes=2097152:268435456"; -1 means never. Sets nothing
  // and returns kInvalid if the guardrail is unknown, a number is malformed, `warn` would be above `fail`, or the
  // guardrail cannot have one of the bounds (GuardrailName).
  Status Set(std::string_view setting);
};

// Makes guardrails from a mode's name and settings (Guardrails::Set).
Result<Guardrails> MakeGuardrails(std::string_view mode, const std::vector<std::string>& settings);

// Returns `wanted`, or no guardrails for the dialect of another database: that dialect has the checks of that database
// instead (exec/write/batch_guards.h).
Guardrails GuardrailsFor(const LanguageOptions& language, Guardrails wanted = {});

struct GuardrailName {
  std::string_view name;
  Guardrail Guardrails::*guardrail;
  bool after_write = false;    // True if it is checked after the write: it cannot refuse anything.
  bool above_default = false;  // True if `warn` must be at least the default: exec/heat finds nothing below it.
};
std::span<const GuardrailName> AllGuardrails();

// Checks the numbers of one statement against guardrails. Collects warnings without duplicates.
class GuardrailCheck {
 public:
  GuardrailCheck(const Guardrails& guardrails, std::vector<std::string>& warnings)
      : guardrails_(guardrails), warnings_(warnings) {}

  // Checks `number`. `what` returns the message, such as "value of column v in table ks.t has 2,000,000 bytes". Adds a
  // warning, or fails where guardrails are enforced.
  template <typename What>  // A function that returns a std::string.
  Status Check(Guardrail Guardrails::*guardrail, int64_t number, const What& what) {
    const Guardrail& bounds = guardrails_.*guardrail;
    const bool fails = guardrails_.mode == GuardrailMode::kEnforce && bounds.Fails(number);
    if (!fails && !bounds.Warns(number)) [[likely]]
      return OkStatus();
    return Pass(guardrail, fails, what());
  }

 private:
  Status Pass(Guardrail Guardrails::*guardrail, bool fails, std::string what);

  const Guardrails& guardrails_;
  std::vector<std::string>& warnings_;
};

}  // namespace widerow
