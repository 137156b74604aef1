#!/usr/bin/env python3
"""Measures servers of the native protocol: their CPU for a request, and the time to connect.

  native_cost.py NAME=PID@HOST:PORT… [--seconds 4] [--rounds 3]

The script measures the servers in turn, with the Python cassandra-driver, protocol v4 without compression, and 128 requests in
flight. tests/drivers/python/environment makes a Python environment with the driver. The CPU is the user and system time of the
server's process, divided by the number of answered requests. The requests per second mean nothing, because the client is slower than
the servers. The first round is a warm-up. The script prints the medians of the other rounds."""
import argparse
import os
import re
import statistics
import time

from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args

ROWS, PARTITIONS, PARTITION_ROWS = 10_000, 50, 100


class Server:
    def __init__(self, text):
        match = re.fullmatch(r'(\w+)=(\d+)@([^:]+):(\d+)', text)
        if match is None:
            raise argparse.ArgumentTypeError('NAME=PID@HOST:PORT')
        self.name, self.pid, self.host, self.port = match[1], int(match[2]), match[3], int(match[4])

    def cpu_seconds(self):
        with open(f'/proc/{self.pid}/stat') as stat:
            fields = stat.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def cluster(self):
        return Cluster([self.host], port=self.port, protocol_version=4, compression=False)

    def prepare(self):
        self.session = self.cluster().connect()
        run = self.session.execute
        run("CREATE KEYSPACE IF NOT EXISTS cost WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        run('CREATE TABLE IF NOT EXISTS cost.rows (k int PRIMARY KEY, v text, w bigint)')
        run('CREATE TABLE IF NOT EXISTS cost.pages (k int, c int, v text, w bigint, PRIMARY KEY (k, c))')
        self.write = self.session.prepare('INSERT INTO cost.rows (k, v, w) VALUES (?, ?, ?)')
        self.read = self.session.prepare('SELECT v, w FROM cost.rows WHERE k = ?')
        self.page = self.session.prepare('SELECT c, v, w FROM cost.pages WHERE k = ?')
        fill = self.session.prepare('INSERT INTO cost.pages (k, c, v, w) VALUES (?, ?, ?, ?)')
        self.many(self.write, [(i, f'value {i}', i) for i in range(ROWS)])
        self.many(fill, [(k, c, f'value {c}', c) for k in range(PARTITIONS) for c in range(PARTITION_ROWS)])

    def many(self, statement, parameters):
        execute_concurrent_with_args(self.session, statement, parameters, concurrency=128, raise_on_first_error=True)

    def cost(self, statement, parameters, seconds):
        """Returns the server's CPU for one request, in microseconds."""
        begin, cpu, count = time.monotonic(), self.cpu_seconds(), 0
        while time.monotonic() - begin < seconds:
            self.many(statement, parameters)
            count += len(parameters)
        return (self.cpu_seconds() - cpu) / count * 1e6

    def connect_ms(self):
        begin = time.monotonic()
        cluster = self.cluster()
        cluster.connect()
        spent = time.monotonic() - begin
        cluster.shutdown()
        return spent * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('servers', nargs='+', type=Server)
    parser.add_argument('--seconds', type=float, default=4)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    for server in options.servers:
        server.prepare()
    work = {'prepared write': ('write', [(i, f'value {i}', i) for i in range(2_000)]),
            'prepared point read': ('read', [(i % ROWS,) for i in range(4_000)]),
            'page of 100 rows': ('page', [(i % PARTITIONS,) for i in range(500)])}
    figures = {}
    for _ in range(options.rounds + 1):
        for what, (statement, parameters) in work.items():
            for server in options.servers:
                cost = server.cost(getattr(server, statement), parameters, options.seconds)
                figures.setdefault((what, server.name), []).append(cost)
        for server in options.servers:
            figures.setdefault(('connect', server.name), []).append(statistics.median(server.connect_ms() for _ in range(5)))
    for what in [*work, 'connect']:
        line = '  '.join(f'{s.name} {statistics.median(figures[what, s.name][1:]):9.1f}' for s in options.servers)
        print(f'{what:22} {"ms" if what == "connect" else "us CPU":7} {line}')
    for server in options.servers:
        server.session.execute('DROP KEYSPACE cost')
        server.session.cluster.shutdown()


if __name__ == '__main__':
    main()
