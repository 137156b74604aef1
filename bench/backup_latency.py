#!/usr/bin/env python3
"""Prints the latency of reads and writes with and without a backup at the same time.

  backup_latency.py WIDEROW [--rows N] [--seconds N] [--clients N] [--directory DIR]

A server with --keep-log gets --rows rows. Then --clients clients read and write single rows over HTTP, first alone, then while
full backups are made one after another, then while incremental backups are made once a second."""
import argparse
import http.client
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time


class Load:
    def __init__(self, address, clients, rows, seconds):
        self.latencies = {'read': [], 'write': []}
        self.end = time.monotonic() + seconds
        self.lock = threading.Lock()
        threads = [threading.Thread(target=self.run, args=(address, rows, seed)) for seed in range(clients)]
        for thread in threads:
            thread.start()
        self.threads = threads

    def run(self, address, rows, seed):
        chance, connection = random.Random(seed), http.client.HTTPConnection(address)
        own = {'read': [], 'write': []}
        while time.monotonic() < self.end:
            kind = 'read' if chance.random() < 0.5 else 'write'
            key = chance.randrange(rows)
            text = (f'SELECT v FROM b.t WHERE p = {key // 100} AND r = {key % 100}' if kind == 'read' else
                    f"INSERT INTO b.t (p, r, v) VALUES ({key // 100}, {key % 100}, 'written {key}')")
            begin = time.perf_counter()
            connection.request('POST', '/v1/query', json.dumps({'query': text}), {'Content-Type': 'application/json'})
            answer = connection.getresponse()
            answer.read()
            own[kind].append(time.perf_counter() - begin)
            if answer.status != 200:
                raise RuntimeError(f'status {answer.status}')
        with self.lock:
            for kind, values in own.items():
                self.latencies[kind] += values

    def wait(self):
        for thread in self.threads:
            thread.join()


def show(name, latencies, backups):
    for kind, values in latencies.items():
        values.sort()
        points = [values[min(len(values) - 1, int(share * len(values)))] * 1e3 for share in (0.5, 0.99, 0.999)]
        print(f'{name:22} {kind:6} {len(values):8} operations  p50 {points[0]:7.2f} ms  p99 {points[1]:7.2f} ms  '
              f'p99.9 {points[2]:7.2f} ms  {backups} backups')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--rows', type=int, default=500_000)
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--clients', type=int, default=4)
    parser.add_argument('--directory', type=pathlib.Path)
    options = parser.parse_args()
    directory = pathlib.Path(tempfile.mkdtemp(prefix='widerow-backup-bench-', dir=options.directory))
    server = subprocess.Popen([options.program, 'serve', '--data', directory / 'data', '--port', '0', '--http-port', '0', '--keep-log', '1G'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = next(word[5:] for word in server.stdout.readline().split() if word.startswith('http='))

        def command(*arguments):
            subprocess.run([options.program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        csv = directory / 'rows.csv'
        with csv.open('w') as file:
            for key in range(options.rows):
                file.write(f'{key // 100},{key % 100},{"x" * 100} {key}\n')
        command('shell', address, '-e', "CREATE KEYSPACE b WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                'CREATE TABLE b.t (p int, r int, v text, PRIMARY KEY (p, r))', '-e', f"COPY b.t FROM '{csv}'")
        load = Load(address, options.clients, options.rows, options.seconds)
        load.wait()
        show('no backup', load.latencies, 0)
        load, backups = Load(address, options.clients, options.rows, options.seconds), 0
        while time.monotonic() < load.end:
            command('backup', '--server', address, '--to', directory / f'full{backups}')
            shutil.rmtree(directory / f'full{backups}')
            backups += 1
        load.wait()
        show('full backups', load.latencies, backups)
        command('backup', '--server', address, '--to', directory / 'increments')
        load, backups = Load(address, options.clients, options.rows, options.seconds), 0
        while time.monotonic() < load.end:
            command('backup', '--server', address, '--to', directory / 'increments')
            backups += 1
            time.sleep(1)
        load.wait()
        show('incremental backups', load.latencies, backups)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
