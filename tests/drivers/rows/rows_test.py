#!/usr/bin/env python3
"""rows_test.py WIDEROW: every test script that is named after a requirement row, through a driver and a real socket."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

ROOT = HERE.parents[2]


def main():
    scripts = sorted((ROOT / 'tests' / 'cql').glob('*/[A-Z][0-9]*_*.cql'))
    assert len(scripts) > 10, scripts
    for script in scripts:  # Each on a server of its own: what servers count of themselves is part of some answers.
        status = run_python(sys.argv[1], lambda server: [ROOT / 'scripts' / 'run_cql_on_cassandra.py', '--all', server.cql, script])
        if status != 0:
            return status
    return 0


if __name__ == '__main__':
    sys.exit(main())
