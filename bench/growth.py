#!/usr/bin/env python3
"""Measures how cost grows with rows, connections, tables, the bytes of a row and the rows of a partition.

  growth.py                                     all curves, up to 10^7 rows
  growth.py --curves rows --max rows=1e8        one curve, up to a greater size
  growth.py --curves tables,connections --max tables=100

For most curves, the script runs build/release/bench/growth_bench for each size. For the curve of connections, it runs a server
with the load client latte for each number of connections. All runs follow one another, at low priority. The figures are CPU
times, which other programs change little. The script stores them in build/growth/growth.json. If a curve is run again, its new
points replace its old points there. Plots are stored beside this file, or in the directory of --plots. If the disk has no room
for a size, the script says so and leaves it out. The exit status is 1 if something failed."""
import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import plots

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'bench' / 'load'))
import latte  # noqa: E402
from servers import StartedServer  # noqa: E402

CURVES = {'rows': (1e5, 1e8), 'connections': (1, 1000), 'tables': (10, 10_000), 'row_bytes': (10, 1e6), 'partition': (1, 1e7)}
USUAL_MAX = {'rows': 1e7}  # More rows need much disk space and many minutes. --max asks for them.
ROOM_BYTES = {'rows': 170, 'partition': 170}  # Disk space for each row, including the sorted runs of a bulk load.
IN_FLIGHT = 64


def sizes(curve, maximum, steps):
    """Returns the sizes from the curve's least size to `maximum`, with two steps for each power of ten: 1, 3, 10, 30, …"""
    low, high = CURVES[curve]
    found, size = [], low
    while size <= min(high, maximum):
        found.append(round(size))
        if steps == 2 and size * 3 <= min(high, maximum):
            found.append(round(size * 3))
        size *= 10
    return found


def measure_database(options, curve, size):
    """Measures one size by growth_bench. Returns None if the disk has no room for it."""
    room = ROOM_BYTES.get(curve, 0) * max(size, 1_000_000) + (2 << 30)
    if shutil.disk_usage(options.directory).free < room:
        print(f'{curve} {size:,}: left out, {room / 1e9:.0f} GB of room are wanted')
        return None
    with tempfile.TemporaryDirectory(prefix=f'growth-{curve}-', dir=options.directory) as scratch:
        done = subprocess.run(['nice', options.build / 'bench/growth_bench', curve, str(size), pathlib.Path(scratch) / 'data'],
                              stdout=subprocess.PIPE, text=True, check=True)
    point = json.loads(done.stdout)
    point |= {name.replace('_us', '_ms'): value / 1000 for name, value in point.items() if name.startswith('open_') and name.endswith('_us')}
    return point


def measure_connections(options, size):
    """Measures a server with `size` connections. 64 requests are in flight over all connections together."""
    try:
        binary = latte.find_or_build()
    except latte.Unavailable as why:
        print(f'connections: left out, {why}')
        return None
    client = latte.Latte(binary, 'growth', 10_000 if options.seconds < 5 else 100_000, 1000, size, 1)
    server = StartedServer(f'widerow={options.build / "widerow"}', options.directory)
    try:
        client.schema(server)
        client.run(server, 'load', duration=2 * client.rows, in_flight=256)
        point = {'size': size}
        for phase in ('read_row', 'write'):
            client.run(server, phase, duration='2s', in_flight=IN_FLIGHT)
            found = dataclasses.asdict(client.run(server, phase, duration=f'{options.seconds}s', in_flight=IN_FLIGHT, salt=2))
            if found['errors']:
                raise RuntimeError(f'{size} connections: {found["errors"]} requests failed: {found["error_texts"]}')
            point |= {f'{phase}_cpu_us': found['server_cpu'], f'{phase}_rate': found['rate'], f'{phase}_p50_ms': found['p50'],
                      f'{phase}_p99_ms': found['p99'], 'private_mib': found['private_mib']}
        return point
    finally:
        problem = server.stop()
        if problem:
            raise RuntimeError(problem)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--curves', type=lambda text: text.split(','), default=list(CURVES), help=','.join(CURVES))
    add('--max', action='append', default=[], metavar='CURVE=SIZE', help='the largest size of a curve; repeatable')
    add('--steps', type=int, choices=(1, 2), default=1, help='sizes to a power of ten')
    add('--seconds', type=int, default=6, help='of load for each number of connections')
    add('--build', type=pathlib.Path, default=ROOT / 'build/release', help='a release build with its bench programs')
    add('--directory', type=pathlib.Path, default=ROOT / 'build/growth', help='where databases are made, and growth.json')
    add('--plots', type=pathlib.Path, metavar='DIR', help='where plots go, instead of --directory')
    options = parser.parse_args()
    options.build, options.directory = options.build.resolve(), options.directory.resolve()
    try:
        limits = {curve: float(size) for curve, size in (text.split('=') for text in options.max)}
    except ValueError:
        parser.error('--max: CURVE=SIZE')
    if set(options.curves) - set(CURVES) or set(limits) - set(CURVES):
        parser.error(f'curves are {", ".join(CURVES)}')
    options.sizes = {curve: sizes(curve, limits.get(curve, USUAL_MAX.get(curve, CURVES[curve][1])), options.steps) for curve in options.curves}
    return options


def main():
    options = parse_options()
    options.directory.mkdir(parents=True, exist_ok=True)
    path = options.directory / 'growth.json'
    content = json.loads(path.read_text(encoding='utf-8')) if path.exists() else {'curves': {}}
    content['cores'] = os.cpu_count()
    for curve, wanted in options.sizes.items():
        points = []
        for size in wanted:
            try:
                point = measure_connections(options, size) if curve == 'connections' else measure_database(options, curve, size)
            except (RuntimeError, OSError, ValueError, subprocess.CalledProcessError) as error:
                print(f'FAILED: {curve} {size:,}: {error}')
                return 1
            if point is None:
                break
            points.append(point)
            print(f'{curve} {size:,}: ' + ', '.join(f'{name} {value:.4g}' for name, value in point.items() if name != 'size'), flush=True)
            content['curves'][curve] = points
            path.write_text(json.dumps(content, indent=1) + '\n', encoding='utf-8')
    problem = plots.draw('growth', path, options.plots or options.directory)
    print(problem or f'plots: {options.plots or options.directory}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
