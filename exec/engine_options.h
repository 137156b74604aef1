// What an operator can choose of an engine, beside its language.
#pragma once

#include "exec/access/access_options.h"
#include "exec/guardrails/guardrails.h"
#include "exec/guardrails/throughput.h"
#include "exec/partition_balancer.h"

namespace widerow {

struct EngineOptions {
  Guardrails guardrails = {.mode = GuardrailMode::kOff};
  Capacity capacity;
  BalanceOptions balance;
  AccessOptions access;
};

}  // namespace widerow
