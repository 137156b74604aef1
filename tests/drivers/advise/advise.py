#!/usr/bin/env python3
"""advise.py HOST:PORT makes and fills a table with faults. ADVISE must find the faults, and every fix must run through the driver."""
import re
import sys

from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.concurrent import execute_concurrent_with_args

COLUMNS = ('code', 'severity', 'confidence', 'keyspace_name', 'table_name', 'columns', 'evidence', 'why', 'fix')
ROWS = 12_000


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def fill(session):
    session.execute("CREATE KEYSPACE advised WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    session.execute('CREATE TABLE advised.purchases (seller_id int, order_no bigint, price double, PRIMARY KEY (seller_id, order_no))')
    insert = session.prepare('INSERT INTO advised.purchases (seller_id, order_no, price) VALUES (?, ?, ?)')
    rows = [(0 if i % 3 else i % 8, i, 1.5) for i in range(ROWS)]
    check(all(result.success for result in execute_concurrent_with_args(session, insert, rows, concurrency=100)), 'rows are written')


def check_rows(findings):
    for finding in findings:
        check(finding._fields == COLUMNS, finding._fields)
        check(finding.confidence in ('declared', 'measured', 'suspected'), finding.confidence)
        check(finding.severity in ('info', 'warning', 'critical'), finding.severity)
        check((finding.keyspace_name, finding.table_name) == ('advised', 'purchases'), finding)
        check(isinstance(finding.columns, list) and finding.evidence and finding.why, finding)
    by_code = {finding.code: finding for finding in findings}
    check({'few-values', 'skewed-values', 'float-money'} <= set(by_code), sorted(by_code))
    check('12,000 rows' in by_code['few-values'].evidence, by_code['few-values'].evidence)
    check(by_code['skewed-values'].columns == ['seller_id'], by_code['skewed-values'])
    check('seller_id = 0' in by_code['skewed-values'].evidence, by_code['skewed-values'].evidence)


def run_fixes(session, findings):
    """Runs each fix by itself, because two findings may propose the same table."""
    for fix in sorted({finding.fix for finding in findings if finding.fix}):
        for statement in fix.split(';'):
            if statement.strip():
                session.execute(statement)
        for table in re.findall(r'CREATE TABLE (\S+) ', fix):
            check(session.cluster.metadata.keyspaces['advised'].tables.get(table.split('.')[1]), f'the driver sees {table}')
            session.execute(f'DROP TABLE {table}')


def main():
    host, port = sys.argv[1].rsplit(':', 1)
    profile = ExecutionProfile(request_timeout=60)
    with Cluster([host], port=int(port), execution_profiles={EXEC_PROFILE_DEFAULT: profile}) as cluster:
        session = cluster.connect()
        fill(session)
        findings = list(session.execute('ADVISE TABLE advised.purchases'))
        check_rows(findings)
        check(list(session.execute(session.prepare('ADVISE TABLE advised.purchases'))) == findings, 'prepared it answers the same')
        check({'float-money'} <= {row.code for row in session.execute('ADVISE SCHEMA')}, 'ADVISE SCHEMA')
        statement = "ADVISE STATEMENT 'SELECT * FROM advised.purchases WHERE price = 1.5'"
        check([row.code for row in session.execute(statement)] == ['filtering-read', 'missing-index'], 'ADVISE STATEMENT')
        run_fixes(session, findings)
        session.execute('DROP KEYSPACE advised')
    print('ADVISE holds over the driver')


if __name__ == '__main__':
    main()
