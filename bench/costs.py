#!/usr/bin/env python3
"""Measures two costs that must not grow: adding to a large collection, and reading behind many deleted rows.

  costs.py WIDEROW [--deleted 1000000] [--elements 100000] [--adds 2000] [--parts collections,deleted] [--directory build/costs]

collections  adds elements one by one to a collection of 10 elements and to one of --elements, for each kind of collection. Both
             collections are in the data file when the additions begin. Prints the server's CPU and the bytes of commit log for
             adding one element.
deleted      deletes --deleted rows of a partition one by one (gc_grace_seconds is 0). 100 rows of the partition remain, and come
             after the deleted rows in its order. Reads these 100 rows before and after the sweep removes the deleted rows, and
             100 rows of a partition without deletions. Prints the server's CPU for one of these reads.

The ratios are those of one run. Needs the Python cassandra-driver (tests/drivers/python/environment)."""
import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args

KEYSPACE = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
BATCH = 200


class Server:
    def __init__(self, *command):
        self.command = command
        self.start()

    def start(self):
        widerow, data, *more = self.command
        self.process = subprocess.Popen([widerow, 'serve', '--data', data, '--port', '0', '--http-port', '0', *more],
                                        stdout=subprocess.PIPE, text=True)
        ready = dict(part.split('=', 1) for part in self.process.stdout.readline().split() if '=' in part)
        self.http_address = ready['http']
        host, port = ready['cql'].rsplit(':', 1)
        self.session = Cluster([host], port=int(port), protocol_version=4, compression=False).connect()

    def cpu_micros(self):
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK') * 1e6

    def metric(self, name):
        connection = http.client.HTTPConnection(self.http_address, timeout=60)
        connection.request('GET', '/metrics')
        found = re.search(rf'^{name} (\S+)$', connection.getresponse().read().decode(), re.M)
        return float(found.group(1))

    def query(self, text):
        connection = http.client.HTTPConnection(self.http_address, timeout=600)
        connection.request('POST', '/v1/query', json.dumps({'query': text}), {'Content-Type': 'application/json'})
        answer = json.load(connection.getresponse())
        if 'error' in answer:
            raise RuntimeError(f"{text}: {answer['error']['text']}")
        return answer

    def restart(self):
        """Restarts the server. Afterwards all rows are in the data file, and the memtables are empty."""
        self.stop()
        self.start()

    def stop(self):
        self.session.cluster.shutdown()
        self.process.terminate()
        self.process.wait(300)


def cost(server, times, run):
    """Calls `run` and returns the server's CPU in microseconds, and its bytes of commit log, divided by `times`."""
    cpu, log = server.cpu_micros(), server.metric('widerow_log_bytes_appended_total')
    run()
    return ((server.cpu_micros() - cpu) / times, (server.metric('widerow_log_bytes_appended_total') - log) / times)


COLLECTIONS = {
    'map': ('map<int, text>', 'UPDATE k.{t} SET v[?] = ? WHERE id = ?', lambda i, key: (i, 'value', key)),
    'set': ('set<int>', 'UPDATE k.{t} SET v = v + ? WHERE id = ?', lambda i, key: ({i}, key)),
    'list': ('list<int>', 'UPDATE k.{t} SET v = v + ? WHERE id = ?', lambda i, key: ([i], key)),
}


def collections(server, elements, adds):
    print('| collection | elements | CPU an add, µs | of it, beside 10 | commit log an add, bytes | beside 10 |\n|---|---|---|---|---|---|')
    for name, (kind, add, parameters) in COLLECTIONS.items():
        table = f'{name}s'
        server.session.execute(f'CREATE TABLE k.{table} (id int PRIMARY KEY, v {kind})')
        first = None
        for key, size in ((1, 10), (2, elements)):
            statement = server.session.prepare(add.format(t=table))
            execute_concurrent_with_args(server.session, statement, [parameters(i, key) for i in range(size)], concurrency=64)
            server.restart()
            statement = server.session.prepare(add.format(t=table))
            more = [parameters(size + i, key) for i in range(adds)]
            cpu, log = cost(server, adds, lambda: execute_concurrent_with_args(server.session, statement, more, concurrency=1))
            first = first or (cpu, log)
            print(f'| {name} | {size:,} | {cpu:.0f} | {cpu / first[0]:.2f} | {log:.0f} | {log / first[1]:.2f} |', flush=True)


def slice_cost(server, table, key, reads=5_000):
    statement = server.session.prepare(f'SELECT c, v FROM k.{table} WHERE id = ?')
    server.session.execute(statement, (key,))

    def run():
        for _ in range(reads):
            assert len(list(server.session.execute(statement, (key,)))) == 100

    return cost(server, reads, run)[0]


def deleted(server, rows, reads):
    session = server.session
    session.execute('CREATE TABLE k.rows (id int, c int, v text, PRIMARY KEY (id, c)) WITH gc_grace_seconds = 864000')
    insert = session.prepare('INSERT INTO k.rows (id, c, v) VALUES (?, ?, ?)')
    execute_concurrent_with_args(session, insert, [(key, rows + c, 'live') for c in range(100) for key in (1, 2)], concurrency=64)
    batch = 'BEGIN UNLOGGED BATCH ' + ' '.join(['{}'] * BATCH) + ' APPLY BATCH'
    fill = session.prepare(batch.format(*["INSERT INTO k.rows (id, c, v) VALUES (1, ?, 'deleted');"] * BATCH))
    drop = session.prepare(batch.format(*['DELETE FROM k.rows WHERE id = 1 AND c = ?;'] * BATCH))
    for statement in (fill, drop):
        keys = [list(range(at, at + BATCH)) for at in range(0, rows, BATCH)]
        execute_concurrent_with_args(session, statement, keys, concurrency=16)
    plain = slice_cost(server, 'rows', 2)
    before = slice_cost(server, 'rows', 1, reads)
    session.execute('ALTER TABLE k.rows WITH gc_grace_seconds = 0')
    purged, begin = -1, time.monotonic()
    while purged < rows:
        if time.monotonic() - begin > 900:
            raise SystemExit(f'after 900 s only {purged} of {rows} are swept')
        time.sleep(1)
        purged = server.query("SELECT records_purged FROM system_views.purges WHERE keyspace_name = 'k' AND table_name = 'rows'")['rows'][0][0]
    swept = time.monotonic() - begin
    after = slice_cost(server, 'rows', 1)
    print(f'| slice of 100 rows | server CPU, µs | beside no deletions |\n|---|---|---|\n| no deletions | {plain:.0f} | 1 |')
    print(f'| behind {rows:,} deleted rows | {before:.0f} | {before / plain:.1f} |')
    print(f'| the same, swept (after {swept:.0f} s) | {after:.0f} | {after / plain:.2f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--deleted', type=int, default=1_000_000)
    parser.add_argument('--elements', type=int, default=100_000)
    parser.add_argument('--adds', type=int, default=2_000)
    parser.add_argument('--parts', default='collections,deleted')
    parser.add_argument('--directory', type=pathlib.Path, default='build/costs')
    options = parser.parse_args()
    shutil.rmtree(options.directory, ignore_errors=True)
    options.directory.mkdir(parents=True)
    server = Server(options.widerow, options.directory / 'data', '--guardrails', 'off')
    try:
        server.session.execute(KEYSPACE)
        if 'collections' in options.parts:
            collections(server, options.elements, options.adds)
        if 'deleted' in options.parts:
            deleted(server, options.deleted, 5)
    finally:
        server.stop()
        shutil.rmtree(options.directory, ignore_errors=True)


if __name__ == '__main__':
    main()
