#!/usr/bin/env python3
"""student_card.py [--build DIRECTORY] [--purchases N] [--directory DIRECTORY] [--plots DIRECTORY] [DESIGN…]

Measures the designs of docs/measurements/student-card.md. student_card_load loads the same purchases into one table for each
design. The script prints the findings of ADVISE. It prints how the writes are distributed: as counted from the purchases, and on
the two axes of the server's heat map. --plots draws the distributions."""
import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
DESIGNS = ('by_card', 'by_seller', 'by_device', 'by_order', 'by_order_hashed', 'by_order_bucketed')
TITLES = {'by_card': 'card_id leads', 'by_seller': 'seller_id leads', 'by_device': 'device_id leads', 'by_order': 'order_no leads',
          'by_order_hashed': 'hash_prefix(order_no, 4), order_no', 'by_order_bucketed': 'bucket(order_no, 16), order_no'}


class Server:
    def __init__(self, widerow, data):
        self.process = subprocess.Popen([widerow, 'serve', '--data', data, '--port', '0', '--http-port', '0'], stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        self.http = re.search(r'http=(\S+)', ready).group(1)

    def get(self, path):
        with urllib.request.urlopen(f'http://{self.http}{path}', timeout=600) as answer:
            return answer.read().decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=600)


def slices(ranges):
    """Returns the writes of each slice of time, by range of keys. Slices without writes are left out."""
    return [column for column in zip(*ranges) if sum(column)]


def busiest(ranges, part):
    """Returns the share of a slice's writes that the busiest `part` of the ranges got, as the mean over all slices."""
    shares = [sum(sorted(column, reverse=True)[:max(1, round(len(column) * part))]) / sum(column) for column in slices(ranges)]
    return sum(shares) / len(shares)


def idle(ranges):
    """Returns the share of ranges without a write in a slice, as the mean over all slices."""
    shares = [sum(1 for writes in column if writes == 0) / len(column) for column in slices(ranges)]
    return sum(shares) / len(shares)


def colour(part):
    """Returns a colour for a share from 0 to 1: from white to yellow, red and black."""
    stops = [(255, 255, 255), (255, 224, 130), (239, 108, 0), (183, 28, 28), (33, 8, 8)]
    place = min(part, 1) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    mixed = [round(a + (b - a) * (place - low)) for a, b in zip(stops[low], stops[low + 1])]
    return '#%02x%02x%02x' % tuple(mixed)


def cells(ranges, left, top, cell_width, height):
    """Draws a map. Time goes to the right, and keys go down. A cell is black if the range got all writes of the slice."""
    columns, drawn = len(ranges[0]), min(len(ranges), 64)
    rows = [[0] * columns for _ in range(drawn)]
    for place, writes in enumerate(ranges):
        rows[place * drawn // len(ranges)] = [a + b for a, b in zip(rows[place * drawn // len(ranges)], writes)]
    totals = [max(sum(column), 1) for column in zip(*rows)]
    paths = collections.defaultdict(str)  # The key is the darkness of the cells.
    for row, writes in enumerate(rows):
        # Taking the root lets an even distribution be seen. With only twenty steps, neighbours can be drawn together.
        steps = [math.ceil((count / total) ** 0.5 * 20) / 20 for count, total in zip(writes, totals)]
        column = 0
        for step, same in itertools.groupby(steps):
            width = len(list(same))
            if step:
                paths[step] += f'M{column} {row}h{width}v1h-{width}z'
            column += width
    return [f'<g transform="translate({left} {top}) scale({cell_width} {height / drawn:.4f})" shape-rendering="crispEdges">',
            *(f'<path fill="{colour(step)}" d="{path}"/>' for step, path in sorted(paths.items())), '</g>',
            f'<rect x="{left}" y="{top}" width="{columns * cell_width}" height="{height}" fill="none" stroke="#888"/>']


def draw(design, ranges, heat, path):
    """Draws the counted writes and the two axes of the heat map beside each other."""
    maps = [('counted, by range of the partition key', ranges), ('heat map, by range of rows in key order', heat['key']['ranges']),
            ('heat map, by token', heat['token']['ranges'])]
    cell_width, height, step = 6, 384, 56 * 6 + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(maps) * step + 16}" height="{height + 84}" '
             'font-family="sans-serif" font-size="13">',
             f'<text x="20" y="20" font-size="15">{TITLES[design]}: writes over 28 days</text>']
    for place, (title, shown) in enumerate(maps):
        left = 20 + place * step
        parts.append(f'<text x="{left}" y="42">{title}</text>')
        parts += cells(shown, left, 50, cell_width, height)
        parts.append(f'<text x="{left}" y="{height + 70}">busiest sixteenth of {len(shown)} ranges: {busiest(shown, 1 / 16):.0%}; '
                     f'idle: {idle(shown):.0%}</text>')
    path.write_text('\n'.join(parts) + '\n</svg>\n', encoding='utf-8')


HALF_DAY = 43_200


def heat_of(server, table):
    """Returns for each axis the words of the heat map about the writes, and the counts: for each range, a list by half days."""
    heat = {}
    for axis in ('key', 'token'):
        answer = json.loads(server.get(f'/v1/heat?{table}&axis={axis}'))
        half_days = collections.defaultdict(lambda: [0] * len(answer['ranges']))
        for part in answer['slices']:
            # A slice has at most four hours, and it belongs to only one half day.
            for place, _, writes, *_ in part['cells']:
                half_days[part['start'] // HALF_DAY][place] += writes
        shape = next(shape for shape in answer['shapes'] if shape['operation'] == 'writes')
        heat[axis] = {'shape': f"{shape['shape']}: {shape['description']}", 'ranges': list(zip(*(half_days[i] for i in sorted(half_days))))}
    return heat


def spread(ranges):
    return (f'{len(ranges)} ranges; of the writes of half a day the busiest took {busiest(ranges, 1 / len(ranges)):.1%}, the busiest sixteenth '
            f'{busiest(ranges, 1 / 16):.1%}; {idle(ranges):.1%} of the ranges none')


def report(arguments, design, directory):
    counted = json.loads((directory / f'{design}.json').read_text(encoding='utf-8'))
    ranges, busy = counted['ranges'], counted['busy']
    print(f'\n{design}: {TITLES[design]}')
    print(f'  counted: {spread(ranges)}')
    with Server(arguments.build / 'widerow', directory / design) as server:
        table = f'keyspace=campus&table=purchases_{design}'
        heat = heat_of(server, table)
        begun = time.monotonic()
        findings = json.loads(server.get('/v1/advise?' + table))['findings']
        advised = time.monotonic() - begun
    for axis, seen in heat.items():
        print(f"  heat map by {axis}, {sum(map(sum, seen['ranges'])):,} writes: {spread(seen['ranges'])}; {seen['shape']}")
    print('  heat map, busiest partitions at noon of the last day: ' +
          ', '.join(f"{key}: {writes / busy['writes']:.1%}" for key, writes in busy['busiest']) + f" of {busy['writes']:,} writes")
    print(f'  ADVISE, {advised:.1f} s:')
    for finding in findings:
        print(f"    {finding['severity']} {finding['code']}: {finding['evidence']}", flush=True)
    if arguments.plots:
        arguments.plots.mkdir(parents=True, exist_ok=True)
        draw(design, ranges, heat, arguments.plots / f'{design}.svg')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=ROOT / 'build' / 'release', type=pathlib.Path)
    parser.add_argument('--purchases', default=10_000_000, type=int)
    parser.add_argument('--directory', type=pathlib.Path, help='keeps the databases, and uses those that are there; without it they go')
    parser.add_argument('--plots', type=pathlib.Path)
    parser.add_argument('designs', nargs='*', default=DESIGNS)
    arguments = parser.parse_args()
    directory = arguments.directory or pathlib.Path(tempfile.mkdtemp(prefix='student-card-'))
    try:
        for design in arguments.designs:
            if not (directory / f'{design}.json').exists():
                subprocess.run([arguments.build / 'bench' / 'student_card_load', directory, str(arguments.purchases), design], check=True)
            report(arguments, design, directory)
            if not arguments.directory:
                shutil.rmtree(directory / design)
    finally:
        if not arguments.directory:
            shutil.rmtree(directory)


if __name__ == '__main__':
    main()
