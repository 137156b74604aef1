#!/usr/bin/env python3
"""large_object_test.py WIDEROW [--megabytes 64] [--bound 32]: the memory of a server while a value passes through HTTP.

Writes and reads one value, in MiB, over /v1/blob, and fails if the server ever has more than --bound MiB of memory above that of the
idle server. Memory is RssAnon of /proc/PID/status: the private memory of the process, without the pages of data.mdb, which belong to
the system's page cache. If the value does not fit into a frame of the native protocol (256 MiB), also checks that a SELECT of it is
refused with an error that names the path."""
import argparse
import hashlib
import http.client
import json
import pathlib
import re
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'drivers'))
from harness import Server  # noqa: E402

MIB = 1 << 20
PATH = '/v1/blob/large/objects/data?key=[1]'


class Memory(threading.Thread):
    """A thread that repeatedly reads the memory of a process."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.stopping = pid, 0, threading.Event()
        self.idle = self.now()

    def now(self):
        return int(re.search(r'RssAnon:\s+(\d+) kB', pathlib.Path(f'/proc/{self.pid}/status').read_text()).group(1)) * 1024

    def run(self):
        while not self.stopping.wait(0.002):
            self.most = max(self.most, self.now())


def parts(megabytes):
    for number in range(megabytes):
        yield hashlib.shake_128(number.to_bytes(4, 'big')).digest(MIB)


def query(address, text):
    connection = http.client.HTTPConnection(address, timeout=120)
    connection.request('POST', '/v1/query', json.dumps({'query': text}), {'Content-Type': 'application/json'})
    return json.loads(connection.getresponse().read())


def put(address, megabytes):
    connection = http.client.HTTPConnection(address, timeout=600)
    connection.request('PUT', PATH, parts(megabytes), {'Content-Length': str(megabytes * MIB)})
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, (answer.status, body)
    assert json.loads(body)['bytes'] == megabytes * MIB, body


def get(address, megabytes):
    connection = http.client.HTTPConnection(address, timeout=600)
    connection.request('GET', PATH)
    answer = connection.getresponse()
    assert answer.status == 200 and answer.headers['Content-Length'] == str(megabytes * MIB), answer.status
    for number, part in enumerate(parts(megabytes)):
        assert answer.read(MIB) == part, f'MiB {number} differs'
    assert answer.read() == b''


def get_end(address, megabytes):
    connection = http.client.HTTPConnection(address, timeout=600)
    connection.request('GET', PATH, headers={'Range': f'bytes=-{MIB}'})
    answer = connection.getresponse()
    assert answer.status == 206 and answer.read() == list(parts(megabytes))[-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('widerow')
    parser.add_argument('--megabytes', type=int, default=64)
    parser.add_argument('--bound', type=int, default=32)
    arguments = parser.parse_args()
    size = arguments.megabytes
    with tempfile.TemporaryDirectory(prefix='widerow-large-') as directory:
        server = Server(arguments.widerow, directory)
        server.start()
        address = server.http
        query(address, "CREATE KEYSPACE large WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        query(address, 'CREATE TABLE large.objects (id int PRIMARY KEY, data longblob)')
        memory = Memory(server.process.pid)
        memory.start()
        put(address, size)
        get(address, size)
        put(address, size)
        get_end(address, size)
        memory.stopping.set()
        memory.join()
        if size > 256:
            error = query(address, 'SELECT data FROM large.objects WHERE id = 1')['error']
            assert 'GET /v1/blob/large/objects/data' in error['hint'], error
            assert query(address, 'SELECT id, WRITETIME(data) FROM large.objects WHERE id = 1')['rows'][0][0] == 1
        stopped = server.stop()
    more = (memory.most - memory.idle) / MIB
    print(f'{size} MiB written twice and read: idle {memory.idle / MIB:.1f} MiB, at most {more:.1f} MiB more; bound {arguments.bound}')
    return 0 if stopped and more <= arguments.bound else 1


if __name__ == '__main__':
    sys.exit(main())
