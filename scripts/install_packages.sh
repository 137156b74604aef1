#!/usr/bin/env bash
# Installs the missing packages of scripts/packages.txt, or of the given list. Prints nothing if none is missing.
set -euo pipefail
list=${1:-$(dirname "$0")/packages.txt}

missing=()
while read -r package; do
  [[ -z $package || $package == \#* ]] && continue
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done <"$list"
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "Run as root, or install first: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
