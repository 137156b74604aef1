#!/usr/bin/env python3
"""Attacks a server with clients that ask for large answers and read nothing. Measures the server's memory and the waits of
honest clients.

  hostile_reads.py WIDEROW [--clients 4] [--requests 200] [--seconds 20] [--kind pages|whole|http] [--directory build/hostile]

Loads 100,000 rows of 200 bytes (20 MB). Each hostile client sends SELECT * `--requests` times. --kind says how:

pages  over one connection, in pages of 100,000 rows
whole  over one connection, without pages
http   over HTTP, each request on a connection of its own; half of them ask for pages

Four honest clients run meanwhile. The first reads single rows on an open connection, the second connects anew for each read, the
third reads the table in pages of 5,000 rows, and the fourth writes. Prints the requests, the failures and the longest wait of
each honest client, and the server's greatest resident memory."""
import argparse
import http.client
import json
import pathlib
import shutil
import socket
import struct
import subprocess
import threading
import time

ROWS, PAYLOAD, PARTITIONS = 100_000, 'x' * 170, 100
ERROR, READY, STARTUP, QUERY, RESULT = 0, 2, 1, 7, 8


def frame(opcode, body, stream=0):
    return struct.pack('>BBhBi', 4, 0, stream, opcode, len(body)) + body


def query_body(cql, page_rows=0, paging_state=b''):
    flags = (4 if page_rows else 0) | (8 if paging_state else 0)
    body = struct.pack('>i', len(cql)) + cql.encode() + struct.pack('>HB', 1, flags)
    if page_rows:
        body += struct.pack('>i', page_rows)
    if paging_state:
        body += struct.pack('>i', len(paging_state)) + paging_state
    return body


class Client:
    """A connection of the native protocol that has sent STARTUP."""

    def __init__(self, address):
        self.socket = socket.create_connection(address, timeout=60)
        self.socket.sendall(frame(STARTUP, struct.pack('>HH', 1, 11) + b'CQL_VERSION' + struct.pack('>H', 5) + b'3.0.0'))
        opcode, _ = self.read()
        assert opcode == READY, opcode

    def exactly(self, size):
        data = bytearray()
        while len(data) < size:
            part = self.socket.recv(min(1 << 20, size - len(data)))
            if not part:
                raise ConnectionError('the server has closed')
            data += part
        return bytes(data)

    def read(self):
        _, _, _, opcode, size = struct.unpack('>BBhBi', self.exactly(9))
        return opcode, self.exactly(size)

    def ask(self, cql, page_rows=0, paging_state=b''):
        """Returns the rows of the answer, and the state of the next page."""
        self.socket.sendall(frame(QUERY, query_body(cql, page_rows, paging_state)))
        opcode, body = self.read()
        if opcode != RESULT:
            raise RuntimeError(body[6:200])
        if struct.unpack_from('>i', body)[0] != 2:
            return 0, b''
        flags, columns = struct.unpack_from('>ii', body, 4)
        at, state = 12, b''
        if flags & 2:
            size, = struct.unpack_from('>i', body, at)
            state = body[at + 4:at + 4 + size]
            at += 4 + size
        for _ in range(2):
            at += 2 + struct.unpack_from('>H', body, at)[0]
        for _ in range(columns):
            at += 2 + struct.unpack_from('>H', body, at)[0] + 2
        return struct.unpack_from('>i', body, at)[0], state


class Honest(threading.Thread):
    """Repeats `step` until the end. Keeps the number of requests, the number of failures and the longest wait."""

    def __init__(self, name, step, end):
        super().__init__(daemon=True)
        self.name, self.step, self.end = name, step, end
        self.requests = self.failures = 0
        self.longest = 0.0

    def run(self):
        state = None
        while time.monotonic() < self.end:
            begin = time.monotonic()
            try:
                state = self.step(state)
            except (OSError, RuntimeError, ConnectionError) as error:
                self.failures += 1
                state = None
                print(f'{self.name}: {error}')
            self.requests += 1
            self.longest = max(self.longest, time.monotonic() - begin)


def run_http(address, query):
    connection = http.client.HTTPConnection(*address, timeout=120)
    connection.request('POST', '/v1/query', json.dumps({'query': query}), {'Content-Type': 'application/json'})
    answer = json.load(connection.getresponse())
    assert 'error' not in answer, answer
    connection.close()


def load_rows(address):
    run_http(address, "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    run_http(address, 'CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c))')
    each = ROWS // PARTITIONS
    for partition in range(PARTITIONS):
        rows = ''.join(f"INSERT INTO k.t (p, c, v) VALUES ({partition}, {c}, '{PAYLOAD}'); " for c in range(each))
        run_http(address, f'BEGIN UNLOGGED BATCH {rows} APPLY BATCH')


def peak_mib(pid, reset=False):
    if reset:
        pathlib.Path(f'/proc/{pid}/clear_refs').write_text('5')
    for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith('VmHWM:'):
            return int(line.split()[1]) / 1024
    return 0


def attack(kind, native, http_address, clients, requests):
    """Opens the hostile connections. They stay open as long as the returned list lives."""
    sockets = []
    for _ in range(clients):
        if kind == 'http':
            for number in range(requests):
                body = json.dumps({'query': 'SELECT * FROM k.t', **({'page_size': 100_000} if number % 2 else {})})
                sockets.append(socket.create_connection(http_address, timeout=60))
                sockets[-1].sendall(f'POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}'.encode())
            continue
        client = Client(native)
        sockets.append(client.socket)
        body = query_body('SELECT * FROM k.t', 100_000 if kind == 'pages' else 0)
        for stream in range(requests):
            client.socket.sendall(frame(QUERY, body, stream))
    return sockets


def honest_clients(native, end):
    def point(client):
        client = client or Client(native)
        assert client.ask('SELECT v FROM k.t WHERE p = 7 AND c = 7')[0] == 1
        return client

    def connect(_):
        Client(native).ask('SELECT v FROM k.t WHERE p = 8 AND c = 8')

    def pages(state):
        client, paging_state = state or (Client(native), b'')
        rows, paging_state = client.ask('SELECT * FROM k.t', 5_000, paging_state)
        assert rows > 0 or not paging_state
        return client, paging_state

    def write(client):
        client = client or Client(native)
        client.ask("UPDATE k.t SET v = 'y' WHERE p = 9 AND c = 9")
        return client

    return [Honest(name, step, end) for name, step in
            (('single rows', point), ('new connections', connect), ('pages', pages), ('writes', write))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--clients', type=int, default=4)
    parser.add_argument('--requests', type=int, default=200)
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--kind', choices=('pages', 'whole', 'http'), default='pages')
    parser.add_argument('--directory', type=pathlib.Path, default=pathlib.Path('build/hostile'))
    options = parser.parse_args()
    shutil.rmtree(options.directory, ignore_errors=True)
    with subprocess.Popen([options.widerow, 'serve', '--data', options.directory, '--port', '0', '--http-port', '0'],
                          stdout=subprocess.PIPE, text=True) as server:
        try:
            ready = dict(part.split('=', 1) for part in server.stdout.readline().split()[1:])
            native, http_address = [(host, int(port)) for host, port in (ready[name].rsplit(':', 1) for name in ('cql', 'http'))]
            load_rows(http_address)
            before = peak_mib(server.pid, reset=True)
            hostile = attack(options.kind, native, http_address, options.clients, options.requests)
            honest = honest_clients(native, time.monotonic() + options.seconds)
            for client in honest:
                client.start()
            for client in honest:
                client.join()
            print(f'{options.kind}: {options.clients} clients with {options.requests} requests each')
            print(f'resident memory: {before:.0f} MiB before, at most {peak_mib(server.pid):.0f} MiB')
            for client in honest:
                print(f'{client.name:16} {client.requests:8} requests {client.failures:4} failures, longest {client.longest:.2f} s')
            for connection in hostile:
                connection.close()
        finally:
            server.terminate()
    shutil.rmtree(options.directory, ignore_errors=True)


if __name__ == '__main__':
    main()
