#!/usr/bin/env python3
"""hbase.py WIDEROW [--hbase NAME=HOST:PORT,PID]...: compares Widerow with HBase, through HBase's own client.

The client runs gets, scans of 100 cells and puts on Widerow and on each given HBase in turn, with 64 requests in flight. The script
prints the operations a second, the server's CPU time for an operation, and the latencies. Then it measures how long Widerow takes to
get ready, and its idle memory, with the port for HBase's clients open and closed. tests/hbase/peer/start.sh starts an HBase. Needs Java
and Maven."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / 'load'))
from servers import Server, wait_until_ready  # noqa: E402


def class_path():
    command = [HERE.parent / 'tests' / 'drivers' / 'hbase' / 'environment', 'hbase-client-2', HERE / 'hbase' / 'src']
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        sys.exit(made.stdout or made.returncode)
    return made.stdout.strip()


def start(widerow, directory, *options):
    """Returns the process, its addresses and the ms until it was ready."""
    begun = time.monotonic()
    process = subprocess.Popen([widerow, 'serve', '--data', directory, '--port', '0', '--http-port', '0', *options],
                               stdout=subprocess.PIPE, text=True)
    addresses = wait_until_ready(process)
    return process, addresses, (time.monotonic() - begun) * 1000


def load(path, address, pid, options):
    command = ['java', '-Xmx1g', '-cp', path, 'load.Main', address, str(pid), str(options.rows), str(options.warm), str(options.seconds),
               str(options.in_flight)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return {line['phase']: line for line in map(json.loads, printed.splitlines())}


def load_all(options):
    """Returns name -> phase -> figures."""
    path = class_path()
    figures = {}
    with tempfile.TemporaryDirectory(prefix='widerow-hbase-') as directory:
        process, addresses, _ = start(options.widerow, directory, '--hbase-port', '0', '--durability', options.durability)
        try:
            figures['widerow'] = load(path, addresses['hbase'], process.pid, options)
        finally:
            process.terminate()
            process.wait()
    for text in options.hbase:
        server = Server.running(text)
        figures[server.name] = load(path, server.address, server.pid, options)
    return figures


def print_load(figures):
    print(f'{"phase":6} {"server":14} {"a second":>9} {"server us":>10} {"client us":>10} {"p50 ms":>7} {"p99 ms":>7}  beside widerow')
    for phase in ('get', 'scan', 'put'):
        base = figures['widerow'][phase]
        for name, phases in figures.items():
            line = phases[phase]
            beside = '' if name == 'widerow' else (f'{base["per_second"] / line["per_second"]:.1f}x the rate, '
                                                   f'{line["server_us"] / base["server_us"]:.1f}x less CPU')
            print(f'{phase:6} {name:14} {line["per_second"]:9.0f} {line["server_us"]:10.1f} {line["client_us"]:10.1f} '
                  f'{line["p50_ms"]:7.2f} {line["p99_ms"]:7.2f}  {beside}')


def measure_starts(options):
    """Measures with the port open and closed in turn, so that other programs disturb both alike."""
    ready, memory = {'closed': [], 'open': []}, {'closed': [], 'open': []}
    for _ in range(options.starts):
        for what, arguments in (('closed', []), ('open', ['--hbase-port', '0'])):
            with tempfile.TemporaryDirectory(prefix='widerow-hbase-') as directory:
                process, _, elapsed = start(options.widerow, directory, *arguments)
                time.sleep(0.5)
                memory[what].append(Server('widerow', '', process.pid).resident_mib())
                ready[what].append(elapsed)
                process.terminate()
                process.wait()
    for what in ready:
        print(f'port {what}: ready after {statistics.median(ready[what]):.1f} ms, {statistics.median(memory[what]):.1f} MiB resident')
    more = statistics.median(memory['open']) - statistics.median(memory['closed'])
    print(f'an open port takes {more:.1f} MiB more')
    return more, statistics.median(ready['open'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--hbase', action='append', default=[], metavar='NAME=HOST:PORT,PID')
    parser.add_argument('--durability', default='sync', help='of Widerow; `periodic` is the nearest to what HBase promises by default')
    parser.add_argument('--rows', type=int, default=200_000)
    parser.add_argument('--warm', type=int, default=10, help='seconds before each phase that are not measured')
    parser.add_argument('--seconds', type=int, default=15, help='measured seconds of each phase')
    parser.add_argument('--in-flight', type=int, default=64)
    parser.add_argument('--starts', type=int, default=11, help='starts with the port open, and as many with it closed')
    parser.add_argument('--only-starts', action='store_true')
    parser.add_argument('--more-mib-max', type=float, help='fails if an open port takes more memory')
    parser.add_argument('--ready-ms-max', type=float, help='fails if a server with an open port gets ready later')
    parser.add_argument('--json', type=pathlib.Path, help='a file for the figures')
    options = parser.parse_args()
    more_mib, ready_ms = measure_starts(options)
    if not options.only_starts:
        figures = load_all(options)
        print_load(figures)
        if options.json:
            options.json.write_text(json.dumps(figures, indent=1), encoding='utf-8')
    too_much = options.more_mib_max is not None and more_mib > options.more_mib_max
    too_late = options.ready_ms_max is not None and ready_ms > options.ready_ms_max
    sys.exit(1 if too_much or too_late else 0)


if __name__ == '__main__':
    main()
