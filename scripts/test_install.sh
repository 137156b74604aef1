#!/bin/sh
# scripts/test_install.sh BUILD_DIR: installs a built tree into a temporary directory and tests the result. The installed
# files must have no debug information, and debuggers must find the debug information of the program. The program of
# examples/embedded must build against the installed library with find_package, and must run.
set -eu
build=$(cd "${1:?usage: scripts/test_install.sh BUILD_DIR}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "install: $1" >&2
  exit 1
}
has_section() { readelf -SW "$1" 2> /dev/null | grep -q "[. ]$2 "; }

prefix=$scratch/prefix
cmake --install "$build" --prefix "$prefix" > "$scratch/install.log"
cmake --install "$build" --prefix "$prefix" >> "$scratch/install.log"  # Installs over the installed files, as an upgrade does.

program=$prefix/bin/widerow
has_section "$program" debug_info && fail "$program is not stripped"
for archive in "$prefix"/lib*/libwiderow_*.a "$prefix"/lib*/*/libwiderow_*.a; do
  if [ -e "$archive" ] && has_section "$archive" debug_info; then fail "$archive is not stripped"; fi
done
readelf --string-dump=.gnu_debuglink "$program" | grep -q ' widerow\.debug$' || fail "$program names no debug file"
if has_section "$build/widerow" debug_info; then
  has_section "$program.debug" debug_info || fail "$program.debug has no debug information"
  if command -v gdb > /dev/null; then
    line=$(DEBUGINFOD_URLS='' gdb -nx -batch -ex 'info line main' "$program" 2>&1)
    case $line in
      *server/main.cc*) ;;
      *) fail "gdb does not find the debug information of $program: $line" ;;
    esac
  fi
fi
echo "installed: $(du -sm "$prefix" | cut -f1) MB in all; the program: $(du -m "$program" | cut -f1) MB," \
  "its debug information: $(du -m "$program.debug" | cut -f1) MB"

sanitize=$(sed -n 's/^WIDEROW_SANITIZE:[^=]*=//p' "$build/CMakeCache.txt")
cmake -S "$root/examples/embedded" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_FLAGS="${sanitize:+-fsanitize=$sanitize}" > "$scratch/configure.log" || { cat "$scratch/configure.log"; exit 1; }
cmake --build "$scratch/build" > "$scratch/build.log" || { cat "$scratch/build.log"; exit 1; }

printed=$("$scratch/build/orders" "$scratch/data")
expected='3 30.50
2 20.50
1 10.50'
if [ "$printed" != "$expected" ]; then
  printf 'examples/embedded printed:\n%s\nexpected:\n%s\n' "$printed" "$expected" >&2
  exit 1
fi
"$scratch/build/orders_test"
"$program" --version
echo "install: ok"
