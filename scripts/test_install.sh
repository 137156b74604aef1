#!/bin/sh
# Installs a built tree into a temporary prefix, builds examples/embedded against it with find_package, and runs it.
# usage: scripts/test_install.sh BUILD_DIR
set -eu
build=$(cd "${1:?usage: scripts/test_install.sh BUILD_DIR}" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/install.log"
sanitize=$(sed -n 's/^WIDEROW_SANITIZE:[^=]*=//p' "$build/CMakeCache.txt")
cmake -S "$root/examples/embedded" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
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
"$scratch/prefix/bin/widerow" --version
echo "install: ok"
