#!/usr/bin/env python3
"""COPY FROM into an empty data directory: wall time, CPU a row, memory and bytes written, on two cores.

  bulk_import.py WIDEROW [--rows 10000000] [--directory build/bulk] [--rounds 3] [--cores 0,1]

Makes the CSV file once: int, 16 characters and 70 characters in each row, about 100 bytes, the keys in no order of the
database's, the same for the same number of rows. Fails unless all rows are there afterwards."""
import argparse
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import time

SEED = 20_240_229


def make_csv(path, rows):
    rng = random.Random(SEED)
    texts = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz0123456789', k=35)) for _ in range(4096)]
    with open(path.with_suffix('.new'), 'w') as out:
        for first in range(0, rows, 10_000):
            out.write(''.join(f'{i * 7919 % 2147483647},{rng.getrandbits(64):016x},'
                              f'{texts[rng.getrandbits(12)]}{texts[rng.getrandbits(12)]}\n'
                              for i in range(first, min(first + 10_000, rows))))
    path.with_suffix('.new').rename(path)


def shell(widerow, data, statements, cores=None):
    command = [widerow, 'shell', '--data', data, '--no-extension-warnings', '-e', statements]
    if cores:
        command = ['taskset', '-c', cores] + command
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measure(options, csv):
    data = options.directory / 'data'
    shutil.rmtree(data, ignore_errors=True)
    shell(options.widerow, data, "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; "
                                 "CREATE TABLE k.t (id int PRIMARY KEY, a text, b text)")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    shell(options.widerow, data, f"COPY k.t (id, a, b) FROM '{csv}'", options.cores)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    count = shell(options.widerow, data, 'SELECT count(*) FROM k.t').split()
    if str(options.rows) not in count:
        raise SystemExit(f'{options.rows} rows went in, the table has: {" ".join(count)}')
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    written = (after.ru_oublock - before.ru_oublock) * 512
    print(f'{options.rows / seconds:,.0f} rows/s, {seconds:.1f} s, {cpu / options.rows * 1e6:.2f} us CPU a row, '
          f'{after.ru_maxrss / 1024:.0f} MiB at most, {written / os.path.getsize(csv):.1f} bytes written a byte of CSV', flush=True)
    return options.rows / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=10_000_000)
    parser.add_argument('--directory', type=pathlib.Path, default='build/bulk')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--cores', default='0,1')
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    csv = options.directory.resolve() / f'rows-{options.rows}.csv'
    if not csv.exists():
        make_csv(csv, options.rows)
    rates = [measure(options, csv) for _ in range(options.rounds)]
    print(f'median: {statistics.median(rates):,.0f} rows/s')


if __name__ == '__main__':
    main()
