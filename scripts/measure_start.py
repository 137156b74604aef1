#!/usr/bin/env python3
"""measure_start.py WIDEROW [--data DIR] [--runs N] [--recovery MEBIBYTES] [--idle-max MEBIBYTES] [--cpu-max SHARE]:
measures the time from the start of the process to the first answered query, and the memory when idle.

Starts `WIDEROW serve` N times (default 20), each time with a fresh directory or with DIR. Runs one query over HTTP, and
reads the memory of the process a second later. With --recovery, it first writes rows of 100 bytes until the commit log
has this size, and kills the server (SIGKILL) before anything is folded. Each start then replays the whole log and is
killed again. Prints medians, and the CPU time of the server. Between the starts, it measures the CPU time in which Python
starts and imports asyncio: on a slow machine both are longer. With --idle-max, it fails if the server needs more memory;
with --cpu-max, if the server needs more than this share of Python's CPU time. Needs only Python's standard library."""
import concurrent.futures
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROWS_A_BATCH, BATCHES_AT_ONCE = 2_000, 4


def memory_mib(pid):
    status = pathlib.Path(f'/proc/{pid}/status').read_text()
    return {name: int(re.search(rf'^{name}:\s+(\d+)', status, re.M).group(1)) / 1024 for name in ('VmRSS', 'RssAnon')}


def cpu_ms(pid):
    """Returns the CPU time that all threads have used so far, in ms."""
    threads = pathlib.Path(f'/proc/{pid}/task').glob('*/schedstat')
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


def python_cpu_ms():
    """Returns the CPU time in which Python starts and imports asyncio, in ms."""
    def used():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (children.ru_utime + children.ru_stime) * 1000

    before = used()
    subprocess.run([sys.executable, '-I', '-S', '-c', 'import asyncio'], check=True)
    return used() - before


def ask(address, query):
    request = urllib.request.Request(f'http://{address}/v1/query', json.dumps({'query': query}).encode(), {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def start(widerow, directory, *options):
    """Returns the process, its HTTP address, and the time from exec to the first answer in ms."""
    begin = time.monotonic()
    process = subprocess.Popen([widerow, 'serve', '--data', directory, '--port', '0', '--http-port', '0', *options],
                               stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    match = re.match(r'ready .*\bhttp=(\S+)', line)
    if not match:
        sys.exit('the server did not start: ' + line)
    ask(match.group(1), 'DESCRIBE KEYSPACES')
    return process, match.group(1), (time.monotonic() - begin) * 1000


def measure(widerow, directory, settle_seconds):
    process, _, elapsed_ms = start(widerow, directory)
    try:
        on_cpu_ms = cpu_ms(process.pid)
        time.sleep(settle_seconds)
        return elapsed_ms, on_cpu_ms, memory_mib(process.pid)
    finally:
        process.terminate()
        process.wait()


def fill_log(address, mebibytes):
    """Writes rows in batches until the commit log has the wanted size."""
    ask(address, "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    ask(address, 'CREATE TABLE k.t (id bigint PRIMARY KEY, a text, b text)')

    def appended():
        with urllib.request.urlopen(f'http://{address}/metrics') as answer:
            return float(re.search(r'^widerow_log_bytes_appended_total (\S+)$', answer.read().decode(), re.M)[1])

    def batch(number):
        rows = (f"INSERT INTO k.t (id, a, b) VALUES ({i * 7919 % 2147483647}, '{i:022}', '{i:070}');"
                for i in range(number * ROWS_A_BATCH, (number + 1) * ROWS_A_BATCH))
        ask(address, 'BEGIN UNLOGGED BATCH ' + ' '.join(rows) + ' APPLY BATCH')

    number = 0
    with concurrent.futures.ThreadPoolExecutor(BATCHES_AT_ONCE) as pool:
        while appended() < mebibytes << 20:
            list(pool.map(batch, range(number, number + 2 * BATCHES_AT_ONCE)))
            number += 2 * BATCHES_AT_ONCE
    return number * ROWS_A_BATCH


def measure_recovery(widerow, mebibytes, runs, directory):
    options = ('--memtable', f'{8 * mebibytes}M')  # With such a large memtable, nothing is folded.
    process, address, _ = start(widerow, directory, *options)
    rows = fill_log(address, mebibytes)
    times = []
    for _ in range(runs):
        process.kill()
        process.wait()
        process, address, elapsed_ms = start(widerow, directory, *options)
        times.append(elapsed_ms)
    found = ask(address, 'SELECT count(*) FROM k.t')['rows'][0][0]
    process.kill()
    process.wait()
    if found != rows:
        sys.exit(f'{rows} rows were written, {found} are there')
    print(f'after SIGKILL with {mebibytes} MiB ({rows:,} rows) of commit log to replay, exec to first answered query: '
          f'median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms of {len(times)}')


def main():
    arguments, options = sys.argv[1:], dict.fromkeys(('--data', '--runs', '--recovery', '--idle-max', '--cpu-max'))
    for name in options:
        if name in arguments:
            at = arguments.index(name)
            options[name] = arguments[at + 1]
            del arguments[at:at + 2]
    if len(arguments) != 1:
        sys.exit(__doc__)
    if options['--recovery']:
        with tempfile.TemporaryDirectory() as fresh:
            measure_recovery(arguments[0], int(options['--recovery']), int(options['--runs'] or 3), fresh)
        return
    results, of_python = [], []
    for run in range(int(options['--runs'] or 20)):
        with tempfile.TemporaryDirectory() as fresh:
            results.append(measure(arguments[0], options['--data'] or fresh, 1.0 if run == 0 else 0.05))
        of_python.append(python_cpu_ms())
    times = sorted(result[0] for result in results)
    on_cpu, reference = statistics.median(result[1] for result in results), statistics.median(of_python)
    memory = results[0][2]
    print(f'exec to first answered query: median {statistics.median(times):.1f} ms, fastest {times[0]:.1f} ms, slowest {times[-1]:.1f} ms '
          f'of {len(times)}; CPU time of the server, median {on_cpu:.1f} ms; Python with asyncio {reference:.1f} ms')
    print(f'memory when idle: {memory["VmRSS"]:.1f} MiB resident, {memory["RssAnon"]:.1f} MiB of it private')
    if options['--idle-max'] and memory['VmRSS'] > float(options['--idle-max']):
        sys.exit(f'FAILED: more than {options["--idle-max"]} MiB when idle')
    if options['--cpu-max'] and on_cpu > float(options['--cpu-max']) * reference:
        sys.exit(f'FAILED: more than {options["--cpu-max"]} of the CPU time of Python with asyncio')


if __name__ == '__main__':
    main()
