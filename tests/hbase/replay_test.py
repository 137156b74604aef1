#!/usr/bin/env python3
"""replay_test.py WIDEROW: compares the answers of a fresh server with the recorded answers of HBase 2.6.4 (answers/)."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
from harness import SKIPPED, Server, skip  # noqa: E402


def main():
    with tempfile.TemporaryDirectory(prefix='widerow-hbase-') as directory:
        server = Server(sys.argv[1], directory)
        server.others['hbase'] = ''
        server.start()
        try:
            done = subprocess.run([HERE / 'compare' / 'run', 'replay', server.others['hbase'], HERE / 'answers' / 'answers.txt'],
                                  stdout=subprocess.PIPE, text=True, check=False)
        finally:
            stopped = server.stop()
    if done.returncode == SKIPPED:
        skip(done.stdout.strip().removeprefix('skip '))
    print(done.stdout, end='')
    return done.returncode if stopped else 1


if __name__ == '__main__':
    sys.exit(main())
