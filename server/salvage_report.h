// The text about a salvage: what is lost, and which rows may lack a part.
#pragma once

#include <string>

#include "storage/salvage_report.h"

namespace widerow {

// Returns a place as CQL: "ks.t k = 1 AND c = 'a'".
std::string PlaceText(const SalvagedPlace& place);
// Returns the line for a row: its place, and what may be missing.
std::string PartialRowText(const PartialRow& row);
// Returns "2 damaged pages, 1 record, and 0 records that depend on them".
std::string LossText(const SalvageReport& report);
// Returns the whole text.
std::string SalvageText(const SalvageReport& report);

}  // namespace widerow
