#!/usr/bin/env python3
"""Tests the texts of bench/report.py, the sizes that bench/growth.py takes, and the medians of bench/compare.py."""
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
import compare  # noqa: E402
import growth  # noqa: E402
import report_text  # noqa: E402


def servers(**costs):
    return {name: {figure: 1.0 for _, figure, _ in report_text.PROTOCOL_FIGURES} | cost for name, cost in costs.items()}


def content(**parts):
    about = {'time': 'now', 'commit': 'abc', 'cores': 2, 'processor': 'one', 'system': 'Linux', 'load_average': 0.1}
    return {'surroundings': about, 'quick': False, 'left_out': {}, 'failed': {}} | parts


class Aims(unittest.TestCase):
    def row(self, what, **parts):
        return next(line for line in report_text.aims_table(content(**parts)) if line.startswith(f'| {what} |'))

    def test_smaller_is_better(self):
        what = 'point read over the protocol, CPU / Cassandra'
        for cost, verdict in ((1.0, 'met'), (9.0, '**missed**')):
            medians = {'read_row': servers(widerow={'server_cpu': cost}, cassandra={'server_cpu': 60.0})}
            self.assertTrue(self.row(what, protocol={'medians': medians}).endswith(f'| {verdict} |'))

    def test_larger_is_better(self):
        self.assertIn('| 600,000 | met |', self.row('bulk import of 10 M rows, rows/s', bulk={'rows_second': 600_000.0}))
        self.assertIn('| 400,000 | **missed** |', self.row('bulk import of 10 M rows, rows/s', bulk={'rows_second': 400_000.0}))

    def test_open_loop_is_held_against_the_others_median(self):
        medians = {'write at 9/s': servers(widerow={'p99': 3.0}, cassandra={'p50': 2.0})}
        self.assertIn('| 1.50 | **missed** |', self.row("write at half of Cassandra's rate, p99 / Cassandra's p50", protocol={'medians': medians}))

    def test_nothing_measured(self):
        self.assertTrue(all('not measured' in line for line in list(report_text.aims_table(content()))[2:]))

    def test_embedded_two_memtables_beside_records_of_the_data_file(self):
        lines = [{'what': 'point read', 'state': state, 'subject': subject, 'cpu_us': cost, 'wall_us': cost} for state, subject, cost in
                 (('data file', 'widerow', 1.0), ('data file', 'lmdb, same records', 0.8), ('two memtables', 'widerow', 2.0))]
        self.assertIn('| 2.50 | **missed** |', self.row('embedded point read / LMDB, two memtables', embedded=lines))


class Text(unittest.TestCase):
    def test_what_was_left_out_is_said(self):
        text = report_text.write(content(left_out={'durable': 'no peer'}, failed={'log': 'it broke'}), 'no plots')
        for line in ('- durable: left out, no peer', '- log: failed, it broke', 'no plots'):
            self.assertIn(line, text)

    def test_ratios_of_servers(self):
        table = list(report_text.load_table({'write': servers(widerow={'server_cpu': 9.0}, other={'server_cpu': 45.0})}))
        self.assertIn('| write | server CPU µs/op | 9.0 | 45.0 | 0.2 |', table)
        self.assertIn('| write | bytes to disk/byte of data | 0.0 | 0.0 |  |', table)


class Sizes(unittest.TestCase):
    def test_powers_of_ten_up_to_the_limit(self):
        self.assertEqual(growth.sizes('rows', 1e7, 1), [100_000, 1_000_000, 10_000_000])
        self.assertEqual(growth.sizes('connections', 1e9, 2), [1, 3, 10, 30, 100, 300, 1000])


class Medians(unittest.TestCase):
    def test_second_over_first(self):
        commits = [types.SimpleNamespace(name=name, hash=name * 7) for name in 'ab']
        comparison = compare.Comparison(None, commits)
        for index, values in enumerate(((1, 2, 90), (8, 4, 1))):
            for value in values:
                comparison.add('read', 'µs', index, value)
        self.assertEqual(list(comparison.table())[2], '| read | µs | 2 | 4 | 2.000 |')


if __name__ == '__main__':
    unittest.main()
