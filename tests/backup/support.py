"""The server, the clients and the writers of the tests of backups."""
import http.client
import json
import pathlib
import random
import signal
import subprocess
import threading
import time


IMPORTED = 1000  # The first partition of imported rows.


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


def rows_of(program, place, directory, *where):
    """All rows of the tables, as one sorted list of lines for each. `place` is the address of a server, or `--data` and a directory."""
    out = {}
    for table in ('t', 'c', 's'):
        path = pathlib.Path(directory) / f'rows-{table}.csv'
        run(program, 'shell', place, *where, '-e', f"COPY k.{table} TO '{path}'")
        out[table] = sorted(path.read_text().splitlines())
        path.unlink()
    return out


def rows_in(program, data):
    return rows_of(program, '--data', pathlib.Path(data).parent, data)


def compare(found, wanted, what):
    """Compares what rows_of has returned, row by row."""
    for table, rows in wanted.items():
        if found[table] != rows:
            missing, more = set(rows) - set(found[table]), set(found[table]) - set(rows)
            raise Failure(f'{what}, table {table}: {len(missing)} rows are missing, {len(more)} are too many; '
                          f'for example {list(missing)[:2]} {list(more)[:2]}')


def write_csv(path, rows, value):
    with path.open('w') as file:
        for i in range(rows):
            file.write(f'{IMPORTED + i // 100},{i % 100},{value} {i}\n')


class Writers:
    """Threads that read, write, delete and count, until they are stopped. Half of the statements concern the `imported` partitions."""

    def __init__(self, address, seed, count=2, imported=0):
        self.stopping = False
        self.imported = imported
        self.latencies = []  # The time at which a statement ended, and its seconds.
        self.threads = [threading.Thread(target=self.work, args=(address, random.Random(seed + i), i)) for i in range(count)]
        self.failures = []
        for thread in self.threads:
            thread.start()

    def work(self, address, chance, number):
        try:
            client = Client(address)
            while not self.stopping:
                text = self.statement(chance, number)
                begin = time.monotonic()
                client.query(text)
                end = time.monotonic()
                self.latencies.append((end, end - begin))
        except Exception as failure:  # Reported by stop().
            self.failures.append(failure)

    def statement(self, chance, number):
        key, row = chance.randrange(50), chance.randrange(200)
        if self.imported and chance.randrange(2):
            key, row = IMPORTED + chance.randrange(self.imported), chance.randrange(100)
        kind = chance.randrange(12)
        if kind < 6:
            return f"INSERT INTO k.t (p, r, v) VALUES ({key}, {row}, '{number} {chance.random()}')"
        if kind < 7:
            return f'DELETE FROM k.t WHERE p = {key} AND r > {row}'
        if kind < 8:
            return f"UPDATE k.t SET v = '{'x' * chance.randrange(5000)}' WHERE p = {key} AND r = {row}"
        if kind < 10:
            return f'UPDATE k.c SET n = n + {chance.randrange(5)} WHERE p = {key % 50}'
        return f'SELECT v FROM k.t WHERE p = {key} AND r = {row}'

    def latency(self, begin, end=float('inf')):
        """Returns the number of statements that ended in this time, and their latencies as text."""
        found = sorted(seconds for ended, seconds in list(self.latencies) if begin <= ended < end)
        if not found:
            return 'no statements'
        at = [1e3 * found[min(len(found) - 1, int(share * len(found)))] for share in (0.5, 0.99)]
        return f'{len(found)} statements, p50 {at[0]:.2f} ms, p99 {at[1]:.2f} ms'

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        if self.failures:
            raise Failure(f'a writer failed: {self.failures[0]}')


class Sequence:
    """A thread that stores the rows 1, 2, 3, … of k.s, one after the other. A moment has all rows up to some number, and no others."""

    def __init__(self, address):
        self.stopping = False
        self.stored = 0  # The last row that was answered.
        self.failure = None
        self.thread = threading.Thread(target=self.work, args=(address,))
        self.thread.start()

    def work(self, address):
        try:
            client = Client(address)
            while not self.stopping:
                number = self.stored + 1
                client.query(f'INSERT INTO k.s (p, n) VALUES ({number // 100}, {number})')
                self.stored = number
        except Exception as failure:  # Reported by stop().
            self.failure = failure

    def stop(self):
        self.stopping = True
        self.thread.join()
        if self.failure:
            raise Failure(f'the writer of the sequence failed: {self.failure}')


def make_tables(client):
    client.query("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    client.query('CREATE TABLE k.t (p int, r int, v text, PRIMARY KEY (p, r))')
    client.query('CREATE TABLE k.c (p int PRIMARY KEY, n counter)')
    client.query('CREATE TABLE k.s (p int, n int, PRIMARY KEY (p, n))')
    client.query('CREATE TABLE k.indexed (p int PRIMARY KEY, v text)')
    client.query('CREATE INDEX ON k.indexed (v)')


def now_text():
    micros = time.time_ns() // 1000
    return time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(micros // 1_000_000)) + f'.{micros % 1_000_000:06d}Z'
