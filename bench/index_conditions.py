#!/usr/bin/env python3
"""Measures SELECTs that combine several indexed columns or have ORDER BY on one, beside a filtering scan of the same rows.

  index_conditions.py WIDEROW [--rows 1000000] [--directory build/index-conditions]

Columns a, b, c and g have indexes; a2, b2 and g2 have the same values without an index. One row of a hundred has a certain `a`; `b` and
`c` are random. The column `g` has one value in 1 row, one in 10 rows, one in 1,000 and one in 100,000. The script prints the
milliseconds of each SELECT (the shortest of five), of a scan that filters by the same conditions (the shorter of two), and their ratio. It
fails if the SELECT and the scan find different rows."""
import argparse
import http.client
import json
import pathlib
import random
import shutil
import subprocess
import time

SHARE_OF_A = 100
B_MAX = 100_000
HITS = (1, 10, 1_000, 100_000)


class Http:
    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=600)

    def rows(self, query):
        self.connection.request('POST', '/v1/query', json.dumps({'query': query}), {'Content-Type': 'application/json'})
        answer = json.load(self.connection.getresponse())
        if 'error' in answer:
            raise RuntimeError(f"{query}: {answer['error']['text']}")
        return answer['rows']

    def time(self, query, times):
        """Runs the query several times. Returns its rows and the shortest time in milliseconds."""
        took = []
        for _ in range(times):
            begin = time.perf_counter()
            rows = self.rows(query)
            took.append((time.perf_counter() - begin) * 1e3)
        return rows, min(took)


def preload(widerow, data, options):
    csv = data.parent / f'rows-{options.rows}.csv'
    if not csv.exists():
        rng = random.Random(11)
        groups = [hits for hits in HITS for _ in range(hits)]
        groups += [0] * (options.rows - len(groups))
        rng.shuffle(groups)
        with open(csv, 'w') as out:
            for i in range(options.rows):
                a, b, c = i % SHARE_OF_A, rng.randrange(B_MAX), rng.randrange(options.rows)
                out.write(f'{i},{a},{b},{c},{groups[i]},{a},{b},{groups[i]}\n')
    statements = ("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                  'CREATE TABLE k.t (id int PRIMARY KEY, a int, b int, c int, g int, a2 int, b2 int, g2 int);'
                  f"COPY k.t (id, a, b, c, g, a2, b2, g2) FROM '{csv.resolve()}';"
                  + ''.join(f"CREATE INDEX ON k.t ({column}) USING 'sai';" for column in 'abcg'))
    subprocess.run([widerow, 'shell', '--data', data, '-e', statements], check=True, stdout=subprocess.DEVNULL)


def questions():
    """Yields the conditions by indexes, the same conditions by a filter, and whether the rows are the first 20 by c."""
    half = f'> {B_MAX // 2}'
    yield f'a = 7 AND b {half}', f'a2 = 7 AND b2 {half}', True
    for hits in HITS:
        yield f'g = {hits}', f'g2 = {hits}', True
    yield f'a = 7 AND g = {HITS[-1]}', f'a2 = 7 AND g2 = {HITS[-1]}', False
    yield f'g = {HITS[2]} OR g = {HITS[1]} OR (a = 7 AND b < 100)', f'g2 = {HITS[2]} OR g2 = {HITS[1]} OR (a2 = 7 AND b2 < 100)', False
    yield 'b IN (1, 2, 3, 4, 5)', 'b2 IN (1, 2, 3, 4, 5)', False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=1_000_000)
    parser.add_argument('--directory', type=pathlib.Path, default='build/index-conditions')
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
        while client.rows('SELECT index_name FROM system_views.index_builds'):
            time.sleep(0.2)
        print('| WHERE | rows found | ms by indexes | ms by a filter | ratio |\n|---|---|---|---|---|')
        for indexed, filtered, first in questions():
            found, scan = client.time(f'SELECT id, c FROM k.t WHERE {filtered} ALLOW FILTERING', 2)
            order = ' ORDER BY c LIMIT 20' if first else ''
            rows, took = client.time(f'SELECT id, c FROM k.t WHERE {indexed}{order}', 5)
            expected = sorted(row[1] for row in found)[:20] if first else sorted(row[0] for row in found)
            if (([row[1] for row in rows]) if first else sorted(row[0] for row in rows)) != expected:
                raise SystemExit(f'{indexed}{order}: the indexes give other rows than the filter')
            print(f'| {indexed}{order} | {len(found):,} | {took:.1f} | {scan:.0f} | {scan / took:.0f} |', flush=True)
    finally:
        server.terminate()
        server.wait(120)


if __name__ == '__main__':
    main()
