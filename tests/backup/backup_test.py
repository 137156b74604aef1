#!/usr/bin/env python3
"""Backs up a server under load, restores it to several moments, and compares row by row. Then kills backups and restores.

  backup_test.py WIDEROW [--rows N] [--kills N] [--seed N] [--directory DIR]

- *Moments.* A server with --keep-log gets --rows rows by COPY FROM (a bulk load) while writers go on. A full backup is made while
  they go on; the latencies of their statements without and with a backup are printed. At three moments all writers stop, and the
  rows are read. Incremental backups follow. Each moment is restored and must have exactly its rows.
- *Large values*: large_values.py. *Kills, killed servers*: kills.py.
- *Dumps.* What `widerow dump` writes is read back into a new directory, and dumped again: the dumps must be equal.
- *Places.* Four backups may be open. A fifth one takes the place of one whose client has been silent for ten seconds, and of no other.
- *Permissions.* With --auth, a role needs SELECT on system_views.backups."""
import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

from kills import test_killed_servers, test_kills
from large_values import test_large_values
from support import Client, Failure, Server, Writers, compare, make_tables, now_text, rows_in, rows_of, run, write_csv

MANY_ROWS = 100_000
QUIET_SECONDS = 10  # With many rows, the load without a backup is measured for this time.


def show_latencies(writers, options, server, backup):
    """Makes the full backup, and prints the latencies of the load before and meanwhile."""
    quiet = time.monotonic()
    time.sleep(QUIET_SECONDS if options.rows >= MANY_ROWS else 0.5)
    begin = time.monotonic()
    said = run(options.program, 'backup', '--server', server.address, '--to', backup).strip()
    end = time.monotonic()
    print(said, f'({end - begin:.1f} s)')
    print(f'load without a backup: {writers.latency(quiet, begin)}')
    print(f'load beside the full backup: {writers.latency(begin, end)}')


def ranked(options, *where):
    """Returns the rows that are most relevant to some words. Their order follows from all texts of the table."""
    return run(options.program, 'shell', *where, '-e', "SELECT p, r FROM k.t ORDER BY v BM25 OF 'row 7' LIMIT 50")


def test_moments(options, directory):
    data, backup = directory / 'data', directory / 'backup'
    server = Server(options.program, data, '--keep-log', '1G', '--memtable', '4M')
    client = Client(server.address)
    make_tables(client)
    words = options.rows < MANY_ROWS  # Each of many rows would cost a search 10 µs.
    if words:
        client.query("CREATE CUSTOM INDEX ON k.t (v) USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'}")
    csv = directory / 'rows.csv'
    write_csv(csv, options.rows, 'row')
    imported = options.rows // 100
    writers = Writers(server.address, options.seed)
    begin = time.monotonic()
    run(options.program, 'shell', server.address, '-e', f"COPY k.t FROM '{csv}'")
    print(f'{options.rows} rows were imported in {time.monotonic() - begin:.1f} s')
    csv.unlink()
    writers.stop()
    writers = Writers(server.address, options.seed + 10, imported=imported)
    show_latencies(writers, options, server, backup)
    moments = []
    for number in range(3):
        time.sleep(0.3)
        writers.stop()
        moments.append((now_text(), rows_of(options.program, server.address, directory), words and ranked(options, server.address)))
        time.sleep(0.05)
        Client(server.address).query(f"INSERT INTO k.indexed (p, v) VALUES ({number}, 'v{number}')")
        writers = Writers(server.address, options.seed + 100 * number, imported=imported)
        time.sleep(0.3)
        begin = time.monotonic()
        said = run(options.program, 'backup', '--server', server.address, '--to', backup).strip()
        print(f'{said} (load meanwhile: {writers.latency(begin, time.monotonic())})')
    writers.stop()
    run(options.program, 'check', '--data', data)
    run(options.program, 'check', '--backup', backup)
    for number, (moment, rows, search) in enumerate(moments):
        restored = directory / f'moment{number}'
        begin = time.monotonic()
        run(options.program, 'restore', '--from', backup, '--to', restored, '--until', moment)
        seconds = time.monotonic() - begin
        compare(rows_in(options.program, restored), rows, f'moment {moment}')
        if words and (ranked(options, '--data', restored) != search or '7' not in search):
            raise Failure(f'moment {moment}: a search finds other rows, or in another order')
        run(options.program, 'check', '--data', restored)
        shutil.rmtree(restored)
        print(f'moment {moment}: {len(rows["t"])} rows and {len(rows["c"])} counters are right (restored in {seconds:.1f} s)')
    check_other_database(options, directory, backup)
    server.stop()
    # Directly after the clean stop, the directory itself can be backed up further.
    run(options.program, 'backup', '--data', data, '--to', backup)
    run(options.program, 'restore', '--from', backup, '--to', directory / 'last')
    compare(rows_in(options.program, directory / 'last'), rows_in(options.program, data), 'the backup of the directory')
    for name in ('data', 'backup', 'last'):
        shutil.rmtree(directory / name)


def check_other_database(options, directory, backup):
    other = Server(options.program, directory / 'other', '--keep-log', '64M')
    said = run(options.program, 'backup', '--server', other.address, '--to', backup, fails=True)
    other.stop()
    if 'full backup in a new directory' not in said:
        raise Failure(f'a backup of another database was not refused clearly: {said}')


DUMPED = """
CREATE KEYSPACE d WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TYPE d.place (street text, zip int);
CREATE TABLE d."Mixed" (p int, "R" text, s text static, v text, w blob, m map<text, int>, e set<int>, l list<text>, u place,
  f frozen<list<int>>, vec vector<float, 2>, PRIMARY KEY (p, "R")) WITH CLUSTERING ORDER BY ("R" DESC);
CREATE INDEX ON d."Mixed" (v);
CREATE TABLE d.counts (p int PRIMARY KEY, n counter, other counter);
INSERT INTO d."Mixed" (p, "R", s, v, w, m, e, l, u, f, vec) VALUES (1, 'it''s', 'st', 'a', 0x00ff, {'x': 1, 'y''': 2}, {3, 4},
  ['one', 'two', 'one'], {street: 'High', zip: 7}, [1, 2], [1.5, 2.5]) USING TIMESTAMP 1700000000000001;
UPDATE d."Mixed" USING TIMESTAMP 1700000000000005 SET v = 'newer', m['x'] = 5 WHERE p = 1 AND "R" = 'it''s';
INSERT INTO d."Mixed" (p, "R", v) VALUES (1, 'b', 'plain') USING TIMESTAMP 1700000000000002;
INSERT INTO d."Mixed" (p, s) VALUES (2, 'only static') USING TIMESTAMP 1700000000000003;
INSERT INTO d."Mixed" (p, "R", v) VALUES (3, 'ttl', 'expires') USING TIMESTAMP 1700000000000004 AND TTL 100000000;
UPDATE d.counts SET n = n + 7, other = other - 2 WHERE p = 1;
"""


def test_dump(options, directory):
    first, second = directory / 'dumped', directory / 'read-back'
    script = directory / 'dumped.cql'
    script.write_text(DUMPED)
    run(options.program, 'shell', '--data', first, '-f', script)
    dumps = []
    for data in (first, second):
        dump = directory / f'{data.name}.dump.cql'
        run(options.program, 'dump', '--data', data, '--to', dump)
        # The seconds of a TTL pass.
        dumps.append(re.sub(r'TTL (100000000|99999\d{3})', 'TTL …', dump.read_text()))
        if data == first:
            run(options.program, 'shell', '--data', second, '-f', dump)
    if dumps[0] != dumps[1]:
        raise Failure(f'a dump that was read back is another one:\n{dumps[0]}\n---\n{dumps[1]}')
    for wanted in ('1700000000000001', '1700000000000005', 'TTL …', "'it''s'", 'n = n + 7', 'other = other + -2'):
        if wanted not in dumps[0]:
            raise Failure(f'the dump lacks {wanted}:\n{dumps[0]}')
    said = run(options.program, 'shell', '--data', second, '-e', "SELECT l FROM d.\"Mixed\" WHERE p = 1 AND \"R\" = 'it''s'")
    if "['one', 'two', 'one']" not in said:
        raise Failure(f'the order of a list has changed: {said}')
    server = Server(options.program, first)
    run(options.program, 'dump', '--server', server.address, '--table', 'd.counts', '--to', directory / 'table.cql')
    run(options.program, 'dump', '--server', server.address, '--table', 'd.none', fails=True)
    server.stop()
    if 'other = other + -2' not in (directory / 'table.cql').read_text():
        raise Failure('the dump of one table from a server has no rows')
    print('a dump is read back')


def test_one_table(options, directory):
    data, backup = directory / 'few', directory / 'few-backup'
    run(options.program, 'shell', '--data', data, '-e', """
CREATE KEYSPACE o WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE o.one (p int PRIMARY KEY); INSERT INTO o.one (p) VALUES (1);
CREATE TABLE o.other (p int PRIMARY KEY); INSERT INTO o.other (p) VALUES (1);""")
    run(options.program, 'backup', '--data', data, '--to', backup)
    for selection, what in ((('--table', 'o.one'), 'the table o.one'), (('--keyspace', 'o'), 'the keyspace o')):
        restored = directory / selection[0].strip('-')
        said = run(options.program, 'restore', '--from', backup, '--to', restored, *selection)
        if f"restored into '{restored}': {what} at the moment " not in said or ', from ' not in said:
            raise Failure(f'a restore does not say what it has restored: {said}')
    said = run(options.program, 'dump', '--data', directory / 'table', '--to', directory / 'one.cql')
    if 'dumped 1 row of 1 table as 1 statement\n' not in said:
        raise Failure(f'the dump of a restored table: {said}')
    said = run(options.program, 'check', '--data', directory / 'table')
    if ' 1 row, ' not in said:
        raise Failure(f'the check of a restored table: {said}')
    print('one table is restored')


def test_permissions(options, directory):
    data, backup = directory / 'locked', directory / 'locked-backup'
    environment = {**os.environ, 'WIDEROW_SUPERUSER_PASSWORD': 'super'}
    server = Server(options.program, data, '--auth', environment=environment)

    def as_role(password):
        return {**os.environ, 'WIDEROW_PASSWORD': password}

    def shell(text):
        run(options.program, 'shell', server.address, '-u', 'cassandra', '-e', text, environment=as_role('super'))

    shell("CREATE ROLE reader WITH PASSWORD = 'pw' AND LOGIN = true; GRANT SELECT ON ALL KEYSPACES TO reader")
    said = run(options.program, 'backup', '--server', server.address, '--to', backup, fails=True)
    if 'You have not logged in\nhint: log in with -u NAME' not in said:
        raise Failure(f'a backup without a role: {said}')
    if backup.exists():
        raise Failure('a refused backup has left its directory')
    arguments = ('backup', '--server', server.address, '-u', 'reader', '--to', backup)
    said = run(options.program, *arguments, environment=as_role('pw'), fails=True)
    if 'system_views.backups' not in said:
        raise Failure(f'a backup without the permission: {said}')
    shell('GRANT SELECT ON system_views.backups TO reader')
    run(options.program, *arguments, environment=as_role('pw'))
    server.stop()
    run(options.program, 'restore', '--from', backup, '--to', directory / 'unlocked')
    said = run(options.program, 'shell', '--data', directory / 'unlocked', '--auth', '-e', 'LIST ROLES')
    if 'reader' not in said:
        raise Failure('the backup has no roles')


def test_places(options, directory):
    server = Server(options.program, directory / 'places')

    def status(method, path):
        connection = http.client.HTTPConnection(server.address)
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    opened = [status('POST', '/v1/backups')[1]['backup'] for _ in range(4)]
    if status('POST', '/v1/backups')[0] == 200:
        raise Failure('five backups are open')
    for _ in range(6):
        time.sleep(1.8)
        if status('GET', f'/v1/backups/{opened[0]}')[0] != 200:
            raise Failure('a backup cannot be kept open')
    if status('POST', '/v1/backups')[0] != 200:
        raise Failure('silent backups keep their places')
    left = [status('GET', f'/v1/backups/{backup}')[0] == 200 for backup in opened]
    if not left[0] or left.count(False) != 1:
        raise Failure(f'one silent backup should be closed; open are {left}')
    server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--rows', type=int, default=3000)
    parser.add_argument('--kills', type=int, default=16)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--directory', type=pathlib.Path)
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    directory = pathlib.Path(tempfile.mkdtemp(prefix='widerow-backup-', dir=options.directory))
    try:
        test_moments(options, directory)
        test_large_values(options, directory)
        test_kills(options, directory)
        test_killed_servers(options, directory)
        test_dump(options, directory)
        test_one_table(options, directory)
        test_permissions(options, directory)
        test_places(options, directory)
    except Failure as failure:
        print(failure)
        return 1
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
