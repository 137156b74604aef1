#!/usr/bin/env python3
"""Measures searches for words, in the order of the table and in that of relevance (BM25).

  relevance.py WIDEROW [--rows 200000] [--directory build/relevance]

Each text has 30 words of a vocabulary of 50,000, in which the nth word has a frequency of about 1 / n. One text in ten also has the
word `tenth`, one in a hundred the word `hundredth`, and so on down to one in 100,000. For each of these words, and for pairs of them,
the script prints the number of texts that have them, and two times: the milliseconds of a SELECT with the operator `:`, and those of
a SELECT with BM25 OF. Each is the shortest time of five."""
import argparse
import itertools
import pathlib
import random
import shutil
import subprocess
import time

from index_conditions import Http

RARE = {'tenth': 10, 'hundredth': 100, 'thousandth': 1_000, 'rarest': 100_000}
VOCABULARY = 50_000
WORDS = 30


def preload(widerow, data, rows):
    csv = data.parent / f'texts-{rows}.csv'
    rng = random.Random(17)
    words = [f'w{i}' for i in range(VOCABULARY)]
    weights = list(itertools.accumulate(1 / (i + 1) for i in range(VOCABULARY)))
    with open(csv, 'w') as out:
        for i in range(rows):
            text = rng.choices(words, cum_weights=weights, k=WORDS) + [word for word, every in RARE.items() if i % every == 0]
            out.write(f"{i},{i % 100},{' '.join(text)}\n")
    statements = ("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};"
                  'CREATE TABLE k.t (id int PRIMARY KEY, a int, body text);'
                  f"COPY k.t (id, a, body) FROM '{csv.resolve()}';"
                  "CREATE INDEX ON k.t (a) USING 'sai';"
                  "CREATE CUSTOM INDEX ON k.t (body) USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'};")
    subprocess.run([widerow, 'shell', '--data', data, '-e', statements], check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=200_000)
    parser.add_argument('--directory', type=pathlib.Path, default=pathlib.Path('build/relevance'))
    options = parser.parse_args()
    shutil.rmtree(options.directory, ignore_errors=True)
    options.directory.mkdir(parents=True)
    data = options.directory / 'data'
    preload(options.widerow, data, options.rows)
    server = subprocess.Popen([options.widerow, 'serve', '--data', data, '--port', '0', '--http-port', '0'],
                              stdout=subprocess.PIPE, text=True)
    ready = dict(part.split('=', 1) for part in server.stdout.readline().split() if '=' in part)
    try:
        database = Http(ready['http'])
        while database.rows('SELECT index_name FROM system_views.index_builds'):
            time.sleep(0.2)
        print('| words | texts | ms with `:`, LIMIT 10 | ms with BM25 OF, LIMIT 10 | with `a = 7` |\n|---|---|---|---|---|')
        for words in (*RARE, 'w0', 'w0 tenth', 'w0 w1 thousandth'):
            found = database.rows(f"SELECT count(*) FROM k.t WHERE body : '{words}'")[0][0]
            plain = database.time(f"SELECT id FROM k.t WHERE body : '{words}' LIMIT 10", 5)[1]
            ranked = database.time(f"SELECT id FROM k.t ORDER BY body BM25 OF '{words}' LIMIT 10", 5)[1]
            narrow = database.time(f"SELECT id FROM k.t WHERE a = 7 ORDER BY body BM25 OF '{words}' LIMIT 10", 5)[1]
            print(f'| {words} | {int(found):,} | {plain:.1f} | {ranked:.1f} | {narrow:.1f} |')
    finally:
        server.terminate()
        server.wait(120)


if __name__ == '__main__':
    main()
