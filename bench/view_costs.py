#!/usr/bin/env python3
"""Measures the cost of materialized views in instructions of the whole process. valgrind's callgrind counts them, so other programs
do not matter.

    view_costs.py build/release/tests/cql_runner

The reads are SELECTs of 100 rows: from a partition of a table, from a view, and by IN. The writes are UPDATEs: of a table without
views, of a table with a view that does not change, and of a table with a view in which the row moves. Each script runs twice: with 40
SELECTs or 400 UPDATEs, and without them. The script prints the difference, divided by the number of statements."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROWS, SELECTS, UPDATES = 100, 40, 400
VIEW = ('CREATE MATERIALIZED VIEW mv AS SELECT * FROM t WHERE k IS NOT NULL AND c IS NOT NULL AND v IS NOT NULL '
        'PRIMARY KEY (v, k, c);\n')


def script(statements, with_view=True):
    rows = ''.join(f"INSERT INTO {table} (k, c, v, w) VALUES ({i}, {i}, 1, 'some text of the row {i}');\n"
                   for i in range(ROWS) for table in 'tu')
    return ('# A measurement.\n# runs-on: widerow\n\nexec\nCREATE TABLE t (k int, c int, v int, w text, PRIMARY KEY (k, c));\n'
            'CREATE TABLE u (k int, c int, v int, w text, PRIMARY KEY (v, k, c));\n' + (VIEW if with_view else '') + rows +
            '----\nok\n\nreopen\n\n' + statements)


def selects(text, count=SELECTS):
    return ''.join(f'query\n{text}\n----\n-\n\n' for _ in range(count))


def updates(assignment, count=UPDATES):
    lines = ''.join(f'UPDATE t SET {assignment.format(i=i)} WHERE k = {i % ROWS} AND c = {i % ROWS};\n' for i in range(count))
    return f'exec\n{lines}----\nok\n'


def instructions(runner, text):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, 'cost.cql')
        path.write_text(text, encoding='utf-8')
        ran = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', runner, str(path)],
                             capture_output=True, text=True, check=False)
    return int(re.search(r'Collected : (\d+)', ran.stderr).group(1))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    runner, columns = sys.argv[1], 'SELECT k, c, v, w FROM '
    keys = ', '.join(map(str, range(ROWS)))
    nothing = instructions(runner, script(selects(columns + 'u WHERE v = 2;')))
    for name, where in (('table', 'u WHERE v = 1;'), ('view', 'mv WHERE v = 1;'), ('IN', f't WHERE k IN ({keys});')):
        took = instructions(runner, script(selects(columns + where))) - nothing
        print(f'read of {ROWS} rows, {name}: {took // SELECTS:,}')
    for name, view, assignment in (('no view', False, "w = 'x{i}'"), ('view unchanged', True, "w = 'x{i}'"),
                                   ('row moves', True, 'v = {i}')):
        one = instructions(runner, script(updates(assignment, 1), view))
        print(f'update, {name}: {(instructions(runner, script(updates(assignment, 1 + UPDATES), view)) - one) // UPDATES:,}')


if __name__ == '__main__':
    main()
