#!/usr/bin/env python3
"""Measures writes into tables without an index, with three plain indexes and with three storage-attached indexes.

  index_writes.py WIDEROW [--cassandra HOST:PORT,PID] [--rows 100000] [--rounds 3] [--in-flight 64] [--durability sync]

The script starts WIDEROW on an empty directory. A Cassandra runs already. It writes rows of five columns with one prepared INSERT, over
eight connections, with a fixed number of requests in flight. In each round every table is made again, so a round begins with empty
tables. The first round is a warm-up. The script prints the medians of the others: rows a second, and the server's CPU time for a row
(user and system, /proc/PID/stat) between the first request and the last answer. It fails if a request fails, if a table does not have
all rows, or if an index does not find the rows with a value."""
import argparse
import pathlib
import random
import selectors
import socket
import statistics
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'load'))
from servers import Server, StartedServer  # noqa: E402

CONNECTIONS = 8
A_VALUES, B_VALUES, C_VALUES = 100, 100_000, 10_000
INDEXED = ('a', 'b', 'c')
TABLES = {'no index': None, 'three plain indexes': '', 'three storage-attached indexes': " USING 'sai'"}
STARTUP, QUERY, PREPARE, EXECUTE, ERROR, RESULT = 0x01, 0x07, 0x09, 0x0A, 0x00, 0x08
ONE = 1


def frame(opcode, body, stream=0):
    return struct.pack('>BBhBI', 4, 0, stream, opcode, len(body)) + body


class Connection:
    """A connection of protocol v4. Answers come in any order, so that ask() may only be used if no request is in flight."""

    def __init__(self, address):
        host, port = address.rsplit(':', 1)
        self.socket = socket.create_connection((host, int(port)), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = bytearray()
        self.ask(STARTUP, struct.pack('>H', 1) + text('CQL_VERSION') + text('3.0.0'))

    def send(self, data):
        self.socket.sendall(data)

    def answers(self):
        """Waits for bytes, and returns the answers that are complete."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise RuntimeError('the server has closed a connection')
        self.received += data
        found = []
        while len(self.received) >= 9:
            opcode, size = struct.unpack_from('>BI', self.received, 4)
            if len(self.received) < 9 + size:
                break
            body = bytes(self.received[9:9 + size])
            del self.received[:9 + size]
            if opcode == ERROR:
                raise RuntimeError(body[6:].decode())
            found.append(body)
        return found

    def ask(self, opcode, body):
        self.send(frame(opcode, body))
        while not (found := self.answers()):
            pass
        return found[0]

    def query(self, cql):
        return self.ask(QUERY, long_text(cql) + struct.pack('>HB', ONE, 0))

    def prepare(self, cql):
        """Returns the prepared id."""
        body = self.ask(PREPARE, long_text(cql))
        return body[6:6 + struct.unpack_from('>H', body, 4)[0]]

    def number(self, cql):
        """Returns the first value of the first row, an int or a bigint."""
        return int.from_bytes(self.query(cql)[-8:], 'big')


def text(words):
    return struct.pack('>H', len(words)) + words.encode()


def long_text(words):
    return struct.pack('>I', len(words.encode())) + words.encode()


def rows(count):
    """Returns (id, a, b, c, d) of each row, with the ids in a random order."""
    r = random.Random(1)
    ids = list(range(count))
    r.shuffle(ids)
    return [(i, r.randrange(A_VALUES), r.randrange(B_VALUES), f'name {r.randrange(C_VALUES)}', r.randrange(1 << 40)) for i in ids]


def execution(prepared, row):
    """Returns the body of an EXECUTE that writes a row."""
    key, a, b, c, d = row
    values = [struct.pack('>i', key), struct.pack('>i', a), struct.pack('>i', b), c.encode(), struct.pack('>q', d)]
    return (struct.pack('>H', len(prepared)) + prepared + struct.pack('>HBH', ONE, 1, len(values))
            + b''.join(struct.pack('>i', len(value)) + value for value in values))


def write(connections, bodies, in_flight):
    """Sends every body. Sends the next one when an answer comes."""
    selector, following, waiting = selectors.DefaultSelector(), iter(bodies), 0
    for connection in connections:
        selector.register(connection.socket, selectors.EVENT_READ, connection)

    def send(connection, count):
        frames = [frame(EXECUTE, body, stream) for stream, body in zip(range(count), following)]
        if frames:
            connection.send(b''.join(frames))
        return len(frames)
    for connection in connections:
        waiting += send(connection, in_flight // len(connections))
    while waiting:
        for key, _ in selector.select():
            answered = len(key.data.answers())
            waiting += send(key.data, answered) - answered


def measure(server, indexes, data, in_flight):
    """Returns (rows a second, microseconds of CPU for a row)."""
    connections = [Connection(server.address) for _ in range(CONNECTIONS)]
    one = connections[0]
    one.query('DROP KEYSPACE IF EXISTS index_writes')
    one.query("CREATE KEYSPACE index_writes WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    one.query('CREATE TABLE index_writes.t (id int PRIMARY KEY, a int, b int, c text, d bigint)')
    for column in INDEXED if indexes is not None else ():
        one.query(f'CREATE INDEX ON index_writes.t ({column}){indexes}')
    insert = one.prepare('INSERT INTO index_writes.t (id, a, b, c, d) VALUES (?, ?, ?, ?, ?)')
    bodies = [execution(insert, row) for row in data]
    begin, cpu = time.perf_counter(), server.cpu_seconds()
    write(connections, bodies, in_flight)
    took, cpu = time.perf_counter() - begin, server.cpu_seconds() - cpu
    check(one, indexes, data)
    one.query('DROP KEYSPACE index_writes')
    for connection in connections:
        connection.socket.close()
    return len(data) / took, cpu / len(data) * 1e6


def check(connection, indexes, data):
    found = connection.number('SELECT count(*) FROM index_writes.t')
    if found != len(data):
        raise RuntimeError(f'{found} rows instead of {len(data)}')
    for place, column in enumerate(INDEXED, 1) if indexes is not None else ():
        value = data[0][place]
        literal = f"'{value}'" if isinstance(value, str) else value
        found = connection.number(f'SELECT count(*) FROM index_writes.t WHERE {column} = {literal}')
        if found != sum(row[place] == value for row in data):
            raise RuntimeError(f'{found} rows with {column} = {literal}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--cassandra', metavar='HOST:PORT,PID', help='a Cassandra that runs already')
    parser.add_argument('--rows', type=int, default=100_000)
    parser.add_argument('--rounds', type=int, default=3, help='after the warm-up')
    parser.add_argument('--in-flight', type=int, default=64)
    parser.add_argument('--durability', default='sync', help='of Widerow')
    options = parser.parse_args()
    data, found = rows(options.rows), {}
    servers = [StartedServer(f'Widerow={options.widerow} --durability {options.durability}')]
    try:
        if options.cassandra:
            servers.append(Server.running(f'Cassandra={options.cassandra}'))
        for number in range(options.rounds + 1):
            for name, indexes in TABLES.items():
                for server in servers:
                    figures = measure(server, indexes, data, options.in_flight)
                    if number > 0:
                        found.setdefault((name, server.name), []).append(figures)
                    print(f'round {number}, {server.name}, {name}: {figures[0]:,.0f} rows/s, {figures[1]:.1f} us/row', file=sys.stderr, flush=True)
    finally:
        problems = [problem for problem in [server.stop() for server in servers] if problem]
    print('| table |' + ''.join(f' {server.name}: rows/s | CPU µs/row |' for server in servers) + '\n|---' + '|---|---' * len(servers) + '|')
    for name in TABLES:
        medians = [[statistics.median(column) for column in zip(*found[name, server.name])] for server in servers]
        print(f'| {name} |' + ''.join(f' {rate:,.0f} | {cpu:.1f} |' for rate, cpu in medians))
    print('\n'.join(problems))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
