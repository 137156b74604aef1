#!/usr/bin/env python3
"""scripts_test.py WIDEROW: runs scripts of tests/cql through a driver and a real socket. They test keys, and features that other databases
do not have.

Scripts that need a clock, an option of the server or a language profile are not run (scripts/run_cql_on_cassandra.py)."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from harness import run_python  # noqa: E402

ROOT = HERE.parents[2]
SUBJECTS = ('advise', 'batch', 'designs', 'extensions', 'generated', 'heat', 'index', 'keys', 'load', 'partitioning', 'plan',
            'roles')


def main():
    folders = [ROOT / 'tests' / 'cql' / subject for subject in SUBJECTS]
    for folder in folders:
        scripts = sorted(folder.glob('*.cql'))
        assert scripts, folder
        for script in scripts:  # Each script runs on a fresh server, because some answers have the server's own counters.
            status = run_python(sys.argv[1], lambda server, script=script: [ROOT / 'scripts' / 'run_cql_on_cassandra.py', '--all',
                                                                            server.cql, script])
            if status != 0:
                return status
    return 0


if __name__ == '__main__':
    sys.exit(main())
