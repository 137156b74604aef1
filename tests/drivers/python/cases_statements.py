"""Cases of simple and prepared statements, values by name, null and unset values."""
from cassandra import InvalidRequest, ProtocolVersion
from cassandra.query import UNSET_VALUE, PreparedStatement, SimpleStatement, dict_factory, tuple_factory
from support import case, check, equal, refused


@case
def simple_statements(context):
    with context.session() as session:
        session.execute('CREATE TABLE simple (k int, c text, v bigint, PRIMARY KEY (k, c))')
        session.execute("INSERT INTO simple (k, c, v) VALUES (1, 'a', 10) USING TTL 1000 AND TIMESTAMP 12345")
        session.execute('INSERT INTO simple (k, c, v) VALUES (%s, %s, %s)', (1, "b'c", 2**40))
        rows = session.execute('SELECT * FROM simple WHERE k = %s', [1])
        equal(rows.column_names, ['k', 'c', 'v'], 'column names')
        equal([t.typename for t in rows.column_types], ['int', 'varchar', 'bigint'], 'column types')
        equal([tuple(row) for row in rows], [(1, 'a', 10), (1, "b'c", 2**40)], 'rows')
        row = session.execute("SELECT writetime(v) AS w, ttl(v) AS t, v AS \"Value\" FROM simple WHERE k = 1 AND c = 'a'")
        equal(row.column_names, ['w', 't', 'Value'], 'aliases')
        written, ttl, value = row.one()
        equal((written, value), (12345, 10), 'writetime and the aliased value')
        check(900 < ttl <= 1000, f'ttl {ttl}')
        equal(session.execute('SELECT count(*) FROM simple').one()[0], 2, 'count(*)')
        equal(session.execute("UPDATE simple SET v = 11 WHERE k = 1 AND c = 'a'").all(), [], 'an UPDATE has no rows')
        session.execute("DELETE v FROM simple WHERE k = 1 AND c = 'a'")
    with context.session(row_factory=dict_factory) as session:
        equal(session.execute("SELECT * FROM simple WHERE k = 1 AND c = 'a'").all(), [{'k': 1, 'c': 'a', 'v': None}],
              'rows as dictionaries')
        equal(session.execute('SELECT * FROM simple WHERE k = 99').all(), [], 'no rows')


@case
def prepared_statements(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE prepared (a int, b text, c int, v list<int>, PRIMARY KEY ((a, b), c))')
        insert = session.prepare('INSERT INTO prepared (c, v, b, a) VALUES (?, ?, ?, ?)')
        check(isinstance(insert, PreparedStatement), 'a prepared statement')
        equal([(m.name, m.type.cql_parameterized_type()) for m in insert.column_metadata],
              [('c', 'int'), ('v', 'list<int>'), ('b', 'varchar'), ('a', 'int')], 'markers')
        equal(insert.routing_key_indexes, [3, 2], 'partition key indices')
        equal({m.table_name for m in insert.column_metadata}, {'prepared'}, 'the markers\' table')
        for i in range(200):
            session.execute(insert, (i, [i, i + 1], 'b', 1))
        by_key = session.prepare('SELECT c, v FROM prepared WHERE a = ? AND b = ? AND c IN ? LIMIT ?')
        equal([m.type.cql_parameterized_type() for m in by_key.column_metadata], ['int', 'varchar', 'list<int>', 'int'], 'types')
        equal(session.execute(by_key, (1, 'b', [5, 7, 9], 2)).all(), [(5, [5, 6]), (7, [7, 8])], 'IN ? LIMIT ?')
        equal(session.execute(session.prepare('SELECT count(*) FROM prepared')).one(), (200,), 'no markers')
        equal(session.execute(session.prepare('SELECT c FROM prepared WHERE a = ? AND b = ? AND c > ? ORDER BY c DESC LIMIT 2'),
                              (1, 'b', 100)).all(), [(199,), (198,)], 'a range')
    altered_table(context)
    return altered_table(context, ProtocolVersion.V4)


def altered_table(context, version=ProtocolVersion.V5):
    """Tests a prepared SELECT * after ALTER TABLE ADD."""
    table = f'altered_v{version}'
    with context.session(row_factory=dict_factory, protocol_version=version) as session:
        session.execute(f'CREATE TABLE {table} (k int PRIMARY KEY, v int)')
        select = session.prepare(f'SELECT * FROM {table} WHERE k = ?')
        session.execute(f'INSERT INTO {table} (k, v) VALUES (1, 2)')
        equal(session.execute(select, (1,)).all(), [{'k': 1, 'v': 2}], 'before')
        with context.session() as other:
            other.execute(f'ALTER TABLE {table} ADD a text')
            other.execute(f"INSERT INTO {table} (k, v, a) VALUES (1, 2, 'new')")
        if version < ProtocolVersion.V5:
            select = session.prepare(f'SELECT * FROM {table} WHERE k = ?')
        for _ in range(3):
            equal(session.execute(select, (1,)).all(), [{'k': 1, 'a': 'new', 'v': 2}], f'the new column, v{version}')


@case
def named_values(context):
    with context.session(row_factory=tuple_factory) as session:
        session.execute('CREATE TABLE named (k int PRIMARY KEY, "Mixed" text, v int)')
        insert = session.prepare('INSERT INTO named (k, "Mixed", v) VALUES (:key, :"Name", :v)')
        equal([m.name for m in insert.column_metadata], ['key', 'Name', 'v'], 'names of the markers')
        session.execute(insert, {'v': 3, 'key': 1, 'Name': 'x'})
        session.execute(session.prepare('INSERT INTO named (k, "Mixed", v) VALUES (?, ?, ?)'), {'v': 4, 'k': 2, 'Mixed': 'y'})
        session.execute('INSERT INTO named (k, "Mixed", v) VALUES (%(k)s, %(m)s, %(v)s)', {'k': 3, 'm': 'z', 'v': 5})
        equal(sorted(session.execute('SELECT * FROM named')), [(1, 'x', 3), (2, 'y', 4), (3, 'z', 5)], 'rows')
        twice = session.prepare('SELECT k FROM named WHERE k = :n AND v = :n ALLOW FILTERING')
        session.execute('INSERT INTO named (k, v) VALUES (7, 7)')
        equal(session.execute(twice, {'n': 7}).all(), [(7,)], 'one name twice')


@case
def null_unset(context):
    with context.session(row_factory=tuple_factory, protocol_version=ProtocolVersion.V4) as session:
        session.execute('CREATE TABLE holes (k int, c int, v int, l list<int>, PRIMARY KEY (k, c))')
        insert = session.prepare('INSERT INTO holes (k, c, v, l) VALUES (?, ?, ?, ?)')
        select = session.prepare('SELECT v, l FROM holes WHERE k = ? AND c = ?')
        session.execute(insert, (1, 1, 5, [1]))
        session.execute(insert, (1, 1, UNSET_VALUE, UNSET_VALUE))
        equal(session.execute(select, (1, 1)).one(), (5, [1]), 'unset leaves the value')
        session.execute(insert, (1, 1))  # The driver sets missing values to unset.
        equal(session.execute(select, (1, 1)).one(), (5, [1]), 'values left out are unset')
        session.execute(insert, (1, 1, None, UNSET_VALUE))
        equal(session.execute(select, (1, 1)).one(), (None, [1]), 'null deletes')
        session.execute(insert, (1, 1, 5, None))
        equal(session.execute(select, (1, 1)).one(), (5, None), 'null deletes a list')
        session.execute('INSERT INTO holes (k, c, v) VALUES (%s, %s, %s)', (1, 1, None))
        equal(session.execute(select, (1, 1)).one(), (None, None), 'null in text')
        limit = session.prepare('SELECT c FROM holes WHERE k = ? LIMIT ?')
        equal(session.execute(limit, (1, UNSET_VALUE)).all(), [(1,)], 'an unset LIMIT is none')
        refused(InvalidRequest, 'Invalid unset value for column c', session.execute, insert, (1, UNSET_VALUE, 5, None))
        refused(InvalidRequest, 'Invalid null value in condition for column c', session.execute, insert, (1, None, 5, None))
        refused(InvalidRequest, 'Invalid unset value for column c', session.execute, select, (1, UNSET_VALUE))
    with context.session(protocol_version=ProtocolVersion.V3) as session:
        insert = session.prepare('INSERT INTO holes (k, c, v, l) VALUES (?, ?, ?, ?)')
        refused(ValueError, '', session.execute, insert, (1, 1, UNSET_VALUE, None))  # v3 has no unset values.
    simple = SimpleStatement('SELECT v FROM holes WHERE k = 1 AND c = 1')
    with context.session(row_factory=tuple_factory) as session:
        equal(session.execute(simple).one(), (None,), 'the default version')
