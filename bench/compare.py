#!/usr/bin/env python3
"""Builds two commits and measures them in turn.

  compare.py main~20 main
  compare.py HEAD~1 HEAD --parts instructions,protocol --phases read_row
  compare.py HEAD HEAD                     shows how much two runs of one program differ

Sources and builds are kept in build/compare/<commit>, so a commit is built only once. On a busy machine, instruction counts are
exact, CPU times are roughly right, and other figures mean nothing. The script prints a Markdown table of medians, and the figures
of the second commit divided by those of the first. --json stores all figures. If a commit lacks the program for a part, the script
says so and leaves out the part."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import instruction_counts
from report import BENCH, LeftOut, ROOT, SKIPPED, made_up_flights, output_of

TARGETS = {'instructions': 'instruction_counts', 'embedded': 'flights_bench', 'protocol': 'widerow'}
LOAD_FIGURES = (('server µs/op', 'server_cpu'), ('ops/s', 'rate'), ('p50 ms', 'p50'), ('p99 ms', 'p99'))


class Commit:
    """The sources and programs of one commit."""

    def __init__(self, name):
        done = subprocess.run(['git', 'rev-parse', '--verify', '--quiet', name + '^{commit}'], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(f'{name}: no such commit')
        self.name, self.hash = name, done.stdout.strip()[:12]
        self.source = ROOT / 'build/compare' / self.hash
        self.build = self.source / 'build/release'

    def make(self, targets):
        """Unpacks the sources and builds the targets, unless an earlier run has done this."""
        if not self.source.exists():
            self.source.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.source.parent) as scratch:
                tree = pathlib.Path(scratch) / 'tree'
                tree.mkdir()
                archive = subprocess.Popen(['git', 'archive', self.hash], cwd=ROOT, stdout=subprocess.PIPE)
                subprocess.run(['tar', '-x', '-C', tree], stdin=archive.stdout, check=True)
                if archive.wait() != 0:
                    raise RuntimeError(f'git archive {self.hash} failed')
                tree.rename(self.source)
        environment = os.environ | {'CCACHE_NOHASHDIR': '1', 'CCACHE_BASEDIR': str(self.source)}
        with open(self.source / 'build.log', 'w', encoding='utf-8') as log:
            for command in (['cmake', '--preset', 'release', '-DWIDEROW_BUILD_TESTS=OFF', '-DWIDEROW_BUILD_BENCH=ON'],
                            ['cmake', '--build', '--preset', 'release', '-j', str(os.cpu_count()), '--target', *targets]):
                if subprocess.run(command, cwd=self.source, env=environment, stdout=log, stderr=log, check=False).returncode != 0:
                    raise RuntimeError(f'{self.name} cannot be built: {self.source / "build.log"}')


class Comparison:
    """The figures of both commits: (what, unit) -> values of the first commit, values of the second commit."""

    def __init__(self, options, commits):
        self.options, self.commits, self.figures = options, commits, {}

    def add(self, what, unit, index, value):
        self.figures.setdefault((what, unit), ([], []))[index].append(value)

    def instructions(self):
        if not instruction_counts.available():
            raise LeftOut('valgrind is not installed')
        operations = list(instruction_counts.OPERATIONS)[:1 if self.options.quick else None]
        for index, commit in enumerate(self.commits):
            print(f'instructions of {commit.name}', flush=True)
            for operation, count in instruction_counts.count_all(commit.build / 'bench/instruction_counts', operations).items():
                self.add(operation, 'instructions', index, count)

    def embedded(self):
        with tempfile.TemporaryDirectory(prefix='compare-') as scratch:
            flights, out = self.options.flights, pathlib.Path(scratch) / 'out.json'
            if self.options.quick:
                flights = pathlib.Path(scratch) / 'flights.csv'
                made_up_flights(flights)
            if not flights.exists():
                raise LeftOut(f'{flights} is not there: ./run fetches it')
            for number in range(self.options.rounds):
                for index in ((0, 1), (1, 0))[number % 2]:
                    try:
                        output_of([self.commits[index].build / 'bench/flights_bench', flights, 0.02 if self.options.quick else 0.4, '--json', out])
                    except RuntimeError as error:
                        if 'usage:' in str(error):
                            raise LeftOut(f'flights_bench of {self.commits[index].name} has no --json') from error
                        raise
                    for line in json.loads(out.read_text(encoding='utf-8')):
                        if line['subject'] == 'widerow':
                            self.add(f'{line["what"]} {line["state"]}'.strip(), 'µs CPU', index, line['cpu_us'])

    def protocol(self):
        """Measures the servers of both commits in turn, with load.py of this tree."""
        with tempfile.TemporaryDirectory(prefix='compare-') as scratch:
            out = pathlib.Path(scratch) / 'load.json'
            servers = [word for label, commit in zip('ab', self.commits) for word in ('--start', f'{label}={commit.build / "widerow"}')]
            sizes = ['--rows', '5000', '--per', '500', '--warm-up', '1', '--seconds', '1'] if self.options.quick else \
                    ['--rows', '200000', '--warm-up', '5', '--seconds', '6']
            output_of([sys.executable, BENCH / 'load/load.py', *servers, '--phases', ','.join(self.options.phases), '--rounds', self.options.rounds,
                       '--json', out, *sizes])
            for measurement in json.loads(out.read_text(encoding='utf-8'))['measurements']:
                for unit, figure in LOAD_FIGURES:
                    self.add(f'{measurement["phase"]}, protocol', unit, 'ab'.index(measurement['server']), measurement[figure])

    def table(self):
        first, second = self.commits
        yield f'| | | {first.name} ({first.hash[:7]}) | {second.name} ({second.hash[:7]}) | second / first |'
        yield '|---|---|---|---|---|'
        for (what, unit), values in self.figures.items():
            if all(values):
                before, after = (statistics.median(one) for one in values)
                yield f'| {what} | {unit} | {before:,.6g} | {after:,.6g} | {after / before if before else 0:.3f} |'


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('first')
    add('second')
    add('--parts', type=lambda names: names.split(','), default=list(TARGETS), help=','.join(TARGETS))
    add('--phases', type=lambda names: names.split(','), default=['write', 'read_row', 'read_range'], help="load.py's")
    add('--rounds', type=int, default=3)
    add('--quick', action='store_true', help='seconds, on made-up rows: whether it works')
    add('--flights', type=pathlib.Path, default=ROOT / 'build/flights/flights.csv')
    add('--json', metavar='FILE')
    options = parser.parse_args()
    if set(options.parts) - set(TARGETS):
        parser.error(f'parts are {", ".join(TARGETS)}')
    if options.quick:
        options.rounds = 1
    return options


def main():
    options = parse_options()
    if not (ROOT / '.git').exists():
        print('SKIPPED: this is no clone, it has no commits')
        return SKIPPED
    try:
        commits = [Commit(options.first), Commit(options.second)]
        for commit in {commit.hash: commit for commit in commits}.values():
            print(f'building {commit.name} in {commit.source}', flush=True)
            commit.make([TARGETS[part] for part in options.parts])
        comparison = Comparison(options, commits)
        for part in options.parts:
            try:
                getattr(comparison, part)()
            except LeftOut as why:
                print(f'{part}: left out, {why}', flush=True)
    except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
        print(f'FAILED: {error}')
        return 1
    print('\n'.join(['', *comparison.table()]))
    if options.json:
        figures = [{'what': what, 'unit': unit, 'first': first, 'second': second} for (what, unit), (first, second) in comparison.figures.items()]
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump({'first': commits[0].hash, 'second': commits[1].hash, 'figures': figures}, file, indent=1)
    return 0 if comparison.figures else 1


if __name__ == '__main__':
    sys.exit(main())
