#include "exec/engine/engine_state.h"

#include "planner/generated/generated_columns.h"
#include "planner/views/key_order.h"

namespace widerow {

EngineState::EngineState(std::unique_ptr<StorageEngine> opened, LanguageOptions given, const EngineOptions& options)
    : storage(std::move(opened)),
      language(given),
      guardrails(GuardrailsFor(language, options.guardrails)),
      read_limits(options.reads),
      datacenter(options.datacenter),
      throughput(storage->clock(), options.capacity),
      statements(std::make_shared<StatementLog>(options.watch)),
      load(*storage, guardrails),
      schema(VirtualTables::AddTo(WithOrderedViewKeys(WithCompiledColumns(storage->LoadedSchema())))),
      access(options.access.mode == AccessMode::kOff
                 ? nullptr
                 : std::make_unique<AccessControl>(
                       options.access, [this] { return Schema(); }, [this] { return schema.version(); })),
      gate(access.get()) {
  throughput.SetSchema(*Schema());
}

}  // namespace widerow
