"""The attacks that zoo.py runs.

Each attack is a function of a Target. It makes one round and returns a word: 'answered', 'refused', or 'breach' if the server did
what it must never do. If the server closes the connection, the function raises an OSError."""
import http.client
import json
import os
import pathlib
import random
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
from hostile_reads import ERROR, QUERY, Client, frame, query_body  # noqa: E402

PREPARE = 9
BLOB_BYTES = 4 << 20
TOMBSTONES = 100_000
ATTACKS = {}


class Target:
    """The addresses of the server under attack."""

    def __init__(self, native, http_address):
        self.native, self.http = native, http_address

    def connect(self, address, source='127.0.0.1'):
        return socket.create_connection(address, timeout=30, source_address=(source, 0))

    def post(self, query, path='/v1/query', **fields):
        """Returns the status of one query over HTTP."""
        connection = http.client.HTTPConnection(*self.http, timeout=120)
        body = json.dumps({'query': query, **fields} if query else fields)
        connection.request('POST', path, body, {'Content-Type': 'application/json'})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    def must(self, query):
        status = self.post(query)
        if status != 200:
            raise RuntimeError(f'status {status}: {query[:80]}')


def attack(pause):
    """Registers an attack. The attack waits up to `pause` seconds between two rounds, so that it alone does not use the whole CPU."""
    def register(function):
        ATTACKS[function.__name__] = (function, pause)
        return function
    return register


def make_tables(target):
    for statement in ("CREATE TABLE k.honest (id int PRIMARY KEY, v text)",
                      "CREATE TABLE k.dead (p int, c int, v int, PRIMARY KEY (p, c))",
                      "CREATE TABLE k.ranges (p int, c int, v int, PRIMARY KEY (p, c))",
                      "CREATE TABLE k.blobs (p int PRIMARY KEY, n int, v blob)",
                      "CREATE TABLE k.maps (p int PRIMARY KEY, m map<int, int>)",
                      "CREATE TABLE k.indexed (p int, c int, tag int, PRIMARY KEY (p, c))",
                      "CREATE INDEX ON k.indexed (tag)"):
        target.must(statement)
    each = 2_000
    for first in range(0, TOMBSTONES, each):
        target.must('BEGIN UNLOGGED BATCH ' + ' '.join(f'DELETE FROM k.dead WHERE p = 0 AND c = {c};' for c in range(first, first + each)) +
                    ' APPLY BATCH')


def outcome(status):
    return 'answered' if status == 200 else 'refused'


def native(target, cql):
    """Runs one statement over the native protocol."""
    client = Client(target.native)
    try:
        client.socket.settimeout(120)
        client.socket.sendall(frame(QUERY, query_body(cql)))
        opcode, _ = client.read()
        return 'refused' if opcode == ERROR else 'answered'
    finally:
        client.socket.close()


def hold(sockets, seconds):
    time.sleep(seconds)
    for held in sockets:
        held.close()
    return 'answered'


# Attacks on memory and on the number of connections.

@attack(pause=1)
def unread_answers(target):
    """Asks 200 times for 20 MB on one connection, and reads nothing."""
    client = Client(target.native)
    client.socket.settimeout(2)
    body = query_body('SELECT * FROM k.t', 100_000)
    try:
        for stream in range(200):
            client.socket.sendall(frame(QUERY, body, stream))
    except TimeoutError:
        pass  # The server does not read while requests wait.
    return hold([client.socket], random.uniform(1, 8))


@attack(pause=1)
def unread_http_answers(target):
    sockets = []
    body = json.dumps({'query': 'SELECT * FROM k.t'})
    for _ in range(30):
        sockets.append(target.connect(target.http))
        sockets[-1].sendall(f'POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}'.encode())
    return hold(sockets, random.uniform(1, 8))


@attack(pause=1)
def silent_connections(target):
    """Opens 1,400 connections from one address and sends nothing on them."""
    sockets = [target.connect(address, '127.0.0.2') for _ in range(700) for address in (target.native, target.http)]
    return hold(sockets, random.uniform(2, 10))


@attack(pause=0.2)
def slow_frames(target):
    """Announces frames of 256 MB, and sends a byte of them now and then."""
    clients = [Client(target.native) for _ in range(40)]
    for client in clients:
        client.socket.sendall(struct.pack('>BBhBi', 4, 0, 0, QUERY, 256 << 20))
    for _ in range(20):
        for client in clients:
            client.socket.sendall(b'x')
        time.sleep(0.1)
    return hold([client.socket for client in clients], 0)


@attack(pause=0.2)
def slow_headers(target):
    sockets = [target.connect(target.http) for _ in range(40)]
    for held in sockets:
        held.sendall(b'POST /v1/query HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    for _ in range(20):
        for held in sockets:
            held.sendall(b'x')
        time.sleep(0.1)
    return hold(sockets, 0)


@attack(pause=2)
def large_requests(target):
    """Sends a request of 60 MB."""
    return native(target, f"INSERT INTO k.honest (id, v) VALUES (-1, '{'x' * (60 << 20)}')")


@attack(pause=0.2)
def garbage(target):
    for address in (target.native, target.http):
        connection = target.connect(address)
        connection.sendall(os.urandom(10_000))
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65_536):
            pass
        connection.close()
    return 'answered'


@attack(pause=0.5)
def snapshots(target):
    """Opens snapshots until one is refused, and closes none."""
    refused = 0
    for _ in range(70):
        refused += target.post(None, '/v1/snapshots', age_max_ms=20_000) != 201
    return 'refused' if refused else 'answered'


# Requests whose end is ambiguous, so that a second request can hide in them.

SMUGGLED = b'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
FRAMINGS = (b'Transfer-Encoding: xchunked\r\n', b'Transfer-Encoding: chunked, identity\r\n', b'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
            b'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', b'Content-Length: 0\r\nContent-Length: 43\r\n', b'Content-Length: +0\r\n',
            b'Transfer-Encoding : chunked\r\n', b'Transfer-Encoding:\x0bchunked\r\n')


@attack(pause=0.3)
def smuggling(target):
    """Sends requests whose end a proxy may see elsewhere. The server must answer 400 once and close the connection."""
    for framing in FRAMINGS:
        connection = target.connect(target.http)
        connection.sendall(b'POST /v1/query HTTP/1.1\r\nHost: localhost\r\n' + framing + b'\r\n0\r\n\r\n' + SMUGGLED)
        answer = b''
        while part := connection.recv(65_536):
            answer += part
        connection.close()
        if answer.count(b'HTTP/1.1 ') != 1 or not answer.startswith(b'HTTP/1.1 400'):
            print(f'smuggling with {framing}: {answer[:300]}', flush=True)
            return 'breach'
    return 'refused'


# Short requests that make much work.

@attack(pause=3)
def table_of_30000_columns(target):
    name = f'wide{random.randrange(1 << 30)}'
    status = target.post(f'CREATE TABLE k.{name} (k int PRIMARY KEY, ' + ', '.join(f'c{i} int' for i in range(30_000)) + ')')
    if status == 200:
        target.post(f'DROP TABLE k.{name}')
    return outcome(status)


@attack(pause=2)
def where_of_120000_terms(target):
    return outcome(target.post('SELECT * FROM k.honest WHERE ' + ' AND '.join(['id = 1'] * 120_000)))


@attack(pause=2)
def named_parameters(target):
    names = [f'a{i}' for i in range(45_000)]
    query = f'SELECT * FROM k.honest WHERE id IN ({", ".join(":" + name for name in names)})'
    return outcome(target.post(query, params={name: 1 for name in names}))


@attack(pause=1)
def nested_lists(target):
    return native(target, f'SELECT * FROM k.honest WHERE id = {"[" * 50_000}1{"]" * 50_000}')


@attack(pause=1)
def product_of_lists(target):
    thousand = ', '.join(map(str, range(1_000)))
    return native(target, f'SELECT * FROM k.t WHERE p IN ({thousand}) AND c IN ({thousand})')


@attack(pause=0.5)
def prepared_statements(target):
    """Sends statements that all differ."""
    client = Client(target.native)
    for stream in range(300):
        cql = f'SELECT v AS "n{random.randrange(1 << 40)}" FROM k.honest WHERE id = ?'.encode()
        client.socket.sendall(frame(PREPARE, struct.pack('>i', len(cql)) + cql, stream))
    for _ in range(300):
        client.read()
    client.socket.close()
    return 'answered'


# Requests that make much work for the writer, or for later readers.

@attack(pause=3)
def range_deletions(target):
    """Deletes 16,000 ranges of one partition in one batch."""
    deletions = ''.join(f'DELETE FROM k.ranges WHERE p = 0 AND c > {i} AND c < {i + 5};' for i in range(16_000))
    return native(target, f'BEGIN UNLOGGED BATCH {deletions} APPLY BATCH')


@attack(pause=3)
def updates_beside_a_blob(target):
    """Sends one batch of 1,000 tiny updates of one row. The row has 4 MB and is in the memtable."""
    key = random.randrange(8)
    native(target, f'INSERT INTO k.blobs (p, v) VALUES ({key}, 0x{"ab" * BLOB_BYTES})')
    return native(target, f'BEGIN UNLOGGED BATCH {"".join(f"UPDATE k.blobs SET n = {i} WHERE p = {key};" for i in range(1_000))} APPLY BATCH')


@attack(pause=2)
def map_elements(target):
    """Writes 8,000 elements of one map, with one statement for each."""
    updates = ''.join(f'UPDATE k.maps SET m[{random.randrange(1 << 20)}] = 1 WHERE p = 0;' for _ in range(8_000))
    return native(target, f'BEGIN UNLOGGED BATCH {updates} APPLY BATCH')


@attack(pause=2)
def indexed_range_deletion(target):
    """Writes 5,000 rows with an index and deletes them with one range deletion."""
    key = random.randrange(4)
    for first in range(0, 5_000, 1_000):
        rows = ''.join(f'INSERT INTO k.indexed (p, c, tag) VALUES ({key}, {c}, {c % 7});' for c in range(first, first + 1_000))
        native(target, f'BEGIN UNLOGGED BATCH {rows} APPLY BATCH')
    return native(target, f'DELETE FROM k.indexed WHERE p = {key} AND c >= 0')


@attack(pause=0.5)
def slice_over_tombstones(target):
    status = target.post('SELECT * FROM k.dead WHERE p = 0 LIMIT 1')
    return native(target, 'SELECT * FROM k.dead WHERE p = 0 AND c > 10 LIMIT 1') if status == 200 else 'refused'
