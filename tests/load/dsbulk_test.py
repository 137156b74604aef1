#!/usr/bin/env python3
"""dsbulk_test.py WIDEROW: runs DSBulk, a public program that imports and exports CSV, unchanged, against a fresh server.

Imports 20,000 rows, exports the table by ranges of tokens, and compares each field. DSBulk must report a line that does not fit the
table, and import the others. If Java, Maven or a package is missing, the test prints a line and ends with status 77."""
import csv
import datetime
import random
import re

import java_tool

ROWS, PARTITIONS = 20_000, 997
COLUMNS = ['k', 'c', 'amount', 'members', 'day', 'at', 'raw', 'note', 'total']
NOTES = ['plain', 'a "quoted" text', 'x,y', 'ünï 😀', 'two\nlines', '']  # The last one is imported as null, and exported as an empty text.


def made_rows():
    source = random.Random(1)
    for number in range(ROWS):
        day = datetime.date(1969, 1, 1) + datetime.timedelta(days=source.randrange(40_000))
        at = datetime.datetime.fromtimestamp(source.randrange(10**9), datetime.timezone.utc)
        yield [f'k{number % PARTITIONS}', str(number), repr(source.randrange(1, 10**6) / 64),
               '[' + ','.join(map(str, sorted(source.sample(range(100), 3)))) + ']', day.isoformat(), at.strftime('%Y-%m-%dT%H:%M:%SZ'),
               f'0x{source.getrandbits(64):016x}', source.choice(NOTES), f'{source.randrange(10**12)}.{source.randrange(10, 100)}']


class Dsbulk(java_tool.JavaToolTest):
    def setUp(self):
        super().setUp()
        self.query("CREATE KEYSPACE bulk WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.query('CREATE TABLE bulk.t (k text, c int, amount double, members set<int>, day date, at timestamp, raw blob, note text, '
                   'total decimal, PRIMARY KEY (k, c))')
        self.rows = list(made_rows())

    def dsbulk(self, command, *options):
        jars = java_tool.fetch('dsbulk', 'dependency:copy-dependencies')
        output = self.java('-cp', f'{jars}/*', 'com.datastax.oss.dsbulk.runner.DataStaxBulkLoader', command, '-h', self.host, '-port',
                           self.port, '-k', 'bulk', '-t', 't', '-header', 'true', '--connector.csv.maxCharsPerColumn', '1000',
                           '--codec.binary', 'HEX', '--codec.formatNumbers', 'false', '--connector.csv.escape', r'"\""', *options)
        print(output)
        return output

    def write(self, name, rows):
        path = self.directory / name
        with open(path, 'w', encoding='utf-8', newline='') as file:
            csv.writer(file).writerows([COLUMNS, *rows])
        return str(path)

    def unloaded(self, *options):
        self.dsbulk('unload', '-url', str(self.directory / 'out'), *options)
        rows = []
        for path in (self.directory / 'out').glob('*.csv'):
            with open(path, encoding='utf-8', newline='') as file:
                names, *lines = csv.reader(file)
            self.assertEqual(sorted(names), sorted(COLUMNS))
            rows += [[line[names.index(column)] for column in COLUMNS] for line in lines]
        return sorted(rows)

    def test_loads_and_unloads(self):
        self.dsbulk('load', '-url', self.write('in.csv', self.rows))
        self.assertEqual(self.query('SELECT count(*) FROM bulk.t'), [[ROWS]])
        self.assertEqual(self.query('SELECT count(note) FROM bulk.t'), [[sum(row[7] != '' for row in self.rows)]])
        rows = self.unloaded('--datastax-java-driver.advanced.protocol.compression', 'lz4')
        self.assertEqual(len(rows), ROWS)
        different = [pair for pair in zip(rows, sorted(self.rows)) if pair[0] != pair[1]]
        self.assertEqual(different[:3], [])

    def test_a_line_that_does_not_fit(self):
        wrong = [*self.rows[0]]
        wrong[1] = 'not a number'
        with self.assertRaisesRegex(AssertionError, re.compile('1 != 0.*completed with 1 errors', re.S)):
            self.dsbulk('load', '-url', self.write('in.csv', [*self.rows[:500], wrong, *self.rows[500:1000]]))
        self.assertEqual(self.query('SELECT count(*) FROM bulk.t'), [[1000]])


if __name__ == '__main__':
    java_tool.fetch('dsbulk', 'dependency:copy-dependencies')
    java_tool.main()
