// system_views.guardrails and system_views.table_throughput.
#include "exec/guardrails/guardrails.h"
#include "exec/guardrails/throughput.h"
#include "exec/virtual/generators.h"

namespace widerow {

void GuardrailsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const GuardrailName& one : AllGuardrails()) {
    if (!context.Wants(one.name)) continue;
    const Guardrail& guardrail = context.guardrails.*one.guardrail;
    rows.Add().Text("name", one.name).Text("mode", GuardrailModeName(context.guardrails.mode));
    if (guardrail.warn != Guardrail::kNever) rows.Integer("warn", guardrail.warn);
    if (guardrail.fail != Guardrail::kNever) rows.Integer("fail", guardrail.fail);
  }
}

void TableThroughputRows(const VirtualContext& context, VirtualRows& rows) {
  for (const Throughput::TableUse& use : context.throughput.List(*context.schema)) {
    const auto& [reads, writes] = use.used;
    rows.Add()
        .Text("keyspace_name", use.keyspace)
        .Text("table_name", use.table)
        .Integer("read_limit", use.declared.read_limit)
        .Integer("read_reserved", use.declared.read_reserved)
        .Integer("read_units", static_cast<int64_t>(reads.units))
        .Integer("read_units_reserved", static_cast<int64_t>(reads.reserved_units))
        .Integer("reads_refused", static_cast<int64_t>(reads.refused))
        .Integer("write_limit", use.declared.write_limit)
        .Integer("write_reserved", use.declared.write_reserved)
        .Integer("write_units", static_cast<int64_t>(writes.units))
        .Integer("write_units_reserved", static_cast<int64_t>(writes.reserved_units))
        .Integer("writes_refused", static_cast<int64_t>(writes.refused));
  }
}

}  // namespace widerow
