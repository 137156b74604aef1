#!/usr/bin/env python3
"""Measures the bytes written to disk for each byte of data, for rows in a random order of keys and several sizes of memtables.

  write_amplification.py WIDEROW [--rows 10000000] [--memtables 64M,192M,512M] [--directory build/amplification] [--device vda] [--out DIR]

For each size of memtable, the script begins with an empty data directory, and writes rows of 100 bytes (load/rows.rn) with 256
requests in flight. Then it stops the server, which folds the last memtable; these bytes count too. The script counts the bytes that
the process gives to write calls (`wchar` in /proc/PID/io), because all bytes of the data file and of the log are written by such
calls. It does not use `write_bytes`, which counts whole units of the page cache and is too large where such a unit (a folio) has
several pages. With --device, the script also prints the bytes that this device has written. They are right if nothing else writes to it.

Prints a table. With --out, also stores it as JSON and as a plot. The exit status is 77 if the load client cannot be built; a line says why."""
import argparse
import json
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'load'))
import latte
import plots
from servers import StartedServer

SKIPPED = 77
ROW_BYTES = 100
HEAD = ('memtable', 'rows/s', 'bytes written for each byte of data', 'of them commit log', 'device', 'private MiB at most', 'data file, bytes a row')


def call_bytes(server):
    return int(re.search(r'^wchar: (\d+)', server._proc('io'), re.M)[1])


def device_bytes(name):
    if not name:
        return None
    subprocess.run(['sync'], check=True)
    return int(pathlib.Path(f'/sys/block/{name}/stat').read_text(encoding='ascii').split()[6]) * 512


def appended(server):
    with urllib.request.urlopen(f'http://{server.http}/metrics') as answer:
        return float(re.search(r'^widerow_log_bytes_appended_total (\S+)$', answer.read().decode(), re.M)[1])


class Watch(threading.Thread):
    """A thread that keeps the greatest memory of the process, and its number of written bytes just before it ends."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.private_mib, self.bytes = server, 0, 0

    def run(self):
        while True:
            try:
                self.bytes = call_bytes(self.server)
                self.private_mib = max(self.private_mib, self.server.private_mib())
            except (RuntimeError, TypeError, OSError):
                return
            time.sleep(0.02)


def measure(options, memtable):
    latte.WORKLOAD = latte.WORKLOAD.with_name('rows.rn')
    server = StartedServer(f'widerow={options.widerow} --memtable {memtable}', options.directory)
    client = latte.Latte(latte.find_or_build(), 'k', options.rows, 1, 4, 1)
    client.schema(server)
    device = device_bytes(options.device)
    watch = Watch(server)
    watch.start()
    found = client.run(server, 'fill', duration=options.rows, in_flight=256)
    log = appended(server)
    server.process.send_signal(signal.SIGTERM)
    server.process.wait()
    watch.join()
    size = (pathlib.Path(server.directory.name) / 'data.mdb').stat().st_size
    device = (device_bytes(options.device) or 0) - (device or 0)
    server.process.stdout.close()
    server.directory.cleanup()
    if found.errors:
        raise SystemExit(f'{found.errors} writes failed: {found.error_texts}')
    data = options.rows * ROW_BYTES
    return {'memtable': memtable, 'rate': found.rate, 'amplification': watch.bytes / data, 'log': log / data,
            'device': device / data if options.device else None, 'private_mib': watch.private_mib, 'data_bytes': size / options.rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('widerow')
    parser.add_argument('--rows', type=int, default=10_000_000)
    parser.add_argument('--memtables', default='64M,128M,192M,512M')
    parser.add_argument('--directory', type=pathlib.Path, default='build/amplification')
    parser.add_argument('--device', help='as in /sys/block')
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    try:
        latte.find_or_build()
    except latte.Unavailable as reason:
        print(f'skipped: {reason}')
        return SKIPPED
    options.directory.mkdir(parents=True, exist_ok=True)
    print('| ' + ' | '.join(HEAD) + ' |\n|' + '---|' * len(HEAD))
    rows = []
    for memtable in options.memtables.split(','):
        row = measure(options, memtable)
        rows.append(row)
        device = f'{row["device"]:.1f}' if row['device'] is not None else ''
        print(f'| {memtable} | {row["rate"]:,.0f} | {row["amplification"]:.1f} | {row["log"]:.1f} | {device} | {row["private_mib"]:.0f} | '
              f'{row["data_bytes"]:.0f} |', flush=True)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        content = options.out / 'write-amplification.json'
        content.write_text(json.dumps(rows, indent=1) + '\n', encoding='utf-8')
        print(plots.draw('amplification', content, options.out) or '', end='')
    return 0


if __name__ == '__main__':
    sys.exit(main())
