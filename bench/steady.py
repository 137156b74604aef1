#!/usr/bin/env python3
"""Measures how folds change latencies: overwrites existing rows at full speed for minutes, and reads rows at the same time.

  steady.py WIDEROW [--rows 10000000] [--seconds 600] [--in-flight 64] [--reads 2000] [--memtable 64M] [--directory build/steady]

Imports --rows rows; a later run with the same number uses them again. Then overwrites rows at random with --in-flight requests in
flight, and reads rows at random, --reads times a second (0: never). Prints p50, p99 and p99.9 of both, during folds and outside of
them. Also prints what the writes waited for (from system_views.write_waits), and p99.9 / p50.

The exit status is 1 if a request failed. It is 77 if the load client cannot be built; a line says why."""
import argparse
import collections
import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'load'))
import hdr
import latte
from bulk_import import make_csv, shell
from servers import StartedServer

SKIPPED = 77
WORKLOAD = latte.WORKLOAD.with_name('rows.rn')
SAMPLE_SECONDS = 0.5
STAGES = ('queue', 'back_pressure', 'apply', 'sync', 'total')


class Folds(threading.Thread):
    """A thread that asks the server again and again if it folds."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.seen, self.stopping = server, [], threading.Event()

    def run(self):
        while not self.stopping.wait(0.1):
            self.seen.append((time.time(), metrics(self.server)['fold_progress'] < 1))

    def during(self, begin, end):
        """Returns True if a fold ran during the whole time, False if none did, and None if this changed or is not known."""
        found = {folding for at, folding in self.seen if begin <= at <= end}
        return found.pop() if len(found) == 1 else None


def metrics(server):
    with urllib.request.urlopen(f'http://{server.http}/metrics') as answer:
        return {name: float(value) for name, value in re.findall(r'^widerow_(\w+) (\S+)$', answer.read().decode(), re.M)}


def waits(server):
    request = urllib.request.Request(f'http://{server.http}/v1/query', b'{"query": "SELECT * FROM system_views.write_waits"}',
                                     {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request) as answer:
        content = json.load(answer)
    names = [column['name'] for column in content['columns']]
    return {row[names.index('stage')]: dict(zip(names, row)) for row in content['rows']}


def import_rows(options):
    """Returns a data directory with options.rows rows. An earlier run may have made it."""
    data = options.directory.resolve() / f'data-{options.rows}'
    if (data / 'imported').exists():
        return data
    shutil.rmtree(data, ignore_errors=True)
    csv = options.directory.resolve() / f'rows-{options.rows}.csv'
    make_csv(csv, options.rows)
    place = ['--data', data, '--no-extension-warnings']
    shell(options.widerow, place, "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}; "
                                  'CREATE TABLE k.t (id bigint PRIMARY KEY, a text, b text)')
    shell(options.widerow, place, f"COPY k.t (id, a, b) FROM '{csv}'")
    csv.unlink()
    (data / 'imported').touch()
    return data


def start_load(options, server, function, report, *arguments):
    command = [latte.find_or_build(), 'run', '-q', '-f', function, '-w', '0', '-d', f'{options.seconds}s', '-s', f'{SAMPLE_SECONDS}s',
               '-t', '1', '-P', f'rows={options.rows}', '-P', 'keyspace="k"', '-P', f'salt={time.time_ns() % 1_000_000}',
               '--request-timeout', '60', '--retries', '0', '--consistency', 'ONE', '-o', report, *arguments, WORKLOAD, server.address]
    return subprocess.Popen([str(word) for word in command], cwd=report.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def by_folding(report, folds):
    """Returns three histograms of latencies in ns: of all samples, of those during folds, and of those outside folds."""
    result = report['result']
    start = datetime.datetime.fromisoformat(re.sub(r'\.(\d{6})\d*', r'.\1', result['start_time']).replace('Z', '+00:00')).timestamp()
    found = {'all': collections.Counter(), 'folding': collections.Counter(), 'not folding': collections.Counter()}
    for sample in result['log']:
        counts = hdr.decode(sample['cycle_latency']['histogram'])
        found['all'] += counts
        folding = folds.during(start + sample['time_s'], start + sample['time_s'] + sample['duration_s'])
        if folding is not None:
            found['folding' if folding else 'not folding'] += counts
    if found['all'].total() != result['cycle_count']:
        raise SystemExit(f'histograms of {found["all"].total()} requests, {result["cycle_count"]} were made')
    return found


def print_latencies(name, found):
    for when, counts in found.items():
        if not counts:
            continue
        p50, p99, p999 = (hdr.at(counts, share) / 1e6 for share in (0.5, 0.99, 0.999))
        print(f'| {name}, {when} | {sum(counts.values()):,} | {p50:.2f} | {p99:.2f} | {p999:.2f} | {p999 / p50:.1f} |')


def measure(options, server, directory):
    folds = Folds(server)
    folds.start()
    before, cpu = metrics(server), server.cpu_seconds()
    loads = {'write': start_load(options, server, 'write', directory / 'write', '-c', '8', '-p', options.in_flight)}
    if options.reads:
        loads['read'] = start_load(options, server, 'read', directory / 'read', '-c', '2', '-p', 256, '-r', options.reads)
    for name, load in loads.items():
        text = load.communicate()[1]
        if load.returncode != 0:
            raise SystemExit(f'latte {name} ended with status {load.returncode}:\n{text[-2000:]}')
    folds.stopping.set()
    folds.join()
    after, waited = metrics(server), waits(server)
    reports = {name: json.loads((directory / name).read_text(encoding='utf-8')) for name in loads}
    count = after['folds_total'] - before['folds_total']
    writes = reports['write']['result']['cycle_count']
    print(f'{writes / reports["write"]["result"]["elapsed_time_s"]:,.0f} writes/s, {(server.cpu_seconds() - cpu) / writes * 1e6:.1f} us CPU of the '
          f'server a write, {count:.0f} folds of {(after["fold_seconds_total"] - before["fold_seconds_total"]) / max(count, 1):.1f} s, '
          f'{after["private_bytes"] / 2**20:,.0f} MiB without pages of files, memtable {after["memtable_bytes_max"] / 2**20:.0f} MiB\n')
    print('| ms | requests | p50 | p99 | p99.9 | p99.9 / p50 |\n|---|---|---|---|---|---|')
    for name, report in reports.items():
        print_latencies(name, by_folding(report, folds))
    print('\n| waiting for, ms | p50 | p99 | p99.9 | greatest | share of the time |\n|---|---|---|---|---|---|')
    for stage in STAGES:
        row = waited[stage]
        print(f'| {stage} | {row["p50th_ms"]:.2f} | {row["p99th_ms"]:.2f} | {row["p999th_ms"]:.2f} | {row["max_ms"]:.1f} | '
              f'{row["total_ms"] / max(waited["total"]["total_ms"], 1e-9):.0%} |')
    failed = [f'{name}: {report["result"]["error_count"]} requests failed' for name, report in reports.items()
              if report['result']['error_count']]
    if options.reads and reports['read']['result']['row_count'] != reports['read']['result']['cycle_count']:
        failed.append('reads have missed rows')
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=10_000_000)
    parser.add_argument('--seconds', type=int, default=600)
    parser.add_argument('--in-flight', type=int, default=64)
    parser.add_argument('--reads', type=int, default=2000, help='a second')
    parser.add_argument('--memtable', default='64M')
    parser.add_argument('--directory', type=pathlib.Path, default='build/steady')
    options = parser.parse_args()
    try:
        latte.find_or_build()
    except latte.Unavailable as reason:
        print(f'skipped: {reason}')
        return SKIPPED
    options.directory.mkdir(parents=True, exist_ok=True)
    data = import_rows(options)
    server = StartedServer(f'widerow={options.widerow} --memtable {options.memtable}', data=data)
    with tempfile.TemporaryDirectory() as reports:
        try:
            problems = measure(options, server, pathlib.Path(reports))
        finally:
            stopped = server.stop()
    problems += [stopped] if stopped else []
    print('\n'.join(problems))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
