#!/usr/bin/env python3
"""Measures everything in one run: the embedded API beside bare LMDB and SQLite, and the native protocol beside Cassandra.

  report.py --cassandra 127.0.0.1:9042,PID [--cassandra-durable 127.0.0.1:9043,PID]
  report.py --parts embedded,start
  report.py --quick                  checks within seconds that each part works, on made-up rows; the figures mean nothing

--cassandra is a Cassandra with its default setting, which syncs the commit log every 10 s. --cassandra-durable is one that syncs
before it answers (commitlog_sync: batch). The script writes report.md, report.json and plots to build/report. If the other database,
the client or the data of a part is missing, the script says so and leaves out the part. The exit status is 1 if a part failed. All
parts take about 17 minutes."""
import argparse
import csv
import json
import os
import pathlib
import platform
import random
import re
import subprocess
import sys
import tempfile
import time

import instruction_counts
import plots
import report_text

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = ROOT / 'bench'
SKIPPED = 77


class LeftOut(Exception):
    """A part cannot be measured here. The message says why."""


def output_of(command, seconds_max=1800):
    """Returns the output of a command. Raises RuntimeError if it fails, and LeftOut if it says that it cannot run here."""
    command = [str(word) for word in command]
    print('$ ' + ' '.join(command), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=ROOT, timeout=seconds_max)
    print(done.stdout, end='', flush=True)
    if done.returncode == SKIPPED:
        raise LeftOut(done.stdout.strip().splitlines()[-1])
    if done.returncode != 0:
        raise RuntimeError(f'{" ".join(command[:2])} ended with status {done.returncode}: {done.stdout.strip()[-400:]}')
    return done.stdout


def numbers(pattern, text):
    """Returns the groups of the pattern's first match as numbers."""
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f'no "{pattern}" in what was printed')
    return [float(group.replace(',', '')) for group in match.groups()]


def made_up_flights(path):
    """Writes a CSV file with made-up rows for flights_bench. Each partition has 500 rows or more."""
    rng = random.Random(2013)
    columns = ['origin', 'carrier', 'dest', 'tailnum', 'month', 'flight', 'sched_dep_time', 'distance', 'dep_delay', 'arr_delay', 'time_hour']
    with open(path, 'w', encoding='utf-8', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(columns)
        for number in range(20_000):
            month, day, hour = number % 12 + 1, number // 12 % 28 + 1, number // 336 % 24
            out.writerow([('EWR', 'JFK', 'LGA')[number // 12 % 3], rng.choice(('UA', 'B6')), 'BOS', f'N{rng.randrange(900)}', month, number,
                          900, rng.choice((187, 4983)), rng.choice(('NA', '3')), -4, f'2013-{month:02}-{day:02}T{hour:02}:00:00Z'])


def instructions(options):
    if not instruction_counts.available():
        raise LeftOut('valgrind is not installed')
    operations = list(instruction_counts.OPERATIONS)[:1 if options.quick else None]
    return instruction_counts.count_all(options.build / 'bench/instruction_counts', operations)


def embedded(options):
    with tempfile.TemporaryDirectory(prefix='report-') as scratch:
        flights, out = options.flights, pathlib.Path(scratch) / 'flights.json'
        if options.quick:
            flights = pathlib.Path(scratch) / 'flights.csv'
            made_up_flights(flights)
        elif not flights.exists():
            raise LeftOut(f'{flights} is not there: ./run fetches it')
        output_of([options.build / 'bench/flights_bench', flights, 0.02 if options.quick else 0.8, '--json', out])
        return json.loads(out.read_text(encoding='utf-8'))


def log(options):
    text = output_of([options.build / 'bench/commit_log_bench', options.directory / 'log'] + (['4096', '100'] if options.quick else []))
    (bare,), (ours,) = numbers(r'bare pwrite \+ fdatasync[^\n]*?([\d.]+) us', text), numbers(r'append \+ sync[^\n]*?([\d.]+) us', text)
    crash_ms, groups, megabytes = numbers(r'start after a crash: ([\d.]+) ms for (\d+) groups, (\d+) MB', text)
    return {'bare_us': bare, 'append_sync_us': ours, 'replay_ms': crash_ms, 'replay_groups': groups, 'replay_mb': megabytes}


def bulk(options):
    command = [sys.executable, BENCH / 'bulk_import.py', options.build / 'widerow', '--rounds', '1', '--directory', options.directory / 'bulk']
    text = output_of(command + (['--rows', '20000'] if options.quick else []))
    rate, seconds, cpu, memory, written = numbers(
        r'([\d,]+) rows/s, ([\d.]+) s, ([\d.]+) us CPU a row, ([\d,]+) MiB at most, ([\d.]+) bytes written', text)
    return {'rows_second': rate, 'seconds': seconds, 'cpu_us': cpu, 'mib': memory, 'written_bytes_byte': written}


def start(options):
    """Measures the start on an empty directory, and on the directory that the part `bulk` has left."""
    found = {}
    for name, data in (('empty', None), ('rows', options.directory / 'bulk/data')):
        if data and not data.exists():
            continue
        text = output_of([sys.executable, ROOT / 'scripts/measure_start.py', options.build / 'widerow', '--runs', 2 if options.quick else 20] +
                         (['--data', data] if data else []))
        found[f'{name}_ms'], = numbers(r'answered query: median ([\d.]+) ms', text)
        found[f'{name}_resident_mib'], found[f'{name}_private_mib'] = numbers(r'idle: ([\d.]+) MiB resident, ([\d.]+) MiB', text)
    return found


def load(options, servers, phases, rows=1_000_000, more=()):
    """Runs load/load.py once and returns its JSON."""
    with tempfile.TemporaryDirectory(prefix='report-') as scratch:
        out = pathlib.Path(scratch) / 'load.json'
        command = [sys.executable, BENCH / 'load/load.py', '--start', f'widerow={options.build / "widerow"}', '--data', options.directory,
                   *(word for name, text in servers for word in ('--server', f'{name}={text}')), '--phases', ','.join(phases), '--json', out,
                   '--keyspace', 'report', *more]
        quick = ['--rows', '5000', '--per', '500', '--warm-up', '1', '--rounds', '1', '--seconds', '1']
        full = ['--rows', rows, '--warm-up', options.warm_up, '--rounds', options.rounds, '--seconds', options.seconds]
        output_of(command + (quick if options.quick else full))
        return json.loads(out.read_text(encoding='utf-8'))


def protocol(options):
    """Measures with a fixed number of requests in flight, and then at a fixed rate: half the rate of Cassandra, or of Widerow if there
    is no Cassandra."""
    servers = [('cassandra', options.cassandra)] if options.cassandra else []
    base = 'cassandra' if options.cassandra else 'widerow'
    return load(options, servers, ('write', 'read_row', 'read_range'), more=['--rate-of', f'{base}*{0.1 if options.quick else 0.5}'])


def durable(options):
    if not options.cassandra_durable:
        raise LeftOut('no --cassandra-durable')
    return load(options, [('durable', options.cassandra_durable)], ('write',))


def text(options):
    """Measures INSERT as a text with literals, and the same INSERT prepared."""
    return load(options, [], ('write', 'write_text'), rows=100_000)


PARTS = {part.__name__: part for part in (instructions, embedded, log, bulk, start, protocol, durable, text)}


def surroundings():
    commit = subprocess.run(['git', 'describe', '--always', '--dirty'], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    with open('/proc/cpuinfo', encoding='utf-8') as cpuinfo:
        model = next((line.split(':', 1)[1].strip() for line in cpuinfo if line.startswith('model name')), platform.machine())
    return {'time': time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime()), 'commit': commit or 'unknown', 'processor': model,
            'cores': os.cpu_count(), 'load_average': os.getloadavg()[0], 'system': f'{platform.system()} {platform.release()}'}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--cassandra', metavar='HOST:PORT,PID')
    add('--cassandra-durable', metavar='HOST:PORT,PID')
    add('--parts', type=lambda names: names.split(','), default=list(PARTS), help=','.join(PARTS))
    add('--quick', action='store_true')
    add('--build', type=pathlib.Path, default=ROOT / 'build/release', help='a release build with its bench programs')
    add('--flights', type=pathlib.Path, default=ROOT / 'build/flights/flights.csv')
    add('--directory', type=pathlib.Path, default=ROOT / 'build/report', help='where the report goes, and databases while it runs')
    add('--seconds', type=int, default=8, help='of each phase in a round, over the protocol')
    add('--warm-up', type=int, default=15, help='seconds of each phase on each server before the rounds')
    add('--rounds', type=int, default=3)
    options = parser.parse_args()
    if set(options.parts) - set(PARTS):
        parser.error(f'parts are {", ".join(PARTS)}')
    options.build, options.directory = options.build.resolve(), options.directory.resolve()
    return options


def main():
    options = parse_options()
    options.directory.mkdir(parents=True, exist_ok=True)
    content = {'surroundings': surroundings(), 'quick': options.quick, 'seconds': {}, 'left_out': {}, 'failed': {}}
    raw = options.directory / 'report.json'
    for name in options.parts:
        begin = time.monotonic()
        try:
            content[name] = PARTS[name](options)
        except LeftOut as why:
            content['left_out'][name] = str(why)
            print(f'{name}: left out, {why}', flush=True)
        except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
            content['failed'][name] = str(error)
            print(f'FAILED: {name}: {error}', flush=True)
        content['seconds'][name] = round(time.monotonic() - begin)
        raw.write_text(json.dumps(content, indent=1) + '\n', encoding='utf-8')
    problem = plots.draw('report', raw, options.directory)
    if problem:
        print(problem)
    (options.directory / 'report.md').write_text(report_text.write(content, problem), encoding='utf-8')
    print(f'{options.directory / "report.md"}: {sum(content["seconds"].values())} s')
    return 1 if content['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
