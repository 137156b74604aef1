#!/usr/bin/env python3
"""Checks that each .cc and .h file is formatted by clang-format 14 with .clang-format. `scripts/check --fix` formats changed files.

The exit status is 77, which ctest shows as skipped, if clang-format-14 is not installed."""
import shutil
import subprocess
import sys

from tracked_files import ROOT, tracked

SHOWN_MAX = 20


def main():
    if not shutil.which('clang-format-14'):
        print('SKIPPED: clang-format-14 is not installed (scripts/packages.txt)')
        return 77
    names = [name for name in tracked() if name.endswith(('.cc', '.h'))]
    told = subprocess.run(['clang-format-14', '--dry-run', '-Werror', *names], cwd=ROOT, stderr=subprocess.PIPE, text=True,
                          check=False)
    places = [line for line in told.stderr.splitlines() if 'error:' in line]
    print('\n'.join(places[:SHOWN_MAX]))
    print(f'{len(names)} files, {len(places)} places to format')
    if places:
        print('mend them with: scripts/check --fix')
    return 1 if told.returncode != 0 or not names else 0


if __name__ == '__main__':
    sys.exit(main())
