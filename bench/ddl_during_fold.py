#!/usr/bin/env python3
"""Measures the time of TRUNCATE and of CREATE, ALTER and DROP TABLE: on an idle server, and while memtables are folded.

  ddl_during_fold.py WIDEROW [--rows 1000000] [--rounds 100] [--writers 2] [--memtable 16M] [--directory build/ddl]

Fills a table and lets processes overwrite its rows at random with values of 1 KiB, at full speed. Meanwhile it makes, changes,
fills, truncates and drops small tables over HTTP. For the second part, only statements that began and ended during a fold count;
`folding_bytes` of system_views.storage shows folds. At the end of each part, a copy of the large table is truncated once. The
writers need the Python cassandra-driver (tests/drivers/python/environment)."""
import argparse
import http.client
import json
import multiprocessing
import pathlib
import random
import shutil
import statistics
import subprocess
import time


KEYSPACE = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
TABLES = ('rows', 'copy_idle', 'copy_folding')
AIMS_MS = {'CREATE': 5, 'ALTER': 5, 'TRUNCATE': 20, 'DROP': 5}
IN_FLIGHT = 128


class Http:
    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=120)

    def run(self, query):
        self.connection.request('POST', '/v1/query', json.dumps({'query': query}), {'Content-Type': 'application/json'})
        answer = json.load(self.connection.getresponse())
        if 'error' in answer:
            raise RuntimeError(f"{query}: {answer['error']['text']}")
        return answer

    def folding(self):
        return self.run('SELECT folding_bytes FROM system_views.storage')['rows'][0][0] > 0

    def milliseconds(self, query):
        begin = time.perf_counter()
        self.run(query)
        return (time.perf_counter() - begin) * 1e3


def preload(widerow, data, rows):
    """Makes the tables and loads their rows into the data directory, without a server."""
    csv = data.parent / f'rows-{rows}.csv'
    if not csv.exists():
        rng = random.Random(7)
        with open(csv, 'w') as out:
            out.writelines(f'{i},{rng.getrandbits(400):0100x}\n' for i in range(rows))
    statements = KEYSPACE + ';' + ''.join(
        f"CREATE TABLE k.{name} (id int PRIMARY KEY, v text); COPY k.{name} (id, v) FROM '{csv.resolve()}';" for name in TABLES)
    subprocess.run([widerow, 'shell', '--data', data, '-e', statements], check=True, stdout=subprocess.DEVNULL)


def write_at_random(address, rows, stop):
    from cassandra.cluster import Cluster
    from cassandra.concurrent import execute_concurrent_with_args
    host, port = address.rsplit(':', 1)
    session = Cluster([host], port=int(port), protocol_version=4, compression=False).connect()
    insert = session.prepare('INSERT INTO k.rows (id, v) VALUES (?, ?)')
    values = ['x' * 1_000 + f'{i:024}' for i in range(64)]
    while not stop.is_set():
        parameters = [(random.randrange(rows), random.choice(values)) for _ in range(2_000)]
        execute_concurrent_with_args(session, insert, parameters, concurrency=IN_FLIGHT, raise_on_first_error=True)


def measure(client, rounds, during_fold):
    """Returns the milliseconds of each statement, by its kind. If `during_fold`, waits for a fold before each statement."""
    times = {kind: [] for kind in AIMS_MS}

    def timed(kind, query):
        while during_fold and not client.folding():
            time.sleep(0.005)
        took = client.milliseconds(query)
        if not during_fold or client.folding():
            times[kind].append(took)

    for number in range(rounds):
        table = f'k.small_{number}'
        timed('CREATE', f'CREATE TABLE {table} (id int PRIMARY KEY, v text)')
        timed('ALTER', f'ALTER TABLE {table} ADD w text')
        client.run(f"INSERT INTO {table} (id, v, w) VALUES (1, 'v', 'w')")
        timed('TRUNCATE', f'TRUNCATE {table}')
        timed('DROP', f'DROP TABLE {table}')
    return times


def table_of(idle, folding):
    print('| | idle: p50 | max | during a fold: p50 | p99 | max | longer than the aim | measured | aim |\n|---|---|---|---|---|---|---|---|---|')
    for kind, aim in AIMS_MS.items():
        cells = [f'{statistics.median(idle[kind]):.2f} ms', f'{max(idle[kind]):.2f} ms', f'{statistics.median(folding[kind]):.2f} ms',
                 f'{statistics.quantiles(folding[kind], n=100, method="inclusive")[98]:.2f} ms', f'{max(folding[kind]):.2f} ms',
                 str(sum(took > aim for took in folding[kind]))]
        print(f'| {kind} | ' + ' | '.join(cells) + f' | {len(idle[kind])}, {len(folding[kind])} | ≤ {aim} ms |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=1_000_000)
    parser.add_argument('--rounds', type=int, default=100)
    parser.add_argument('--writers', type=int, default=2)
    parser.add_argument('--memtable', default='16M')
    parser.add_argument('--directory', type=pathlib.Path, default='build/ddl')
    options = parser.parse_args()
    data = options.directory / 'data'
    shutil.rmtree(data, ignore_errors=True)
    options.directory.mkdir(parents=True, exist_ok=True)
    preload(options.widerow, data, options.rows)

    server = subprocess.Popen([options.widerow, 'serve', '--data', data, '--port', '0', '--http-port', '0', '--memtable',
                               options.memtable], stdout=subprocess.PIPE, text=True)
    ready = dict(part.split('=', 1) for part in server.stdout.readline().split() if '=' in part)
    stop = multiprocessing.Event()
    writers = [multiprocessing.Process(target=write_at_random, args=(ready['cql'], options.rows, stop))
               for _ in range(options.writers)]
    try:
        client = Http(ready['http'])
        idle = measure(client, options.rounds, False)
        large_idle = client.milliseconds('TRUNCATE k.copy_idle')
        for writer in writers:
            writer.start()
        folding = measure(client, options.rounds, True)
        while not client.folding():
            time.sleep(0.005)
        large_folding = client.milliseconds('TRUNCATE k.copy_folding')
    finally:
        stop.set()
        for writer in writers:
            if writer.pid is not None:
                writer.join(60)
        server.terminate()
        server.wait(120)
    table_of(idle, folding)
    print(f'TRUNCATE of {options.rows:,} rows: {large_idle:.2f} ms idle, {large_folding:.2f} ms during a fold')
    if any(writer.exitcode != 0 for writer in writers):
        raise SystemExit('a writer failed')


if __name__ == '__main__':
    main()
