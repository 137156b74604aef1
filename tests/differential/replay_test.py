#!/usr/bin/env python3
"""replay_test.py WIDEROW: compares the answers of a fresh server with the recorded answers of Cassandra (answers.txt)."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
from harness import Server  # noqa: E402


def main():
    with tempfile.TemporaryDirectory(prefix='widerow-differential-') as directory:
        server = Server(sys.argv[1], directory, options=['--profile', 'cassandra-5'])
        server.start()
        try:
            status = subprocess.run([sys.executable, HERE / 'recorded.py', 'replay', server.cql, HERE / 'answers.txt'], check=False).returncode
        finally:
            stopped = server.stop()
    return status if stopped else 1


if __name__ == '__main__':
    sys.exit(main())
