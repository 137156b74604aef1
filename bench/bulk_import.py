#!/usr/bin/env python3
"""Imports a CSV file into an empty table, and prints wall time, CPU for a row, memory and bytes written.

  bulk_import.py WIDEROW [--over data|http|protocol] [--rows 10000000] [--directory build/bulk] [--rounds 3] [--cores 0,1]
                 [--client-cores 2,3] [--durability sync] [--python PYTHON] [--processes 2]

--over says how the rows are imported:

data      COPY FROM with --data (the default), on the cores of --cores.
http      COPY FROM of a shell to a running server. The server uses --cores, and the shell uses --client-cores.
protocol  the DataStax Python driver, in the way that docs/reference/drivers.md describes under "Loading much": a prepared INSERT
          with 256 requests in flight in each process. PYTHON is an interpreter that has the driver.

The script makes the CSV file once. A row has about 100 bytes: an int, 16 characters and 70 characters. The keys are not sorted.
The same number of rows gives the same file. The script fails if a row is missing afterwards. If there is a server, the figures for
CPU, memory and bytes written are those of the server."""
import argparse
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'load'))
from servers import StartedServer  # noqa: E402

SEED = 20_240_229
SCHEMA = ("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; "
          "CREATE TABLE k.t (id int PRIMARY KEY, a text, b text)")


def make_csv(path, rows):
    rng = random.Random(SEED)
    texts = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz0123456789', k=35)) for _ in range(4096)]
    with open(path.with_suffix('.new'), 'w') as out:
        for first in range(0, rows, 10_000):
            out.write(''.join(f'{i * 7919 % 2147483647},{rng.getrandbits(64):016x},'
                              f'{texts[rng.getrandbits(12)]}{texts[rng.getrandbits(12)]}\n'
                              for i in range(first, min(first + 10_000, rows))))
    path.with_suffix('.new').rename(path)


def on_cores(cores, command):
    return ['taskset', '-c', cores] + command if cores else command


def shell(widerow, place, statements, cores=None):
    """Runs statements in `widerow shell`. `place` has the options that choose the database."""
    command = [widerow, 'shell', *place, '-e', statements]
    return subprocess.run(on_cores(cores, command), check=True, capture_output=True, text=True).stdout


def check_count(options, place):
    count = shell(options.widerow, place, 'SELECT count(*) FROM k.t').split()
    if str(options.rows) not in count:
        raise SystemExit(f'{options.rows} rows went in, the table has: {" ".join(count)}')


def report(options, csv, seconds, cpu, memory_mib, written):
    print(f'{options.rows / seconds:,.0f} rows/s, {seconds:.1f} s, {cpu / options.rows * 1e6:.2f} us CPU a row, '
          f'{memory_mib:.0f} MiB at most, {written / os.path.getsize(csv):.1f} bytes written for each byte of CSV', flush=True)
    return options.rows / seconds


def measure_data(options, csv):
    data = options.directory / 'data'
    shutil.rmtree(data, ignore_errors=True)
    place = ['--data', data, '--no-extension-warnings']
    shell(options.widerow, place, SCHEMA)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    shell(options.widerow, place, f"COPY k.t (id, a, b) FROM '{csv}'", options.cores)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    check_count(options, place)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return report(options, csv, seconds, cpu, after.ru_maxrss / 1024, (after.ru_oublock - before.ru_oublock) * 512)


def load_by_driver(options, address, csv):
    """Loads the file by several processes. Each process takes its share of the lines."""
    host, _, port = address.rpartition(':')
    load = [options.python, str(pathlib.Path(__file__).resolve()), '--load', host, port, str(csv), str(options.processes)]
    loaders = [subprocess.Popen(on_cores(options.client_cores, load + [str(share)])) for share in range(options.processes)]
    if any([loader.wait() != 0 for loader in loaders]):
        raise SystemExit('a loading process has failed')


def measure_server(options, csv):
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [int(core) for core in options.cores.split(',')])  # The server inherits the cores.
    server = StartedServer(f'widerow={options.widerow} --durability {options.durability}', options.directory)
    os.sched_setaffinity(0, mine)
    try:
        place = [server.http]
        shell(options.widerow, place, SCHEMA)
        cpu, written, start = server.cpu_seconds(), server.written_bytes(), time.monotonic()
        if options.over == 'http':
            shell(options.widerow, place, f"COPY k.t (id, a, b) FROM '{csv}'", options.client_cores)
        else:
            load_by_driver(options, server.address, csv)
        seconds, cpu = time.monotonic() - start, server.cpu_seconds() - cpu
        rate = report(options, csv, seconds, cpu, server.resident_mib(), server.written_bytes() - written)
        check_count(options, place)
        return rate
    finally:
        if trouble := server.stop():
            print(trouble, file=sys.stderr)


def load_share(host, port, csv, processes, share):
    """Runs in a loading process: inserts every `processes`-th line of the file."""
    from cassandra.cluster import Cluster  # pylint: disable=import-outside-toplevel
    from cassandra.concurrent import execute_concurrent_with_args  # pylint: disable=import-outside-toplevel
    with Cluster([host], port=int(port)) as cluster, open(csv, encoding='utf-8') as lines:
        session = cluster.connect('k')
        insert = session.prepare('INSERT INTO t (id, a, b) VALUES (?, ?, ?)')
        rows = (line.rstrip('\n').split(',') for number, line in enumerate(lines) if number % int(processes) == int(share))
        values = ((int(row[0]), row[1], row[2]) for row in rows)
        for _ in execute_concurrent_with_args(session, insert, values, concurrency=256, results_generator=True):
            pass


def main():
    if sys.argv[1:2] == ['--load']:
        return load_share(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--over', choices=['data', 'http', 'protocol'], default='data')
    parser.add_argument('--rows', type=int, default=10_000_000)
    parser.add_argument('--directory', type=pathlib.Path, default='build/bulk')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--cores', default='0,1')
    parser.add_argument('--client-cores', default='2,3')
    parser.add_argument('--durability', default='sync')
    parser.add_argument('--python', default=sys.executable)
    parser.add_argument('--processes', type=int, default=2)
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    csv = options.directory.resolve() / f'rows-{options.rows}.csv'
    if not csv.exists():
        make_csv(csv, options.rows)
    measure = measure_data if options.over == 'data' else measure_server
    rates = [measure(options, csv) for _ in range(options.rounds)]
    print(f'median: {statistics.median(rates):,.0f} rows/s')


if __name__ == '__main__':
    main()
