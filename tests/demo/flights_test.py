#!/usr/bin/env python3
"""flights_test.py WIDEROW: runs the demo's tables and COPY statements on an excerpt of its data (tests/data/flights), through a
server. Each row must be imported, each value must be equal, and the comparison must find a value that differs."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXCERPT = ROOT / 'tests' / 'data' / 'flights'
TABLES = {'airlines': 'airlines.csv', 'flights_by_number': 'flights.csv', 'flights_by_origin': 'flights.csv',
          'flights_by_tail': 'flights.csv', 'flights_by_time': 'flights.csv'}


def expect(what, actual, expected):
    if actual != expected:
        sys.exit(f'{what}: expected {expected!r}, got {actual!r}')
    print('ok', what)


def demo_statements():
    """Returns demo/flights.cql without COPY of files that are not in the excerpt."""
    text = (ROOT / 'demo' / 'flights.cql').read_text()
    return '\n'.join(line for line in text.splitlines()
                     if not line.startswith('COPY') or re.search(r"FROM '(airlines|flights)\.csv'", line))


def run(widerow, address):
    def shell(*arguments):
        return subprocess.run([widerow, 'shell', address, '--format', 'csv', *arguments], cwd=EXCERPT, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def compare():
        return subprocess.run([sys.executable, str(ROOT / 'scripts' / 'compare_csv.py'), address, 'nyc.flights_by_number',
                               str(EXCERPT / 'flights.csv'), '--null', 'NA']).returncode

    with tempfile.NamedTemporaryFile('w', suffix='.cql') as script:
        script.write(demo_statements())
        script.flush()
        shell('-f', script.name)
    for table, name in TABLES.items():
        lines = len((EXCERPT / name).read_text().splitlines()) - 1
        expect(f'rows of {table}', int(shell('-e', f'SELECT count(*) FROM nyc.{table}').split()[-1]), lines)
    expect('every value is equal', compare(), 0)
    buckets = shell('-e', 'SELECT DISTINCT bucket FROM nyc.flights_by_time').split()[1:]
    expect('7 buckets meet all hours', sorted(buckets), list('0123456'))
    for statement in (ROOT / 'demo' / 'queries.cql').read_text().split(';\n'):
        if statement.strip():
            shell('-e', statement)
    print('ok the queries run')
    key = shell('-e', 'SELECT carrier, flight, time_hour FROM nyc.flights_by_number LIMIT 1').splitlines()[1].split(',')
    shell('-e', "UPDATE nyc.flights_by_number SET distance = -1 WHERE carrier = '%s' AND flight = %s AND time_hour = '%s'" %
          tuple(key))
    expect('a changed value is found', compare(), 1)


def main():
    widerow = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as directory:
        server = subprocess.Popen([widerow, 'serve', '--data', directory, '--port', '0', '--http-port', '0'], stdout=subprocess.PIPE, text=True)
        try:
            run(widerow, re.match(r'ready .*\bhttp=(\S+)', server.stdout.readline()).group(1))
        finally:
            server.terminate()
            server.wait()


if __name__ == '__main__':
    main()
