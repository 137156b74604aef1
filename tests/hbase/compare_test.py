#!/usr/bin/env python3
"""compare_test.py WIDEROW [--seed=N] [--operations=N]: starts an HBase and a Widerow, and compares their answers to random operations.

Without --seed, the seed is the time, so each run makes other operations. The seed is printed."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
from harness import SKIPPED, Server, skip  # noqa: E402

PORTS = {'REGION_PORT': '16120', 'MASTER_PORT': '16121', 'ZK_PORT': '16122'}


def main():
    options = sys.argv[2:]
    if not any(option.startswith('--seed=') for option in options):
        options.append(f'--seed={int(time.time())}')
    print(' '.join(options), flush=True)
    with tempfile.TemporaryDirectory(prefix='widerow-hbase-') as directory:
        jars = pathlib.Path(os.environ.get('PEER_DIR', HERE.parents[1] / 'build' / 'hbase-peer')) / 'lib'
        environment = {**os.environ, **PORTS, 'PEER_DIR': directory + '/peer'}
        if jars.is_dir():
            os.mkdir(directory + '/peer')
            os.symlink(jars, directory + '/peer/lib')
        if subprocess.run([HERE / 'peer' / 'start.sh'], env={**environment, 'INSTALL_ONLY': '1'}, check=False).returncode != 0:
            skip('the jars of HBase cannot be fetched')
        server = Server(sys.argv[1], directory + '/data')
        server.others['hbase'] = ''
        server.start()
        try:
            subprocess.run([HERE / 'peer' / 'start.sh'], env=environment, check=True)
            hbase = f'127.0.0.1:{PORTS["REGION_PORT"]}'
            status = subprocess.run([HERE / 'compare' / 'run', 'compare', hbase, server.others['hbase'], *options], check=False).returncode
        finally:
            subprocess.run([HERE / 'peer' / 'stop.sh'], env=environment, check=False)
            stopped = server.stop()
    if status == SKIPPED:
        skip('the jars of the client cannot be fetched')
    return status if stopped else 1


if __name__ == '__main__':
    sys.exit(main())
