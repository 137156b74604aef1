#!/usr/bin/env python3
"""ordered_test.py WIDEROW [ROWS]: HBase's client sees the rows of partitioned tables in the order of their keys.

The tables are made by CQL: one with 97 KEY partitions of the row key, and one with 97 KEY partitions of a generated prefix of it. A scan
of one prefix must read no other keys, as the heat map shows, and on the second table it must read one partition, as EXPLAIN shows."""
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'drivers'))
from harness import SKIPPED, Server, skip  # noqa: E402

SCHEMA = '''
CREATE KEYSPACE IF NOT EXISTS "default" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
USE "default";
CREATE TABLEGROUP by_key;
CREATE TABLE by_key$f (K varbinary(1024), Q varbinary(256), T bigint, V varbinary(1048576), PRIMARY KEY (K, Q, T))
  TABLEGROUP = by_key PARTITION BY KEY (K) PARTITIONS 97;
CREATE TABLEGROUP by_prefix;
CREATE TABLE by_prefix$f (K varbinary(1024), Q varbinary(256), T bigint, V varbinary(1048576),
  K_PREFIX varbinary(1024) GENERATED ALWAYS AS (substring(K, 1, 4)), PRIMARY KEY (K, Q, T))
  TABLEGROUP = by_prefix PARTITION BY KEY (K_PREFIX) PARTITIONS 97;
'''


def class_path():
    made = subprocess.run([HERE.parents[1] / 'drivers' / 'hbase' / 'environment', 'hbase-client-2', HERE / 'src'], stdout=subprocess.PIPE,
                          text=True, check=False)
    if made.returncode == SKIPPED:
        skip(made.stdout.strip().removeprefix('skip '))
    if made.returncode != 0:
        sys.exit(made.returncode)
    return made.stdout.strip()


def reads_of(server, table, prefix):
    """Returns how many reads the heat map shows in key ranges that have keys with the prefix, and in others."""
    query = urllib.parse.urlencode({'keyspace': 'default', 'table': table + '$f', 'axis': 'key'})
    with urllib.request.urlopen(f'http://{server.http}/v1/heat?{query}', timeout=30) as answer:
        heat = json.load(answer)
    # A range begins with a key such as "0x30303030, 0x71, 1". The first begins before all keys.
    starts = [bytes.fromhex(text.split(',')[0].removeprefix('0x')).decode() for text in heat['ranges']]
    reads = dict.fromkeys(range(len(starts)), 0)
    for time_slice in heat['slices']:
        for number, read, *_ in time_slice['cells']:
            reads[number] += read
    inside = sum(count for number, count in reads.items()
                 if starts[number] <= prefix + 'g' and (number + 1 == len(starts) or starts[number + 1] >= prefix))
    return inside, sum(reads.values()) - inside


def explain_faults(server, prefix):
    first, last = prefix.encode().hex(), (prefix + 'g').encode().hex()
    explain = f'EXPLAIN SELECT * FROM "default".by_prefix$f WHERE K >= 0x{first} AND K < 0x{last};'
    text = subprocess.run([server.widerow, 'shell', server.http, '-e', explain], stdout=subprocess.PIPE, text=True, check=True).stdout
    if 'partitions 1 of 97' not in text:
        yield f'EXPLAIN does not show one partition: {text}'


def judge(server, process, table):
    """Reads what the client prints and answers it. Yields the faults."""
    for line in process.stdout:
        if line.startswith('all'):
            print(table, line, end='', flush=True)
        if line.startswith('BEFORE '):
            before = reads_of(server, table, line.split()[1])  # Some puts read their row.
        if line.startswith('AFTER '):
            after = reads_of(server, table, line.split()[1])
            if after[0] <= before[0] or after[1] > before[1]:
                yield f'{table}: reads with and without the prefix: {before} before the scans of a prefix, {after} after them'
            yield from explain_faults(server, line.split()[1])
        if line.startswith(('BEFORE ', 'AFTER ')):
            process.stdin.write('GO\n')
            process.stdin.flush()


def run(server, path, table, rows):
    """Runs the client. Yields the faults."""
    command = ['java', '-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', path, 'ordered.Main', server.others['hbase'], table, str(rows)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield from judge(server, process, table)
        except BaseException:
            process.kill()  # It may wait for a line.
            raise
    if process.returncode != 0:
        yield f'{table}: the client ended with status {process.returncode}'


def main():
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    path = class_path()
    with tempfile.TemporaryDirectory(prefix='widerow-ordered-') as directory:
        server = Server(sys.argv[1], directory)
        server.others['hbase'] = ''
        server.start()
        try:
            schema = pathlib.Path(directory) / 'schema.cql'
            schema.write_text(SCHEMA, encoding='utf-8')
            subprocess.run([server.widerow, 'shell', server.http, '-f', schema], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            faults = [fault for table in ('by_key', 'by_prefix') for fault in run(server, path, table, rows)]
        finally:
            stopped = server.stop()
    if not stopped:
        faults.append('the server did not end cleanly')
    print('\n'.join(f'FAILED: {fault}' for fault in faults) or f'{rows} rows are in order in both tables')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
