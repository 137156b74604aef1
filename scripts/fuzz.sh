#!/usr/bin/env bash
# scripts/fuzz.sh [RUNS] [NAME…]: runs the fuzzers of build/fuzz on RUNS inputs each. Those that run statements on a
# database get fewer (statement, http, paging a fifth, connection a twentieth), and those that open a data directory for
# each input a hundredth (log, pages). They start with the seeds in tests/fuzz/seeds and the statements in tests/cql. The
# script stops at the first failure and leaves its input in build/fuzz. FUZZ_SECONDS=N gives each fuzzer N seconds
# instead. These commands build the fuzzers: cmake --preset fuzz; cmake --build --preset fuzz
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-1000000}
shift || true
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=(connection frame http log pages paging request segment session statement)
seeds=build/fuzz/seeds/connection
python3 tests/fuzz/make_seeds.py "$seeds" build/fuzz/cql.dict
[[ -d /dev/shm ]] && export TMPDIR=/dev/shm
for name in "${names[@]}"; do
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  options=(-runs="$runs" -max_len=512 -rss_limit_mb=1024 -malloc_limit_mb=256 -timeout=25 -print_funcs=0 -print_final_stats=1)
  dirs=("$corpus")
  [[ -d tests/fuzz/seeds/$name ]] && dirs+=("tests/fuzz/seeds/$name")
  # Because of the database's threads, libFuzzer would look for leaks after each input. It finds them at the end, too.
  case $name in
    session) options+=(-max_len=4096) ;;
    connection)
      options+=(-runs=$((runs / 20)) -max_len=4096 -detect_leaks=0 -entropic=0 -dict=build/fuzz/cql.dict)
      dirs+=("$seeds")
      ;;
    http | paging | statement) options+=(-runs=$((runs / 5)) -max_len=2048 -detect_leaks=0) ;;
    log | pages) options+=(-runs=$((runs / 100)) -detect_leaks=0) ;;
  esac
  [[ -n ${FUZZ_SECONDS:-} ]] && options+=(-runs=-1 -max_total_time="$FUZZ_SECONDS")
  echo "== $name"
  begin=$SECONDS
  "build/fuzz/tests/fuzz/${name}_fuzz" "${options[@]}" -verbosity=0 -artifact_prefix=build/fuzz/ "${dirs[@]}"
  echo "$name: $((SECONDS - begin)) s"
done
