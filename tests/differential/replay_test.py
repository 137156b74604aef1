#!/usr/bin/env python3
"""replay_test.py WIDEROW: the recorded answers of Cassandra (answers.txt) against a fresh server."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
from harness import Server  # noqa: E402


def main():
    made = subprocess.run([HERE.parent / 'drivers' / 'python' / 'environment', 'cassandra-driver'], stdout=subprocess.PIPE,
                          text=True, check=False)
    if made.returncode != 0:
        print(made.stdout)
        return made.returncode
    with tempfile.TemporaryDirectory() as directory:
        server = Server(sys.argv[1], directory)
        server.start()
        status = subprocess.run([pathlib.Path(made.stdout.strip()) / 'bin' / 'python', HERE / 'recorded.py', 'replay', server.cql,
                                 HERE / 'answers.txt'], check=False).returncode
        if not server.stop():
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main())
