#!/usr/bin/env python3
"""Backs up a server under load, restores it to several moments, and compares row by row. Then kills backups and restores.

  backup_test.py WIDEROW [--rows N] [--kills N] [--seed N] [--directory DIR]

- *Moments.* A server with --keep-log gets --rows rows by COPY FROM (a bulk load) while a full backup is made and writers go on.
  At three moments all writers stop, and the rows are read. Incremental backups follow. Each moment is restored and must have
  exactly its rows.
- *Kills.* Backups, incremental backups and restores are killed after random times. The directory of a backup must have a whole
  backup, the earlier one or the new one, or say that it is incomplete. The directory of a restore must have all rows, or be
  refused by `widerow shell`.
- *Killed servers.* A server that keeps its log is killed under load and started again. Incremental backups go on after each kill,
  and what is restored at the end has exactly the rows of the server.
- *Dumps.* What `widerow dump` writes is read back into a new directory, and dumped again: the dumps must be equal.
- *Permissions.* With --auth, a role needs SELECT on system_views.backups."""
import argparse
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

READY_SECONDS = 60


class Failure(Exception):
    pass


class Server:
    def __init__(self, program, data, *options, environment=None):
        self.process = subprocess.Popen([program, 'serve', '--data', data, '--port', '0', '--http-port', '0', *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        line = self.process.stdout.readline()
        if not line.startswith('ready'):
            raise Failure(f'the server did not start: {line}')
        self.address = next(word[5:] for word in line.split() if word.startswith('http='))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait() != 0:
            raise Failure('the server did not stop cleanly')


class Client:
    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address)

    def query(self, text, **fields):
        self.connection.request('POST', '/v1/query', json.dumps({'query': text, **fields}), {'Content-Type': 'application/json'})
        answer = self.connection.getresponse()
        body = json.loads(answer.read())
        if answer.status != 200:
            raise Failure(f'{text}: {body}')
        return body


def run(program, *arguments, environment=None, fails=False):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)
    if (done.returncode != 0) != fails:
        raise Failure(f'widerow {" ".join(map(str, arguments))}: status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def rows_of(program, data):
    """All rows of the tables, as one sorted text for each."""
    out = {}
    for table in ('t', 'c'):
        path = pathlib.Path(data).parent / f'rows-{table}.csv'
        run(program, 'shell', '--data', data, '-e', f"COPY k.{table} TO '{path}'")
        out[table] = sorted(path.read_text().splitlines())
        path.unlink()
    return out


def rows_of_server(program, server, directory):
    out = {}
    for table in ('t', 'c'):
        path = pathlib.Path(directory) / f'rows-{table}.csv'
        run(program, 'shell', server.address, '-e', f"COPY k.{table} TO '{path}'")
        out[table] = sorted(path.read_text().splitlines())
        path.unlink()
    return out


class Writers:
    """Threads that write, delete and count, until they are stopped."""

    def __init__(self, address, seed, count=2):
        self.stopping = False
        self.threads = [threading.Thread(target=self.write, args=(address, random.Random(seed + i), i)) for i in range(count)]
        self.failures = []
        for thread in self.threads:
            thread.start()

    def write(self, address, chance, number):
        try:
            client = Client(address)
            while not self.stopping:
                key, row = chance.randrange(50), chance.randrange(200)
                kind = chance.randrange(10)
                if kind < 6:
                    client.query(f"INSERT INTO k.t (p, r, v) VALUES ({key}, {row}, '{number} {chance.random()}')")
                elif kind < 7:
                    client.query(f'DELETE FROM k.t WHERE p = {key} AND r > {row}')
                elif kind < 8:
                    client.query(f"UPDATE k.t SET v = '{'x' * chance.randrange(5000)}' WHERE p = {key} AND r = {row}")
                else:
                    client.query(f'UPDATE k.c SET n = n + {chance.randrange(5)} WHERE p = {key}')
        except Exception as failure:  # Reported by stop().
            self.failures.append(failure)

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        if self.failures:
            raise Failure(f'a writer failed: {self.failures[0]}')


def make_tables(client):
    client.query("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    client.query('CREATE TABLE k.t (p int, r int, v text, PRIMARY KEY (p, r))')
    client.query('CREATE TABLE k.c (p int PRIMARY KEY, n counter)')
    client.query('CREATE TABLE k.indexed (p int PRIMARY KEY, v text)')
    client.query('CREATE INDEX ON k.indexed (v)')
    client.query("CREATE CUSTOM INDEX ON k.t (v) USING 'StorageAttachedIndex' WITH OPTIONS = {'index_analyzer': 'standard'}")


def now_text():
    micros = time.time_ns() // 1000
    return time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(micros // 1_000_000)) + f'.{micros % 1_000_000:06d}Z'


def ranked(options, *where):
    """Returns the rows that are most relevant to some words. Their order follows from all texts of the table."""
    return run(options.program, 'shell', *where, '-e', "SELECT p, r FROM k.t ORDER BY v BM25 OF 'row 7' LIMIT 50")


def test_moments(options, directory):
    data, backup = directory / 'data', directory / 'backup'
    server = Server(options.program, data, '--keep-log', '1G', '--memtable', '4M')
    client = Client(server.address)
    make_tables(client)
    csv = directory / 'rows.csv'
    with csv.open('w') as file:
        for i in range(options.rows):
            file.write(f'{1000 + i // 100},{i % 100},row {i}\n')
    writers = Writers(server.address, options.seed)
    run(options.program, 'shell', server.address, '-e', f"COPY k.t FROM '{csv}'")
    csv.unlink()
    began = time.monotonic()
    print(run(options.program, 'backup', '--server', server.address, '--to', backup).strip(), f'({time.monotonic() - began:.1f} s)')
    moments = []
    for number in range(3):
        time.sleep(0.3)
        writers.stop()
        moments.append((now_text(), rows_of_server(options.program, server, directory), ranked(options, server.address)))
        time.sleep(0.05)
        client.query(f"INSERT INTO k.indexed (p, v) VALUES ({number}, 'v{number}')")
        writers = Writers(server.address, options.seed + 100 * number)
        time.sleep(0.3)
        print(run(options.program, 'backup', '--server', server.address, '--to', backup).strip())
    writers.stop()
    run(options.program, 'check', '--data', data)
    run(options.program, 'check', '--backup', backup)
    for number, (moment, rows, search) in enumerate(moments):
        restored = directory / f'moment{number}'
        run(options.program, 'restore', '--from', backup, '--to', restored, '--until', moment)
        found = rows_of(options.program, restored)
        for table, wanted in rows.items():
            if found[table] != wanted:
                missing, more = set(wanted) - set(found[table]), set(found[table]) - set(wanted)
                raise Failure(f'moment {moment}, table {table}: {len(missing)} rows are missing, {len(more)} are too many; '
                              f'for example {list(missing)[:2]} {list(more)[:2]}')
        if ranked(options, '--data', restored) != search or '7' not in search:
            raise Failure(f'moment {moment}: a search finds other rows, or in another order')
        run(options.program, 'check', '--data', restored)
        print(f'moment {moment}: {len(rows["t"])} rows and {len(rows["c"])} counters are right')
    check_other_database(options, directory, backup)
    server.stop()
    # Directly after the clean stop, the directory itself can be backed up further.
    run(options.program, 'backup', '--data', data, '--to', backup)
    run(options.program, 'restore', '--from', backup, '--to', directory / 'last')
    if rows_of(options.program, directory / 'last') != rows_of(options.program, data):
        raise Failure('the backup of the directory differs from the directory')


def check_other_database(options, directory, backup):
    other = Server(options.program, directory / 'other', '--keep-log', '64M')
    said = run(options.program, 'backup', '--server', other.address, '--to', backup, fails=True)
    other.stop()
    if 'full backup in a new directory' not in said:
        raise Failure(f'a backup of another database was not refused clearly: {said}')


def killed(program, chance, longest, *arguments):
    """Runs a command and kills it after a random time. Returns True if it was killed."""
    process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(chance.random() * longest)
    process.kill()
    return process.wait() == -signal.SIGKILL


def test_kills(options, directory):
    chance = random.Random(options.seed)
    data = directory / 'killed'
    server = Server(options.program, data, '--keep-log', '256M', '--memtable', '4M')
    make_tables(Client(server.address))
    csv = directory / 'rows.csv'
    with csv.open('w') as file:
        for i in range(3000):
            file.write(f'{1000 + i // 100},{i % 100},{"x" * 300} {i}\n')
    run(options.program, 'shell', server.address, '-e', f"COPY k.t FROM '{csv}'")
    writers = Writers(server.address, options.seed, 1)
    backup, restored = directory / 'kill-backup', directory / 'kill-restored'
    counts = dict.fromkeys(('killed', 'ended', 'incomplete', 'whole', 'refused', 'restored'), 0)
    began = time.monotonic()
    run(options.program, 'backup', '--server', server.address, '--to', directory / 'timed')
    longest = 1.2 * (time.monotonic() - began)
    for number in range(options.kills):
        if number % 2 == 0:
            if number % 8 == 0:
                shutil.rmtree(backup, ignore_errors=True)
            counts['killed' if killed(options.program, chance, longest, 'backup', '--server', server.address, '--to', backup)
                   else 'ended'] += 1
            check_killed_backup(options, backup, restored, counts)
        else:
            if not (backup / 'manifest.json').exists():
                run(options.program, 'backup', '--server', server.address, '--to', backup)
            counts['killed' if killed(options.program, chance, longest, 'restore', '--from', backup, '--to', restored)
                   else 'ended'] += 1
            check_killed_restore(options, backup, restored, counts)
            shutil.rmtree(restored, ignore_errors=True)
    writers.stop()
    server.stop()
    run(options.program, 'check', '--data', data)
    print(f'{options.kills} kills:', ', '.join(f'{count} {name}' for name, count in counts.items()))


def check_killed_backup(options, backup, restored, counts):
    if not (backup / 'manifest.json').exists():
        counts['incomplete'] += 1
        said = run(options.program, 'restore', '--from', backup, '--to', restored, fails=True)
        if 'no complete backup' not in said and 'There is no backup' not in said:
            raise Failure(f'an incomplete backup was not refused clearly: {said}')
        return
    counts['whole'] += 1
    run(options.program, 'check', '--backup', backup)


def check_killed_restore(options, backup, restored, counts):
    if (restored / 'widerow.restoring').exists():
        counts['refused'] += 1
        said = run(options.program, 'shell', '--data', restored, '-e', 'SELECT count(*) FROM k.t', fails=True)
        if 'was not finished' not in said:
            raise Failure(f'an unfinished restore was not refused clearly: {said}')
        run(options.program, 'restore', '--from', backup, '--to', restored)
    elif not restored.exists() or not any(restored.iterdir()):
        return
    else:
        counts['restored'] += 1
    run(options.program, 'check', '--data', restored)
    said = run(options.program, 'shell', '--data', restored, '-e', "SELECT count(*) FROM k.t WHERE token(p) > 0 ALLOW FILTERING")
    if 'rows' not in said and '(1' not in said:
        raise Failure(f'the restored directory cannot be read: {said}')


def test_killed_servers(options, directory):
    chance = random.Random(options.seed + 7)
    data, backup, csv = directory / 'crashed', directory / 'crashed-backup', directory / 'crashed.csv'
    with csv.open('w') as file:
        for i in range(2000):
            file.write(f'{5000 + i // 100},{i % 100},imported {i}\n')
    server = Server(options.program, data, '--keep-log', '256M', '--memtable', '1M')
    client = Client(server.address)
    make_tables(client)
    client.query('ALTER TABLE k.t WITH gc_grace_seconds = 0')  # So that tombstones are purged at once.
    run(options.program, 'backup', '--server', server.address, '--to', backup)
    rounds = max(3, options.kills // 8)
    for number in range(rounds):
        writers = Writers(server.address, options.seed + 1000 * number)
        load = subprocess.Popen([options.program, 'shell', server.address, '-e', f"COPY k.t FROM '{csv}'"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.2 + chance.random())
        if number % 2 == 0:
            run(options.program, 'backup', '--server', server.address, '--to', backup)
        server.process.kill()
        server.process.wait()
        load.wait()
        try:
            writers.stop()
        except Failure:
            pass  # The writers have lost their server.
        run(options.program, 'check', '--data', data)
        # An import into the directory is a bulk load. Every second one is killed.
        arguments = ('shell', '--data', data, '-e', f"COPY k.t FROM '{csv}'")
        if number % 2 == 0:
            killed(options.program, chance, 0.2, *arguments)
        else:
            run(options.program, *arguments)
        server = Server(options.program, data, '--keep-log', '256M', '--memtable', '1M')
        run(options.program, 'backup', '--server', server.address, '--to', backup)
    rows = rows_of_server(options.program, server, directory)
    run(options.program, 'backup', '--server', server.address, '--to', backup)
    run(options.program, 'restore', '--from', backup, '--to', directory / 'crashed-restored')
    found = rows_of(options.program, directory / 'crashed-restored')
    server.stop()
    for table, wanted in rows.items():
        if found[table] != wanted:
            raise Failure(f'after {rounds} kills of the server, table {table}: {len(set(wanted) - set(found[table]))} rows are missing, '
                          f'{len(set(found[table]) - set(wanted))} are too many')
    print(f'{rounds} kills of the server: {len(rows["t"])} rows and {len(rows["c"])} counters are right')


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
    if 'assword' not in said and 'log' not in said:
        raise Failure(f'a backup without a role: {said}')
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
        test_kills(options, directory)
        test_killed_servers(options, directory)
        test_dump(options, directory)
        test_permissions(options, directory)
    except Failure as failure:
        print(failure)
        return 1
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
