#!/usr/bin/env python3
"""measure_start.py WIDEROW [--data DIR] [--runs N]: time from exec to the first answered query, and memory when idle.

Starts `WIDEROW serve` N times (20), on a fresh directory unless DIR is given, asks one query over HTTP and reads the
process's memory a second later. Prints medians. Standard library only."""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request


def memory_mib(pid):
    status = pathlib.Path(f'/proc/{pid}/status').read_text()
    return {name: int(re.search(rf'^{name}:\s+(\d+)', status, re.M).group(1)) / 1024 for name in ('VmRSS', 'RssAnon')}


def measure(widerow, directory, settle_seconds):
    begin = time.monotonic()
    process = subprocess.Popen([widerow, 'serve', '--data', directory, '--port', '0', '--http-port', '0'], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        match = re.match(r'ready .*\bhttp=(\S+)', line)
        if not match:
            sys.exit('the server did not start: ' + line)
        request = urllib.request.Request(f'http://{match.group(1)}/v1/query', b'{"query": "DESCRIBE KEYSPACES"}',
                                         {'Content-Type': 'application/json'})
        with urllib.request.urlopen(request) as response:
            json.load(response)
        elapsed_ms = (time.monotonic() - begin) * 1000
        time.sleep(settle_seconds)
        return elapsed_ms, memory_mib(process.pid)
    finally:
        process.terminate()
        process.wait()


def main():
    arguments, options = sys.argv[1:], {'--data': None, '--runs': '20'}
    for name in options:
        if name in arguments:
            at = arguments.index(name)
            options[name] = arguments[at + 1]
            del arguments[at:at + 2]
    if len(arguments) != 1:
        sys.exit(__doc__)
    results = []
    for run in range(int(options['--runs'])):
        with tempfile.TemporaryDirectory() as fresh:
            results.append(measure(arguments[0], options['--data'] or fresh, 1.0 if run == 0 else 0.05))
    times = sorted(elapsed for elapsed, _ in results)
    print(f'exec to first answered query: median {statistics.median(times):.1f} ms, slowest {times[-1]:.1f} ms of {len(times)}')
    print(f'memory when idle: {results[0][1]["VmRSS"]:.1f} MiB resident, {results[0][1]["RssAnon"]:.1f} MiB of it private')


if __name__ == '__main__':
    main()
