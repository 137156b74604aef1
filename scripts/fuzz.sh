#!/usr/bin/env bash
# scripts/fuzz.sh [RUNS] [NAME…]: runs the fuzzers of build/fuzz, each on RUNS inputs (default: 1,000,000).
# Slow fuzzers run on fewer inputs: statement, http and paging on a fifth, connection on a twentieth, and log and pages,
# which open a data directory for each input, on a hundredth. The fuzzers start with the seeds in tests/fuzz/seeds, the
# statements in tests/cql and the inputs that earlier runs have kept in build/fuzz/corpus. The script prints the inputs,
# the CPU time and the edges reached. It stops at the first failure. The input that failed is then in build/fuzz.
# These variables of the environment replace the number of inputs. FUZZ_SECONDS=N gives each fuzzer N seconds.
# FUZZ_CPU_SECONDS=N FUZZ_FLAT_SECONDS=M lets it run until it has used N seconds of CPU time, and the last M of them have
# reached nothing new: a campaign has 3600 and 900.
# These commands build the fuzzers: cmake --preset fuzz; cmake --build --preset fuzz
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-1000000}
shift || true
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=(connection frame http log pages paging request segment session statement)
seeds=build/fuzz/seeds/connection
python3 tests/fuzz/make_seeds.py "$seeds" build/fuzz/cql.dict
[[ -d /dev/shm ]] && export TMPDIR=/dev/shm
# Shorter stacks of allocations in reports of errors make the targets with a database a tenth faster.
export ASAN_OPTIONS=malloc_context_size=6:quarantine_size_mb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}
for name in "${names[@]}"; do
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  options=(-runs="$runs" -max_len=512 -rss_limit_mb=2048 -malloc_limit_mb=256 -timeout=120 -entropic=0 -print_funcs=0 -print_final_stats=1)
  dirs=("$corpus")
  [[ -d tests/fuzz/seeds/$name ]] && dirs+=("tests/fuzz/seeds/$name")
  # -entropic=0: with hundreds of thousands of edges, the entropic schedule takes four fifths of the time for itself.
  # detect_leaks=0: the threads of the database never end here, and memory that only they refer to looks like a leak. The
  # unit tests under the address sanitizer find leaks.
  asan_options=$ASAN_OPTIONS
  case $name in
    session) options+=(-max_len=4096) ;;
    connection)
      options+=(-runs=$((runs / 20)) -max_len=4096 -dict=build/fuzz/cql.dict)
      dirs+=("$seeds")
      ;;
    http | paging | statement) options+=(-runs=$((runs / 5)) -max_len=2048) ;;
    log | pages) options+=(-runs=$((runs / 100))) ;;
  esac
  case $name in connection | http | log | pages | paging | statement) asan_options+=:detect_leaks=0 ;; esac
  [[ -n ${FUZZ_SECONDS:-} ]] && options+=(-runs=-1 -max_total_time="$FUZZ_SECONDS")
  [[ -n ${FUZZ_CPU_SECONDS:-} ]] && options+=(-runs=-1)
  printf '%s: ' "$name"
  ASAN_OPTIONS=$asan_options python3 tests/fuzz/run_measured.py "build/fuzz/$name.log" "build/fuzz/tests/fuzz/${name}_fuzz" "${options[@]}" \
    -artifact_prefix=build/fuzz/ "${dirs[@]}"
done
