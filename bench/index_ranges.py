#!/usr/bin/env python3
"""Measures SELECTs over a range of an index, and the same ranges of a column without an index, which are filtered.

  index_ranges.py WIDEROW [--rows 1000000] [--row-bytes 40] [--page-size 5000] [--directory build/index-ranges]

Each range has a certain share of the table's rows. The script prints the milliseconds of the first page, of a SELECT with LIMIT 100,
of all pages, and of count(*). It measures each of them with the index and with a filter, twice, and prints the shorter time. With the
index, no SELECT should take much longer than with the filter, because the server scans the table if a range has very many
entries."""
import argparse
import http.client
import json
import pathlib
import random
import shutil
import subprocess
import time

VALUES = 100_000
SHARES = (0.0001, 0.001, 0.01, 0.03, 0.05, 0.1, 0.3, 1)


class Http:
    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=600)

    def run(self, query, **more):
        self.connection.request('POST', '/v1/query', json.dumps({'query': query, **more}), {'Content-Type': 'application/json'})
        answer = json.load(self.connection.getresponse())
        if 'error' in answer:
            raise RuntimeError(f"{query}: {answer['error']['text']}")
        return answer

    def pages(self, query, page_size, most=None):
        """Reads the answer in pages, at most `most` of them. Returns the numbers of rows and of pages."""
        rows = pages = 0
        more = {'page_size': page_size}
        while True:
            answer = self.run(query, **more)
            rows += len(answer['rows'])
            pages += 1
            if 'page_state' not in answer or pages == most:
                return rows
            more['page_state'] = answer['page_state']


def best_of_two(call):
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        result = call()
        times.append((time.perf_counter() - begin) * 1e3)
    return result, min(times)


def preload(widerow, data, options):
    csv = data.parent / f'rows-{options.rows}-{options.row_bytes}.csv'
    if not csv.exists():
        rng = random.Random(11)
        with open(csv, 'w') as out:
            for i in range(options.rows):
                v = rng.randrange(VALUES)
                out.write(f"{i},{v},{v},{'x' * options.row_bytes}\n")
    statements = ("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                  'CREATE TABLE k.t (id int PRIMARY KEY, v int, w int, s text);'
                  f"COPY k.t (id, v, w, s) FROM '{csv.resolve()}'; CREATE INDEX ON k.t (v) USING 'sai';")
    subprocess.run([widerow, 'shell', '--data', data, '-e', statements], check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=1_000_000)
    parser.add_argument('--row-bytes', type=int, default=40)
    parser.add_argument('--page-size', type=int, default=5_000)
    parser.add_argument('--directory', type=pathlib.Path, default='build/index-ranges')
    options = parser.parse_args()
    data = options.directory / 'data'
    shutil.rmtree(data, ignore_errors=True)
    options.directory.mkdir(parents=True, exist_ok=True)
    preload(options.widerow, data, options)

    server = subprocess.Popen([options.widerow, 'serve', '--data', data, '--port', '0', '--http-port', '0'],
                              stdout=subprocess.PIPE, text=True)
    ready = dict(part.split('=', 1) for part in server.stdout.readline().split() if '=' in part)
    try:
        client = Http(ready['http'])
        while client.run('SELECT index_name FROM system_views.index_builds')['rows']:
            time.sleep(0.2)
        print('| share of the rows | rows | first page: index, filtered | LIMIT 100 | all pages | count(*) |\n|---|---|---|---|---|---|')
        for share in SHARES:
            bound = int(VALUES * (1 - share))
            cells, counts = [], set()
            for kind in ('first', 'limit', 'all', 'count'):
                pair = []
                for where in (f'v >= {bound}', f'w >= {bound} ALLOW FILTERING'):
                    clause = f"{where.split(' ALLOW')[0]}{' LIMIT 100' if kind == 'limit' else ''}{' ALLOW FILTERING' if 'ALLOW' in where else ''}"
                    if kind == 'count':
                        found, took = best_of_two(lambda: client.run(f'SELECT count(*) FROM k.t WHERE {clause}')['rows'][0][0])
                    else:
                        most = 1 if kind == 'first' else None
                        found, took = best_of_two(lambda: client.pages(f'SELECT id FROM k.t WHERE {clause}', options.page_size, most))
                    if kind in ('all', 'count'):
                        counts.add(int(found))
                    pair.append(f'{took:.1f}')
                cells.append(', '.join(pair))
            if len(counts) != 1:
                raise SystemExit(f'{share}: different numbers of rows: {counts}')
            print(f'| {share:.2%} | {counts.pop():,} | ' + ' | '.join(cells) + ' |', flush=True)
    finally:
        server.terminate()
        server.wait(120)


if __name__ == '__main__':
    main()
