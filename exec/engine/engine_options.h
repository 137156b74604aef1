// The settings of an engine that an operator can choose, except those of its CQL dialect (LanguageOptions).
#pragma once

#include <string>

#include "base/log.h"
#include "exec/access/access_options.h"
#include "exec/balance/partition_balancer.h"
#include "exec/guardrails/guardrails.h"
#include "exec/guardrails/throughput.h"
#include "exec/session/read_watch.h"
#include "exec/watch/watch_options.h"
#include "planner/system_keyspaces.h"

namespace widerow {

struct EngineOptions {
  Guardrails guardrails = {.mode = GuardrailMode::kOff};
  Capacity capacity;
  BalanceOptions balance;
  AccessOptions access;
  ReadLimits reads;
  std::string datacenter = kDefaultDatacenter;  // As system.local shows it.
  LogFunction log = {};                         // May be empty.
  WatchOptions watch = {};
};

}  // namespace widerow
