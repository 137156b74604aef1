"""The functions that the tests of cqlsh share: installing the shell, a server for each test, COPY in both directions.

A test program is `NAME_test.py WIDEROW VENV`. It installs cqlsh at fixed versions into VENV, if it is not there. If this is not
possible, it prints a line and ends with status 77. With WIDEROW_DRIVERS_REQUIRED=1, this is a failure."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'drivers'))
import harness  # noqa: E402
from terminal import Terminal  # noqa: E402

FLIGHTS = """
CREATE KEYSPACE nyc WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE nyc.flights (year int, month int, day int, dep_time int, sched_dep_time int, dep_delay int, arr_time int,
  sched_arr_time int, arr_delay int, carrier text, flight int, tailnum text, origin text, dest text, air_time int,
  distance int, hour int, minute int, time_hour timestamp, PRIMARY KEY ((carrier, flight), time_hour, origin));
"""


def install(environment):
    """Returns the path of cqlsh, or None."""
    wanted = (HERE / 'requirements.txt').read_text()
    marker = environment / 'installed'
    if not marker.exists() or marker.read_text() != wanted:
        try:
            subprocess.run([sys.executable, '-m', 'venv', '--clear', environment], check=True, capture_output=True)
            pip = [environment / 'bin' / 'pip', 'install', '--disable-pip-version-check', '-r', HERE / 'requirements.txt']
            subprocess.run(pip, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(getattr(error, 'stderr', b'').decode()[-1000:], file=sys.stderr)
            return None
        marker.write_text(wanted)
    return str(environment / 'bin' / 'cqlsh')


def flights_by_key(path):
    """Returns the lines of a CSV file by their keys. No key may occur twice."""
    rows = {}
    with open(path, newline='') as file:
        lines = csv.reader(file)
        names = next(lines)
        key = [names.index(name) for name in ('carrier', 'flight', 'time_hour', 'origin')]
        for line in lines:
            assert rows.setdefault(tuple(line[at] for at in key), (joined := ','.join(line))) is joined, line
    return rows


class CqlshTest(unittest.TestCase):
    cqlsh = widerow = None
    seconds_max = 120

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix='widerow-cqlsh-')
        self.path = pathlib.Path(self.directory.name)
        self.server = self.make_server()
        self.server.start()
        self.address = self.server.cql.rsplit(':', 1)
        self.environment = {**os.environ, 'HOME': str(self.path), 'TERM': 'dumb', 'LANG': 'C.UTF-8', 'COLUMNS': '200'}

    def make_server(self):
        return harness.Server(self.widerow, str(self.path / 'data'))

    def tearDown(self):
        self.assertTrue(self.server.stop())
        self.directory.cleanup()

    def run_cqlsh(self, *arguments, status=0):
        command = [self.cqlsh, '--no-color', *self.address, *arguments]
        done = subprocess.run(command, env=self.environment, cwd=self.path, capture_output=True, text=True, timeout=self.seconds_max)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def execute(self, statements, status=0):
        return self.run_cqlsh('-e', statements.strip(), status=status)

    def copy_flights(self, source):
        """Imports `source` by COPY FROM and exports the table by COPY TO. Then does the same with the exported file. Both exported
        files must have the rows of `source`. Returns the number of rows."""
        self.execute(FLIGHTS)
        rows = flights_by_key(source)
        with open(source, newline='') as file:
            columns = ', '.join(next(csv.reader(file)))
        options = "WITH HEADER = true AND NULL = 'NA' AND DATETIMEFORMAT = '%Y-%m-%dT%H:%M:%SZ'"
        for name in ('first.csv', 'second.csv'):
            shown = self.execute(f"COPY nyc.flights ({columns}) FROM '{source}' {options}")
            self.assertIn(f'{len(rows)} rows imported from 1 files', shown)
            exported = self.path / name
            shown = self.execute(f"COPY nyc.flights ({columns}) TO '{exported}' {options}")
            self.assertIn(f'{len(rows)} rows exported to 1 files', shown)
            self.compare(flights_by_key(exported), rows)
            self.execute('TRUNCATE nyc.flights')
            source = exported
        return len(rows)

    def compare(self, actual, expected):
        self.assertEqual(len(actual), len(expected))
        different = [key for key, row in expected.items() if actual.get(key) != row]
        self.assertFalse(different, f'{len(different)} rows differ, the first: ' +
                         '\n'.join(f'{expected[key]}\n{actual.get(key)}' for key in different[:3]))

    def open_terminal(self):
        terminal = Terminal([self.cqlsh, '--no-color', *self.address], self.environment)
        terminal.expect(r'Use HELP for help\.')
        terminal.expect(r'^cqlsh> ')
        return terminal


def main():
    widerow, environment = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    CqlshTest.widerow = str(widerow)
    CqlshTest.cqlsh = install(environment)
    if CqlshTest.cqlsh is None:
        harness.skip('cqlsh could not be installed')
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
