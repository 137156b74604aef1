#!/usr/bin/env python3
"""large_test.py WIDEROW [--values 100]: writes and reads longblobs of 1 MB through the Python driver, and over HTTP."""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('widerow')
    parser.add_argument('--values', default='100')
    arguments = parser.parse_args()
    sys.exit(run_python(arguments.widerow, lambda server: [HERE / 'large.py', server.cql, server.http, arguments.values]))
