// Reads the lines of tests/data/types/*.txt. Their fields are separated by tabs. scripts/vectors/README.md says how
// these files were made.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace widerow::testing {

inline std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> out;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1) {
    out.push_back(text.substr(begin, end - begin));
  }
  out.push_back(text.substr(begin));
  return out;
}

// Returns the fields of each line. The test fails if a line does not have `fields` fields.
inline std::vector<std::vector<std::string>> ReadVectors(const std::string& name, size_t fields) {
  std::ifstream file(std::string(WR_TEST_DATA) + "/types/" + name);
  std::vector<std::vector<std::string>> out;
  for (std::string line; std::getline(file, line);) {
    out.push_back(SplitAt(line, '\t'));
    EXPECT_EQ(out.back().size(), fields) << name << ": " << line;
  }
  EXPECT_GT(out.size(), 100u) << name;
  return out;
}

inline Bytes Unhex(const std::string& hex) {
  Bytes bytes;
  EXPECT_TRUE(FromHex(hex, bytes)) << hex;
  return bytes;
}

}  // namespace widerow::testing
