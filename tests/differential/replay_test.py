#!/usr/bin/env python3
"""replay_test.py WIDEROW: the recorded answers of Cassandra (answers.txt) against a fresh server."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
from harness import run_python  # noqa: E402

if __name__ == '__main__':
    sys.exit(run_python(sys.argv[1], lambda server: [HERE / 'recorded.py', 'replay', server.cql, HERE / 'answers.txt']))
