#!/usr/bin/env python3
"""coverage.py [--build DIR] [--rooms]: prints how much of the code the inputs of the fuzzers reach, for each folder.

Runs each fuzzer of build/fuzz on its seeds and on the inputs in build/fuzz/corpus, and nothing else. The fuzzers name each
function, its place, and how many edges of its control flow were reached. A function counts with the fuzzer that reached most of
its edges. So an edge that only another fuzzer has reached is left out. With --rooms, the table has a row for each folder with
sources, not only for those at the top. The script needs llvm-symbolizer."""
import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ('base', 'types', 'parser', 'planner', 'advise', 'storage', 'exec', 'net')
FUNCTION = re.compile(r'^(?:UN)?COVERED_FUNC: hits: \d+ edges: (\d+)/(\d+) (.*) (\S+):\d+$')


def functions_of(program, directories):
    """Runs a fuzzer on the files of the directories. Returns path, function, edges reached and edges of each function."""
    symbolizer = shutil.which('llvm-symbolizer') or sys.exit('coverage.py: llvm-symbolizer is missing')
    environment = os.environ | {'ASAN_SYMBOLIZER_PATH': symbolizer}
    command = [program, '-runs=0', '-print_coverage=1', '-entropic=0', '-detect_leaks=0', '-rss_limit_mb=0', *directories]
    ran = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    functions = []
    for line in ran.stdout.decode(errors='replace').splitlines():
        if not (match := FUNCTION.match(line)):
            continue
        path = pathlib.Path(os.path.normpath(match[4]))
        if path.is_relative_to(ROOT):
            functions.append((path.relative_to(ROOT), (match[3], match[4]), int(match[1]), int(match[2])))
    return functions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/fuzz')
    parser.add_argument('--rooms', action='store_true')
    options = parser.parse_args()
    programs = sorted((options.build / 'tests/fuzz').glob('*_fuzz'))
    best = {}

    def measure(program):
        name = program.name.removesuffix('_fuzz')
        places = (options.build / 'corpus' / name, options.build / 'seeds' / name, ROOT / 'tests/fuzz/seeds' / name)
        return functions_of(program, [place for place in places if place.is_dir()])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, function, reached, edges in itertools.chain(*pool.map(measure, programs)):
            if path.parts[0] not in FOLDERS:
                continue
            folder = str(path.parent) if options.rooms else path.parts[0]
            if function not in best or best[function][1] < reached:
                best[function] = (folder, reached, edges)
    totals = collections.defaultdict(lambda: [0, 0, 0, 0])
    for folder, reached, edges in best.values():
        for name in (folder, 'all'):
            total = totals[name]
            total[0] += reached > 0
            total[1] += 1
            total[2] += reached
            total[3] += edges
    print('| folder | functions reached | edges reached | share of edges |\n|---|---|---|---|')
    for name in [*sorted(totals.keys() - {'all'}), 'all']:
        functions, all_functions, edges, all_edges = totals[name]
        print(f'| {name} | {functions:,} of {all_functions:,} | {edges:,} of {all_edges:,} | {100 * edges / all_edges:.0f} % |')


if __name__ == '__main__':
    main()
