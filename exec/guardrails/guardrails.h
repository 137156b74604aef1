// Bounds on what a sensible design does: keys of so many bytes, collections of so many elements, IN lists of so many keys, …
// Beyond a guardrail's `warn` a statement runs and its answer carries a warning, which drivers log; beyond its `fail` it is
// refused, but only where guardrails are enforced. docs/operate/guardrails.md lists them with their defaults and where those come from.
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
// "off", "warn", "enforce".
std::string_view GuardrailModeName(GuardrailMode mode);
std::optional<GuardrailMode> GuardrailModeFromName(std::string_view name);

struct Guardrail {
  int64_t warn = kNever, fail = kNever;  // The greatest number that passes.
  static constexpr int64_t kNever = -1;

  bool Warns(int64_t number) const { return warn != kNever && number > warn; }
  bool Fails(int64_t number) const { return fail != kNever && number > fail; }
};

struct Guardrails {
  GuardrailMode mode = GuardrailMode::kWarn;
  // Of writes.
  Guardrail key_component_bytes{1'024};
  Guardrail value_bytes{1 << 20, 256 << 20};
  Guardrail row_bytes{1 << 20, 16 << 20};
  Guardrail collection_items{200, 20'000};
  Guardrail collection_bytes{1 << 20};
  Guardrail timestamp_ahead_seconds{3 * 86'400};
  Guardrail list_elements_read{0};         // Elements of lists that are set or deleted by index: each reads before it writes.
  // Of partitions, as far as they are known.
  Guardrail partition_bytes{100 << 20};
  Guardrail partition_rows{100'000};
  Guardrail partition_reads_a_second{3'000};   // exec/heat finds them.
  Guardrail partition_writes_a_second{1'000};
  // Of SELECTs.
  Guardrail in_partitions{20, 1'000};      // Partitions that IN names.
  Guardrail filtered_rows{1'000};          // Rows read by ALLOW FILTERING for one page.
  // Of the schema.
  Guardrail key_columns{3};
  Guardrail columns{50};
  Guardrail type_fields{30};
  Guardrail tables{100};
  Guardrail time_window_without_ttl{0};    // Tables with TimeWindowCompactionStrategy and no TTL.
  // Of the server: per cent of the address space for data (--map-size) in use.
  Guardrail data_file_percent{70, 90};

  bool on() const { return mode != GuardrailMode::kOff; }
  // "value_bytes=2097152" or "value_bytes=2097152:268435456"; -1: never. kInvalid if there is no such guardrail or number.
  Status Set(std::string_view setting);
};

// Of a mode's name and settings (Guardrails::Set).
Result<Guardrails> MakeGuardrails(std::string_view mode, const std::vector<std::string>& settings);

// Under a strict profile there are none of these: it has its target's own (exec/write/batch_guards.h).
Guardrails GuardrailsFor(const LanguageOptions& language, Guardrails wanted = {});

struct GuardrailName {
  std::string_view name;
  Guardrail Guardrails::*guardrail;
};
std::span<const GuardrailName> AllGuardrails();

// What one statement does, held against guardrails. Collects warnings, each once.
class GuardrailCheck {
 public:
  GuardrailCheck(const Guardrails& guardrails, std::vector<std::string>& warnings) : guardrails_(guardrails), warnings_(warnings) {}

  // `what` has `number`: "value of column v in table ks.t has 2,000,000 bytes". A warning, or where enforced a refusal.
  template <typename What>  // std::string()
  Status Check(Guardrail Guardrails::*guardrail, int64_t number, const What& what) {
    const Guardrail& bounds = guardrails_.*guardrail;
    const bool fails = guardrails_.mode == GuardrailMode::kEnforce && bounds.Fails(number);
    if (!fails && !bounds.Warns(number)) [[likely]] return OkStatus();
    return Pass(guardrail, fails, what());
  }

 private:
  Status Pass(Guardrail Guardrails::*guardrail, bool fails, std::string what);

  const Guardrails& guardrails_;
  std::vector<std::string>& warnings_;
};

// 1,234,567
std::string GroupedDigits(int64_t number);

}  // namespace widerow
