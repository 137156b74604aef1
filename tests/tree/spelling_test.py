#!/usr/bin/env python3
"""Checks the spelling of all files with codespell. .codespellrc lists the exceptions.

The exit status is 77, which ctest shows as skipped, if codespell is not installed."""
import shutil
import subprocess
import sys

from tracked_files import ROOT, tracked


def main():
    if not shutil.which('codespell'):
        print('SKIPPED: codespell is not installed (scripts/packages.txt)')
        return 77
    # Names that begin with ./ match the patterns of .codespellrc as they do for `codespell` without arguments.
    status = subprocess.run(['codespell', *(f'./{name}' for name in tracked())], cwd=ROOT, check=False).returncode
    return 1 if status != 0 else 0


if __name__ == '__main__':
    sys.exit(main())
