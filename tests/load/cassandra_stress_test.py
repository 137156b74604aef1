#!/usr/bin/env python3
"""cassandra_stress_test.py WIDEROW: Cassandra's own load tool, unchanged, against a fresh server.

Writes 500 partitions of 20 rows in batches, then reads and overwrites them at random over compressed connections (stress.yaml). Every
request must succeed, every read must find rows, and the table must hold exactly what was written. Nothing of the machine's speed is
asserted. Status 77, with a printed line: Java, Maven or the artifact is not there."""
import json
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'bench' / 'load'))
from servers import StartedServer  # noqa: E402

SKIPPED = 77
BUILD = pathlib.Path(os.environ.get('WIDEROW_TOOLS_BUILD', HERE.parents[1] / 'build/tools')) / 'cassandra-stress'
PARTITIONS, PARTITION_ROWS, OPERATIONS = 500, 20, 10_000
RUN_SECONDS_MAX = 900
# The tool comes from the time of Java 8 and reaches into it.
JAVA = ['java', '--add-opens', 'java.base/java.io=ALL-UNNAMED', '--add-opens', 'java.base/sun.nio.ch=ALL-UNNAMED']


def fetch():
    """The folder of the unpacked distribution, or why there is none."""
    for tool in ('java', 'mvn'):
        if not shutil.which(tool):
            return None, f'{tool} is not installed'
    if not list(BUILD.glob('*/tools/lib/stress.jar')):
        command = ['mvn', '--batch-mode', '--quiet', '-Dstyle.color=never', '-f', HERE / 'pom.xml', f'-Dstress.build={BUILD}',
                   'dependency:unpack']
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout[-3000:])
            return None, 'the Maven artifact of cassandra-stress cannot be fetched'
    return next(BUILD.glob('*/tools/lib/stress.jar')).parents[2], None


def numbers(output, title):
    """{operation: number} of a line such as `Total partitions : 4,958 [insert: 1,957, one: 3,001]`, and its total as ''."""
    line = re.search(rf'^{title} *: *([\d,.]+).*\[(.*)\]$', output, re.M)
    if line is None:
        raise AssertionError(f'no line {title!r}:\n{output[-3000:]}')
    found = {'': line[1]} | dict(re.findall(r'(\w+): ([\d,.]+)', line[2]))
    return {name: float(number.rstrip(',').replace(',', '')) for name, number in found.items()}


class CassandraStress(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.server = StartedServer(f'widerow={WIDEROW}')
        self.addCleanup(lambda: self.assertIsNone(self.server.stop()))
        self.directory = tempfile.TemporaryDirectory(prefix='widerow-stress-')
        self.addCleanup(self.directory.cleanup)

    def stress(self, operations, count, *options):
        """The output of one run: `count` operations, none of which failed."""
        host, port = self.server.address.rsplit(':', 1)
        classes = f'{HOME}/conf:{HOME}/tools/lib/stress.jar:{HOME}/lib/*'
        command = [*JAVA, '-cp', classes, f'-Dcassandra.storagedir={self.directory.name}', 'org.apache.cassandra.stress.Stress',
                   'user', f'profile={HERE / "stress.yaml"}', f'ops({operations})', f'n={count}', 'no-warmup', 'cl=ONE', *options,
                   '-rate', 'threads=16', '-errors', 'retries=0', '-port', f'native={port}', '-node', host]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=RUN_SECONDS_MAX, cwd=self.directory.name)
        print(done.stdout[done.stdout.find('Results:'):])
        self.assertEqual(done.returncode, 0, done.stdout[-5000:])
        self.assertEqual(numbers(done.stdout, 'Total errors')[''], 0, done.stdout[-5000:])
        totals = re.findall(r'^total, +(\d+),', done.stdout, re.M)
        self.assertEqual(totals[-1:], [str(count)], done.stdout[-5000:])
        return done.stdout

    def counted_rows(self):
        request = urllib.request.Request(f'http://{self.server.http}/v1/query', method='POST',
                                         data=b'{"query": "SELECT count(*) FROM load_stress.events"}',
                                         headers={'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(json.load(answer)['rows'][0][0])

    def test_what_it_writes_it_finds(self):
        self.stress('insert=1', PARTITIONS, '-pop', f'seq=1..{PARTITIONS}')
        self.assertEqual(self.counted_rows(), PARTITIONS * PARTITION_ROWS)

        output = self.stress('one=2,newest=1,range=1,insert=1', OPERATIONS, '-pop', f'dist=uniform(1..{PARTITIONS})', '-mode',
                             'native', 'cql3', 'compression=lz4')
        found = numbers(output, 'Total partitions')  # Of reads, those that found a row.
        self.assertEqual(found[''], OPERATIONS)
        for operation in ('one', 'newest', 'range', 'insert'):
            self.assertGreater(found[operation], OPERATIONS / 20)
        rows, rates = numbers(output, 'Row rate'), numbers(output, 'Op rate')
        for operation, each in (('one', 1), ('newest', 10)):
            self.assertAlmostEqual(rows[operation] / rates[operation], each, delta=each * (0.02 + 1 / rates[operation]))  # Rounded.
        self.assertEqual(self.counted_rows(), PARTITIONS * PARTITION_ROWS)


if __name__ == '__main__':
    os.environ.setdefault('HOME', pwd.getpwuid(os.getuid()).pw_dir)  # Maven keeps its packages there.
    WIDEROW = sys.argv.pop(1)
    HOME, why = fetch()
    if why:
        required = os.environ.get('WIDEROW_DRIVERS_REQUIRED') == '1'
        print(f'{"FAILED, not to be skipped here" if required else "SKIPPED"}: {why}')
        sys.exit(1 if required else SKIPPED)
    unittest.main()
