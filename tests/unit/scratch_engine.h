// A temporary directory, and an engine in it, for tests of the folders above storage. In a class, declare the directory
// before the engine: the member that is declared last is destroyed first.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "exec/engine/engine.h"

namespace widerow {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "widerow-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr) << pattern;
    path_ = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Opens an engine in the directory. If this fails, the test fails and the result is null.
inline std::unique_ptr<Engine> OpenEngine(const ScratchDirectory& directory, LanguageOptions language = {},
                                          EngineOptions options = {}) {
  auto storage = OpenLmdbEngine({.directory = directory.path(), .map_bytes = uint64_t{1} << 34});
  if (storage.ok()) return std::make_unique<Engine>(std::move(*storage), language, std::move(options));
  ADD_FAILURE() << storage.error().message;
  return nullptr;
}

}  // namespace widerow
