#!/usr/bin/env python3
"""tls.py WIDEROW [--rounds 3] [--seconds 3]: measures what TLS costs a server, beside connections without TLS.

The script starts `WIDEROW serve --tls optional` with certificates of its own, once with a key of the curve P-256 and once with RSA of
2,048 bits. It prints, for TLS 1.3:

- the server's CPU of a connection (connect, handshake, STARTUP), and so the handshakes that one core computes in a second;
- the server's CPU of a request: point reads with 1 and with 64 requests in flight, and reads of a row with 100 KB, over native v4;
- the server's memory of an idle connection.

The CPU is the user and system time of the server's process. The figures are medians of the rounds, for memory the maximum. Needs `openssl`."""
import argparse
import os
import pathlib
import re
import socket
import ssl
import statistics
import struct
import subprocess
import tempfile
import time

IDLE = 400


def frame(opcode, body, stream=0):
    return struct.pack('>BBHBI', 4, 0, stream, opcode, len(body)) + body


STARTUP = frame(1, struct.pack('>H', 1) + b'\0\x0bCQL_VERSION\0\x053.0.0')


def query(text, stream=0):
    encoded = text.encode()
    return frame(7, struct.pack('>I', len(encoded)) + encoded + b'\0\1\0', stream)


class Connection:
    def __init__(self, port, context):
        self.socket = socket.create_connection(('127.0.0.1', port), 20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname='localhost')
        self.buffer = b''
        self.ask(STARTUP, 1)

    def ask(self, request, count):
        """Sends `request`, which is `count` frames, and reads as many answers."""
        self.socket.sendall(request)
        while count:
            while len(self.buffer) >= 9 and len(self.buffer) >= (size := 9 + struct.unpack('>I', self.buffer[5:9])[0]):
                assert self.buffer[4] != 0, self.buffer[:size]
                self.buffer = self.buffer[size:]
                count -= 1
            if count:
                received = self.socket.recv(1 << 18)
                assert received, 'the server has closed'
                self.buffer += received

    def close(self):
        self.socket.close()


class Server:
    def __init__(self, widerow, folder, certificate):
        self.process = subprocess.Popen(
            [widerow, 'serve', '--data', f'{folder}/{certificate}-data', '--port', '0', '--http-port', '0', '--tls-port', 'none', '--tls', 'optional',
             '--tls-certificate', f'{folder}/{certificate}.pem', '--tls-key', f'{folder}/{certificate}.key'], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r'cql=127\.0\.0\.1:(\d+)', self.process.stdout.readline())[1])

    def cpu(self):
        with open(f'/proc/{self.process.pid}/stat') as stat:
            fields = stat.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def resident(self):
        with open(f'/proc/{self.process.pid}/smaps_rollup') as rollup:
            return int(re.search(r'Private_Dirty: +(\d+) kB', rollup.read())[1]) * 1024

    def cost(self, seconds, work):
        """Calls `work`, which returns how often it did its work, for some seconds. Returns the server's CPU of one, in microseconds."""
        begin, cpu, count = time.monotonic(), self.cpu(), 0
        while time.monotonic() - begin < seconds:
            count += work()
        return (self.cpu() - cpu) / count * 1e6

    def stop(self):
        self.process.terminate()
        self.process.wait()


def make_certificate(folder, name, *key):
    subprocess.run(['openssl', 'req', '-x509', '-newkey', *key, '-nodes', '-days', '30', '-subj', f'/CN={name}', '-addext',
                    'subjectAltName=DNS:localhost', '-keyout', f'{folder}/{name}.key', '-out', f'{folder}/{name}.pem'],
                   check=True, capture_output=True)


def measure(server, context, seconds):
    """Returns the figures of one round."""
    def connect():
        for _ in range(20):
            Connection(server.port, context).close()
        return 20

    one = Connection(server.port, context)
    point = 'SELECT v FROM cost.rows WHERE k = 1'
    many = b''.join(query(point, stream) for stream in range(64))

    def asks(request, count, times):
        def work():
            for _ in range(times):
                one.ask(request, count)
            return count * times
        return work

    figures = {'connection': server.cost(seconds, connect),
               'point read, 1 in flight': server.cost(seconds, asks(query(point), 1, 100)),
               'point read, 64 in flight': server.cost(seconds, asks(many, 64, 10)),
               'row of 100 KB': server.cost(seconds, asks(query('SELECT v FROM cost.rows WHERE k = 2'), 1, 20))}
    before = server.resident()
    idle = [Connection(server.port, context) for _ in range(IDLE)]
    figures['KiB of an idle connection'] = (server.resident() - before) / IDLE / 1024
    for connection in [one, *idle]:
        connection.close()
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=3)
    options = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory(prefix='widerow-tls-') as folder:
        make_certificate(folder, 'p256', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256')
        make_certificate(folder, 'rsa2048', 'rsa:2048')
        for name in ('p256', 'rsa2048'):
            server = Server(str(pathlib.Path(options.widerow).resolve()), folder, name)
            setup = Connection(server.port, None)
            setup.ask(query("CREATE KEYSPACE cost WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"), 1)
            setup.ask(query('CREATE TABLE cost.rows (k int PRIMARY KEY, v text)'), 1)
            for key, size in ((1, 10), (2, 100_000)):
                setup.ask(query(f"INSERT INTO cost.rows (k, v) VALUES ({key}, '{'x' * size}')"), 1)
            context = ssl.create_default_context(cafile=f'{folder}/{name}.pem')
            for _ in range(options.rounds):
                for kind, how in (('plain', None), (name, context)):
                    for figure, value in measure(server, how, options.seconds).items():
                        results.setdefault(figure, {}).setdefault(kind, []).append(value)
            server.stop()
    print(f'{"server, microseconds of CPU":30}' + ''.join(f'{kind:>12}' for kind in ('plain', 'p256', 'rsa2048')))
    for figure, kinds in results.items():
        # Later rounds find memory that earlier ones have freed.
        middle = max if figure.startswith('KiB') else statistics.median
        print(f'{figure:30}' + ''.join(f'{middle(kinds[kind]):12.1f}' for kind in ('plain', 'p256', 'rsa2048')))
    for kind in ('p256', 'rsa2048'):
        extra = statistics.median(results['connection'][kind]) - statistics.median(results['connection']['plain'])
        print(f'handshakes a second on one core, {kind}: {1e6 / extra:.0f}')


if __name__ == '__main__':
    main()
