// Reads the files of tests/data/parser, and writes the files with the expected answers anew.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace widerow {

inline std::string DataPath(const std::string& name) { return std::string(WR_TEST_DATA) + "/parser/" + name; }

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns true if WR_REWRITE=1 is set: the tests then store the actual answers in the files. Whoever sets it must check
// how the files have changed.
inline bool RewriteGoldenFiles() {
  const char* value = std::getenv("WR_REWRITE");
  return value && std::string(value) == "1";
}

inline std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace widerow
