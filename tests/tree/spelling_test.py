#!/usr/bin/env python3
"""No file of the tree has a word that codespell knows as misspelt; .codespellrc lists the exceptions.

Status 77, which ctest shows as skipped: codespell is not installed."""
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
