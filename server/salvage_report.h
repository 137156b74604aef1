// The text about a salvage: what is lost, and which rows may lack a part.
#pragma once

#include <string>

#include "storage/check/salvage.h"

namespace widerow {

// The name of the file with SalvageText in the salvaged directory.
inline constexpr const char* kSalvageTextName = "salvage.txt";

// Returns a place as CQL: "ks.t k = 1 AND c = 'a'".
std::string PlaceText(const SalvagedPlace& place);
// Returns the line for a row: its place, and what may be missing.
std::string PartialRowText(const PartialRow& row);
// Returns the whole text.
std::string SalvageText(const SalvageReport& report);

}  // namespace widerow
