#include "exec/guardrails/guardrails.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace widerow {
namespace {

constexpr std::array<std::string_view, 3> kModeNames = {"off", "warn", "enforce"};

constexpr GuardrailName kAll[] = {
    {"collection_bytes", &Guardrails::collection_bytes},
    {"collection_items", &Guardrails::collection_items},
    {"columns", &Guardrails::columns},
    {"data_file_percent", &Guardrails::data_file_percent},
    {"filtered_rows", &Guardrails::filtered_rows},
    {"in_partitions", &Guardrails::in_partitions},
    {"key_columns", &Guardrails::key_columns},
    {"key_component_bytes", &Guardrails::key_component_bytes},
    {"list_elements_read", &Guardrails::list_elements_read},
    {"partition_bytes", &Guardrails::partition_bytes, true},
    {"partition_reads_a_second", &Guardrails::partition_reads_a_second, true, true},
    {"partition_rows", &Guardrails::partition_rows, true},
    {"partition_writes_a_second", &Guardrails::partition_writes_a_second, true, true},
    {"row_bytes", &Guardrails::row_bytes},
    {"tables", &Guardrails::tables},
    {"time_window_without_ttl", &Guardrails::time_window_without_ttl},
    {"timestamp_ahead_seconds", &Guardrails::timestamp_ahead_seconds},
    {"type_fields", &Guardrails::type_fields},
    {"value_bytes", &Guardrails::value_bytes},
};

bool ParseNumber(std::string_view text, int64_t& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() && number >= Guardrail::kNever;
}

std::string_view NameOf(Guardrail Guardrails::*guardrail) {
  for (const GuardrailName& one : kAll) {
    if (one.guardrail == guardrail) return one.name;
  }
  return {};
}

// Returns the error for a guardrail whose `fail` is less than its `warn`: it would refuse statements before it gives a
// warning.
Error WarnsTooLate(std::string_view name, const Guardrail& bounds) {
  const int64_t warn = bounds.warn, fail = bounds.fail;
  return InvalidError(
      StrCat("Guardrail ", name, " would fail beyond ", fail, ", before it warns beyond ", warn),
      StrCat("the number for the warning comes first and must not be the greater one: ", name, "=", fail, ":", warn,
             "; -1 is never, so ", name, "=", warn, ":-1 only warns, and ", name, "=-1:", fail, " only fails"));
}

}  // namespace

std::string_view GuardrailModeName(GuardrailMode mode) { return kModeNames[static_cast<size_t>(mode)]; }

std::optional<GuardrailMode> GuardrailModeFromName(std::string_view name) {
  const auto found = std::find(kModeNames.begin(), kModeNames.end(), name);
  if (found == kModeNames.end()) return std::nullopt;
  return static_cast<GuardrailMode>(found - kModeNames.begin());
}

std::span<const GuardrailName> AllGuardrails() { return kAll; }

Guardrails GuardrailsFor(const LanguageOptions& language, Guardrails wanted) {
  if (language.dialect != Dialect::kWiderow) wanted.mode = GuardrailMode::kOff;
  return wanted;
}

Result<Guardrails> MakeGuardrails(std::string_view mode, const std::vector<std::string>& settings) {
  const std::optional<GuardrailMode> named = GuardrailModeFromName(mode);
  if (!named) return InvalidError("guardrails must be off, warn or enforce, not \"" + std::string(mode) + "\"");
  Guardrails guardrails{.mode = *named};
  for (const std::string& setting : settings) WR_RETURN_IF_ERROR(guardrails.Set(setting));
  return guardrails;
}

Status Guardrails::Set(std::string_view setting) {
  const size_t equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  const auto* found =
      std::find_if(std::begin(kAll), std::end(kAll), [&](const GuardrailName& one) { return one.name == name; });
  if (found == std::end(kAll)) {
    std::string names;
    for (const GuardrailName& one : kAll) names += (names.empty() ? "" : ", ") + std::string(one.name);
    return InvalidError("There is no guardrail \"" + std::string(name) + "\"", "the guardrails are " + names);
  }
  std::string_view numbers = equals == std::string_view::npos ? std::string_view() : setting.substr(equals + 1);
  const size_t colon = numbers.find(':');
  Guardrail bounds = this->*found->guardrail;
  const bool ok = ParseNumber(numbers.substr(0, colon), bounds.warn) &&
                  (colon == std::string_view::npos || ParseNumber(numbers.substr(colon + 1), bounds.fail));
  if (!ok) {
    return InvalidError("Guardrail " + std::string(name) + " needs a number, or two with a colon between",
                        StrCat(name, "=1000 warns beyond 1000, ", name,
                               "=1000:5000 also fails beyond 5000 where guardrails are enforced, -1 is never"));
  }
  if (found->after_write && bounds.fail != Guardrail::kNever) {
    return InvalidError(StrCat("Guardrail ", name, " cannot refuse a write, because it is checked after the write"),
                        StrCat(name, "=", bounds.warn, " warns beyond ", bounds.warn));
  }
  const int64_t least = (Guardrails{}.*found->guardrail).warn;
  if (found->above_default && bounds.warn != Guardrail::kNever && bounds.warn < least) {
    return InvalidError(StrCat("Guardrail ", name, " cannot warn beyond ", bounds.warn,
                               ", because only the rates of busier partitions are known"),
                        StrCat(name, " can be ", least, " or more; -1 is never"));
  }
  if (bounds.Fails(bounds.warn)) return WarnsTooLate(name, bounds);
  this->*found->guardrail = bounds;
  return OkStatus();
}

Status GuardrailCheck::Pass(Guardrail Guardrails::*guardrail, bool fails, std::string what) {
  const Guardrail& bounds = guardrails_.*guardrail;
  const std::string name(NameOf(guardrail));
  if (fails) {
    return InvalidError(
        what + ", more than the " + GroupedDigits(bounds.fail) + " allowed",
        StrCat("guardrail ", name, ": --guardrail ", name, "=WARN:FAIL sets it, --guardrails warn only warns"));
  }
  if (bounds.warn > 0) what += ", more than the " + GroupedDigits(bounds.warn) + " recommended";
  what += " (guardrail " + name + ")";
  if (std::find(warnings_.begin(), warnings_.end(), what) == warnings_.end()) warnings_.push_back(std::move(what));
  return OkStatus();
}

}  // namespace widerow
