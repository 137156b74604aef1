#!/usr/bin/env python3
"""export_test.py WIDEROW: the Python driver must export the same text of a schema from a fresh server as from Cassandra."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

if __name__ == '__main__':
    sys.exit(run_python(sys.argv[1], lambda server: [HERE / 'export.py', 'compare', server.cql,
                                                     HERE.parent.parent / 'data' / 'metadata_export.txt']))
