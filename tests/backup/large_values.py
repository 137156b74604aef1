"""Backs up large values while they are uploaded, aborted, overwritten, deleted, truncated and dropped, across `widerow compact` and a
kill of the server, and compares each restored moment byte by byte (backup_test.py)."""
import hashlib
import http.client
import random
import shutil
import time

from support import Client, Failure, Server, now_text, run

OPTIONS = ('--keep-log', '512M', '--memtable', '4M')
PART = 1 << 20


class Upload:
    """The upload of a value, a part at a time."""

    def __init__(self, address, table, key):
        self.connection = http.client.HTTPConnection(address)
        self.connection.putrequest('PUT', f'/v1/blob/k/{table}/v?key=[{key}]')
        self.connection.putheader('Transfer-Encoding', 'chunked')
        self.connection.putheader('Content-Type', 'application/octet-stream')
        self.connection.endheaders()

    def send(self, part):
        self.connection.send(b'%x\r\n' % len(part) + part + b'\r\n')

    def finish(self):
        self.connection.send(b'0\r\n\r\n')
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status not in (200, 204):
            raise Failure(f'an upload: {answer.status} {body}')

    def abort(self):
        self.connection.close()


class Values:
    """The tables k.f, k.g and k.h with large values, and what they must contain."""

    def __init__(self, options, directory):
        self.program, self.chance = options.program, random.Random(options.seed)
        self.data, self.backup, self.directory = directory / 'large', directory / 'large-backup', directory
        self.wanted, self.moments = {}, []
        self.server = Server(self.program, self.data, *OPTIONS)
        self.query("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        for table in 'fgh':
            self.query(f'CREATE TABLE k.{table} (id int PRIMARY KEY, name text, v longblob)')

    def query(self, text):
        return Client(self.server.address).query(text)

    def parts(self, count):
        return [self.chance.randbytes(PART) for _ in range(count)] + [self.chance.randbytes(self.chance.randrange(1, PART))]

    def put(self, table, key, count):
        upload, parts = Upload(self.server.address, table, key), self.parts(count)
        for part in parts:
            upload.send(part)
        upload.finish()
        self.note(table, key, parts)

    def note(self, table, key, parts):
        self.wanted[table, key] = hashlib.sha256(b''.join(parts)).hexdigest()

    def begin(self, table, key, count):
        """Begins an upload that the caller finishes or aborts."""
        upload = Upload(self.server.address, table, key)
        for part in self.parts(count):
            upload.send(part)
        time.sleep(0.2)  # So that the server has stored the pieces.
        return upload

    def forget(self, table, key=None):
        self.wanted = {at: value for at, value in self.wanted.items() if at[0] != table or key not in (None, at[1])}

    def found(self, server):
        """Returns the digest of each value that the server has."""
        out = {}
        connection = http.client.HTTPConnection(server.address)
        for table in 'fgh':
            rows = Client(server.address).query(f'SELECT id FROM k.{table}')['rows']
            for row in rows:
                key = row['id'] if isinstance(row, dict) else row[0]
                connection.request('GET', f'/v1/blob/k/{table}/v?key=[{key}]')
                answer = connection.getresponse()
                body = answer.read()
                if answer.status == 200:
                    out[table, key] = hashlib.sha256(body).hexdigest()
                elif answer.status != 404:
                    raise Failure(f'the value {table} {key}: {answer.status} {body[:200]}')
        return out

    def moment(self):
        """Notes this moment with its values, and makes a backup."""
        time.sleep(0.02)
        self.moments.append((now_text(), dict(self.wanted)))
        self.compare(self.server, self.wanted, 'the server')
        time.sleep(0.02)
        self.back_up()

    def back_up(self):
        # A backup ends at the moment of its last write. A write follows here, so that the backup contains the moment
        # before it.
        self.query("UPDATE k.f SET name = 'later' WHERE id = 1000")
        run(self.program, 'backup', '--server', self.server.address, '--to', self.backup)

    def compare(self, server, wanted, what):
        found = self.found(server)
        if found != wanted:
            wrong = [at for at in {*found, *wanted} if found.get(at) != wanted.get(at)]
            raise Failure(f'{what} has other large values: {sorted(wrong)}; found {sorted(found)}, wanted {sorted(wanted)}')

    def start(self):
        self.server = Server(self.program, self.data, *OPTIONS)

    def restore_all(self):
        for number, (moment, wanted) in enumerate(self.moments):
            restored = self.directory / f'large-moment{number}'
            run(self.program, 'restore', '--from', self.backup, '--to', restored, '--until', moment)
            run(self.program, 'check', '--data', restored)
            for _ in range(2):  # The first server sweeps the values to which no row refers.
                server = Server(self.program, restored)
                self.compare(server, wanted, f'the restored moment {number}')
                server.stop()
            run(self.program, 'compact', '--data', restored)
            run(self.program, 'check', '--data', restored)
            shutil.rmtree(restored)
        print(f'large values: {len(self.moments)} moments with {[len(wanted) for _, wanted in self.moments]} values are right')


def test_large_values(options, directory):
    values = Values(options, directory)
    for table in 'fgh':
        values.put(table, 1, 2)
    values.put('f', 2, 5)
    values.back_up()  # The full backup.
    values.moment()

    values.put('f', 2, 4)  # Overwrites.
    values.query('DELETE FROM k.f WHERE id = 1')
    values.forget('f', 1)
    values.begin('f', 3, 5).abort()
    values.query('TRUNCATE k.h')
    values.forget('h')
    values.put('h', 2, 3)
    values.query('DROP TABLE k.g')
    values.forget('g')
    values.query('CREATE TABLE k.g (id int PRIMARY KEY, name text, v longblob)')
    values.put('g', 5, 5)
    values.moment()

    # A backup in the middle of uploads; one is finished later, one ends with its table, one with the server.
    late, parts = Upload(values.server.address, 'f', 9), values.parts(9)
    for part in parts[:5]:
        late.send(part)
    lost = values.begin('h', 3, 5)
    values.moment()
    values.query('TRUNCATE k.h')
    values.forget('h')
    lost.abort()
    for part in parts[5:]:
        late.send(part)
    late.finish()
    values.note('f', 9, parts)
    values.moment()

    values.put('h', 4, 1)
    values.server.stop()
    run(values.program, 'compact', '--data', values.data)
    values.start()
    values.query('DELETE v FROM k.f WHERE id = 2')
    values.forget('f', 2)
    values.put('f', 4, 6)
    values.moment()

    values.begin('f', 5, 5)
    values.put('g', 6, 4)
    values.server.process.kill()
    values.server.process.wait()
    run(values.program, 'check', '--data', values.data)
    values.start()
    values.moment()
    run(values.program, 'check', '--data', values.data)
    values.server.stop()
    run(values.program, 'check', '--data', values.data)
    values.restore_all()
