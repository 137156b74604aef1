#!/usr/bin/env python3
"""student_card.py [--build DIRECTORY] [--purchases N] [--directory DIRECTORY] [--plots DIRECTORY]

The case of the student card (docs/student-card.md): loads the same purchases into a table a design (student_card_load), asks each server
ADVISE and the heat map, prints the table of docs/student-card.md and stores the heat maps as pictures."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
DESIGNS = ('by_card', 'by_seller', 'by_device', 'by_order', 'by_order_hashed', 'by_order_bucketed')


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
        self.process.wait(timeout=60)


def busiest(heat, share):
    """The part of all writes that the busiest `share` of key ranges took, of each slice of time; the mean over slices."""
    parts = []
    for column in heat['slices']:
        writes = sorted((cell[2] for cell in column['cells']), reverse=True)
        if sum(writes):
            parts.append(sum(writes[:max(1, round(len(heat['ranges']) * share))]) / sum(writes))
    return sum(parts) / len(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=ROOT / 'build' / 'release', type=pathlib.Path)
    parser.add_argument('--purchases', default=10_000_000, type=int)
    parser.add_argument('--directory', type=pathlib.Path, help='keeps the databases; without it they go')
    parser.add_argument('--plots', type=pathlib.Path)
    parser.add_argument('designs', nargs='*', default=DESIGNS)
    arguments = parser.parse_args()
    directory = arguments.directory or pathlib.Path(tempfile.mkdtemp(prefix='student-card-'))
    try:
        for design in arguments.designs:
            data = directory / design
            if not data.exists():
                subprocess.run([arguments.build / 'bench' / 'student_card_load', directory, str(arguments.purchases), design], check=True)
            report(arguments, design, data)
            if not arguments.directory:
                shutil.rmtree(data)
    finally:
        if not arguments.directory:
            shutil.rmtree(directory)


def report(arguments, design, data):
    with Server(arguments.build / 'server' / 'widerow', data) as server:
        table = f'keyspace=campus&table=purchases_{design}'
        findings = json.loads(server.get('/v1/advise?' + table))['findings']
        heat = json.loads(server.get(f'/v1/heat?{table}&axis=key&metric=writes'))
        print(f'\n{design}')
        for finding in findings:
            print(f"  {finding['severity']} {finding['code']}: {finding['evidence']}")
        for shape in heat.get('shapes', []):
            print(f"  heat, {shape['operation']}: {shape['shape']}: {shape['description']}")
        print(f'  busiest sixteenth of key ranges: {busiest(heat, 1 / 16):.1%} of the writes of a slice of time', flush=True)
        if arguments.plots:
            arguments.plots.mkdir(parents=True, exist_ok=True)
            (arguments.plots / f'{design}.svg').write_text(server.get(f'/v1/heat?{table}&axis=key&metric=writes&format=svg'), encoding='utf-8')


if __name__ == '__main__':
    main()
