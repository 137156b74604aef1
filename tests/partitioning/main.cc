// The program range_splits runs the tests of load.cc and kills.cc.
#include <CLI/CLI.hpp>

#include "tests/partitioning/table.h"

int main(int argc, char** argv) {
  CLI::App app("Splits of RANGE partitions, under load and under kill -9");
  app.require_subcommand(1);
  CLI::App* const load = app.add_subcommand("load", "insert rows while partitions are split and scans run");
  std::string order = "key";
  int64_t rows = 5'000'000, split_size_kb = 8'192;
  load->add_option("--order", order)->check(CLI::IsMember({"key", "random"}));
  load->add_option("--rows", rows);
  load->add_option("--split-size-kb", split_size_kb);
  CLI::App* const kills =
      app.add_subcommand("kills", "kill a process in the middle of a split and look at what is left");
  int cycles = 100;
  uint64_t seed = 1;
  kills->add_option("--cycles", cycles);
  kills->add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);
  if (load->parsed()) return widerow::range_splits::RunLoad(order, rows, split_size_kb);
  return widerow::range_splits::RunKills(cycles, seed);
}
