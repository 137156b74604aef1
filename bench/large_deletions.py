#!/usr/bin/env python3
"""Measures how long a deletion of many rows makes other writers wait.

  large_deletions.py WIDEROW [--rows 400000] [--kinds none,index,view,both] [--after 30] [--directory build/deletions]

--kinds says what the table has: no index and no view, an index, a materialized view, or both. For each kind, the script loads one
partition and deletes all its rows with one DELETE. Meanwhile a client writes to another table over HTTP, one write after the other.
The script prints the time of the deletion and its CPU of the server. It prints the longest of the client's writes before the
deletion, during it, and in the `--after` seconds after it, and the server's CPU in these seconds."""
import argparse
import http.client
import json
import pathlib
import shutil
import statistics
import subprocess
import threading
import time

from load.servers import StartedServer

SCHEMA = ["CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
          'CREATE TABLE k.t (p int, c int, v int, PRIMARY KEY (p, c))', 'CREATE TABLE k.other (a int PRIMARY KEY, b int)']
INDEX = 'CREATE INDEX ON k.t (v)'
VIEW = ('CREATE MATERIALIZED VIEW k.m AS SELECT * FROM k.t WHERE v IS NOT NULL AND p IS NOT NULL AND c IS NOT NULL '
        'PRIMARY KEY (v, p, c)')
KINDS = {'none': [], 'index': [INDEX], 'view': [VIEW], 'both': [INDEX, VIEW]}


class Client:
    """One HTTP connection."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=600)

    def run(self, statement):
        self.connection.request('POST', '/v1/query', json.dumps({'query': statement}), {'Content-Type': 'application/json'})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f'{statement}: {body[:300]}')


class Writer:
    """Writes to the other table until the end of the `with` block, and keeps when each write began and how long it took."""

    def __init__(self, address):
        self.client, self.waits, self.stopping = Client(address), [], False
        self.thread = threading.Thread(target=self.write)

    def write(self):
        while not self.stopping:
            begun, number = time.monotonic(), len(self.waits)
            self.client.run(f'INSERT INTO k.other (a, b) VALUES ({number % 1000}, {number})')
            self.waits.append((begun, time.monotonic() - begun))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping = True
        self.thread.join()

    def between(self, begin, end):
        """Returns the milliseconds of each write that was under way at some time between `begin` and `end`."""
        return [1000 * wait for begun, wait in self.waits if begun + wait >= begin and begun <= end]


def measure(options, kind):
    data = options.directory.resolve() / 'data'
    shutil.rmtree(data, ignore_errors=True)
    csv = options.directory.resolve() / f'rows-{options.rows}.csv'
    csv.write_text(''.join(f'0,{row},{row * 7919 % options.rows}\n' for row in range(options.rows)), encoding='utf-8')
    for statement in [*SCHEMA, *KINDS[kind], f"COPY k.t (p, c, v) FROM '{csv}'"]:
        subprocess.run([options.widerow, 'shell', '--data', data, '-e', statement], check=True, capture_output=True)
    server = StartedServer(f'widerow={options.widerow}', data=data)
    try:
        with Writer(server.http) as writer:
            time.sleep(2)
            cpu, begun = server.cpu_seconds(), time.monotonic()
            Client(server.http).run('DELETE FROM k.t WHERE p = 0 AND c >= 0')
            deleted, of_deletion = time.monotonic(), server.cpu_seconds() - cpu
            time.sleep(options.after)
            of_rest = server.cpu_seconds() - cpu - of_deletion
        before = writer.between(0, begun)[:-1]  # The last one overlaps the deletion.
        during, after = writer.between(begun, deleted), writer.between(deleted, time.monotonic())
        print(f'{kind}: {1000 * (deleted - begun):.1f} ms, {of_deletion:.2f} s CPU; other writes: median '
              f'{statistics.median(before):.2f} ms, longest before {max(before):.0f}, during '
              f'{max(during, default=0):.0f}, after {max(after):.0f} ms; '
              f'{of_rest:.1f} s CPU in the {options.after} s after it', flush=True)
    finally:
        server.stop()
        shutil.rmtree(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=400_000)
    parser.add_argument('--kinds', default=','.join(KINDS))
    parser.add_argument('--after', type=int, default=30)
    parser.add_argument('--directory', type=pathlib.Path, default='build/deletions')
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    for kind in options.kinds.split(','):
        measure(options, kind)


if __name__ == '__main__':
    main()
