#!/usr/bin/env python3
"""student_card.py [--build DIRECTORY] [--purchases N] [--directory DIRECTORY] [--plots DIRECTORY] [DESIGN…]

The case of the student card (docs/student-card.md): loads the same purchases into a table a design (student_card_load), asks ADVISE, and prints
what it finds beside where the writes fell; --plots draws the latter. Where the server has a heat map, what that says is printed as well."""
import argparse
import itertools
import json
import math
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
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
    """The writes of each slice of time, by range; slices without any are left out."""
    return [column for column in zip(*ranges) if sum(column)]


def busiest(ranges, part):
    """What the busiest `part` of the ranges took of a slice's writes, the mean over slices."""
    shares = [sum(sorted(column, reverse=True)[:max(1, round(len(column) * part))]) / sum(column) for column in slices(ranges)]
    return sum(shares) / len(shares)


def idle(ranges):
    """Ranges without a write in a slice, of all, the mean over slices."""
    shares = [sum(1 for writes in column if writes == 0) / len(column) for column in slices(ranges)]
    return sum(shares) / len(shares)


def colour(part):
    """White over yellow and red to black."""
    stops = [(255, 255, 255), (255, 224, 130), (239, 108, 0), (183, 28, 28), (33, 8, 8)]
    place = min(part, 1) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    mixed = [round(a + (b - a) * (place - low)) for a, b in zip(stops[low], stops[low + 1])]
    return '#%02x%02x%02x' % tuple(mixed)


def draw(design, ranges, path):
    """Time to the right, keys downwards; as dark as the part of a slice's writes that a range took (all of them: black)."""
    columns, cell_width, height = len(ranges[0]), 8, 384
    cell_height = height / len(ranges)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * cell_width + 60}" height="{height + 60}" font-family="sans-serif" font-size="13">',
             f'<text x="30" y="20">{TITLES[design]}: writes by range of the partition key (downwards) over 28 days</text>']
    totals = [max(sum(column), 1) for column in zip(*ranges)]
    for row, writes in enumerate(ranges):
        # The root, in twenty steps: so that an even spread can be seen, and neighbours are drawn in one.
        steps = [math.ceil((count / total) ** 0.5 * 20) / 20 for count, total in zip(writes, totals)]
        column = 0
        for step, same in itertools.groupby(steps):
            width = len(list(same))
            if step:
                parts.append(f'<rect x="{30 + column * cell_width}" y="{30 + row * cell_height:.1f}" width="{width * cell_width}" height="{cell_height:.1f}" '
                             f'fill="{colour(step)}"/>')
            column += width
    parts.append(f'<rect x="30" y="30" width="{columns * cell_width}" height="{height}" fill="none" stroke="#888"/>')
    parts.append(f'<text x="30" y="{height + 50}">busiest sixteenth of the ranges: {busiest(ranges, 1 / 16):.0%} of the writes of half a day</text></svg>')
    path.write_text('\n'.join(parts) + '\n', encoding='utf-8')


def heat_of(server, table):
    try:
        return json.loads(server.get(f'/v1/heat?{table}&axis=key&metric=writes'))
    except urllib.error.HTTPError:
        return {}


def report(arguments, design, directory):
    ranges = json.loads((directory / f'{design}.json').read_text(encoding='utf-8'))['ranges']
    print(f'\n{design}: {TITLES[design]}')
    print(f'  {len(ranges)} ranges of keys; of the writes of half a day the busiest range took {busiest(ranges, 1 / len(ranges)):.1%}, the busiest sixteenth '
          f'{busiest(ranges, 1 / 16):.1%}; {idle(ranges):.1%} of the ranges none')
    if arguments.plots:
        arguments.plots.mkdir(parents=True, exist_ok=True)
        draw(design, ranges, arguments.plots / f'{design}.svg')
    with Server(arguments.build / 'widerow', directory / design) as server:
        table = f'keyspace=campus&table=purchases_{design}'
        begun = time.monotonic()
        findings = json.loads(server.get('/v1/advise?' + table))['findings']
        print(f'  ADVISE, {time.monotonic() - begun:.1f} s:')
        for finding in findings:
            print(f"    {finding['severity']} {finding['code']}: {finding['evidence']}")
        for shape in heat_of(server, table).get('shapes', []):
            print(f"  heat map, {shape['operation']}: {shape['shape']}: {shape['description']}", flush=True)


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
