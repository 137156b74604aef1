"""Cases of operators, functions, groups and JSON, as a program with a driver sees them."""
import json
from decimal import Decimal

from cassandra import FunctionFailure, InvalidRequest
from cassandra.query import SimpleStatement, tuple_factory
from support import case, check, equal, refused


def columns_of(result):
    return list(zip(result.column_names, [kind.cql_parameterized_type() for kind in result.column_types]))


@case
def expressions(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE computed (k int PRIMARY KEY, i int, b bigint, d decimal, t text, m map<text, int>)')
        put = session.prepare('INSERT INTO computed (k, i, b, t) VALUES (?, (int) ? * 2, - ?, CAST((int) ? AS text))')
        equal([(column.name, column.type.typename) for column in put.column_metadata],
              [('k', 'int'), ('arg0(system._multiply)', 'int'), ('arg0(system._negate)', 'bigint'), ('arg0(system.cast_as_text)', 'int')],
              'markers')
        for k in range(1, 4):
            session.execute(put, (k, 10 * k, k, 7))
        result = session.execute("SELECT i + 1, i * b, b / 2, CAST(i AS text), t + '!', (i + 1) * 2 FROM computed WHERE k = 2")
        equal(columns_of(result), [('i + 1', 'int'), ('i * b', 'bigint'), ('b / 2', 'bigint'), ('cast(i as text)', 'varchar'),
                                   ("t + '!'", 'varchar'), ('(i + 1) * 2', 'int')], 'names and types')
        equal(result.all(), [(41, -80, -1, '40', '7!', 82)], 'operators')
        add = session.prepare('SELECT i + (int) ?, max(i) - min(i) FROM computed WHERE k = ?')
        equal(session.execute(add, (5, 1)).all(), [(25, 0)], 'bound operand, function of aggregates')
        session.execute("UPDATE computed SET d = 1 / 3, m = {'a' + 'b': 1 + 1} WHERE k = 1 + 0")
        equal(session.execute('SELECT d, m, map_keys(m), collection_sum(map_values(m)) FROM computed WHERE k = 1').all(),
              [(Decimal('0.' + '3' * 32), {'ab': 2}, {'ab'}, 2)], 'values')
        error = refused(FunctionFailure, 'the operation', session.execute, 'SELECT i / 0 FROM computed WHERE k = 1')
        equal((error.keyspace, error.function, error.arg_types), ('system', '_divide', ['int', 'int']), 'what failed')
        refused(InvalidRequest, "Ambiguous '+' operation with args i and ?", session.prepare, 'SELECT i + ? FROM computed')


@case
def groups_in_pages(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE grouped (k int, c int, d int, v int, PRIMARY KEY (k, c, d))')
        put = session.prepare('INSERT INTO grouped (k, c, d, v) VALUES (?, ?, ?, ?)')
        for answer in [session.execute_async(put, (k, c, d, 100 * k + 10 * c + d)) for k in range(5) for c in range(6) for d in range(7)]:
            answer.result()
        group = session.prepare('SELECT c, count(*), sum(v), max(d) + 1 FROM grouped WHERE k = ? GROUP BY c LIMIT ?')
        group.fetch_size = 2
        result = session.execute(group, (3, 5))
        pages = 1
        rows = list(result.current_rows)
        while result.has_more_pages:
            result.fetch_next_page()
            rows += result.current_rows
            pages += 1
        equal(rows, [(c, 7, sum(300 + 10 * c + d for d in range(7)), 7) for c in range(5)], 'groups')
        check(pages >= 3, f'{pages} pages of two groups')
        whole = session.execute(SimpleStatement('SELECT k, count(*) FROM grouped GROUP BY k', fetch_size=2))
        equal(sorted(whole), [(k, 42) for k in range(5)], 'partitions')
        equal(session.execute('SELECT k, c, v FROM grouped WHERE k IN (1, 2) GROUP BY k, c PER PARTITION LIMIT 1').all(),
              [(1, 0, 100), (2, 0, 200)], 'first rows')


@case
def json_rows(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE documents (k int PRIMARY KEY, "Name" text, tags set<text>, n bigint, d decimal)')
        put = session.prepare('INSERT INTO documents JSON ?')
        equal([(column.name, column.type.typename) for column in put.column_metadata], [('[json]', 'varchar')], 'the marker')
        rows = [{'k': k, '"Name"': f'n"{k}', 'tags': ['x', f'y{k}'], 'n': (1 << 62) + k, 'd': 1.5} for k in range(20)]
        for row in rows:
            session.execute(put, (json.dumps(row),))
        get = session.prepare('SELECT JSON * FROM documents WHERE k = ?')
        for row in rows:
            equal(json.loads(session.execute(get, (row['k'],)).one()[0]), row, 'as it was written')
        some = session.prepare('INSERT INTO documents JSON ? DEFAULT UNSET')
        session.execute(some, ('{"k": 1, "n": 5}',))
        session.execute(put, ('{"k": 2, "n": 5}',))
        equal(session.execute('SELECT k, "Name", n FROM documents WHERE k IN (1, 2)').all(), [(1, 'n"1', 5), (2, None, 5)], 'unset, null')
        refused(InvalidRequest, 'JSON values map contains unrecognized column: nope', session.execute, put, ('{"k": 1, "nope": 1}',))
        refused(InvalidRequest, 'Got null for INSERT JSON values', session.execute, put, (None,))
        equal(session.execute('SELECT to_json(tags), to_json("Name") FROM documents WHERE k = 3').all(), [('["x", "y3"]', '"n\\"3"')], 'to_json')
