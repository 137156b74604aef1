#!/usr/bin/env python3
"""partitioned_test.py WIDEROW: runs partitioned.py against a fresh server."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

if __name__ == '__main__':
    sys.exit(run_python(sys.argv[1], lambda server: [HERE / 'partitioned.py', server.cql]))
