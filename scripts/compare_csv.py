#!/usr/bin/env python3
"""compare_csv.py HOST:PORT KEYSPACE.TABLE FILE.csv [--null TEXT]

Compares a whole table with a CSV file. The header of the file has the names of the table's columns. The script reads the
table over HTTP, and compares every value of every row as a number, text or time, by the column's type. If there are
differences, it prints the first ones and exits with status 1. It uses only Python's standard library and shares no code with
Widerow, so a fault of Widerow's code cannot hide in the script as well."""
import csv
import datetime
import decimal
import functools
import json
import struct
import sys
import urllib.request

DIFFERENCES_SHOWN = 10
INTEGERS = {'tinyint', 'smallint', 'int', 'bigint', 'varint', 'counter'}


def post(address, body):
    request = urllib.request.Request(f'http://{address}/v1/query', json.dumps(body).encode(),
                                     {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request) as response:
        return json.load(response, parse_float=decimal.Decimal)


def read_table(address, table):
    """Reads the table page by page. Returns (columns, rows)."""
    columns, rows, state = None, [], None
    while True:
        body = {'query': f'SELECT * FROM {table}', 'page_size': 20000}
        if state:
            body['page_state'] = state
        answer = post(address, body)
        columns = answer['columns']
        rows.extend(answer['rows'])
        state = answer.get('page_state')
        if not state:
            return columns, rows


@functools.cache
def moment(text):
    return datetime.datetime.fromisoformat(text.strip())


def normal(kind, value):
    """Converts a value of the table or a field of the file to a form in which equal values compare equal."""
    if value is None:
        return None
    if kind in INTEGERS:
        return int(value)
    if kind == 'double':
        return float(value)
    if kind == 'float':
        return struct.unpack('>f', struct.pack('>f', float(value)))[0]
    if kind == 'decimal':
        return decimal.Decimal(value)
    if kind == 'boolean':
        return value if isinstance(value, bool) else value.lower() == 'true'
    if kind == 'timestamp':
        return moment(value)
    return value


def read_csv(path, columns, null_text):
    with open(path, newline='', encoding='utf-8') as file:
        reader = csv.DictReader(file)
        unknown = set(reader.fieldnames) ^ {column['name'] for column in columns}
        if unknown:
            sys.exit('columns in one place only: ' + ', '.join(sorted(unknown)))
        for record in reader:
            yield tuple(normal(column['type'], None if record[column['name']] == null_text else record[column['name']])
                        for column in columns)


def main():
    arguments = sys.argv[1:]
    null_text = ''
    if '--null' in arguments:
        at = arguments.index('--null')
        null_text = arguments[at + 1]
        del arguments[at:at + 2]
    if len(arguments) != 3:
        sys.exit(__doc__)
    address, table, path = arguments
    columns, rows = read_table(address, table)
    stored = {}
    for row in rows:
        key = tuple(normal(column['type'], value) for column, value in zip(columns, row))
        stored[key] = stored.get(key, 0) + 1
    missing, records = [], 0
    for record in read_csv(path, columns, null_text):
        records += 1
        if stored.get(record, 0) > 0:
            stored[record] -= 1
        else:
            missing.append(record)
    extra = [row for row, count in stored.items() for _ in range(count)]
    for sign, side in (('only in the file ', missing), ('only in the table', extra)):
        for row in side[:DIFFERENCES_SHOWN]:
            print(sign, row)
    print(f'{len(rows)} rows of {table}, {records} of {path.rsplit("/", 1)[-1]}, {len(columns)} columns: '
          f'{records * len(columns)} values compared, {len(missing) + len(extra)} rows differ')
    sys.exit(1 if missing or extra else 0)


if __name__ == '__main__':
    main()
