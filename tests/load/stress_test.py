#!/usr/bin/env python3
"""stress_test.py WIDEROW: runs cassandra-stress, Cassandra's own load tool, unchanged, against a fresh server.

Writes 500 partitions of 20 rows in batches, then reads and overwrites them at random over compressed connections (stress.yaml). Each
request must succeed, each read must find rows, and the table must have exactly the written rows. Speed is not tested. If Java, Maven
or the package is missing, the test prints a line and ends with status 77."""
import re

import java_tool

PARTITIONS, PARTITION_ROWS, OPERATIONS = 500, 20, 10_000


def numbers(output, title):
    """Returns {operation: number} of a line such as `Total partitions : 4,958 [insert: 1,957, one: 3,001]`, and its total as ''."""
    line = re.search(rf'^{title} *: *([\d,.]+).*\[(.*)\]$', output, re.M)
    if line is None:
        raise AssertionError(f'no line {title!r}:\n{output[-3000:]}')
    found = {'': line[1]} | dict(re.findall(r'(\w+): ([\d,.]+)', line[2]))
    return {name: float(number.rstrip(',').replace(',', '')) for name, number in found.items()}


class CassandraStress(java_tool.JavaToolTest):
    def stress(self, operations, count, *options):
        """Runs cassandra-stress with a profile and returns its output."""
        return self.run_tool(['user', f'profile={java_tool.HERE / "stress.yaml"}', f'ops({operations})'], count, *options)

    def run_tool(self, command, count, *options):
        """Runs `count` operations and returns the output. No operation may fail."""
        home = next(java_tool.fetch('stress', 'dependency:unpack').glob('*/tools/lib/stress.jar')).parents[2]
        output = self.java('-cp', f'{home}/conf:{home}/tools/lib/stress.jar:{home}/lib/*', f'-Dcassandra.storagedir={self.directory}',
                           'org.apache.cassandra.stress.Stress', *command, f'n={count}', 'no-warmup', 'cl=ONE', *options,
                           '-rate', 'threads=16', '-errors', 'retries=0', '-port', f'native={self.port}', '-node', self.host)
        print(output[output.find('Results:'):])
        self.assertEqual(numbers(output, 'Total errors')[''], 0, output[-5000:])
        totals = re.findall(r'^total, +(\d+),', output, re.M)
        self.assertEqual(totals[-1:], [str(count)], output[-5000:])
        return output

    def counted_rows(self):
        return self.query('SELECT count(*) FROM load_stress.events')[0][0]

    def test_what_it_writes_it_finds(self):
        self.stress('insert=1', PARTITIONS, '-pop', f'seq=1..{PARTITIONS}')
        self.assertEqual(self.counted_rows(), PARTITIONS * PARTITION_ROWS)

        output = self.stress('one=2,newest=1,range=1,insert=1', OPERATIONS, '-pop', f'dist=uniform(1..{PARTITIONS})', '-mode',
                             'native', 'cql3', 'compression=lz4')
        found = numbers(output, 'Total partitions')  # Reads count if they found a row.
        self.assertEqual(found[''], OPERATIONS)
        for operation in ('one', 'newest', 'range', 'insert'):
            self.assertGreater(found[operation], OPERATIONS / 20)
        rows, rates = numbers(output, 'Row rate'), numbers(output, 'Op rate')
        for operation, each in (('one', 1), ('newest', 10)):
            self.assertAlmostEqual(rows[operation] / rates[operation], each, delta=each * (0.02 + 1 / rates[operation]))  # Rounded.
        self.assertEqual(self.counted_rows(), PARTITIONS * PARTITION_ROWS)

    def test_ready_made_modes(self):
        for mode in ('write', 'read', 'counter_write', 'counter_read', 'mixed'):
            found = numbers(self.run_tool([mode], 1_000, '-pop', 'seq=1..1000'), 'Total partitions')
            self.assertEqual(found[''], 1_000, mode)
        self.assertEqual(self.query('SELECT count(*), sum("C0") FROM keyspace1.counter1'), [[1_000, 1_000]])


if __name__ == '__main__':
    java_tool.fetch('stress', 'dependency:unpack')
    java_tool.main()
