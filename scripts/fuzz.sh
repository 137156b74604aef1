#!/usr/bin/env bash
# Runs every fuzzer of build/fuzz on so many inputs, from the seeds of tests/fuzz/seeds: scripts/fuzz.sh [RUNS]. Stops at the
# first failure and leaves its input, crash-*, beside the fuzzer. Build them with: cmake --preset fuzz; cmake --build --preset fuzz
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-1000000}
for fuzzer in build/fuzz/tests/fuzz/*_fuzz; do
  name=$(basename "$fuzzer" _fuzz)
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  echo "== $name: $runs inputs"
  "$fuzzer" -runs="$runs" -max_len=4096 -rss_limit_mb=1024 -verbosity=0 -artifact_prefix=build/fuzz/ "$corpus" "tests/fuzz/seeds/$name"
done
