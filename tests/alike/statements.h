// Random statements about the logical columns of designs.h. A text has @ in place of the table's name.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "tests/alike/designs.h"

namespace widerow::alike {

// Returns a write that designs with these permissions take.
std::string RandomWrite(const Columns& columns, std::mt19937& random);

struct Question {
  std::string text;
  bool ordered = false;        // True if every design that answers gives the rows in the same order.
  bool first_ordered = false;  // True if only the first column has the same values in the same order.
  bool forward = false;        // True if the answer depends on whether the clustering columns ascend.
};
Question RandomQuestion(const Columns& columns, std::mt19937& random);

}  // namespace widerow::alike
