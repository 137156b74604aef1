#!/usr/bin/env python3
"""Compares servers of the native protocol under the load of the public client `latte`.

  load.py --start widerow=build/release/widerow --server cassandra=127.0.0.1:9042,PID

The script fills two tables (table.rn). Then it runs phases: overwriting rows, reading single rows, reading slices of 100 rows. Each
phase keeps a fixed number of requests in flight. It runs once on each server as a warm-up, and then in rounds in which the servers
take turns. The script prints the medians, and the figures of the first server divided by those of each other server. With --rate-of,
the phases also run at a fixed rate: requests are then sent at fixed times and do not wait for each other.

The exit status is 1 if a request failed, if a read found too few rows, if a written value is not found again, if a phase did nothing,
or if a started server did not stop cleanly. It is 77 if latte cannot be built; a line says why."""
import argparse
import dataclasses
import json
import os
import statistics
import sys
import time

import latte
from servers import Server, StartedServer

SKIPPED = 77
ROWS_PER_OPERATION = {'read_row': 1, 'read_range': 100, 'written': 1}
PHASES = ('write', 'read_row', 'read_range')
MORE_PHASES = ('write_text',)
LOAD_IN_FLIGHT = 256
OPEN_IN_FLIGHT_MAX = 4096  # For phases at a fixed rate. With so many, a request never waits in the client for an earlier one.
WRITES_CHECKED_MAX = 20_000
FIGURES = (('ops/s', 'rate', '{:,.0f}'), ('p50 ms', 'p50', '{:.2f}'), ('p99 ms', 'p99', '{:.2f}'), ('p99.9 ms', 'p999', '{:.2f}'),
           ('server µs/op', 'server_cpu', '{:.1f}'), ('disk bytes/op', 'written_bytes', '{:,.0f}'),
           ('resident MiB', 'resident_mib', '{:,.0f}'), ('private MiB', 'private_mib', '{:,.0f}'),
           ('other cores', 'other_cores', '{:.2f}'))
WITHOUT_RATIO = {'disk bytes/op', 'resident MiB', 'private MiB', 'other cores'}


def judge(measurement, operations_min=1):
    """Yields one sentence for each fault of a measurement."""
    where = f'{measurement.server} {measurement.phase}'
    if measurement.errors:
        yield f'{where}: {measurement.errors} requests failed: {"; ".join(measurement.error_texts)}'
    if measurement.operations < operations_min:
        yield f'{where}: {measurement.operations} operations, at least {operations_min} expected'
    expected = measurement.operations * ROWS_PER_OPERATION.get(measurement.phase, 0)
    if measurement.rows != expected:
        yield f'{where}: {measurement.rows} rows in {measurement.operations} answers, {expected} expected'


class Run:
    """One comparison: the servers, the client, and the measurements so far."""

    def __init__(self, options, servers, client):
        self.options, self.servers, self.client = options, servers, client
        self.measurements, self.problems = [], []
        self.runs = 0

    def measure(self, server, phase, duration, number=0, rate=None):
        """Runs a phase once. After writes, reads some rows again and checks that they have the values that this run has written."""
        self.runs += 1
        where = {'first_cycle': self.runs * 1_000_000_000, 'salt': self.runs}
        in_flight = OPEN_IN_FLIGHT_MAX if rate else self.options.in_flight
        found = self.client.run(server, phase, duration=f'{duration}s', in_flight=in_flight, rate=rate, number=number, **where)
        self.problems += judge(found)
        if phase == 'write' and self.client.threads == 1:  # Several threads leave gaps in the cycles they have done.
            count = min(found.operations, WRITES_CHECKED_MAX)
            again = self.client.run(server, 'written', duration=count, in_flight=self.options.in_flight, **where)
            self.problems += judge(again, operations_min=count)
        return found

    def fill(self):
        for server in self.servers:
            self.client.schema(server)
            found = self.client.run(server, 'load', duration=2 * self.options.rows, in_flight=LOAD_IN_FLIGHT)
            self.problems += judge(found, operations_min=2 * self.options.rows)
            self.measurements.append(found)
            print(f'{server.name}: {found.operations:,} rows written in {found.seconds:.0f} s', flush=True)

    def rounds(self, rates=None):
        """Runs all phases in rounds. In each round, all servers run each phase, and another server is first."""
        mode = 'open' if rates else 'closed'
        for number in range(1, self.options.rounds + 1):
            for phase in self.options.phases:
                for index in range(len(self.servers)):
                    server = self.servers[(index + number) % len(self.servers)]
                    rate = rates[phase] if rates else None
                    found = self.measure(server, phase, self.options.seconds, number, rate)
                    found.phase = f'{phase} at {rate:,.0f}/s' if rate else phase
                    self.measurements.append(found)
                    print(f'{mode} round {number} {found.phase} {server.name}: {found.rate:,.0f} ops/s, p99 {found.p99:.2f} ms, '
                          f'{found.server_cpu:.1f} us/op', flush=True)

    def warm_up(self):
        for phase in self.options.phases:
            for server in self.servers:
                self.measure(server, phase, self.options.warm_up)

    def median(self, phase, server, figure):
        return statistics.median(getattr(m, figure) for m in self.measurements if (m.phase, m.server) == (phase, server.name))

    def all(self):
        self.fill()
        if self.options.warm_up:
            self.warm_up()
        self.rounds()
        if self.options.rate_of:
            name, share = self.options.rate_of
            base = next(server for server in self.servers if server.name == name)
            self.rounds({phase: share * self.median(phase, base, 'rate') for phase in self.options.phases})


def table(run):
    """Returns the medians and ratios as lines of a Markdown table."""
    first, *others = run.servers
    yield '| ' + ' | '.join(['', '', *(s.name for s in run.servers), *(f'{first.name} / {s.name}' for s in others)]) + ' |'
    yield '|---' * (2 + len(run.servers) + len(others)) + '|'
    for phase in dict.fromkeys(m.phase for m in run.measurements):
        for title, figure, form in FIGURES:
            values = [run.median(phase, server, figure) for server in run.servers]
            ratios = ['' if title in WITHOUT_RATIO or not value else f'{values[0] / value:.3g}' for value in values[1:]]
            yield '| ' + ' | '.join([phase, title, *(form.format(value) for value in values), *ratios]) + ' |'
        if ' at ' in phase and others:
            tail = run.median(phase, first, 'p99')
            ratios = [f'{tail / run.median(phase, server, "p50"):.3g}' for server in others]
            yield '| ' + ' | '.join([phase, 'p99 / the other p50', *[''] * len(run.servers), *ratios]) + ' |'


def write_json(run, path):
    content = {'time': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()), 'cores': os.cpu_count(), 'client': f'latte {latte.VERSION}',
               'options': {key: value for key, value in vars(run.options).items()}, 'problems': run.problems,
               'measurements': [dataclasses.asdict(m) for m in run.measurements],
               'medians': {phase: {server.name: {figure: run.median(phase, server, figure) for _, figure, _ in FIGURES}
                                   for server in run.servers} for phase in dict.fromkeys(m.phase for m in run.measurements)}}
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(content, file, indent=1)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--start', action='append', default=[], metavar='NAME=COMMAND',
        help='start `COMMAND serve`, with any more options of it, on an empty directory; repeatable')
    add('--server', action='append', default=[], metavar='NAME=HOST:PORT,PID', help='a server that runs already; repeatable')
    add('--data', metavar='DIR', help='where the directories of started servers are made (a temporary one)')
    add('--rows', type=int, default=1_000_000, help='rows of each of the two tables')
    add('--per', type=int, default=1_000, help='rows of a partition, at least 100')
    add('--phases', type=lambda text: text.split(','), default=PHASES, help=','.join(PHASES) + '; also ' + ','.join(MORE_PHASES))
    add('--rounds', type=int, default=3)
    add('--seconds', type=int, default=20, help='of each phase in a round')
    add('--warm-up', type=int, default=30, help='seconds of each phase on each server before the rounds; 0 leaves it out')
    add('--in-flight', type=int, default=64, help='requests in flight, over all connections')
    add('--connections', type=int, default=8)
    add('--threads', type=int, default=1, help='of the client; writes are read again only with one')
    add('--rate-of', metavar='NAME*SHARE', help='then an open loop at this share of the rate that server NAME reached, say cassandra*0.5')
    add('--keyspace', default='load_bench', help='dropped at the end')
    add('--json', metavar='FILE', help='write everything measured there')
    options = parser.parse_args()
    if options.rate_of:
        name, _, share = options.rate_of.partition('*')
        names = [text.partition('=')[0] for text in options.start + options.server]
        if name not in names or not 0 < float(share or 0) <= 1:
            parser.error(f'--rate-of {options.rate_of}: not NAME*SHARE of {", ".join(names)}')
        options.rate_of = name, float(share)
    if not options.start and not options.server:
        parser.error('no server: --start or --server')
    if options.per < 100 or options.rows % options.per or not set(options.phases) <= set(PHASES + MORE_PHASES):
        parser.error('--per must be 100 or more and divide --rows; --phases are ' + ', '.join(PHASES + MORE_PHASES))
    return options


def main():
    options = parse_options()
    try:
        binary = latte.find_or_build()
    except latte.Unavailable as why:
        required = os.environ.get('WIDEROW_DRIVERS_REQUIRED') == '1'
        print(f'{"FAILED, not to be skipped here" if required else "SKIPPED"}: {why}')
        return 1 if required else SKIPPED
    client = latte.Latte(binary, options.keyspace, options.rows, options.per, options.connections, options.threads)
    servers = []
    run = Run(options, servers, client)
    try:
        servers += [StartedServer(text, options.data) for text in options.start]
        servers += [Server.running(text) for text in options.server]
        run.all()
        for server in servers:
            client.run(server, 'drop_all', duration=1, in_flight=1)
    except (RuntimeError, OSError, ValueError) as error:
        run.problems.append(str(error))
    finally:
        run.problems += [problem for problem in [server.stop() for server in servers] if problem]
    if run.measurements and not run.problems:
        print('\n'.join(['', *table(run)]))
    if options.json and run.measurements and not run.problems:
        write_json(run, options.json)
    print('\n'.join(f'FAILED: {problem}' for problem in run.problems) or 'every request was answered as it must be')
    return 1 if run.problems else 0


if __name__ == '__main__':
    sys.exit(main())
