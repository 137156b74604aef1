#!/usr/bin/env bash
# Builds all packages into BUILD/packages: the Debian package, the tarball and the Python wheel. Prints their sizes.
# The build must be configured (./test, or cmake --preset release). Needs the packages of packaging/packages.txt.
#   scripts/package.sh [BUILD]    BUILD: another build directory than build/release
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh packaging/packages.txt
build=${1:-build/release}
packages=$build/packages
pages=$packages/pages
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build"/CMakeCache.txt)
architecture=$(uname -m)
PATH=$PATH:/usr/sbin   # icupkg is there.

cmake --build "$build" --target widerow widerow_portable widerow_debian >/dev/null
mkdir -p "$pages"

# The Debian package. The date of the newest commit makes two builds of one commit equal.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
export SOURCE_DATE_EPOCH
{
  cat packaging/debian/copyright
  python3 packaging/notices.py debian
} >"$pages"/copyright
packaging/debian/changelog.sh "$version" | gzip -9n >"$pages"/changelog.Debian.gz
python3 packaging/man_page.py "$build"/widerow | gzip -9n >"$pages"/widerow.1.gz
(cd "$build" && cpack -G DEB >/dev/null)

# The tarball and the wheel.
python3 packaging/notices.py portable >"$pages"/NOTICE
name=widerow-$version-linux-$architecture
rm -rf "${packages:?}/$name"
mkdir -p "$packages/$name"
install -m 0755 -s "$build"/packaging/widerow_portable "$packages/$name/widerow"
install -m 0644 LICENSE "$pages"/NOTICE packaging/widerow.conf packaging/widerow.service packaging/tarball/README.md "$packages/$name"
tar -C "$packages" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cJf "$packages/$name.tar.xz" "$name"
python3 packaging/wheel/build_wheel.py "$packages/$name/widerow" "$version" "$pages"/NOTICE "$packages"

for file in "$packages"/*.deb "$packages/$name.tar.xz" "$packages"/*.whl; do
  printf '%-70s %6.1f MB\n' "$file" "$(stat -c %s "$file" | awk '{print $1 / 1e6}')"
done
