#!/usr/bin/env python3
"""export_test.py WIDEROW: what the Python driver exports of a fresh server's schema equals what it exports of Cassandra's."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

if __name__ == '__main__':
    sys.exit(run_python(sys.argv[1], lambda server: [HERE / 'export.py', 'compare', server.cql,
                                                     HERE.parent.parent / 'data' / 'metadata_export.txt']))
