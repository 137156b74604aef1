// random_inputs TARGET RUNS SEED [DIRECTORY…]: runs one of the fuzz targets in an ordinary build, without libFuzzer. It
// runs the target on the files of the directories, and then on RUNS random inputs. Each of these is made of random
// bytes, or is one of the files with some bytes changed. This finds less than a fuzzer that measures coverage, but runs
// many more inputs a second. If an input ends the process, the file build/random_input has this input.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// CMakeLists.txt gives the function of each target a name of its own.
#define WR_FUZZ_TARGETS(each)                                                                                          \
  each(connection) each(frame) each(http) each(log) each(pages) each(paging) each(request) each(segment) each(session) \
      each(statement)
#define WR_DECLARE(name) extern "C" int name##_fuzz(const uint8_t* data, size_t size);
WR_FUZZ_TARGETS(WR_DECLARE)
#undef WR_DECLARE

namespace {

using Target = int (*)(const uint8_t* data, size_t size);

Target TargetNamed(const std::string& wanted) {
#define WR_FIND(name) \
  if (wanted == #name) return name##_fuzz;
  WR_FUZZ_TARGETS(WR_FIND)
#undef WR_FIND
  return nullptr;
}

constexpr size_t kBytesMax = 600;
std::string current;  // The input that is running.

std::string RandomBytes(std::mt19937_64& random) {
  std::string input(1 + random() % kBytesMax, '\0');
  for (char& byte : input) byte = static_cast<char>(random());
  return input;
}

std::string Changed(std::string input, std::mt19937_64& random) {
  for (uint64_t changes = 1 + random() % 8; changes > 0; --changes) {
    const size_t place = random() % (input.size() + 1);
    switch (random() % 4) {
      case 0: input.insert(place, 1, static_cast<char>(random())); break;
      case 1: input.erase(place, 1 + random() % 8); break;
      case 2: input += input.substr(place, random() % 40); break;
      default:
        if (place < input.size()) input[place] = static_cast<char>(random());
    }
  }
  return input;
}

void Run(Target target, std::string input) {
  current = std::move(input);
  target(reinterpret_cast<const uint8_t*>(current.data()), current.size());
}

void KeepInput() { std::ofstream("build/random_input", std::ios::binary) << current; }

}  // namespace

int main(int argc, char** argv) {
  const Target target = argc < 4 ? nullptr : TargetNamed(argv[1]);
  if (target == nullptr) {
    std::fprintf(stderr, "usage: random_inputs TARGET RUNS SEED [DIRECTORY…]\n");
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) {
    std::signal(signal, [](int number) {
      KeepInput();
      std::signal(number, SIG_DFL);
      std::raise(number);
    });
  }
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> files;
  for (int i = 4; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }
  for (const std::string& file : files) Run(target, file);
  std::mt19937_64 random(std::strtoull(argv[3], nullptr, 10));
  const uint64_t runs = std::strtoull(argv[2], nullptr, 10);
  for (uint64_t i = 0; i < runs; ++i) {
    Run(target,
        files.empty() || random() % 2 == 0 ? RandomBytes(random) : Changed(files[random() % files.size()], random));
  }
  std::printf("%s: %zu files and %llu random inputs in %.1f s\n", argv[1], files.size(),
              static_cast<unsigned long long>(runs),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return 0;
}
