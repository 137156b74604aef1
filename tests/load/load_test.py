#!/usr/bin/env python3
"""Tests the faults that bench/load/load.py finds in a measurement, and its table. Needs neither a server nor the client."""
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench' / 'load'))
import latte  # noqa: E402
import load  # noqa: E402


def measurement(**changes):
    figures = {'server': 'widerow', 'phase': 'read_row', 'round': 1, 'operations': 100, 'rows': 100, 'errors': 0, 'error_texts': [],
               'seconds': 2.0, 'rate': 50.0, 'p50': 1.0, 'p99': 2.0, 'p999': 3.0, 'server_cpu': 4.0, 'client_cpu': 5.0,
               'other_cores': 0.1, 'resident_mib': 20.0, 'private_mib': 10.0, 'written_bytes': 0.0}
    return latte.Measurement(**(figures | changes))


class Judge(unittest.TestCase):
    def problems(self, **changes):
        return list(load.judge(measurement(**changes)))

    def test_good_ones(self):
        self.assertEqual(self.problems(), [])
        self.assertEqual(self.problems(phase='read_range', rows=10_000), [])
        self.assertEqual(self.problems(phase='write', rows=0), [])

    def test_a_row_that_is_not_found(self):
        self.assertEqual(self.problems(rows=99), ['widerow read_row: 99 rows in 100 answers, 100 expected'])
        self.assertEqual(self.problems(phase='read_range', rows=9_999),
                         ['widerow read_range: 9999 rows in 100 answers, 10000 expected'])
        self.assertEqual(self.problems(phase='written', rows=0), ['widerow written: 0 rows in 100 answers, 100 expected'])

    def test_failed_requests(self):
        self.assertEqual(self.problems(phase='write', rows=0, errors=2, error_texts=['timed out']),
                         ['widerow write: 2 requests failed: timed out'])

    def test_nothing_done(self):
        self.assertEqual(self.problems(operations=0, rows=0), ['widerow read_row: 0 operations, at least 1 expected'])
        self.assertEqual(list(load.judge(measurement(phase='load', rows=0), operations_min=101)),
                         ['widerow load: 100 operations, at least 101 expected'])


class Table(unittest.TestCase):
    def test_medians_and_ratios(self):
        servers = [types.SimpleNamespace(name=name) for name in ('widerow', 'other')]
        run = load.Run(None, servers, None)
        for server, costs in (('widerow', (9.0, 1.0, 2.0)), ('other', (8.0, 7.0, 90.0))):
            for phase in ('read_row', 'read_row at 50/s'):
                run.measurements += [measurement(server=server, phase=phase, server_cpu=cost) for cost in costs]
        lines = list(load.table(run))
        self.assertEqual(lines[0], '|  |  | widerow | other | widerow / other |')
        self.assertIn('| read_row | server µs/op | 2.0 | 8.0 | 0.25 |', lines)
        self.assertIn('| read_row at 50/s | p99 / the other p50 |  |  | 2 |', lines)
        self.assertNotIn('| read_row | p99 / the other p50 |  |  | 2 |', lines)


if __name__ == '__main__':
    unittest.main()
