#!/usr/bin/env python3
"""connect_times.py NAME=HOST:PORT… [--rounds N]: measures how long each driver needs to connect to each server.

The script runs the case `connect_default` of every project of CMakeLists.txt on each server in turn, N times (default 3). It prints
the medians in ms as a Markdown table. In a run, a project measures ten connections of one process and prints their median. The time
of a connection ends when the session is usable and has read the schema's metadata. The exit status is 1 if a project fails on a
server."""
import argparse
import os
import pathlib
import pwd
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
RUN_SECONDS_MAX = 1200  # The first run also builds the project.


def projects():
    """Returns (name, language, arguments) of each driver test."""
    text = (HERE / 'CMakeLists.txt').read_text(encoding='utf-8')
    return [(name, language, rest.split()) for name, language, rest in re.findall(r'^add_driver_test\((\w+) (\w+)(.*)\)$', text, re.M)]


def connect_ms(language, arguments, address):
    """Returns the figure of the project, or None if its toolchain is missing."""
    host, port = address.rsplit(':', 1)
    command = [HERE / language / 'run', host, port, 'only=connect_default', 'keyspace=connect_times', *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, timeout=RUN_SECONDS_MAX)
    if done.returncode == SKIPPED:
        print(done.stdout, end='')
        return None
    found = re.search(r'^time connect ([\d.]+)$', done.stdout, re.M)
    if done.returncode != 0 or found is None:
        sys.exit(f'{language} {" ".join(arguments)} on {address} ended with status {done.returncode}:\n{done.stdout}')
    return float(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('servers', nargs='+', metavar='NAME=HOST:PORT', type=lambda text: tuple(text.split('=', 1)))
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    names = [name for name, _ in options.servers]
    print('| ' + ' | '.join(['connect, ms', *names, *(f'{names[0]} / {name}' for name in names[1:])]) + ' |')
    print('|---' * (2 * len(names)) + '|')
    for project, language, arguments in projects():
        times = {name: [] for name in names}
        for _ in range(options.rounds):
            for name, address in options.servers:
                times[name].append(connect_ms(language, arguments, address))
        if None in times[names[0]]:
            continue
        medians = [statistics.median(times[name]) for name in names]
        ratios = [f'{medians[0] / median:.2f}' for median in medians[1:]]
        print('| ' + ' | '.join([project, *(f'{median:.1f}' for median in medians), *ratios]) + ' |', flush=True)


if __name__ == '__main__':
    os.environ.setdefault('HOME', pwd.getpwuid(os.getuid()).pw_dir)
    main()
