// The messages of the native protocol. kOpcodes is the one list that names all of them.
#pragma once

#include <cstdint>

namespace widerow {

enum class Opcode : uint8_t {
  kError = 0x00,
  kStartup = 0x01,
  kReady = 0x02,
  kAuthenticate = 0x03,
  kOptions = 0x05,
  kSupported = 0x06,
  kQuery = 0x07,
  kResult = 0x08,
  kPrepare = 0x09,
  kExecute = 0x0A,
  kRegister = 0x0B,
  kEvent = 0x0C,
  kBatch = 0x0D,
  kAuthChallenge = 0x0E,
  kAuthResponse = 0x0F,
  kAuthSuccess = 0x10,
};

struct OpcodeInfo {
  Opcode opcode;
  const char* name;
  bool is_request;
};

inline constexpr OpcodeInfo kOpcodes[] = {
    {Opcode::kError, "ERROR", false},                   // error_response.h
    {Opcode::kStartup, "STARTUP", true},                // startup.h
    {Opcode::kReady, "READY", false},                   // an empty body
    {Opcode::kAuthenticate, "AUTHENTICATE", false},     // auth_response.h
    {Opcode::kOptions, "OPTIONS", true},                // an empty body
    {Opcode::kSupported, "SUPPORTED", false},           // supported.h
    {Opcode::kQuery, "QUERY", true},                    // query.h
    {Opcode::kResult, "RESULT", false},                 // result_response.h
    {Opcode::kPrepare, "PREPARE", true},                // prepare.h
    {Opcode::kExecute, "EXECUTE", true},                // execute.h
    {Opcode::kRegister, "REGISTER", true},              // register.h
    {Opcode::kEvent, "EVENT", false},                   // event.h
    {Opcode::kBatch, "BATCH", true},                    // batch.h
    {Opcode::kAuthChallenge, "AUTH_CHALLENGE", false},  // never sent
    {Opcode::kAuthResponse, "AUTH_RESPONSE", true},     // auth_response.h
    {Opcode::kAuthSuccess, "AUTH_SUCCESS", false},      // auth_response.h
};

// Returns nullptr if there is no such message.
constexpr const OpcodeInfo* FindOpcode(uint8_t number) {
  for (const OpcodeInfo& info : kOpcodes) {
    if (static_cast<uint8_t>(info.opcode) == number) return &info;
  }
  return nullptr;
}

}  // namespace widerow
