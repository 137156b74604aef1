#!/usr/bin/env python3
"""advise_test.py WIDEROW: tests ADVISE over the native protocol, as a program with the Python driver sees it."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

if __name__ == '__main__':
    sys.exit(run_python(sys.argv[1], lambda server: [HERE / 'advise.py', server.cql]))
